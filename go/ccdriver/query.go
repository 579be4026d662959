package ccdriver

import "strings"

// answer serves the questions that build systems ask a compiler, where the
// answer is not clang's own. It returns nil for any other command line.
func (t *toolchain) answer(cxx bool, args []string) *Plan {
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		switch name {
		case "-Wl,--version":
			// meson and libtool ask which linker there is. ld.lld's answer is right for
			// PE too: the flags that the driver takes are those of a GNU linker.
			return newPlan(t.zig("ld.lld", "--version"))
		case "--version", "-dumpversion", "-dumpmachine", "-dumpfullversion":
			return newPlan(t.zig("clang", "--no-default-config", "--target="+t.triple, arg))
		case "-print-sysroot", "--print-sysroot":
			return &Plan{Output: t.inSysroot() + "\n"}
		case "-print-search-dirs", "--print-search-dirs":
			return &Plan{Output: "programs: =\nlibraries: =" + t.inSysroot("lib") + "\n"}
		case "-print-libgcc-file-name", "--print-libgcc-file-name":
			return &Plan{Output: t.lib(t.compilerRT()) + "\n"}
		case "-print-file-name", "--print-file-name":
			// Like gcc, the name itself where there is no such file.
			if file := t.lib(value); isFile(file) {
				value = file
			}
			return &Plan{Output: value + "\n"}
		case "-print-prog-name", "--print-prog-name":
			return &Plan{Output: value + "\n"}
		case "-print-multiarch", "-print-multi-os-directory", "-print-multi-directory":
			return &Plan{Output: "\n"}
		}
	}
	if len(args) == 1 && (args[0] == "-Wl,-v" || args[0] == "-Wl,-V") {
		return newPlan(t.zig("ld.lld", "--version"))
	}
	if len(args) == 1 && args[0] == "-v" {
		return newPlan(t.zig("clang", "--no-default-config", "--target="+t.triple, "-v"))
	}
	return nil
}

func (t *toolchain) compilerRT() string {
	if t.pe {
		return "libclang_rt.builtins-aarch64.a"
	}
	return "libcompiler_rt.a"
}
