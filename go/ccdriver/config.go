package ccdriver

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// SidecarName is the file beside the executable that holds a Config.
const SidecarName = "ccdriver.json"

// Config is where the toolchain lies. It comes from flags or from ccdriver.json.
type Config struct {
	// Zig is zig's executable.
	Zig string `json:"zig"`
	// ZigLib is zig's library folder, which only mode rc needs.
	ZigLib string `json:"zig_lib,omitempty"`
	// Sysroot is the folder that package sysroot made for Target.
	Sysroot string `json:"sysroot"`
	// Target is a name in the table of targets.
	Target string `json:"target"`
	// PrefixMaps are OLD=NEW pairs for -ffile-prefix-map, beyond those of the
	// working folder and of the sysroot.
	PrefixMaps []string `json:"prefix_maps,omitempty"`
}

// ownFlags are the driver's own flags on a command line.
type ownFlags struct {
	mode        string
	given       Config
	print, help bool
}

// parseOwnFlags takes the driver's own flags out of args. Only the forms that
// the usage names are its own; everything else, such as clang's --target=TRIPLE,
// belongs to the mode.
func parseOwnFlags(args []string) (*ownFlags, []string, error) {
	own := &ownFlags{}
	var rest []string
	for _, arg := range args {
		name, value, hasValue := strings.Cut(arg, "=")
		switch {
		case arg == "--print-command":
			own.print = true
		case arg == "--help":
			own.help = true
		case !hasValue:
			rest = append(rest, arg)
		case name == "--mode":
			own.mode = value
		case name == "--zig":
			own.given.Zig = value
		case name == "--zig-lib":
			own.given.ZigLib = value
		case name == "--sysroot":
			if own.given.Sysroot != "" && own.given.Sysroot != value {
				return nil, nil, fmt.Errorf("%s: the sysroot is %s already, and there is only one", arg, own.given.Sysroot)
			}
			own.given.Sysroot = value
		case name == "--target" && targets[value] != nil:
			own.given.Target = value
		case name == "--prefix-map":
			own.given.PrefixMaps = append(own.given.PrefixMaps, value)
		default:
			rest = append(rest, arg)
		}
	}
	return own, rest, nil
}

// config completes the flags with ccdriver.json, which is looked for in the
// folder of argv0 and then in that of the executable: the first is the folder of
// the link where the program was called through one.
func (own *ownFlags) config(argv0 string) (Config, error) {
	c := own.given
	if c.Zig != "" && c.Sysroot != "" && c.Target != "" {
		return c, nil
	}
	var tried []string
	for _, dir := range programDirs(argv0) {
		file := filepath.Join(dir, SidecarName)
		data, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			tried = append(tried, file)
			continue
		}
		if err != nil {
			return c, err
		}
		side, err := parseSidecar(data, dir)
		if err != nil {
			return c, fmt.Errorf("%s: %w", file, err)
		}
		return merge(c, side), nil
	}
	return c, fmt.Errorf("--zig, --sysroot and --target are not all given, and there is no %s", strings.Join(tried, " or "))
}

// programDirs lists the folders that may hold the sidecar.
func programDirs(argv0 string) []string {
	var dirs []string
	if !strings.ContainsAny(argv0, `/\`) {
		if found, err := exec.LookPath(argv0); err == nil {
			argv0 = found
		}
	}
	if strings.ContainsAny(argv0, `/\`) {
		dirs = append(dirs, filepath.Dir(argv0))
	}
	if executable, err := os.Executable(); err == nil {
		dirs = append(dirs, filepath.Dir(executable))
	}
	return dirs
}

// parseSidecar reads a Config; relative paths in it start at dir.
func parseSidecar(data []byte, dir string) (Config, error) {
	var c Config
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&c); err != nil {
		return c, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return c, fmt.Errorf("more than one JSON value")
	}
	for key, value := range map[string]string{"zig": c.Zig, "sysroot": c.Sysroot, "target": c.Target} {
		if value == "" {
			return c, fmt.Errorf("%q is missing", key)
		}
	}
	for _, p := range []*string{&c.Zig, &c.ZigLib, &c.Sysroot} {
		if *p != "" && !filepath.IsAbs(*p) {
			*p = filepath.Join(dir, filepath.FromSlash(*p))
		}
	}
	return c, nil
}

// merge takes from side what the flags leave open.
func merge(flags, side Config) Config {
	for _, f := range []struct{ to, from *string }{
		{&flags.Zig, &side.Zig}, {&flags.ZigLib, &side.ZigLib}, {&flags.Sysroot, &side.Sysroot}, {&flags.Target, &side.Target},
	} {
		if *f.to == "" {
			*f.to = *f.from
		}
	}
	flags.PrefixMaps = append(flags.PrefixMaps, side.PrefixMaps...)
	return flags
}
