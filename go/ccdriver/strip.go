package ccdriver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// planStrip plans a call of strip on one linked file, whose work Strip does.
func planStrip(args []string) (*Plan, error) {
	var files []string
	output, debugOnly := "", false
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--version":
			return &Plan{Output: "GNU strip compatible (ccdriver)\n"}, nil
		case arg == "-o":
			if i++; i == len(args) {
				return nil, fmt.Errorf("strip: -o: its value is missing")
			}
			output = args[i]
		case arg == "-S" || arg == "-g" || arg == "-d" || arg == "--strip-debug":
			debugOnly = true
		case arg == "-s" || arg == "--strip-all" || arg == "--strip-unneeded" || arg == "-x" || arg == "--discard-all":
			// A linked file needs no symbol beyond its dynamic ones.
		case arg == "-p" || arg == "--preserve-dates" || arg == "-D" || arg == "--enable-deterministic-archives":
			// Times are never part of an output.
		case strings.HasPrefix(arg, "-"):
			return nil, fmt.Errorf("strip: %s cannot be honoured: only -s, -S, -g, -x and -o are known", arg)
		default:
			files = append(files, arg)
		}
	}
	if len(files) == 0 || output != "" && len(files) > 1 {
		return nil, fmt.Errorf("strip: one file is needed, with -o OUTPUT if it is not to be changed in place; got %d", len(files))
	}
	return &Plan{
		DoName: "strip " + strings.Join(args, " "),
		Do: func() error {
			for _, file := range files {
				to := output
				if to == "" {
					to = file
				}
				if err := stripFile(file, to, debugOnly); err != nil {
					return fmt.Errorf("strip: %s: %w", file, err)
				}
			}
			return nil
		},
	}, nil
}

// stripFile strips from into to, which may be the same file.
func stripFile(from, to string, debugOnly bool) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	var stripped []byte
	switch {
	case strings.HasPrefix(string(data), "\x7fELF"):
		stripped, err = stripELF(data, debugOnly)
	case strings.HasPrefix(string(data), "MZ"):
		stripped, err = stripPE(data)
	default:
		err = fmt.Errorf("neither an ELF nor a PE file; objects and archives are not stripped")
	}
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(to), ".strip")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(stripped)
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Chmod(tmp.Name(), info.Mode().Perm()|0o200)
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), to)
}
