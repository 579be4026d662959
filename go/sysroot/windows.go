package sysroot

import (
	"os"
	"path/filepath"
)

// makeWindows makes the aarch64 mingw (UCRT) sysroot:
//
//	lib/               crt2.obj, dllcrt2.obj, static runtimes, import libraries
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
			if err := copyFile(input, filepath.Join(lib, filepath.Base(input))); err != nil {
				return err
			}
		}
	}
	if err := m.importLibraries(lib); err != nil {
		return err
	}
	for _, name := range []string{"c++", "c++abi", "compiler_rt", "libmingw32", "unwind", "zigc"} {
		if err := m.repack(filepath.Join(lib, name+".lib"), "--format=coff"); err != nil {
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

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}
