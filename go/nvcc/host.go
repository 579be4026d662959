package nvcc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/ccdriver"
)

// The names under which nvcc calls this executable.
const (
	hostCompiler = "c++"
	frontEnd     = "cudafe++"
	deviceLinker = "nvlink"
)

// settingVariable carries the [setting] from Run to what nvcc starts.
const settingVariable = "SPARKWHEELS_NVCC"

// setting is what this executable must know when nvcc calls it.
type setting struct {
	Zig, Sysroot, Target string
	// Overlay is the folder of headers that replace the sysroot's.
	Overlay string
	// FrontEnd and Linker are NVIDIA's cudafe++ and nvlink.
	FrontEnd, Linker string
	// Temp is a folder for intermediate files.
	Temp string
}

// Main is the executable when nvcc calls it, under another name. ok is false if
// this is not such a call.
func Main(argv []string, stdin io.Reader, stdout, stderr io.Writer) (code int, ok bool) {
	value, set := os.LookupEnv(settingVariable)
	if !set {
		return 0, false
	}
	var s setting
	name := strings.TrimSuffix(filepath.Base(argv[0]), ".exe")
	err := json.Unmarshal([]byte(value), &s)
	if err == nil {
		switch name {
		case hostCompiler:
			return s.compile(argv[1:], stdin, stdout, stderr), true
		case frontEnd:
			return s.analyse(argv[1:], stdin, stdout, stderr), true
		case deviceLinker:
			return s.linkDevice(argv[1:], stdin, stdout, stderr), true
		}
		err = fmt.Errorf("%s is set, but this is %s, not %s, %s or %s", settingVariable, name, hostCompiler, frontEnd, deviceLinker)
	}
	fmt.Fprintln(stderr, "nvcc:", err)
	return 1, true
}

// compile is the host compiler: the driver of toolchains/cc.
func (s *setting) compile(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	argv := []string{
		hostCompiler, "--mode=c++",
		"--zig=" + s.Zig, "--sysroot=" + s.Sysroot, "--target=" + s.Target,
	}
	if s.Target == "win_arm64" {
		// nvcc asks what its host compiler is for, and on Linux takes no answer but Linux.
		if len(args) == 2 && args[0] == "-E" {
			return run(stdin, stdout, stderr, s.Zig, "clang", "--no-default-config", "--driver-mode=g++", "--target=x86_64-linux-gnu", "-E", args[1])
		}
		// Device code lays bit-fields out as GCC does.
		argv = append(argv, "-mno-ms-bitfields", "-D__NV_NO_HOST_COMPILER_CHECK=1")
	}
	argv = append(argv, "-isystem", s.Overlay)
	return ccdriver.Main(append(argv, args...), stdin, stdout, stderr)
}

// analyse is the front end. It hashes the absolute path of the source into the
// names of symbols; relative to the working folder, that is the same on every machine.
func (s *setting) analyse(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	cwd, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(stderr, "nvcc:", err)
		return 1
	}
	for i, arg := range args {
		if i > 0 && args[i-1] == "--orig_src_path_name" {
			args[i] = strings.TrimPrefix(arg, cwd+"/")
		}
	}
	return run(stdin, stdout, stderr, s.FrontEnd, args...)
}

// run runs a program and returns its exit code.
func run(stdin io.Reader, stdout, stderr io.Writer, name string, args ...string) int {
	cmd := exec.Command(name, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode()
	}
	fmt.Fprintln(stderr, "nvcc:", err)
	return 1
}
