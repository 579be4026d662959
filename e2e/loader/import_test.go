package loader_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sparkwheels/sparkwheels/go/guest"
	"github.com/sparkwheels/sparkwheels/go/native"
)

// interpreter is where the arm64 Python lies in the guest.
const interpreter = "/python/bin/python3.12"

// selections say which of upstream's own tests run, by distribution: enough to
// call into each native module, and no more than qemu does in a few minutes.
var selections = map[string]struct {
	// files of the sdist, without its first folder; pytest runs them.
	files []string
	// args come after python3.12 where the wheel brings its own tests.
	args []string
}{
	"numba": {args: []string{"-m", "numba.runtests", "-v",
		"numba.tests.test_typeof", "numba.tests.test_typeconv", "numba.tests.test_typenames"}},
	"pywavelets": {files: []string{
		"pywt/conftest.py", "pywt/_pytest.py",
		"pywt/tests/test__pywt.py", "pywt/tests/test_dwt_idwt.py", "pywt/tests/test_modes.py"}},
	"soxr": {files: []string{"tests/test_resample.py"}},
}

// python is an arm64 Python with numpy and pytest in a guest.
type python struct {
	guest *guest.Guest
	// home and site are folders here.
	home, site string
	// extra is what a test mounts beside them; Python also looks into /tvm.
	extra []guest.Mount
}

func newPython(t *testing.T) *python {
	t.Helper()
	g := open(t)
	const folder = "org/bytedeco/cpython/linux-arm64/"
	jar := unpackPart(t, input(t, "PYTHON"), 0,
		folder+"bin/python3.12", folder+"lib/python3.12/**", folder+"libffi.so.7", folder+"libpython3.12.so.1.0")
	home := filepath.Join(jar, folder)
	// Not every jar tells which files are programs.
	if err := os.Chmod(filepath.Join(home, "bin/python3.12"), 0o755); err != nil {
		t.Fatal(err)
	}
	// _ctypes looks for libffi beside itself.
	if err := os.Rename(filepath.Join(home, "libffi.so.7"), filepath.Join(home, "lib/python3.12/lib-dynload/libffi.so.7")); err != nil {
		t.Fatal(err)
	}
	return &python{guest: g, home: home, site: unpack(t, inputs(t, "SITE")...)}
}

// run runs Python with the packages of the unpacked wheel in tree, and of the
// site, and fails the test unless it succeeds.
func (p *python) run(t *testing.T, tree, tests string, args ...string) {
	t.Helper()
	mounts := append([]guest.Mount{
		{Source: p.home, Target: "/python"},
		{Source: p.site, Target: "/site"},
		{Source: tree, Target: "/tree"},
	}, p.extra...)
	if tests != "" {
		mounts = append(mounts, guest.Mount{Source: tests, Target: "/tests"})
	}
	start := time.Now()
	result, err := p.guest.Run(t.Context(), guest.Command{
		Args:    append([]string{interpreter}, args...),
		Env:     []string{"PYTHONPATH=/tree:/site:/tvm", "PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0"},
		Dir:     "/tmp",
		Mounts:  mounts,
		Timeout: 5 * time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	if result.ExitCode != 0 {
		t.Fatalf("python %s: exit code %d:\n%s", strings.Join(args, " "), result.ExitCode, result.Output)
	}
	last := strings.TrimSpace(result.Output)
	t.Logf("%s (%s)", last[strings.LastIndex(last, "\n")+1:], time.Since(start).Round(time.Second))
}

// TestImports imports each native member of each linux_aarch64 wheel.
func TestImports(t *testing.T) {
	p := newPython(t)
	for _, wheel := range wheels(t, "aarch64") {
		t.Run(filepath.Base(wheel), func(t *testing.T) {
			tree := unpack(t, wheel)
			modules, libraries := extensions(t, tree)
			switch {
			case len(modules)+len(libraries) == 0:
				t.Fatal("the wheel has no native member")
			case len(modules) == 0:
				// There is a test of its own for such a wheel.
				t.Logf("no module, but %d libraries", len(libraries))
				return
			}
			const script = "import importlib, sys\n" +
				"for name in sys.argv[1:]:\n" +
				"    assert importlib.import_module(name).__file__.endswith('.so'), name\n" +
				"print('imported', *sys.argv[1:])\n"
			p.run(t, tree, "", append([]string{"-c", script}, modules...)...)
		})
	}
}

// TestUpstream runs slices of upstream's own tests on our wheels.
func TestUpstream(t *testing.T) {
	p := newPython(t)
	left := map[string]bool{}
	for name := range selections {
		left[name] = true
	}
	for _, wheel := range wheels(t, "aarch64") {
		name, _, _ := strings.Cut(filepath.Base(wheel), "-")
		slice, ok := selections[name]
		if !ok {
			continue
		}
		delete(left, name)
		t.Run(name, func(t *testing.T) {
			tree := unpack(t, wheel)
			if slice.files == nil {
				p.run(t, tree, "", slice.args...)
				return
			}
			tests := unpackPart(t, sdist(t, name), 1, slice.files...)
			args := []string{"-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=append", "--rootdir=/tests"}
			for _, file := range slice.files {
				if strings.HasPrefix(path.Base(file), "test_") {
					args = append(args, "/tests/"+file)
				}
			}
			p.run(t, tree, tests, args...)
		})
	}
	for name := range left {
		t.Errorf("WHEELS has no %s", name)
	}
}

// sdist is the one of SDISTS that is the distribution's.
func sdist(t *testing.T, name string) string {
	t.Helper()
	for _, file := range inputs(t, "SDISTS") {
		if strings.HasPrefix(filepath.Base(file), name+"-") {
			return file
		}
	}
	t.Fatalf("SDISTS has no %s", name)
	return ""
}

// extensions lists the modules that the .so files below tree are, and the files
// that are none: they have no PyInit_ function.
func extensions(t *testing.T, tree string) (modules, libraries []string) {
	t.Helper()
	err := filepath.WalkDir(tree, func(p string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(p) != ".so" {
			return err
		}
		rel, err := filepath.Rel(tree, p)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		binary, err := native.Parse(data)
		if err != nil {
			return err
		}
		name, _, _ := strings.Cut(filepath.ToSlash(rel), ".")
		if !binary.HasExport("PyInit_" + path.Base(name)) {
			libraries = append(libraries, rel)
			return nil
		}
		modules = append(modules, strings.ReplaceAll(name, "/", "."))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return modules, libraries
}
