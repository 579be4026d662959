package ccdriver

import (
	"fmt"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

// target is what the driver knows of one target.
type target struct {
	// triple is clang's name of the target.
	triple string
	// pe says that binaries are PE/COFF; otherwise they are ELF.
	pe bool
	// compile are flags of every compilation.
	compile []string
	// include are the folders below sysroot/include, in search order.
	include []string
}

var targets = map[string]*target{
	"win_arm64": {
		triple: "aarch64-w64-windows-gnu",
		pe:     true,
		// mingw-w64's inline copies of CRT functions would clash with the ones in the UCRT.
		compile: []string{"-D__CRT__NO_INLINE"},
		include: []string{"clang", "c", "unwind"},
	},
	"linux_aarch64": {
		triple: "aarch64-linux-gnu",
		// zig's glibc headers serve all versions and expect to be told which.
		compile: []string{"-D__GLIBC_MINOR__=28"},
		include: []string{"clang", "aarch64-linux-gnu", "generic-glibc", "aarch64-linux-any", "any-linux-any", "unwind"},
	},
}

// cxxFlags configure libc++ as zig built it. zig ships no __config_site, so
// these must be the same as in zig's own commands (ZIG_VERBOSE_CC=1 shows them).
var cxxFlags = []string{
	"-nostdinc++",
	"-D_LIBCPP_ABI_VERSION=1",
	"-D_LIBCPP_ABI_NAMESPACE=__1",
	"-D_LIBCPP_HAS_THREADS=1",
	"-D_LIBCPP_HAS_MONOTONIC_CLOCK",
	"-D_LIBCPP_HAS_TERMINAL",
	"-D_LIBCPP_HAS_MUSL_LIBC=0",
	"-D_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS",
	"-D_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS",
	"-D_LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS=0",
	"-D_LIBCPP_HAS_FILESYSTEM=1",
	"-D_LIBCPP_HAS_RANDOM_DEVICE",
	"-D_LIBCPP_HAS_LOCALIZATION",
	"-D_LIBCPP_HAS_UNICODE",
	"-D_LIBCPP_HAS_WIDE_CHARACTERS",
	"-D_LIBCPP_HAS_NO_STD_MODULES",
	"-D_LIBCPP_PSTL_BACKEND_SERIAL",
	"-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE",
	"-D_LIBCPP_ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_IGNORE",
}

// toolchain is a Config made ready to plan with.
type toolchain struct {
	Config
	*target
	// cwd is the working folder, which no output may mention.
	cwd string
}

func newToolchain(c Config, cwd string) (*toolchain, error) {
	known, ok := targets[c.Target]
	if !ok {
		var names []string
		for name := range targets {
			names = append(names, name)
		}
		sort.Strings(names)
		return nil, fmt.Errorf("unknown target %q: it must be one of %s", c.Target, strings.Join(names, ", "))
	}
	return &toolchain{Config: c, target: known, cwd: cwd}, nil
}

// zig is the command `zig tool args...`.
func (t *toolchain) zig(tool string, args ...string) Command {
	return Command{Args: append([]string{t.Zig, tool}, args...)}
}

// inSysroot is a path below the sysroot, with slashes as clang prints them.
func (t *toolchain) inSysroot(elem ...string) string {
	return path.Join(append([]string{filepath.ToSlash(t.Sysroot)}, elem...)...)
}

// lib is a file in the sysroot's lib folder.
func (t *toolchain) lib(name string) string { return t.inSysroot("lib", name) }
