package archive_test

import (
	"archive/tar"
	"encoding/base64"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/archive"
	"github.com/sparkwheels/sparkwheels/go/treetest"
)

// bz2 is a tar archive of pkg/f ("bzip2\n"); Go has no writer for the format.
const bz2 = "QlpoOTFBWSZTWTkFU8UAAHn7kMmQAARAAP0EAAhxqF4QBAAACCAAVDKgANBtQNPSfqgklNNPU0AAAH0tGnghA8UkIs5jexhXJxCGE8xtC5koMItS1BEaw0qoZxuAddOsZydL5QJIH4u5IpwoSByCqeKA"

func TestFormats(t *testing.T) {
	entries := []entry{{name: "pkg/", flag: tar.TypeDir, mode: 0o700}, {name: "pkg/f", data: "x\n"}, {name: "pkg/run", data: "#!", mode: 0o711}}
	want := treetest.Tree{"pkg/f": "x\n", "pkg/run*": "#!"}
	bz, err := base64.StdEncoding.DecodeString(bz2)
	must(t, err)
	for _, tc := range []struct {
		name string
		data []byte
		want treetest.Tree
	}{
		{"a.tar", tarball(t, entries...), want},
		{"a.tar.gz", gz(t, tarball(t, entries...)), want},
		{"a.crate", gz(t, tarball(t, entries...)), want},
		{"a.tar.xz", xzip(t, tarball(t, entries...)), want},
		{"a.tar.bz2", bz, treetest.Tree{"pkg/f": "bzip2\n"}},
		{"a.zip", zipped(t, entries[1:]...), want},
		{"a.whl", zipped(t, entries...), want},
		{"no-extension", gz(t, tarball(t, entries...)), want},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			must(t, archive.Extract(out, archive.Options{}, save(t, tc.name, tc.data)))
			if diff := cmp.Diff(tc.want, treetest.Read(t, out)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestExtract(t *testing.T) {
	for _, tc := range []struct {
		name    string
		entries []entry
		opts    archive.Options
		want    treetest.Tree
	}{
		{
			"strip, dot prefix, empty folder, global header",
			[]entry{
				{name: "pax_global_header", flag: tar.TypeXGlobalHeader},
				{name: "./", flag: tar.TypeDir, mode: 0o755},
				{name: "./p-1/", flag: tar.TypeDir, mode: 0o755},
				{name: "./p-1/a", data: "a"},
				{name: "p-1/empty/", flag: tar.TypeDir, mode: 0o755},
			},
			archive.Options{Strip: 1},
			treetest.Tree{"a": "a", "empty/": ""},
		},
		{
			"include and exclude match stripped names",
			[]entry{{name: "p/src/a.c", data: "a"}, {name: "p/src/a.h", data: "h"}, {name: "p/tests/t.c", data: "t"}, {name: "p/tests/", flag: tar.TypeDir}},
			archive.Options{Strip: 1, Include: []string{"**/*.c"}, Exclude: []string{"tests/**"}},
			treetest.Tree{"src/a.c": "a"},
		},
		{
			"exclude is the way round a name that Windows cannot hold, a device and a bad link",
			[]entry{{name: "p/a", data: "a"}, {name: "p/t/x:y", data: "x"}, {name: "p/t/null", flag: tar.TypeChar}, {name: "p/t/l", link: "../../../x", flag: tar.TypeSymlink}},
			archive.Options{Strip: 1, Exclude: []string{"t/**"}},
			treetest.Tree{"a": "a"},
		},
		{
			"links become copies, whatever the order and through other links",
			[]entry{
				{name: "p/to-file", link: "d/f", flag: tar.TypeSymlink},
				{name: "p/chain", link: "to-dir/f", flag: tar.TypeSymlink},
				{name: "p/to-dir", link: "d/../d", flag: tar.TypeSymlink},
				{name: "p/d/f", data: "f", mode: 0o755},
				{name: "p/d/g/h", data: "h"},
				{name: "p/d/g/up", link: "../f", flag: tar.TypeSymlink},
				{name: "p/hard", link: "p/d/f", flag: tar.TypeLink},
				{name: "p/hard-to-link", link: "p/to-file", flag: tar.TypeLink},
			},
			archive.Options{Strip: 1},
			treetest.Tree{"to-file*": "f", "chain*": "f", "to-dir/f*": "f", "to-dir/g/h": "h", "to-dir/g/up*": "f",
				"d/f*": "f", "d/g/h": "h", "d/g/up*": "f", "hard*": "f", "hard-to-link*": "f"},
		},
		{
			"a link to a folder copies what is extracted of it",
			[]entry{{name: "d/keep", data: "k"}, {name: "d/drop", data: "x"}, {name: "d/drop-too", link: "/etc", flag: tar.TypeSymlink}, {name: "l", link: "d", flag: tar.TypeSymlink}},
			archive.Options{Exclude: []string{"d/drop*"}},
			treetest.Tree{"d/keep": "k", "l/keep": "k"},
		},
		{
			"a member twice with the same bytes; executable wins",
			[]entry{{name: "a", data: "1"}, {name: "a", data: "1", mode: 0o755}, {name: "l", link: "a", flag: tar.TypeSymlink}, {name: "l", link: "a", flag: tar.TypeSymlink}},
			archive.Options{},
			treetest.Tree{"a*": "1", "l*": "1"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			must(t, archive.Extract(out, tc.opts, save(t, "a.tar.gz", gz(t, tarball(t, tc.entries...)))))
			if diff := cmp.Diff(tc.want, treetest.Read(t, out)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestZipSymlink(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	data := zipped(t, entry{name: "d/l", link: "../f", flag: tar.TypeSymlink}, entry{name: "f", data: "f"})
	must(t, archive.Extract(out, archive.Options{}, save(t, "a.whl", data)))
	if diff := cmp.Diff(treetest.Tree{"d/l": "f", "f": "f"}, treetest.Read(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestModesAndTimes(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	data := tarball(t, entry{name: "d/secret", data: "x", mode: 0o600}, entry{name: "d/suid", data: "x", mode: 0o6711})
	must(t, archive.Extract(out, archive.Options{}, save(t, "a.tar", data)))
	for name, mode := range map[string]fs.FileMode{"d": fs.ModeDir | 0o755, "d/secret": 0o644, "d/suid": 0o755} {
		info, err := os.Stat(filepath.Join(out, name))
		must(t, err)
		if os.PathSeparator == '/' && info.Mode() != mode {
			t.Errorf("%s: mode %v, want %v", name, info.Mode(), mode)
		}
		// A constant time, or the archive's, would hide a change from Bazel: see package stage.
		if time.Since(info.ModTime()) > time.Hour {
			t.Errorf("%s: time %v, want that of writing", name, info.ModTime())
		}
	}
}

func TestSeveralArchives(t *testing.T) {
	a := save(t, "a.whl", zipped(t, entry{name: "nvidia/__init__.py"}, entry{name: "nvidia/a.py", data: "a"}))
	b := save(t, "b.whl", zipped(t, entry{name: "nvidia/__init__.py"}, entry{name: "nvidia/b.py", data: "b"}))
	c := save(t, "c.whl", zipped(t, entry{name: "nvidia/b.py", data: "c"}))

	out := filepath.Join(t.TempDir(), "out")
	must(t, archive.Extract(out, archive.Options{}, a, b))
	if diff := cmp.Diff(treetest.Tree{"nvidia/__init__.py": "", "nvidia/a.py": "a", "nvidia/b.py": "b"}, treetest.Read(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}

	parent := t.TempDir()
	err := archive.Extract(filepath.Join(parent, "out"), archive.Options{}, a, b, c)
	want := &archive.Error{Archive: c, Member: "nvidia/b.py", Problem: "is already there with different bytes, from " + b}
	if diff := cmp.Diff(error(want), err); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff(treetest.Tree{}, treetest.Read(t, parent)); diff != "" {
		t.Errorf("something was left behind: %s", diff)
	}
}
