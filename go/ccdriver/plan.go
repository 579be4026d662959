package ccdriver

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Command is one program to run.
type Command struct {
	// Args is the command line; Args[0] is the program.
	Args []string
	// Env is added to the environment.
	Env []string
}

// Plan is what one call of the driver does: it runs commands in order until one
// fails, and prints or calls what the tools of zig cannot do.
type Plan struct {
	Commands []Command
	// Warnings are printed to standard error before the commands.
	Warnings []string
	// Output is printed to standard output after the commands.
	Output string
	// Do, where it is set, runs after the commands; its name is for printing.
	Do     func() error
	DoName string
	// tempDirs are folders below tempMark, which stands for a folder that exists
	// only while the plan runs.
	tempDirs []string
}

// tempMark stands, in a plan, for the temporary folder.
const tempMark = "$TEMP"

func newPlan(commands ...Command) *Plan { return &Plan{Commands: commands} }

// String lists the commands, one a line, quoted for a POSIX shell.
func (p *Plan) String() string {
	var b strings.Builder
	for _, w := range p.Warnings {
		b.WriteString("warning: " + w + "\n")
	}
	for _, c := range p.Commands {
		for i, arg := range c.Args {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(quoteWord(arg))
		}
		b.WriteByte('\n')
	}
	if p.DoName != "" {
		b.WriteString(p.DoName + "\n")
	}
	return b.String() + p.Output
}

// Run carries the plan out and returns the exit code. An error is one of the
// driver; a command that fails has said why itself.
func (p *Plan) Run(stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	temp := ""
	if len(p.tempDirs) > 0 || p.long() {
		dir, err := os.MkdirTemp("", "ccdriver")
		if err != nil {
			return 1, err
		}
		defer os.RemoveAll(dir)
		temp = dir
	}
	for _, dir := range p.tempDirs {
		if err := os.MkdirAll(strings.ReplaceAll(dir, tempMark, temp), 0o755); err != nil {
			return 1, err
		}
	}
	for _, w := range p.Warnings {
		fmt.Fprintf(stderr, "ccdriver: warning: %s\n", w)
	}
	for _, c := range p.Commands {
		args := make([]string, len(c.Args))
		for i, arg := range c.Args {
			args[i] = strings.ReplaceAll(arg, tempMark, filepath.ToSlash(temp))
		}
		args, err := shorten(args, temp)
		if err != nil {
			return 1, err
		}
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = environment(os.Environ())
		for _, e := range c.Env {
			cmd.Env = append(cmd.Env, strings.ReplaceAll(e, tempMark, temp))
		}
		cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
		if err := cmd.Run(); err != nil {
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.ExitCode() > 0 {
				return exit.ExitCode(), nil
			}
			return 1, err
		}
	}
	if p.Do != nil {
		if err := p.Do(); err != nil {
			return 1, err
		}
	}
	_, err := io.WriteString(stdout, p.Output)
	return 0, err
}

// long reports whether some command does not fit on a command line.
func (p *Plan) long() bool {
	for _, c := range p.Commands {
		if tooLong(c.Args) {
			return true
		}
	}
	return false
}

// tooLong compares with the operating system's limit: 32,767 characters on
// Windows, and elsewhere 128 KiB for one argument, of which the whole stays clear.
func tooLong(args []string) bool {
	limit := 100_000
	if runtime.GOOS == "windows" {
		limit = 30_000
	}
	n := 0
	for _, arg := range args {
		n += len(arg) + 3
	}
	return n > limit
}

// shorten moves the arguments after `zig TOOL` to a response file where they
// would not fit. lld-link has one way to read it, in which only a quote makes a
// backslash special; no argument of ours holds both.
func shorten(args []string, temp string) ([]string, error) {
	if !tooLong(args) || len(args) < 3 {
		return args, nil
	}
	var b strings.Builder
	for _, arg := range args[2:] {
		b.WriteString(quoteWord(arg) + "\n")
	}
	file := filepath.Join(temp, "args")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		return nil, err
	}
	short := args[:2:2]
	if tool := args[1]; tool == "clang" || tool == "ld.lld" {
		short = append(short, "--rsp-quoting=posix")
	}
	return append(short, "@"+file), nil
}

// epoch is the time that __DATE__, __TIME__ and __TIMESTAMP__ show unless the
// caller sets SOURCE_DATE_EPOCH: 1980-01-01, the first that a zip file can hold.
const epoch = "SOURCE_DATE_EPOCH=315532800"

// environment is the environment of a command: the caller's, less all through
// which clang and lld take folders or options of the machine, plus the epoch.
func environment(caller []string) []string {
	var env []string
	dated := false
	for _, e := range caller {
		name, _, _ := strings.Cut(e, "=")
		switch strings.ToUpper(name) {
		case "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH",
			"GCC_EXEC_PREFIX", "CCC_OVERRIDE_OPTIONS", "CL", "_CL_", "LINK", "_LINK_", "LIB", "INCLUDE", "LLD_REPRODUCE",
			"DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "LD_RUN_PATH":
			continue
		case "SOURCE_DATE_EPOCH":
			dated = true
		}
		env = append(env, e)
	}
	if !dated {
		env = append(env, epoch)
	}
	return env
}
