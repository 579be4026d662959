package patch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/patch"
	"github.com/sparkwheels/sparkwheels/go/treetest"
)

// FuzzApply applies damaged patches to a file that good ones fit. Whatever the
// patch says, the source stays, errors leave no output, targets stay inside,
// and a refreshed patch applies without offset to the same effect.
func FuzzApply(f *testing.F) {
	source := numbered("", 40)
	for _, tc := range refused {
		f.Add(source, tc.patch, tc.opts.Strip)
	}
	for _, tc := range applied {
		f.Add(tc.src["f"], tc.patches[0], tc.opts.Strip)
	}
	f.Fuzz(func(t *testing.T, source, text string, strip int) {
		src := treetest.Tree{"f": source, "d/g": "g\n"}
		dir := treetest.Write(t, src)
		parent := t.TempDir()
		file, out := filepath.Join(t.TempDir(), "p.patch"), filepath.Join(parent, "out")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		opts := patch.Options{Strip: strip, AllowOffset: true}
		_, err := patch.Apply(dir, out, opts, file)
		if diff := cmp.Diff(src, treetest.Read(t, dir)); diff != "" {
			t.Fatalf("the source changed: %s", diff)
		}
		if err != nil {
			if diff := cmp.Diff(treetest.Tree{}, treetest.Read(t, parent)); diff != "" {
				t.Fatalf("%v, but something was left behind: %s", err, diff)
			}
			return
		}
		want := treetest.Read(t, out)
		for name := range treetest.Read(t, parent) {
			if !strings.HasPrefix(name, "out/") {
				t.Fatalf("%s was written beside the output", name)
			}
		}
		if err := patch.WriteRefreshed(dir, filepath.Dir(file), opts, file); err != nil {
			t.Fatalf("cannot refresh what applied: %v", err)
		}
		again := filepath.Join(parent, "again")
		if _, err := patch.Apply(dir, again, patch.Options{Strip: strip}, file); err != nil {
			t.Fatalf("the refreshed patch: %v", err)
		}
		if diff := cmp.Diff(want, treetest.Read(t, again)); diff != "" {
			t.Fatalf("the refreshed patch does something else: %s", diff)
		}
	})
}
