// Package affected runs `pins affected` with a real Bazel and git, on a workspace of a few files.
package affected

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/google/go-cmp/cmp"
)

// Two wheels, so to speak, that share a tool; set and a_alias only hand on.
const build = `
filegroup(name = "tool", srcs = ["tool.txt"])
genrule(name = "a", srcs = ["a.txt", ":tool"], outs = ["a.out"], cmd = "cat $(SRCS) > $@")
genrule(name = "b", srcs = ["b.txt", ":tool"], outs = ["b.out"], cmd = "cat $(SRCS) > $@")
genrule(name = "after_a", srcs = [":a_alias"], outs = ["after_a.out"], cmd = "cat $(SRCS) > $@")
alias(name = "a_alias", actual = ":a")
filegroup(name = "set", srcs = [":b"])
`

func TestAffected(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("there is no git on PATH: install it")
	}
	startup, expunge := start(t)
	base := t.TempDir()
	ws := filepath.Join(base, "ws")
	if err := os.MkdirAll(ws, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(ws, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files := map[string]string{"MODULE.bazel": module(t), ".bazelrc": "common --lockfile_mode=off\n" + airGap(t), "BUILD.bazel": build,
		"a.txt": "a\n", "b.txt": "b\n", "tool.txt": "tool\n"}
	for name, text := range files {
		write(name, text)
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@t.invalid"}, args...)...)
		cmd.Dir = ws
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "--quiet")
	git("add", ".")
	git("commit", "--quiet", "-m", "one")
	pins, err := runfiles.Rlocation(os.Getenv("PINS"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		worktrees, err := filepath.Glob(filepath.Join(base, "cache", "sparkwheels", "affected", "*"))
		if err != nil {
			t.Error(err)
		}
		for _, dir := range append(worktrees, ws) {
			expunge(dir)
		}
	})
	affected := func(args ...string) []string {
		t.Helper()
		line := []string{"--root", ws, "affected", "//:all"}
		for _, word := range startup {
			line = append(line, "--bazel="+word)
		}
		cmd := exec.CommandContext(t.Context(), pins, append(line, args...)...)
		cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(base, "cache"))
		var said strings.Builder
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("pins affected: %v\n%s", err, said.String())
		}
		return strings.Fields(string(out))
	}
	for _, c := range []struct {
		name, file, text string
		want             []string
	}{
		{"nothing", "a.txt", "a\n", []string{}},
		{"a comment in the BUILD file", "BUILD.bazel", build + "# more\n", []string{}},
		{"a file of a", "a.txt", "other\n", []string{"//:a", "//:a_alias", "//:after_a"}},
		{"a file of b", "b.txt", "other\n", []string{"//:b", "//:set"}},
		{"a command", "BUILD.bazel", strings.Replace(build, `outs = ["b.out"], cmd = "cat`, `outs = ["b.out"], cmd = "sort`, 1), []string{"//:b", "//:set"}},
		{"what both read", "tool.txt", "other\n", []string{"//:a", "//:a_alias", "//:after_a", "//:b", "//:set"}},
	} {
		write(c.file, c.text)
		if diff := cmp.Diff(c.want, sorted(affected("--since", "HEAD"))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		write(c.file, files[c.file])
	}
	// Against an older revision, and the worktree that is there already.
	write("b.txt", "other\n")
	git("commit", "--quiet", "--all", "-m", "two")
	if diff := cmp.Diff([]string{"//:b", "//:set"}, sorted(affected("--since", "HEAD~1"))); diff != "" {
		t.Errorf("HEAD~1 (-want +got):\n%s", diff)
	}
}

func sorted(labels []string) []string {
	return append([]string{}, slices.Sorted(slices.Values(labels))...)
}

// root is the checkout; runfiles are links into it.
func root(t *testing.T) string {
	t.Helper()
	file, err := filepath.EvalSymlinks(filepath.Join("..", "..", "MODULE.bazel"))
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(file)
}

// start is a command of Bazel's with its startup options, and what removes the output tree of a workspace.
func start(t *testing.T) (command []string, expunge func(dir string)) {
	t.Helper()
	bazel, err := exec.LookPath("bazel")
	if err != nil {
		bazel, err = exec.LookPath("bazelisk")
	}
	if err != nil {
		t.Fatal("there is neither bazel nor bazelisk on PATH: run this test by ./bazelw")
	}
	command = []string{bazel, "--nohome_rc", "--output_user_root=" + filepath.Join(t.TempDir(), "out"), "--host_jvm_args=-Xmx512m", "--max_idle_secs=15"}
	return command, func(dir string) {
		// Output trees are read-only, so that t.TempDir cannot remove them; Bazel can.
		cmd := exec.Command(command[0], append(slices.Clone(command[1:]), "clean", "--expunge")...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("bazel clean --expunge: %v\n%s", err, out)
		}
	}
}

// module has the project's dependencies, which the air-gap configuration overrides by name.
func module(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root(t), "MODULE.bazel"))
	if err != nil {
		t.Fatal(err)
	}
	text := "module(name = \"affected\")\n"
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "bazel_dep(") {
			text += line
		}
	}
	return text
}

// airGap is the air-gap configuration where ./bazelw has written one.
func airGap(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root(t), ".airgap", "airgap.bazelrc"))
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	} else if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
