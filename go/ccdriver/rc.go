package ccdriver

import (
	"fmt"
	"path/filepath"
	"strings"
)

// planRC plans a call of windres, whose work `zig rc` does.
//
// zig compiles its resource compiler on first use, into a cache that lives as
// long as this call: a minute of processor time. Nothing but .rc files pays it.
func (t *toolchain) planRC(args []string) (*Plan, error) {
	if !t.pe {
		return nil, fmt.Errorf("rc compiles resources of Windows; the target is %s", t.Target)
	}
	if len(args) == 1 && (args[0] == "--version" || args[0] == "-V") {
		// Asked by build systems that only want to see a windres.
		return &Plan{Output: "GNU windres compatible resource compiler (zig rc)\n"}, nil
	}
	if t.ZigLib == "" {
		return nil, fmt.Errorf("mode rc needs zig's library folder: give --zig-lib or \"zig_lib\" in %s", SidecarName)
	}
	r := windres{}
	if err := r.parse(args); err != nil {
		return nil, err
	}
	if r.output == "" {
		return nil, fmt.Errorf("rc: no output is given")
	}
	format := r.format
	if format == "" {
		format = "coff"
		if strings.HasSuffix(r.output, ".res") {
			format = "res"
		}
	}
	out := []string{"/nologo", "/:auto-includes", "none", "/:output-format", format}
	if format == "coff" {
		out = append(out, "/:target", "arm64")
	}
	out = append(out, r.flags...)
	out = append(out, "/i", t.inSysroot("include", "c"), "/fo", r.output, "--", r.input)
	plan := newPlan(t.zig("rc", out...))
	lib, err := filepath.Abs(t.ZigLib)
	if err != nil {
		return nil, err
	}
	plan.Commands[0].Env = []string{
		"ZIG_GLOBAL_CACHE_DIR=" + tempMark + "/cache", "ZIG_LOCAL_CACHE_DIR=" + tempMark + "/cache", "ZIG_LIB_DIR=" + lib,
	}
	plan.tempDirs = []string{tempMark + "/cache"}
	return plan, nil
}

// windres is a parsed command line of GNU windres (binutils manual, "windres").
type windres struct {
	input, output, format string
	// flags are those that zig rc gets, translated.
	flags []string
}

// windresFlags maps flags with a value to what zig rc calls them; "" means that
// the value goes to a field of windres or, with ignore, nowhere.
var windresFlags = map[string]string{
	"-D": "/d", "--define": "/d", "-U": "/u", "--undefine": "/u", "-I": "/i", "--include-dir": "/i",
	"-c": "/c", "--codepage": "/c", "-l": "/l", "--language": "/l",
	"-i": "", "--input": "", "-o": "", "--output": "", "-O": "", "--output-format": "", "-J": "", "--input-format": "",
	"-F": "", "--target": "",
}

func (r *windres) parse(args []string) error {
	var files []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if !strings.HasPrefix(arg, "-") {
			files = append(files, arg)
			continue
		}
		if arg == "--use-temp-file" || arg == "--no-use-temp-file" {
			continue // how windres talks to a preprocessor that it does not have here
		}
		name, value, attached := strings.Cut(arg, "=")
		if !strings.HasPrefix(arg, "--") {
			name, value, attached = arg[:2], arg[2:], len(arg) > 2
		}
		to, ok := windresFlags[name]
		if !ok {
			return fmt.Errorf("rc: %s cannot be honoured: zig rc has no such option", arg)
		}
		if !attached {
			if i++; i == len(args) {
				return fmt.Errorf("rc: %s: its value is missing", arg)
			}
			value = args[i]
		}
		switch name {
		case "-i", "--input":
			r.input = value
		case "-o", "--output":
			r.output = value
		case "-O", "--output-format":
			r.format = value
		case "-J", "--input-format":
			if value != "rc" {
				return fmt.Errorf("rc: %s %s cannot be honoured: the input must be a resource script", name, value)
			}
		case "-F", "--target":
			if !strings.Contains(value, "aarch64") && !strings.Contains(value, "arm64") {
				return fmt.Errorf("rc: %s %s cannot be honoured: the target is ARM64", name, value)
			}
		default:
			r.flags = append(r.flags, to, value)
		}
	}
	for _, file := range files {
		switch {
		case r.input == "":
			r.input = file
		case r.output == "":
			r.output = file
		default:
			return fmt.Errorf("rc: %s: there is an input and an output already", file)
		}
	}
	if r.input == "" {
		return fmt.Errorf("rc: no input is given")
	}
	return nil
}
