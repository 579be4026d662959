package stage_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/stage"
	"github.com/sparkwheels/sparkwheels/go/treetest"
)

func fill(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "sub", "f"), []byte("x"), 0o600)
}

func failLate(dir string) error {
	if err := fill(dir); err != nil {
		return err
	}
	return errors.New("disk on fire")
}

func TestDir(t *testing.T) {
	for _, tc := range []struct {
		name   string
		before treetest.Tree // of the parent
		fill   func(string) error
		after  treetest.Tree
		err    string
	}{
		{"new", treetest.Tree{}, fill, treetest.Tree{"out/sub/f": "x"}, ""},
		{"empty", treetest.Tree{"out/": ""}, fill, treetest.Tree{"out/sub/f": "x"}, ""},
		{"failure, new", treetest.Tree{}, failLate, treetest.Tree{}, "disk on fire"},
		{"failure, empty", treetest.Tree{"out/": ""}, failLate, treetest.Tree{"out/": ""}, "disk on fire"},
		{"not empty", treetest.Tree{"out/old": "o"}, fill, treetest.Tree{"out/old": "o"}, "output folder OUT is not empty"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			parent := treetest.Write(t, tc.before)
			out := filepath.Join(parent, "out")
			err := stage.Dir(out, tc.fill)
			want := tc.err
			if want == "output folder OUT is not empty" {
				want = "output folder " + out + " is not empty"
			}
			got := ""
			if err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("error: -want +got\n%s", diff)
			}
			if diff := cmp.Diff(tc.after, treetest.Read(t, parent)); diff != "" {
				t.Errorf("parent folder: -want +got\n%s", diff)
			}
		})
	}
}

func TestDirNormalisesFolders(t *testing.T) {
	start := time.Now().Add(-2 * time.Second) // file systems round
	out := filepath.Join(t.TempDir(), "out")
	if err := stage.Dir(out, fill); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(out, "sub"))
	if err != nil {
		t.Fatal(err)
	}
	if info.ModTime().Before(start) {
		t.Errorf("time %v, want that of writing", info.ModTime())
	}
	if info.Mode().Perm() != 0o755 && os.PathSeparator == '/' {
		t.Errorf("mode %v, want 0755", info.Mode())
	}
}

func TestFileReplaces(t *testing.T) {
	dir := treetest.Write(t, treetest.Tree{"f": "old"})
	if err := stage.File(filepath.Join(dir, "f"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(treetest.Tree{"f": "new"}, treetest.Read(t, dir)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
