// Package reproducible builds every wheel a second time, as another user, in another folder, with another output base,
// home, time zone and number of jobs, and holds the bytes against those of the build that runs this test.
//
// Only compiled Go tools and the wheels' CUDA objects come from the cache of the first build; everything else, from the
// sysroots on, runs again. CUDA's objects have a test of their own, with one job.
package reproducible

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/google/go-cmp/cmp"
)

// entry is a line of //wheels:own (wheels/private/set.bzl).
type entry struct{ Pin, Platform, File, Path string }

func TestSecondBuildGivesTheSameBytes(t *testing.T) {
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		t.Skip("unshare is missing: this machine has no way to be another user")
	}
	if out, err := exec.Command(unshare, "--user", "--map-user=4711", "--map-group=4711", "true").CombinedOutput(); err != nil {
		t.Skipf("user namespaces are not allowed here: %s", out)
	}
	program, err := exec.LookPath("bazel")
	if err != nil {
		if program, err = exec.LookPath("bazelisk"); err != nil {
			t.Fatal("neither bazel nor bazelisk is on PATH")
		}
	}
	want := first(t)
	if len(want) == 0 {
		t.Fatal("//wheels:own is empty")
	}
	root := sourceRoot(t)
	base := t.TempDir()
	ws, home, out := filepath.Join(base, "elsewhere", "sparkwheels"), filepath.Join(base, "home"), filepath.Join(base, "o")
	copySources(t, root, ws)
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.Fatal(err)
	}
	bazel := func(args ...string) *exec.Cmd {
		line := append([]string{"--user", "--map-user=4711", "--map-group=4711", program, "--nohome_rc",
			"--output_user_root=" + out, "--host_jvm_args=-Xmx1500m", "--max_idle_secs=60"}, args...)
		cmd := exec.Command(unshare, line...)
		cmd.Dir = ws
		cmd.Env = append(environment(), "HOME="+home, "USER=somebody", "TZ=Asia/Tokyo", "LANG=de_DE.UTF-8")
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		return cmd
	}
	// Output trees are read-only, so that t.TempDir cannot remove them; Bazel can.
	t.Cleanup(func() {
		if err := bazel("clean", "--expunge").Run(); err != nil {
			t.Errorf("bazel clean --expunge: %v", err)
		}
	})
	build := func(args ...string) {
		t.Helper()
		args = append([]string{"build", "--color=no", "--curses=no", "--show_progress_rate_limit=30"}, args...)
		if cache := repositoryCache(); cache != "" {
			args = append(args, "--repository_cache="+cache)
		}
		if err := bazel(args...).Run(); err != nil {
			t.Fatalf("the second build failed: %v", err)
		}
	}
	// The objects of the kernels of a wheel take minutes; that the cache knows them says that their keys are equal.
	build("--jobs=3", "--modify_execution_info=^(?!Go|CudaCompile).*=+no-cache", "--output_groups=+wheels", "//wheels:own")
	if diff := cmp.Diff(want, second(t, ws, want)); diff != "" {
		t.Errorf("sha256 of the first build (-) and of the second (+):\n%s", diff)
	}
	build("--jobs=1", "--modify_execution_info=^Cuda.*=+no-cache", "//toolchains/cuda/tests:outputs.linux_aarch64", "//toolchains/cuda/tests:outputs.win_arm64")
	compareCuda(t, ws)
}

// compareCuda holds what the tests of the CUDA toolchain were built with against the second build's. Objects of both
// platforms have one name, of which this test sees one; the DLL and the shared object have one each, and hold the objects.
func compareCuda(t *testing.T, ws string) {
	names := strings.Fields(os.Getenv("CUDA"))
	for _, library := range []string{"linked.dll", "liblinked.so"} {
		if !slices.ContainsFunc(names, func(name string) bool { return filepath.Base(name) == library }) {
			t.Errorf("%s is not among what the CUDA rules made: %s", library, names)
		}
	}
	for _, name := range names {
		file, err := runfiles.Rlocation(name)
		if err != nil {
			t.Fatal(err)
		}
		found, err := filepath.Glob(filepath.Join(ws, "bazel-out", "*", "bin", filepath.FromSlash(strings.TrimPrefix(name, "_main/"))))
		if err != nil {
			t.Fatal(err)
		}
		var sums []string
		for _, other := range found {
			sums = append(sums, sum(t, other))
		}
		if want := sum(t, file); !slices.Contains(sums, want) {
			t.Errorf("%s: sha256 %s in the first build, %s in the second", name, want, sums)
		}
	}
}

// first returns the sha256 of every wheel that this test was built with, by file name.
func first(t *testing.T) map[string]string {
	t.Helper()
	list, err := runfiles.Rlocation("_main/wheels/own.json")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	var set []entry
	if err := json.Unmarshal(data, &set); err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for _, e := range set {
		path, err := runfiles.Rlocation("_main/" + e.Path)
		if err != nil {
			t.Fatal(err)
		}
		sums[e.File] = sum(t, path)
	}
	return sums
}

// second returns the sha256 of the wheels of the same names in another workspace's outputs.
func second(t *testing.T, ws string, names map[string]string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	for name := range names {
		found, err := filepath.Glob(filepath.Join(ws, "bazel-out", "*", "bin", "wheels", name))
		if err != nil {
			t.Fatal(err)
		}
		if len(found) != 1 {
			t.Errorf("%s: the second build has %d files of this name", name, len(found))
			continue
		}
		sums[name] = sum(t, found[0])
	}
	return sums
}

func sum(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// sourceRoot is the checkout: the runfile of MODULE.bazel is a link to it.
func sourceRoot(t *testing.T) string {
	t.Helper()
	path, err := runfiles.Rlocation("_main/MODULE.bazel")
	if err != nil {
		t.Fatal(err)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(path)
}

// copySources copies the checkout without what Git and Bazel keep in it. Of .airgap it takes the bazelrc, which names
// the rest by absolute paths.
func copySources(t *testing.T, root, dst string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		top := !strings.Contains(rel, string(filepath.Separator))
		switch {
		case top && (rel == ".git" || rel == "dist" || strings.HasPrefix(rel, ".airgap")):
			return fs.SkipDir
		case e.IsDir():
			return os.MkdirAll(filepath.Join(dst, rel), 0o755)
		case !e.Type().IsRegular() || top && rel == "user.bazelrc":
			return nil
		}
		return copyFile(path, filepath.Join(dst, rel))
	})
	if err != nil {
		t.Fatal(err)
	}
	rc := filepath.Join(".airgap", "airgap.bazelrc")
	if _, err := os.Stat(filepath.Join(root, rc)); err != nil {
		return
	}
	if err := os.MkdirAll(filepath.Join(dst, ".airgap"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := copyFile(filepath.Join(root, rc), filepath.Join(dst, rc)); err != nil {
		t.Fatal(err)
	}
}

func copyFile(src, dst string) error {
	data, err := os.ReadFile(src)
	if err != nil {
		return err
	}
	return os.WriteFile(dst, data, 0o644)
}

// environment is what a shell on this machine would give Bazel: none of the test's own variables.
func environment() []string {
	var out []string
	for _, name := range []string{"PATH", "PIP_INDEX_URL", "PIP_CERT", "GOPROXY", "SSL_CERT_FILE", "http_proxy", "https_proxy", "no_proxy"} {
		if value, ok := os.LookupEnv(name); ok {
			out = append(out, name+"="+value)
		}
	}
	return out
}

// repositoryCache is the cache of downloads of the Bazel that runs this test, found by its layout around the test's
// folder: OUTPUT_USER_ROOT/cache/repos/v1. Without it the second build downloads anew.
func repositoryCache() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		cache := filepath.Join(dir, "cache", "repos", "v1")
		if _, err := os.Stat(cache); err == nil {
			return cache
		}
	}
	return ""
}
