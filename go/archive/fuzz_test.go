package archive_test

import (
	"archive/tar"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/archive"
	"github.com/sparkwheels/sparkwheels/go/treetest"
)

// FuzzExtract feeds damaged archives: whatever they hold, nothing may appear
// beside the output folder, and the folder only on success.
func FuzzExtract(f *testing.F) {
	for _, tc := range refused {
		f.Add(tarball(f, tc.entries...), 0)
	}
	good := []entry{{name: "p/f", data: "f"}, {name: "p/l", link: "f", flag: tar.TypeSymlink}}
	f.Add(tarball(f, good...), 1)
	f.Add(gz(f, tarball(f, good...)), 1)
	f.Add(xzip(f, tarball(f, good...)), 0)
	f.Add(zipped(f, good...), 0)
	f.Fuzz(func(t *testing.T, data []byte, strip int) {
		parent := t.TempDir()
		file := filepath.Join(parent, "in")
		must(t, os.WriteFile(file, data, 0o644))
		out := filepath.Join(parent, "deep", "out")
		must(t, os.Mkdir(filepath.Dir(out), 0o755))
		opts := archive.Options{Strip: strip, Limits: archive.Limits{Bytes: 1 << 20, Members: 200, Ratio: 50}}
		if err := archive.Extract(out, opts, file); err != nil {
			want := treetest.Tree{"in": string(data), "deep/": ""}
			if diff := cmp.Diff(want, treetest.Read(t, parent)); diff != "" {
				t.Fatalf("%v, but something was left behind: %s", err, diff)
			}
			return
		}
		treetest.Read(t, out) // fails on links
		must(t, os.RemoveAll(out))
		if diff := cmp.Diff(treetest.Tree{"in": string(data), "deep/": ""}, treetest.Read(t, parent)); diff != "" {
			t.Fatalf("something was written outside: %s", diff)
		}
	})
}
