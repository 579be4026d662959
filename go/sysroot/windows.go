package sysroot

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
)

// makeWindows makes the aarch64 mingw (UCRT) sysroot:
//
//	lib/               crt2.o, dllcrt2.o, static runtimes, import libraries
//	include/c++        libc++
//	include/c++abi     libc++abi
//	include/clang      the compiler's own headers
//	include/c          mingw-w64
//	include/unwind     libunwind
func makeWindows(m *maker, out string) error {
	const target = "aarch64-windows-gnu"
	lib := filepath.Join(out, "lib")
	for _, l := range []struct {
		source, output string
		flags          []string
	}{
		{`extern "C" __declspec(dllexport) int f() { return 1; }`, "probe.dll", []string{"-shared"}},
		{"int main() { return 0; }", "probe.exe", nil},
	} {
		inputs, err := m.link("lld-link", target, l.source, l.output, l.flags...)
		if err != nil {
			return err
		}
		for _, input := range inputs {
			base := filepath.Base(input)
			if err := copyFile(input, filepath.Join(lib, cmp.Or(mingwNames[base], base))); err != nil {
				return err
			}
		}
	}
	if err := m.importLibraries(lib); err != nil {
		return err
	}
	for _, name := range mingwNames {
		if path.Ext(name) != ".a" {
			continue
		}
		if err := m.repack(filepath.Join(lib, name), "--format=coff"); err != nil {
			return err
		}
	}
	return m.headers(out, map[string]tree{
		"c++":    {from: "libcxx/include"},
		"c++abi": {from: "libcxxabi/include"},
		"clang":  {from: "include", keep: clangHeader},
		"c":      {from: "libc/include/any-windows-any", keep: windowsHeader},
		"unwind": {from: "libunwind/include"},
	})
}

// mingwNames gives zig's runtime files the names of their counterparts in
// mingw-w64 and LLVM. A DLL that declares no exports exports all that is linked
// into it, but for what comes from files that lld knows by these names to be the
// runtime (AutoExporter in lld's COFF/MinGW.cpp).
var mingwNames = map[string]string{
	"crt2.obj":        "crt2.o",
	"dllcrt2.obj":     "dllcrt2.o",
	"libmingw32.lib":  "libmingw32.a",
	"zigc.lib":        "libmingwex.a", // C functions that the UCRT lacks
	"c++abi.lib":      "libc++abi.a",
	"c++.lib":         "libc++.a",
	"unwind.lib":      "libunwind.a",
	"compiler_rt.lib": "libclang_rt.builtins-aarch64.a",
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}
