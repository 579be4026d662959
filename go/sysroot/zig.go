package sysroot

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// zig runs `zig args...` in dir and returns what it wrote to standard error.
func (m *maker) zig(dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(m.ctx, m.Zig, args...)
	cmd.Dir = dir
	cmd.Env = m.env()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("zig %s: %w\n%s%s", strings.Join(args, " "), err, stdout.String(), lastLines(stderr.String()))
	}
	return stderr.String(), nil
}

// env is the whole environment of zig: nothing of the caller's but what
// Windows needs to start a process.
func (m *maker) env() []string {
	env := []string{
		// Relative to the folder that zig runs in, so that the verbose link
		// line holds no blank of the user's path.
		"ZIG_GLOBAL_CACHE_DIR=c",
		"ZIG_LOCAL_CACHE_DIR=c",
		"ZIG_LIB_DIR=" + m.ZigLib,
		"ZIG_VERBOSE_LINK=1",
		"TMPDIR=" + m.work,
		"TMP=" + m.work,
		"TEMP=" + m.work,
	}
	if runtime.GOOS == "windows" {
		env = append(env, "SystemRoot="+os.Getenv("SystemRoot"))
	}
	return env
}

// lastLines keeps the end of a long output, where the error stands: verbose
// link lines before it are tens of kilobytes long.
func lastLines(s string) string {
	const most = 4000
	if len(s) > most {
		return "[...]" + s[len(s)-most:]
	}
	return s
}

// probe is the name of the file that is linked; zig names its object after it.
const probe = "sysroot_probe"

// link links source with zig for a target and returns the runtime files that
// zig gave to its linker, as absolute paths in the order of the command.
// linker is the word that the final link line starts with.
func (m *maker) link(linker, target, source, output string, flags ...string) ([]string, error) {
	file := probe + ".cc"
	if err := os.WriteFile(filepath.Join(m.work, file), []byte(source), 0o644); err != nil {
		return nil, err
	}
	args := append([]string{"c++", "-target", target, "-O2", "-s", "-o", output}, flags...)
	verbose, err := m.zig(m.work, append(args, file)...)
	if err != nil {
		return nil, err
	}
	inputs, err := runtimeInputs(verbose, linker, output)
	if err != nil {
		return nil, err
	}
	for i, input := range inputs {
		if !filepath.IsAbs(input) {
			inputs[i] = filepath.Join(m.work, input)
		}
	}
	return inputs, nil
}

// runtimeInputs finds, in the output of a ZIG_VERBOSE_LINK=1 run, the command
// that wrote output and returns the objects and libraries it was given, the
// probe's own object excepted.
func runtimeInputs(verbose, linker, output string) ([]string, error) {
	for _, line := range strings.Split(verbose, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != linker || !writes(words, output) {
			continue
		}
		var inputs []string
		for i, word := range words[1:] {
			previous := words[i]
			if strings.HasPrefix(word, "-") || previous == "-o" || previous == "-soname" || previous == "--dynamic-linker" {
				continue
			}
			base := word[strings.LastIndexAny(word, `/\`)+1:]
			if isRuntime(base) {
				inputs = append(inputs, word)
			}
		}
		if len(inputs) == 0 {
			return nil, fmt.Errorf("zig's link line for %s names no runtime library: %s", output, line)
		}
		return inputs, nil
	}
	return nil, fmt.Errorf("zig printed no %s line that writes %s; its verbose output ended with:\n%s", linker, output, lastLines(verbose))
}

// writes reports whether a link command's output is the given file.
func writes(words []string, output string) bool {
	for i, word := range words {
		if word == "-OUT:"+output || word == "-o" && i+1 < len(words) && words[i+1] == output {
			return true
		}
	}
	return false
}

// isRuntime tells a runtime object or library from the other words of a link.
func isRuntime(base string) bool {
	if strings.HasPrefix(base, probe) {
		return false
	}
	for _, ext := range []string{".lib", ".obj", ".o", ".a"} {
		if strings.HasSuffix(base, ext) {
			return true
		}
	}
	return strings.Contains(base, ".so.")
}
