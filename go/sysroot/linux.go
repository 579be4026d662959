package sysroot

import (
	_ "embed"
	"os"
	"path/filepath"
	"strings"
)

// dsofini is the part of crtbeginS.o that zig's linux-gnu link lacks.
//
//go:embed runtime/dsofini.c
var dsofini []byte

// makeLinux makes the aarch64 glibc 2.28 sysroot:
//
//	lib/               Scrt1.o, dsofini.o, static runtimes, stubs of glibc's libraries
//	include/c++        libc++
//	include/c++abi     libc++abi
//	include/clang      the compiler's own headers
//	include/<...>      zig's four layers of glibc and kernel headers
//	include/unwind     libunwind
//
// The stubs carry no more than the versioned symbols up to 2.28, so nothing
// linked against them can need a newer glibc.
func makeLinux(m *maker, out string) error {
	const target = "aarch64-linux-gnu.2.28"
	lib := filepath.Join(out, "lib")
	for _, l := range []struct{ source, output, flag string }{
		{`extern "C" int f() { return 1; }`, "probe.so", "-shared"},
		{"int main() { return 0; }", "probe", "-pie"},
	} {
		inputs, err := m.link("ld.lld", target, l.source, l.output, l.flag)
		if err != nil {
			return err
		}
		for _, input := range inputs {
			if err := copyFile(input, filepath.Join(lib, linkName(filepath.Base(input)))); err != nil {
				return err
			}
		}
	}
	archives, err := filepath.Glob(filepath.Join(lib, "*.a"))
	if err != nil {
		return err
	}
	for _, archive := range archives {
		if err := m.repack(archive); err != nil {
			return err
		}
	}
	source := filepath.Join(m.work, "dsofini.c")
	if err := os.WriteFile(source, dsofini, 0o644); err != nil {
		return err
	}
	if _, err := m.zig(m.work, "clang", "--target=aarch64-linux-gnu", "-fPIC", "-O2", "-c", "dsofini.c",
		"-o", filepath.Join(lib, "dsofini.o")); err != nil {
		return err
	}
	trees := map[string]tree{
		"c++":    {from: "libcxx/include"},
		"c++abi": {from: "libcxxabi/include"},
		"clang":  {from: "include", keep: clangHeader},
		"unwind": {from: "libunwind/include"},
	}
	for _, layer := range []string{"aarch64-linux-gnu", "generic-glibc", "aarch64-linux-any", "any-linux-any"} {
		trees[layer] = tree{from: "libc/include/" + layer}
	}
	return m.headers(out, trees)
}

// linkName gives a shared library the name that -l looks for: libm.so.6 becomes
// libm.so. Its SONAME, which a program will ask for, stays inside.
func linkName(base string) string {
	if i := strings.Index(base, ".so."); i >= 0 {
		return base[:i] + ".so"
	}
	return base
}
