// Package nvcc runs NVIDIA's nvcc in a Bazel action: on declared inputs only,
// with the repository's own host compiler, and with the same output on every
// machine.
//
// nvcc is a driver that calls other programs. Three things of it cannot be
// allowed in an action: it takes its host compiler, its headers and its options
// from the machine; it writes the working folder into the names of symbols; and
// it warns of what it then does not do. [Run] gives it an empty environment, a
// work folder with two programs that are this executable under other names (see
// [Main]), and turns such warnings into errors:
//
//	host/c++      the host compiler: package ccdriver for the target
//	bin/cudafe++  NVIDIA's program, told the source's relative path
//	bin/nvlink    NVIDIA's program, for Windows given device code that it finds
//
// On Windows as the machine that compiles, the host compiler is cl.exe and
// nothing is put between.
//
// The life of a compilation: [Options] come from the command line; command makes
// nvcc's from them, a pure function that golden tests hold; the object is
// written into the work folder and takes its name when all went well; a [Usage]
// beside it says what the compilation took.
package nvcc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/stage"
)

// Options is one call of nvcc. Paths are relative to the working folder or absolute.
type Options struct {
	// Kind is what to make: one that [Kinds] lists.
	Kind string
	// Tools is the tree of programs that package toolkit made.
	Tools string
	// Headers is the tree of headers that package toolkit made for Target.
	Headers string
	// Target is win_arm64 or linux_aarch64.
	Target string
	// Zig and Sysroot are the host compiler's, as in package ccdriver.
	Zig, Sysroot string
	// MSVC, where it is set, is cl.exe, which then is the host compiler.
	MSVC string
	// Output is the file to make, and UsageFile that for the [Usage], if any.
	Output, UsageFile string
	// Args are nvcc's own arguments, sources included.
	Args []string
}

// Run compiles. Messages go to stderr. The error says what to do, or is an
// [exec.ExitError] when nvcc has said it already. When ctx ends, nvcc and all
// that it started are stopped, and nothing is left behind.
func Run(ctx context.Context, o Options, stderr io.Writer) error {
	if err := check(o); err != nil {
		return err
	}
	work := o.Output + ".work"
	if err := os.RemoveAll(work); err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for _, dir := range []string{"keep", "bin", "host", "tmp"} {
		if err := os.MkdirAll(filepath.Join(work, dir), 0o755); err != nil {
			return err
		}
	}
	env, err := environment(o, work)
	if err != nil {
		return err
	}
	args := command(o, work, runtime.GOOS)
	said := &diagnoser{to: stderr}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = env
	cmd.Stdout, cmd.Stderr = said, said
	meter, err := start(cmd)
	if err != nil {
		return err
	}
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("%s: interrupted", o.Output)
		}
		return err
	}
	if err := said.problem(); err != nil {
		return err
	}
	if o.UsageFile != "" {
		data, err := json.MarshalIndent(meter.usage(cmd.ProcessState), "", "  ")
		if err != nil {
			return err
		}
		if err := stage.File(o.UsageFile, append(data, '\n')); err != nil {
			return err
		}
	}
	made := filepath.Join(work, product(o))
	if _, err := os.Stat(made); err != nil {
		return fmt.Errorf("nvcc ended well but made no %s: %w", o.Output, err)
	}
	return os.Rename(made, o.Output)
}

// check finds what cannot work before nvcc is started.
func check(o Options) error {
	if kinds[o.Kind] == nil {
		return fmt.Errorf("--kind %s: it must be one of %s", o.Kind, strings.Join(Kinds(), ", "))
	}
	for _, arg := range o.Args {
		if why := refused(arg); why != "" {
			return fmt.Errorf("%s: %s", arg, why)
		}
	}
	if o.MSVC == "" && runtime.GOOS == "windows" {
		return errors.New("nvcc for Windows compiles with cl.exe only: name it with --msvc, or build on Linux")
	}
	return nil
}

// environment is nvcc's whole environment, and makes the programs that it names.
func environment(o Options, work string) ([]string, error) {
	abs := func(elem ...string) string {
		path, err := filepath.Abs(filepath.Join(elem...))
		if err != nil {
			return filepath.Join(elem...)
		}
		return path
	}
	tmp := abs(work, "tmp")
	path := []string{abs(o.Tools, "bin"), abs(o.Tools, "nvvm", "bin")}
	env := []string{"TMPDIR=" + tmp, "TMP=" + tmp, "TEMP=" + tmp}
	if o.MSVC != "" {
		// cl.exe finds its headers and its own DLLs by these; the action names them.
		for _, name := range []string{"INCLUDE", "LIB", "LIBPATH", "SYSTEMROOT"} {
			if value, ok := os.LookupEnv(name); ok {
				env = append(env, name+"="+value)
			}
		}
		path = append(path, os.Getenv("PATH"))
		return append(env, "PATH="+strings.Join(path, string(os.PathListSeparator))), nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	names := []string{"bin/" + frontEnd, "host/" + hostCompiler}
	if o.Target == "win_arm64" {
		names = append(names, "bin/"+deviceLinker)
	}
	for _, name := range names {
		if err := os.Symlink(self, filepath.Join(work, filepath.FromSlash(name))); err != nil {
			return nil, err
		}
	}
	data, err := json.Marshal(setting{
		Zig: o.Zig, Sysroot: o.Sysroot, Target: o.Target,
		Overlay:  filepath.ToSlash(filepath.Join(o.Headers, "overlay")),
		FrontEnd: abs(o.Tools, "bin", frontEnd),
		Linker:   abs(o.Tools, "bin", deviceLinker),
		Temp:     filepath.ToSlash(filepath.Join(work, "tmp")),
	})
	if err != nil {
		return nil, err
	}
	path = append([]string{abs(work, "bin")}, path...)
	return append(env, settingVariable+"="+string(data), "PATH="+strings.Join(path, string(os.PathListSeparator))), nil
}
