// Package bumps runs the maintainer's tools as a maintainer does: on this repository, against the package index that this
// machine's pip is configured for. Without that index the tests are skipped and say so.
package bumps

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"

	"github.com/sparkwheels/sparkwheels/go/bump"
	"github.com/sparkwheels/sparkwheels/go/coverage"
	"github.com/sparkwheels/sparkwheels/go/pins"
)

// The exit codes of pins, as its --help lists them.
const (
	unreachable = 5
	news        = 6
)

// program returns a tool that the BUILD file names in the environment.
func program(t *testing.T, variable string) string {
	t.Helper()
	path, err := runfiles.Rlocation(os.Getenv(variable))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// call runs a tool on a repository and returns its exit code and what it said. It skips the test where the index does not answer.
func call(t *testing.T, tool, root string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program(t, tool), append(args, "--root", root)...)
	cmd.Env = append(os.Environ(), "SPARKWHEELS_CACHE="+cache)
	var out, said strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if code == unreachable && (strings.Contains(said.String(), "could not ask") || strings.Contains(said.String(), "no Python package index")) {
		t.Skipf("the package index of this machine does not answer: %s", said.String())
	}
	return code, out.String(), said.String()
}

// cache is shared by the tests of one run, so that each file is fetched once.
var cache string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp(os.Getenv("TEST_TMPDIR"), "bumps-*")
	if err != nil {
		panic(err)
	}
	cache = dir
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// repository copies what the pins are about from the checkout, which holds more than the runfiles name.
func repository(t *testing.T) string {
	t.Helper()
	module, err := filepath.EvalSymlinks(filepath.Join("..", "..", "MODULE.bazel"))
	if err != nil {
		t.Fatal(err)
	}
	root, dir := filepath.Dir(module), t.TempDir()
	for _, pattern := range []string{"MODULE.bazel", "third_party/*.json", "third_party/*.bzl", "third_party/*/overlay.BUILD.bazel", "patches/*/*.patch", "wheels/BUILD.bazel"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatalf("no %s in %s: %v", pattern, root, err)
		}
		for _, file := range files {
			name, err := filepath.Rel(root, file)
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(to, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func TestOutdated(t *testing.T) {
	code, stdout, stderr := call(t, "PINS", repository(t), "outdated", "--format", "json", "soxr", "numba", "setuptools", "cpython_linux_x86_64")
	if code != 0 && code != news {
		t.Fatalf("exit code %d:\n%s", code, stderr)
	}
	var rows []bump.Row
	if err := json.Unmarshal([]byte(stdout), &rows); err != nil {
		t.Fatal(err)
	}
	states := map[string]bump.State{}
	for _, r := range rows {
		states[r.Name] = r.State
		if r.State != bump.Unasked && r.Newest == "" {
			t.Errorf("%+v does not say what is newest", r)
		}
	}
	if len(rows) < 5 || states["cpython_linux_x86_64"] != bump.Unasked {
		t.Errorf("rows %+v", rows)
	}
}

// An older soxr is pinned by a bump, its patches come along, and the bump back gives every byte again.
func TestBumpThereAndBack(t *testing.T) {
	root := repository(t)
	file := filepath.Join(root, filepath.FromSlash(pins.PinsFile))
	before := read(t, file)
	version := pinned(t, root, "soxr")
	code, stdout, stderr := call(t, "PINS", root, "bump", "soxr@1.0.0")
	if code != 0 {
		t.Fatalf("exit code %d:\n%s%s", code, stdout, stderr)
	}
	if got := pinned(t, root, "soxr"); got != "1.0.0" || !strings.Contains(stdout, "patches/soxr/") {
		t.Errorf("soxr is at %s:\n%s", got, stdout)
	}
	if code, _, stderr := call(t, "PINS", root, "check"); code != 0 {
		t.Errorf("check: %s", stderr)
	}
	if code, _, stderr = call(t, "PINS", root, "bump", "soxr@"+version); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, stderr)
	}
	if after := read(t, file); after != before {
		t.Error("pins.json is not as it was")
	}
	if code, _, stderr := call(t, "PINS", root, "generate", "--check"); code != 0 {
		t.Errorf("generate --check: %s", stderr)
	}
}

func TestBumpCheckWritesNothing(t *testing.T) {
	root := repository(t)
	file := filepath.Join(root, filepath.FromSlash(pins.PinsFile))
	before := read(t, file)
	code, stdout, _ := call(t, "PINS", root, "bump", "--check", "soxr@1.0.0")
	if code != 0 || !strings.Contains(stdout, "| soxr |") || read(t, file) != before {
		t.Errorf("exit code %d:\n%s", code, stdout)
	}
}

func TestWatch(t *testing.T) {
	code, stdout, stderr := call(t, "PINS", repository(t), "watch", "--format", "json")
	if code != 0 && code != news {
		t.Fatalf("exit code %d:\n%s", code, stderr)
	}
	var watch bump.Watch
	if err := json.Unmarshal([]byte(stdout), &watch); err != nil {
		t.Fatal(err)
	}
	for _, l := range watch.Wheels {
		if l.Retired && !l.Holds {
			t.Errorf("%s is retired on %s, but upstream ships nothing as new: %+v", l.Wheel, l.Platform, l)
		}
	}
	chained := false
	for _, c := range watch.Collapses {
		names := strings.Join(c.Wheels, " ")
		chained = chained || strings.Contains(names, "llvmlite") && strings.Contains(names, "numba")
	}
	if !chained {
		t.Errorf("llvmlite and numba are no chain: %+v", watch.Collapses)
	}
}

// What five kinds of AI tools ask for, on both platforms.
func TestCoverage(t *testing.T) {
	root := repository(t)
	lists, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil || len(lists) != 5 {
		t.Fatalf("lists %v, %v", lists, err)
	}
	for _, list := range lists {
		abs, err := filepath.Abs(list)
		if err != nil {
			t.Fatal(err)
		}
		for _, platform := range []string{"win_arm64", "linux_aarch64"} {
			t.Run(strings.TrimSuffix(filepath.Base(list), ".txt")+"/"+platform, func(t *testing.T) {
				code, stdout, stderr := call(t, "PINS", root, "coverage", abs, "--platform", platform, "--format", "json")
				var report coverage.Report
				if err := json.Unmarshal([]byte(stdout), &report); err != nil {
					t.Fatalf("exit code %d: %v\n%s", code, err, stderr)
				}
				if (code == 0) != report.Complete || code != 0 && code != news || len(report.Packages) < 10 {
					t.Fatalf("exit code %d, complete %v, %d packages", code, report.Complete, len(report.Packages))
				}
				missing := 0
				for _, p := range report.Packages {
					switch p.Where {
					case coverage.SdistOnly, coverage.Nothing:
						missing++
						t.Logf("%s %s: %s, nearest %q, via %v", p.Name, p.Version, p.Where, p.Nearest, p.Via)
						if len(p.Via) == 0 {
							t.Errorf("%s: nothing says what pulled it in", p.Name)
						}
					case coverage.Upstream:
						if !bump.Installs(p.File, platform) {
							t.Errorf("%s is no wheel for %s", p.File, platform)
						}
					}
				}
				t.Logf("%d packages, %d missing", len(report.Packages), missing)
			})
		}
	}
}

func TestPatchNewAndRefresh(t *testing.T) {
	root := repository(t)
	echo, err := exec.LookPath("git")
	if err != nil {
		t.Fatal("there is no git on PATH, which makes patches: install it")
	}
	// A command that edits on every system: git writes a file.
	args := []string{"new", "simsimd", "a-test", "--root", root, "--", echo, "config", "--file", "ADDED.txt", "a.b", "c"}
	cmd := exec.CommandContext(t.Context(), program(t, "PATCH"), args...)
	cmd.Env = append(os.Environ(), "SPARKWHEELS_CACHE="+cache)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	made := filepath.Join(root, "patches", "simsimd", "0002-a-test.patch")
	if text := read(t, made); !strings.HasPrefix(text, "Subject: a-test\n") || !strings.Contains(text, "+++ b/ADDED.txt\n") {
		t.Errorf("the patch is\n%s", text)
	}
	code, stdout, stderr := call(t, "PATCH", root, "refresh", "simsimd")
	if code != 0 || strings.Count(stdout, ": applies\n") != 2 {
		t.Errorf("exit code %d:\n%s%s", code, stdout, stderr)
	}
}

func pinned(t *testing.T, root, name string) string {
	t.Helper()
	f, err := pins.Load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range f.Pins {
		if p.Name == name {
			return p.Version
		}
	}
	t.Fatalf("no pin %s", name)
	return ""
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
