package ccdriver

import "strings"

// runtimesELF end every link, in the order of zig's own.
var runtimesELF = []string{
	"libc++abi.a", "libc++.a", "libunwind.a", "libm.so", "libc.so", "libld.so", "libresolv.so", "libpthread.so",
	"libdl.so", "librt.so", "libutil.so", "libc_nonshared.a", "libcompiler_rt.a",
}

// linkELF is the command that links for Linux: `zig ld.lld`. GNU linker flags
// are its own, so they pass as they are, in their place among the inputs.
//
// The line is zig's own for the target, with the runtimes at its end.
func (t *toolchain) linkELF(inv *invocation) (Command, error) {
	output := inv.output
	if output == "" {
		output = "a.out"
	}
	args := []string{"-m", "aarch64linux", "--build-id=none", "--eh-frame-hdr"}
	start := !inv.noStdlib && !inv.noStartFiles && !inv.relocatable
	switch {
	case inv.relocatable:
		args = append(args, "-r")
	case inv.shared:
		args = append(args, "-znow", "--gc-sections", "-shared")
		if start {
			args = append(args, t.lib("dsofini.o"))
		}
	default:
		args = append(args, "-znow", "--gc-sections", "-pie", "--dynamic-linker", "/lib/ld-linux-aarch64.so.1")
		if start {
			args = append(args, t.lib("Scrt1.o"))
		}
	}
	if inv.strip {
		args = append(args, "-s")
	}
	if inv.verbose {
		args = append(args, "--verbose")
	}
	args = append(args, "-o", output)
	for _, dir := range inv.libDirs {
		args = append(args, "-L"+dir)
	}
	inputs, err := t.elfInputs(inv)
	if err != nil {
		return Command{}, err
	}
	args = append(args, inputs...)
	if !inv.noStdlib && !inv.noDefaultLibs && !inv.relocatable {
		// Whatever the caller left switched on must not reach the runtimes.
		args = append(args, "--no-whole-archive", "--as-needed")
		for _, name := range runtimesELF {
			args = append(args, t.lib(name))
		}
	}
	return t.zig("ld.lld", args...), nil
}

// elfInputs are the inputs and linker flags in order.
func (t *toolchain) elfInputs(inv *invocation) ([]string, error) {
	var args []string
	// inv.staticLibs needs nothing here: parse turned -static into -Bstatic.
	static := false
	words := linkWords(inv.inputs)
	for i := 0; i < len(words); i++ {
		in := words[i]
		switch in.kind {
		case library:
			file, err := t.library(inv, in.text, static)
			if err != nil {
				return nil, err
			}
			switch {
			case file == "":
			case strings.HasPrefix(file, t.lib("")+"/"):
				args = append(args, file)
			default:
				// By name, so that a library without SONAME is recorded by name.
				args = append(args, "-l"+in.text)
			}
		case file:
			args = append(args, in.text)
		default:
			switch in.text {
			case "-Bstatic", "-dn", "-non_shared", "-static":
				static = true
			case "-Bdynamic", "-dy", "-call_shared":
				static = false
			case "--build-id":
				// As a hash of the content, which lld's own default "fast" is too.
			case "-plugin", "--plugin", "-plugin-opt":
				return nil, t.linkerRefused(in.text, "a linker plugin is a program of the machine that builds")
			case "--sysroot":
				return nil, t.linkerRefused(in.text, "the sysroot is fixed")
			}
			args = append(args, in.text)
		}
	}
	return args, nil
}
