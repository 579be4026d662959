package ccdriver

import (
	"fmt"
	"strings"
)

// rule is one line of the tables below.
type rule struct {
	// flag is the whole flag, or its beginning if it ends in "*".
	flag string
	// why is the reason, and for a refused flag what to do instead.
	why string
}

func (r rule) matches(arg string) bool {
	if prefix, ok := strings.CutSuffix(r.flag, "*"); ok {
		return strings.HasPrefix(arg, prefix)
	}
	return arg == r.flag
}

// refusedEverywhere cannot be honoured on any target.
var refusedEverywhere = []rule{
	{"-fopenmp-simd", ""}, // honoured: it needs no runtime
	{"-fopenmp*", "there is no OpenMP runtime for the target; patch the project to build without OpenMP"},
	{"-fopenacc*", "there is no OpenACC runtime for the target"},
	{"-march=native", "the machine that builds is not the one that runs the code; name an architecture, e.g. -march=armv8.2-a"},
	{"-mcpu=native", "the machine that builds is not the one that runs the code; name a processor"},
	{"-mtune=native", "the machine that builds is not the one that runs the code; name a processor"},
	{"-fsanitize=*", "there is no sanitizer runtime for the target"},
	{"-fprofile-generate*", "there is no profiling runtime for the target"},
	{"-fprofile-instr-generate*", "there is no profiling runtime for the target"},
	{"-fprofile-arcs", "there is no profiling runtime for the target"},
	{"-ftest-coverage", "there is no profiling runtime for the target"},
	{"-fcoverage-mapping", "there is no profiling runtime for the target"},
	{"--coverage", "there is no profiling runtime for the target"},
	{"-coverage", "there is no profiling runtime for the target"},
	{"-pg", "there is no profiling runtime for the target"},
	{"-fuse-ld=lld", ""}, // honoured: it is the linker
	{"-fuse-ld=*", "the linker is lld"},
	{"-stdlib=libc++", ""}, // honoured: it is the library
	{"-stdlib=*", "the C++ library is a static libc++"},
	{"-shared-libgcc", "the runtime libraries are static; the target has no shared ones"},
	{"-static-pie", "glibc and the UCRT are shared libraries"},
	{"-m32", "the target is 64-bit"},
	{"-target", "the target is fixed"},
	{"--target=*", "the target is fixed"},
	{"-arch", "the target is fixed"},
	{"-isysroot", "the sysroot is fixed"},
	{"-resource-dir*", "the compiler's headers come from the sysroot"},
	{"--gcc-toolchain=*", "there is no gcc"},
	{"--config*", "configuration files of clang are of the machine that builds"},
	{"-B*", "the programs that the driver runs are fixed"},
	{"-specs=*", "there is no gcc"},
	{"-fplugin=*", "a compiler plugin is a program of the machine that builds"},
	{"-dynamiclib", "the target is not macOS; say -shared"},
	{"-bundle", "the target is not macOS; say -shared"},
	{"-framework", "the target is not macOS"},
}

// refusedPE cannot be honoured on Windows.
var refusedPE = []rule{
	{"-rdynamic", "a program exports what it declares; say -Wl,--export-all-symbols to export everything"},
	{"-symbolic", "PE images bind their own symbols at link time, but there is no such flag; leave it out"},
	{"-no-pie", "an ARM64 image can always be relocated"},
	{"-municode", "the sysroot has no wide start-up object; define main, not wmain"},
	{"-T*", "PE images are not laid out by linker scripts"},
	{"-z*", "it is a flag of ELF linkers"},
	{"-r", "COFF objects cannot be combined into one object; make a static library"},
}

// refusedELF cannot be honoured on Linux.
var refusedELF = []rule{
	{"-static", "glibc is linked as a shared library; libc++ and compiler-rt are static already"},
	{"-no-pie", "the sysroot has the start-up object of position-independent programs only"},
	{"-mwindows", "it is a flag of Windows targets"},
	{"-mconsole", "it is a flag of Windows targets"},
	{"-mdll", "it is a flag of Windows targets; say -shared"},
	{"-municode", "it is a flag of Windows targets"},
	{"-mthreads", "it is a flag of Windows targets; say -pthread"},
}

// naturalEverywhere asks for what every target does anyway.
var naturalEverywhere = []rule{
	{"-static-libgcc", "compiler-rt stands for libgcc, and is always static"},
	{"-static-libstdc++", "libc++ is always static"},
	{"-fuse-ld=lld", "lld is the linker"},
	{"-stdlib=libc++", "libc++ is the C++ library"},
	{"-m64", "the target is 64-bit"},
	{"-pipe", "clang has no passes to connect"},
	{"-no-canonical-prefixes", "the driver prints paths as they were given"},
}

// naturalPE asks for what PE code is by nature.
var naturalPE = []rule{
	{"-fPIC", "all ARM64 PE code can be relocated"},
	{"-fpic", "all ARM64 PE code can be relocated"},
	{"-fPIE", "all ARM64 PE code can be relocated"},
	{"-fpie", "all ARM64 PE code can be relocated"},
	{"-fno-PIC", "there is no other kind of code"},
	{"-fno-pic", "there is no other kind of code"},
	{"-pie", "all ARM64 PE code can be relocated"},
	{"-fno-plt", "PE has no procedure linkage table"},
	{"-fstack-clash-protection", "Windows code probes its stack anyway"},
	{"-fno-semantic-interposition", "PE symbols are never interposed"},
	{"-pthread", "threads need neither a macro nor a library"},
	{"-mthreads", "threads need neither a macro nor a library"},
}

// naturalELF asks for what Linux programs are by nature.
var naturalELF = []rule{
	{"-pie", "programs are position-independent"},
}

// refused returns the error for a flag that cannot be honoured.
func (t *toolchain) refused(arg string) error {
	own := refusedELF
	if t.pe {
		own = refusedPE
	}
	for _, rules := range [][]rule{refusedEverywhere, own} {
		for _, r := range rules {
			if !r.matches(arg) {
				continue
			}
			if r.why == "" {
				break // an exception to a following prefix
			}
			if strings.HasPrefix(arg, "--target=") && sameTarget(arg[len("--target="):], t.triple) {
				break
			}
			return fmt.Errorf("%s cannot be honoured for %s: %s", arg, t.Target, r.why)
		}
	}
	return nil
}

// byNature reports whether a flag asks for what the target does anyway.
func (t *toolchain) byNature(arg string) bool {
	own := naturalELF
	if t.pe {
		own = naturalPE
	}
	for _, rules := range [][]rule{naturalEverywhere, own} {
		for _, r := range rules {
			if r.matches(arg) {
				return true
			}
		}
	}
	// A --target that got past refused is the one there is.
	return strings.HasPrefix(arg, "--target=")
}

// sameTarget compares triples by machine, system and environment; clang accepts
// both three and four words, and a version after the last.
func sameTarget(given, own string) bool {
	norm := func(triple string) string {
		words := strings.Split(triple, "-")
		if len(words) < 3 {
			return triple
		}
		env, _, _ := strings.Cut(words[len(words)-1], ".")
		return words[0] + "-" + words[len(words)-2] + "-" + env
	}
	return norm(given) == norm(own)
}
