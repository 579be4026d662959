// Package ccdriver is a compiler driver with gcc's command line for the targets
// of this repository. It runs plain clang and lld out of zig's distribution on a
// sysroot that package sysroot made, so that no action ever fills a zig cache.
//
// One executable serves rules_cc, setuptools, CMake and meson alike. Its life:
// [Main] reads the driver's own flags and the file ccdriver.json ([Config]),
// expands response files, and hands the arguments to the planner of the mode
// (cc, c++, ar, ranlib, strip, rc, dlltool). A planner is a pure function from
// arguments to a [Plan], the list of commands to run, so every translation is
// tested by its printed commands. Then the plan is run.
//
// The driver's promise is that nothing is dropped in silence. A flag is either
// honoured, or accepted because it asks for what the target does by nature
// (-fPIC on Windows), or refused by name with the reason; flags.go has the
// tables. No header or library of the machine that runs it is ever looked at.
package ccdriver

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Usage is the text that --help prints.
const Usage = `usage: ccdriver --mode=MODE [--zig=FILE] [--sysroot=FOLDER] [--target=NAME] ARGUMENTS...
   or: MODE ARGUMENTS...   (the executable or a link to it is named after the mode)

A compiler driver with gcc's command line on zig's clang and lld.

Modes: cc, c++ (also gcc, g++, clang, clang++), ar, ranlib, strip, rc (windres), dlltool.
Targets: win_arm64 (mingw ABI, UCRT), linux_aarch64 (glibc 2.28).

Flags of the driver itself; all others are the mode's own:
  --mode=MODE            what to be, whatever the executable is called
  --zig=FILE             zig's executable
  --zig-lib=FOLDER       zig's library folder; only mode rc needs it
  --sysroot=FOLDER       what "sysroot make" made for the target
  --target=NAME          the target
  --prefix-map=OLD=NEW   one more -ffile-prefix-map; the working folder always maps to "."
  --print-command        print the commands, one a line, instead of running them

What is not given by a flag is read from the file ccdriver.json in the folder of
the executable, or of the link by which it was called:
  {"zig": "...", "zig_lib": "...", "sysroot": "...", "target": "...", "prefix_maps": ["OLD=NEW"]}
Relative paths in it are relative to that folder.

Exit codes: that of the failing command; 1 for an argument that cannot be
honoured or a library that is not found; 0 otherwise.
`

// modes maps every name that the executable may have to a mode.
var modes = map[string]string{
	"cc": "cc", "gcc": "cc", "clang": "cc",
	"c++": "c++", "g++": "c++", "clang++": "c++",
	"ar": "ar", "ranlib": "ranlib", "strip": "strip", "dlltool": "dlltool",
	"rc": "rc", "windres": "rc",
}

// Main runs the driver. argv is the whole command line, argv[0] included. It
// returns the exit code.
func Main(argv []string, stdin io.Reader, stdout, stderr io.Writer) int {
	plan, own, err := prepare(argv)
	if err != nil {
		fmt.Fprintln(stderr, "ccdriver: error:", err)
		return 1
	}
	if own.help {
		fmt.Fprint(stdout, Usage)
		return 0
	}
	if own.print {
		fmt.Fprint(stdout, plan)
		return 0
	}
	code, err := plan.Run(stdin, stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "ccdriver: error:", err)
	}
	return code
}

// prepare turns a command line into the plan that carries it out.
func prepare(argv []string) (*Plan, *ownFlags, error) {
	if len(argv) == 0 {
		return nil, nil, fmt.Errorf("no arguments, not even a program name")
	}
	args, err := expandResponseFiles(argv[1:])
	if err != nil {
		return nil, nil, err
	}
	own, rest, err := parseOwnFlags(args)
	if err != nil || own.help {
		return nil, own, err
	}
	name := strings.TrimSuffix(filepath.Base(argv[0]), ".exe")
	if own.mode != "" {
		name = own.mode
	}
	mode, ok := modes[name]
	if !ok {
		return nil, nil, fmt.Errorf("no mode is called %q: say --mode=cc, c++, ar, ranlib, strip, rc or dlltool", name)
	}
	config, err := own.config(argv[0])
	if err != nil {
		return nil, nil, err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	t, err := newToolchain(config, cwd)
	if err != nil {
		return nil, nil, err
	}
	plan, err := t.plan(mode, rest)
	return plan, own, err
}

// plan makes the plan of one mode.
func (t *toolchain) plan(mode string, args []string) (*Plan, error) {
	switch mode {
	case "cc", "c++":
		return t.planCC(mode == "c++", args)
	case "ar":
		return t.planAr(args)
	case "ranlib":
		return newPlan(t.zig("ranlib", args...)), nil
	case "strip":
		return planStrip(args)
	case "dlltool":
		return t.planDlltool(args)
	default:
		return t.planRC(args)
	}
}
