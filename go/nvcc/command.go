package nvcc

import (
	"path"
	"path/filepath"
	"sort"
	"strings"
)

// kinds are the things that can be made: nvcc's flags for each.
var kinds = map[string][]string{
	"object":      {"-c"},
	"relocatable": {"-dc"},
	"device-link": {"-dlink"},
	"fatbin":      {"-fatbin"},
	"ptx":         {"-ptx"},
}

// Kinds lists what can be made: an object with its device code in it; a
// relocatable object, whose device code is for a device link; the object of a
// device link; a fat binary; PTX.
func Kinds() []string {
	var names []string
	for name := range kinds {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// product is the name of what nvcc makes, in the work folder.
func product(o Options) string {
	if o.MSVC != "" && o.Kind == "object" {
		return "out.obj"
	}
	return "out" + path.Ext(filepath.ToSlash(o.Output))
}

// command is nvcc's command line. goos is the system of the machine that compiles.
func command(o Options, work, goos string) []string {
	slash := func(elem ...string) string { return filepath.ToSlash(filepath.Join(elem...)) }
	nvcc := slash(o.Tools, "bin", "nvcc")
	if goos == "windows" {
		nvcc += ".exe"
	}
	args := []string{nvcc}
	args = append(args, kinds[o.Kind]...)
	args = append(args, "-o", slash(work, product(o)), "-keep", "-keep-dir", slash(work, "keep"))
	if o.MSVC != "" {
		args = append(args, msvc(o)...)
	} else {
		args = append(args, "-ccbin", slash(work, "host", hostCompiler))
		// The front end speaks the ABI of the machine that nvcc runs on unless it is told.
		if o.Target == "win_arm64" {
			args = append(args, "-allow-unsupported-compiler", "-Xcudafe", "--force-llp64")
		} else {
			args = append(args, "-Xcompiler", "-fPIC")
		}
	}
	for _, dir := range []string{"cuda", "cuda/cccl"} {
		args = append(args, "-isystem", slash(o.Headers, dir))
	}
	return append(args, o.Args...)
}

// msvc are the flags that cl.exe needs for CUDA 13's headers: CCCL refuses the
// traditional preprocessor, and NVIDIA's Windows builds of torch use the same.
func msvc(o Options) []string {
	args := []string{"-ccbin", filepath.ToSlash(o.MSVC), "-Xcompiler", "/Zc:preprocessor,/EHsc,/MD"}
	// Hostx64/arm64/cl.exe is the cross compiler of an x64 machine.
	if strings.Contains(strings.ToLower(filepath.ToSlash(o.MSVC)), "hostx64/arm64/") {
		args = append(args, "-target-dir=arm64")
	}
	return args
}

// refusal is a flag that a source must not choose, alone or with a value, and why.
type refusal struct{ flag, why string }

var refusals = []refusal{
	{"-ccbin", "the host compiler is the toolchain's"},
	{"--compiler-bindir", "the host compiler is the toolchain's"},
	{"-arch=native", "the machine that builds is not the one that runs the code; name an architecture in archs"},
	{"--gpu-architecture=native", "the machine that builds is not the one that runs the code; name an architecture in archs"},
	{"-t", "one compilation is one process, so that Bazel can count on its memory; one action per .cu runs them side by side"},
	{"-threads", "one compilation is one process, so that Bazel can count on its memory; one action per .cu runs them side by side"},
	{"--threads", "one compilation is one process, so that Bazel can count on its memory; one action per .cu runs them side by side"},
	{"-split-compile", "one compilation is one process, so that Bazel can count on its memory"},
	{"--split-compile", "one compilation is one process, so that Bazel can count on its memory"},
	{"-keep", "the folder of intermediate files is fixed, since its name shows in objects"},
	{"--keep", "the folder of intermediate files is fixed, since its name shows in objects"},
	{"-optf", "options come from the rule's attributes"},
	{"--options-file", "options come from the rule's attributes"},
	{"-run", "an action compiles; it does not run what it made"},
	{"--run", "an action compiles; it does not run what it made"},
}

// refused says why an argument cannot be taken; "" if it can.
func refused(arg string) string {
	for _, r := range refusals {
		if arg == r.flag || strings.HasPrefix(arg, r.flag+"=") || strings.HasPrefix(arg, r.flag+"-") {
			return r.why
		}
	}
	return ""
}
