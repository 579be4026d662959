package ccdriver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// builtinLibs are names after -l that need no file of their own, because every
// link gets what they hold, with where it is.
type builtinLibs map[string]string

var builtinPE = builtinLibs{
	"c":           "the UCRT",
	"m":           "the UCRT and libmingw32",
	"msvcrt":      "the UCRT",
	"ucrt":        "the UCRT",
	"ucrtbase":    "the UCRT",
	"moldname":    "libmingw32",
	"mingw32":     "libmingw32",
	"mingwex":     "libmingw32",
	"mingwthrd":   "libmingw32",
	"pthread":     "libmingw32, which holds winpthreads",
	"winpthread":  "libmingw32, which holds winpthreads",
	"uuid":        "libmingw32, which holds the GUIDs of the system's interfaces",
	"dxguid":      "libmingw32, which holds the GUIDs of the system's interfaces",
	"stdc++":      "libc++",
	"c++":         "libc++",
	"supc++":      "libc++abi",
	"c++abi":      "libc++abi",
	"unwind":      "libunwind",
	"gcc":         "compiler-rt",
	"gcc_s":       "compiler-rt and libunwind",
	"gcc_eh":      "libunwind",
	"atomic":      "compiler-rt",
	"ssp":         "compiler-rt",
	"compiler_rt": "compiler-rt",
	"kernel32":    "every link",
	"advapi32":    "every link",
	"ntdll":       "every link",
	"shell32":     "every link",
	"user32":      "every link",
}

var builtinELF = builtinLibs{
	"c":       "glibc",
	"m":       "glibc",
	"pthread": "glibc",
	"dl":      "glibc",
	"rt":      "glibc",
	"util":    "glibc",
	"resolv":  "glibc",
	"stdc++":  "libc++",
	"c++":     "libc++",
	"supc++":  "libc++abi",
	"c++abi":  "libc++abi",
	"unwind":  "libunwind",
	"gcc":     "compiler-rt",
	"gcc_s":   "compiler-rt and libunwind",
	"gcc_eh":  "libunwind",
	"atomic":  "compiler-rt",
}

// library finds the file that -lname means. An empty path means that every link
// holds the library anyway. The caller's folders go before the sysroot, so that a
// project's own library of a builtin name wins.
func (t *toolchain) library(inv *invocation, name string, static bool) (string, error) {
	candidates := t.libraryFiles(name, static)
	for _, dir := range inv.libDirs {
		for _, candidate := range candidates {
			file := filepath.ToSlash(filepath.Join(dir, candidate))
			if isFile(file) {
				return file, nil
			}
		}
	}
	builtin := builtinELF
	if t.pe {
		builtin = builtinPE
	}
	if _, ok := builtin[name]; ok && !inv.noStdlib && !inv.noDefaultLibs {
		return "", nil
	}
	for _, candidate := range candidates {
		if file := t.lib(candidate); isFile(file) {
			return file, nil
		}
	}
	searched := append(append([]string{}, inv.libDirs...), t.lib(""))
	return "", fmt.Errorf("-l%s: no %s in %s", name, strings.Join(candidates, ", "), strings.Join(searched, ", "))
}

// libraryFiles are the file names that -lname may mean, best first.
func (t *toolchain) libraryFiles(name string, static bool) []string {
	if exact, ok := strings.CutPrefix(name, ":"); ok {
		return []string{exact}
	}
	switch {
	case t.pe && static:
		return []string{"lib" + name + ".a", name + ".lib", "lib" + name + ".lib"}
	case t.pe:
		return []string{"lib" + name + ".dll.a", name + ".dll.a", "lib" + name + ".a", name + ".lib", "lib" + name + ".lib", name + ".if.lib"}
	case static:
		return []string{"lib" + name + ".a"}
	default:
		return []string{"lib" + name + ".so", "lib" + name + ".a"}
	}
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
