// Package tests checks what the C and C++ toolchains make. The targets under
// test are built by Bazel, which names them in the environment; a plain
// `go test` has nothing to look at and skips.
package tests

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/pe"
)

// outputs maps the base names of a platform's outputs to their paths.
func outputs(t *testing.T, target string) map[string]string {
	t.Helper()
	list := os.Getenv("OUTPUTS_" + target)
	if list == "" {
		t.Skip("OUTPUTS_" + target + " is not set: run by `bazel test //toolchains/cc/tests:all`")
	}
	files := map[string]string{}
	for _, name := range strings.Fields(list) {
		files[filepath.Base(name)] = runfile(name)
	}
	return files
}

// runfile is the path of a file by its place below the runfiles folder.
func runfile(name string) string { return filepath.Join(os.Getenv("TEST_SRCDIR"), name) }

func need(t *testing.T, files map[string]string, name string) string {
	t.Helper()
	file, ok := files[name]
	if !ok {
		t.Fatalf("%s was not built; there are %v", name, files)
	}
	return file
}

func TestWindowsImages(t *testing.T) {
	files := outputs(t, "win_arm64")
	for name, want := range map[string]struct {
		dll     bool
		imports []string // beyond the system's
		exports []string
	}{
		"program.exe":        {},
		"program_shared.exe": {imports: []string{"greet_shared.dll"}},
		"plugin.dll":         {dll: true, exports: []string{"plugin_answer"}},
		"greet_shared.dll":   {dll: true, exports: []string{"_Z5greetRKNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE"}},
		"implied.dll":        {dll: true, exports: []string{"implied_answer"}},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(need(t, files, name))
			if err != nil {
				t.Fatal(err)
			}
			image, err := pe.Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			if image.Machine != pe.MachineARM64 {
				t.Errorf("machine %v, want %v", image.Machine, pe.MachineARM64)
			}
			if image.DLL != want.dll {
				t.Errorf("is a DLL: %v", image.DLL)
			}
			var imports, exports []string
			for _, i := range image.Imports {
				if !systemDLL.MatchString(i.DLL) {
					imports = append(imports, i.DLL)
				}
			}
			for _, e := range image.Exports {
				exports = append(exports, e.Name)
			}
			if diff := cmp.Diff(want.imports, imports); diff != "" {
				t.Errorf("imports beside the system's (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want.exports, exports); diff != "" {
				t.Errorf("exports (-want +got):\n%s", diff)
			}
		})
	}
}

var systemDLL = regexp.MustCompile(`(?i)^(kernel32|user32|advapi32|shell32|ntdll|api-ms-win-crt-[a-z0-9-]+)\.dll$`)

func TestLinuxImages(t *testing.T) {
	files := outputs(t, "linux_aarch64")
	for name, own := range map[string]string{
		"program":            "",
		"program_shared":     "libgreet_shared.so",
		"libplugin.so":       "",
		"libgreet_shared.so": "",
		"libimplied.so":      "",
	} {
		t.Run(name, func(t *testing.T) {
			f, err := elf.Open(need(t, files, name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if f.Machine != elf.EM_AARCH64 || f.Class != elf.ELFCLASS64 {
				t.Errorf("machine %v, class %v", f.Machine, f.Class)
			}
			libraries, err := f.ImportedLibraries()
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range libraries {
				if l != own && !glibcLibrary.MatchString(l) {
					t.Errorf("needs %s; libc++ and the rest must be static", l)
				}
			}
			if own != "" && !strings.Contains(strings.Join(libraries, " "), own) {
				t.Errorf("does not need %s but %v", own, libraries)
			}
			symbols, err := f.ImportedSymbols()
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range symbols {
				if version, ok := strings.CutPrefix(s.Version, "GLIBC_2."); ok {
					minor, err := strconv.Atoi(strings.Split(version, ".")[0])
					if err != nil || minor > 28 {
						t.Errorf("%s needs %s: newer than glibc 2.28", s.Name, s.Version)
					}
				}
			}
		})
	}
}

var glibcLibrary = regexp.MustCompile(`^(lib(c|m|pthread|dl|rt|util)\.so\.[0-9]+|ld-linux-aarch64\.so\.1)$`)

// TestNoBuildPath looks for the folders of this machine in everything that is
// built; greet.cc is compiled with -g and holds __FILE__.
func TestNoBuildPath(t *testing.T) {
	for _, target := range []string{"win_arm64", "linux_aarch64"} {
		t.Run(target, func(t *testing.T) {
			seen := false
			for name, file := range outputs(t, target) {
				if strings.HasSuffix(name, ".message") {
					continue
				}
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, path := range []string{"execroot", "sandbox/", "bazel-out", "/tmp/", "zig/lib", "ziglang"} {
					if at := bytes.Index(data, []byte(path)); at >= 0 {
						t.Errorf("%s holds a build path: %q", name, data[max(0, at-60):min(len(data), at+60)])
					}
				}
				seen = seen || bytes.Contains(data, []byte("toolchains/cc/tests/src/greet.cc"))
			}
			if !seen {
				t.Error("no output holds __FILE__ of greet.cc: the test looks at the wrong files")
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, target := range []string{"win_arm64", "linux_aarch64"} {
		files := outputs(t, target)
		for _, name := range []string{"undeclared_header", "refused_flag", "unused_flag", "host_headers"} {
			data, err := os.ReadFile(need(t, files, name+".message"))
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(data, []byte("error:")); n != 1 {
				t.Errorf("%s: %s: %d errors, want one: %s", target, name, n, data)
			}
		}
	}
}
