package tests

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/sysroot"
)

// TestRemake makes a sysroot in another folder than Bazel's action did and
// compares the two, file by file.
func TestRemake(t *testing.T) {
	name := os.Getenv("SYSROOT")
	if name == "" {
		t.Skip("SYSROOT is not set: run by `bazel test //toolchains/cc/tests:all`")
	}
	at := func(name string) string { return filepath.Join(os.Getenv("TEST_SRCDIR"), name) }
	data, err := os.ReadFile(at(name))
	if err != nil {
		t.Fatal(err)
	}
	var where struct {
		Zig, Include, Target string
		ZigLib               string `json:"zig_lib"`
	}
	if err := json.Unmarshal(data, &where); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "another folder", "deeper", "sysroot")
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		t.Fatal(err)
	}
	err = sysroot.Make(t.Context(), sysroot.Options{Zig: at(where.Zig), ZigLib: at(where.ZigLib), Target: where.Target, Out: out})
	if err != nil {
		t.Fatal(err)
	}
	want := digests(t, filepath.Dir(at(where.Include)))
	if len(want) < 1000 {
		t.Fatalf("Bazel's sysroot holds only %d files", len(want))
	}
	if diff := cmp.Diff(want, digests(t, out)); diff != "" {
		t.Errorf("the sysroot depends on its folder (-Bazel's +remade):\n%s", diff)
	}
}

// digests maps the files of a sysroot's halves to their SHA-256.
func digests(t *testing.T, root string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	for _, half := range []string{"include", "lib"} {
		// Runfiles may be links to folders.
		dir, err := filepath.EvalSymlinks(filepath.Join(root, half))
		if err != nil {
			t.Fatal(err)
		}
		err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(dir, file)
			sum := sha256.Sum256(data)
			sums[half+"/"+filepath.ToSlash(name)] = hex.EncodeToString(sum[:])
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return sums
}
