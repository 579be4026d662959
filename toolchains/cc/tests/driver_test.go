package tests

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// driver is the driver of one target, as a PEP 517 build has it: copies named
// after the modes, with ccdriver.json beside them.
type driver struct {
	target string
	bin    string
}

// newDriver makes a bin folder of the driver below dir.
func newDriver(t *testing.T, target, dir string) driver {
	t.Helper()
	name := os.Getenv("DRIVER_" + target)
	if name == "" {
		t.Skip("DRIVER_" + target + " is not set: run by `bazel test //toolchains/cc/tests:all`")
	}
	data, err := os.ReadFile(runfile(name))
	if err != nil {
		t.Fatal(err)
	}
	var where struct{ Driver, Zig, Include, Target string }
	if err := json.Unmarshal(data, &where); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(runfile(where.Driver))
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"cc", "c++", "ar", "strip"} {
		if err := os.WriteFile(filepath.Join(bin, mode), program, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	sidecar, err := json.Marshal(map[string]string{
		"zig": runfile(where.Zig), "sysroot": filepath.Dir(runfile(where.Include)), "target": where.Target,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "ccdriver.json"), sidecar, 0o644); err != nil {
		t.Fatal(err)
	}
	return driver{target, bin}
}

// run runs a mode in dir and returns its output and whether it succeeded.
func (d driver) run(dir, mode string, args ...string) (string, bool) {
	cmd := exec.Command(filepath.Join(d.bin, mode), args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 {
		out = []byte(err.Error())
	}
	return string(out), err == nil
}

func (d driver) must(t *testing.T, dir, mode string, args ...string) string {
	t.Helper()
	out, ok := d.run(dir, mode, args...)
	if !ok {
		t.Fatalf("%s: %s %s failed:\n%s", d.target, mode, strings.Join(args, " "), out)
	}
	return out
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// each runs a test for both targets.
func each(t *testing.T, test func(t *testing.T, d driver, dir string)) {
	for _, target := range []string{"win_arm64", "linux_aarch64"} {
		t.Run(target, func(t *testing.T) {
			dir := t.TempDir()
			test(t, newDriver(t, target, dir), dir)
		})
	}
}

// cxx throws, prints and shows where and when it was compiled.
const cxx = `#include <iostream>
#include <stdexcept>
static std::string where = __FILE__ " " __DATE__ " " __TIME__ " " __TIMESTAMP__;
#ifdef _WIN32
__declspec(dllexport)
#endif
int f(int x) { if (x > 3) throw std::runtime_error(where); std::cout << where; return x; }
`

// TestTwoFolders compiles, archives and links the same sources in two folders
// of different depth, with debug data, and compares every file.
func TestTwoFolders(t *testing.T) {
	each(t, func(t *testing.T, _ driver, root string) {
		var sums []map[string][]byte
		for _, sub := range []string{"a", "bb/deeper/x"} {
			dir := filepath.Join(root, sub)
			d := newDriver(t, filepath.Base(t.Name()), dir)
			write(t, dir, map[string]string{"f.cc": cxx, "g.c": "int g(void) { return 1; }\n"})
			d.must(t, dir, "c++", "-std=c++17", "-O1", "-g", "-fPIC", "-c", filepath.Join(dir, "f.cc"), "-o", "f.o")
			d.must(t, dir, "cc", "-O2", "-g", "-fPIC", "-c", "g.c", "-o", "g.o")
			d.must(t, dir, "ar", "csrDT", "libg.a", "g.o")
			d.must(t, dir, "c++", "-shared", "-g", "f.o", "-L.", "-lg", "-lm", "-lpthread", "-o", "f.pyd")
			files := map[string][]byte{}
			for _, name := range []string{"f.o", "g.o", "f.pyd"} {
				data, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				if at := bytes.Index(data, []byte(root)); at >= 0 {
					t.Errorf("%s holds %q", name, data[at:min(len(data), at+80)])
				}
				files[name] = data
			}
			if !bytes.Contains(files["f.o"], []byte("Jan  1 1980")) {
				t.Error("__DATE__ is not the fixed one")
			}
			sums = append(sums, files)
		}
		for name := range sums[0] {
			if !bytes.Equal(sums[0][name], sums[1][name]) {
				t.Errorf("%s differs between the folders", name)
			}
		}
	})
}

func TestMachineIsInvisible(t *testing.T) {
	each(t, func(t *testing.T, d driver, dir string) {
		write(t, dir, map[string]string{"host/only_here.h": "", "a.c": "#include <only_here.h>\n"})
		for _, name := range []string{"CPATH", "C_INCLUDE_PATH", "INCLUDE"} {
			t.Setenv(name, filepath.Join(dir, "host"))
		}
		out, ok := d.run(dir, "cc", "-c", "a.c")
		if ok || !strings.Contains(out, "'only_here.h' file not found") {
			t.Errorf("succeeded: %v\n%s", ok, out)
		}
		// Every folder that is searched belongs to the sysroot.
		out = d.must(t, dir, "c++", "-E", "-v", "-x", "c++", os.DevNull)
		_, list, _ := strings.Cut(out, "search starts here:")
		list, _, _ = strings.Cut(list, "End of search list")
		for _, line := range strings.Split(list, "\n") {
			if folder := strings.TrimSpace(line); strings.Contains(folder, "/") && !strings.Contains(folder, "sysroot/include") {
				t.Errorf("searches %s", folder)
			}
		}
	})
}

// TestOneCommand compiles and links several sources at once, through a response
// file, and with a library of its own.
func TestOneCommand(t *testing.T) {
	each(t, func(t *testing.T, d driver, dir string) {
		write(t, dir, map[string]string{
			"my lib/h.c":  "int h(void) { return 3; }\n",
			"main.c":      "int g(void), h(void);\nint main(void) { return g() + h() + N; }\n",
			"src/g.c":     "int g(void) { return 2; }\n",
			"args.rsp":    "main.c src/g.c -O2 \"-DN=(4 + 5)\" '-Lmy lib' -lh\n-o program.exe -MMD",
			"missing.rsp": "main.c -DN=1 -lnowhere '-Lmy lib'",
		})
		d.must(t, filepath.Join(dir, "my lib"), "cc", "-c", "h.c")
		d.must(t, filepath.Join(dir, "my lib"), "ar", "rcs", "libh.a", "h.o")
		d.must(t, dir, "cc", "@args.rsp")
		for _, name := range []string{"program.exe", "main.d", "g.d"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Error(err)
			}
		}
		out, ok := d.run(dir, "cc", "@missing.rsp")
		if ok || !strings.Contains(out, "-lnowhere") || !strings.Contains(out, "my lib") || !strings.Contains(out, "sysroot/lib") {
			t.Errorf("a missing library must be an error that lists the folders; succeeded: %v\n%s", ok, out)
		}
	})
}

// TestDetection asks what CMake, meson and setuptools ask.
func TestDetection(t *testing.T) {
	each(t, func(t *testing.T, d driver, dir string) {
		write(t, dir, map[string]string{"e.c": "", "check.c": "int main(void) { return 0; }\n"})
		for _, question := range []struct {
			args   []string
			answer string
		}{
			{[]string{"--version"}, "clang version"},
			{[]string{"-dumpmachine"}, "aarch64"},
			{[]string{"-Wl,--version"}, "LLD"},
			{[]string{"-E", "-dM", "e.c"}, "#define __aarch64__ 1"},
			{[]string{"-v"}, "clang version"},
		} {
			if out := d.must(t, dir, "cc", question.args...); !strings.Contains(out, question.answer) {
				t.Errorf("cc %v: no %q in\n%s", question.args, question.answer, out)
			}
		}
		d.must(t, dir, "cc", "check.c") // CMake's first test: no -o
		want := map[string]string{"win_arm64": "a.exe", "linux_aarch64": "a.out"}[d.target]
		if _, err := os.Stat(filepath.Join(dir, want)); err != nil {
			t.Error(err)
		}
		if out, ok := d.run(dir, "cc", "-fopenmp", "check.c"); ok || strings.Count(out, "\n") != 1 {
			t.Errorf("-fopenmp must be one error; succeeded: %v\n%s", ok, out)
		}
	})
}

// TestStrip strips a program with debug data and compares with one linked by -s.
func TestStrip(t *testing.T) {
	each(t, func(t *testing.T, d driver, dir string) {
		write(t, dir, map[string]string{"f.cc": cxx + "int main() { return f(1); }\n"})
		d.must(t, dir, "c++", "-g", "-c", "f.cc", "-o", "f.o")
		d.must(t, dir, "c++", "-g", "f.o", "-o", "debug.exe")
		d.must(t, dir, "strip", "-S", "-o", "nodebug.exe", "debug.exe")
		d.must(t, dir, "strip", "-o", "stripped.exe", "debug.exe")
		size := map[string]int{}
		for _, name := range []string{"debug.exe", "nodebug.exe", "stripped.exe"} {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			size[name] = len(data)
		}
		if size["nodebug.exe"] >= size["debug.exe"] || size["stripped.exe"] > size["nodebug.exe"] {
			t.Errorf("sizes: %v", size)
		}
		if d.target == "linux_aarch64" {
			compareLoaded(t, filepath.Join(dir, "debug.exe"), filepath.Join(dir, "stripped.exe"))
		}
		// Stripping what is stripped changes nothing.
		d.must(t, dir, "strip", "-o", "again.exe", "stripped.exe")
		one, _ := os.ReadFile(filepath.Join(dir, "stripped.exe"))
		two, _ := os.ReadFile(filepath.Join(dir, "again.exe"))
		if !bytes.Equal(one, two) {
			t.Error("stripping twice is not stripping once")
		}
		if out, ok := d.run(dir, "strip", "f.o"); ok || strings.Count(out, "\n") != 1 {
			t.Errorf("an object must be refused in one line; succeeded: %v\n%s", ok, out)
		}
	})
}

// compareLoaded compares what two ELF files map into memory.
func compareLoaded(t *testing.T, a, b string) {
	t.Helper()
	load := func(name string) []string {
		f, err := elf.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var segments []string
		for _, p := range f.Progs {
			data, err := io.ReadAll(p.Open())
			if err != nil {
				t.Fatal(err)
			}
			// The file header, at the start of the first segment, says where the sections are.
			if p.Type == elf.PT_LOAD && p.Off == 0 {
				data = data[64:]
			}
			segments = append(segments, p.Type.String()+string(data))
		}
		return segments
	}
	if diff := cmp.Diff(load(a), load(b)); diff != "" {
		t.Errorf("%s and %s load different bytes", a, b)
	}
}
