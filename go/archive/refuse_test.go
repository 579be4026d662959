package archive_test

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/archive"
	"github.com/sparkwheels/sparkwheels/go/treetest"
)

// refused are archives that must not be extracted, with the member and the
// message. Each begins with a good member, so that something could be left.
var refused = []struct {
	name    string
	entries []entry
	opts    archive.Options
	member  string
	problem string
}{
	{"dot dot", []entry{{name: "p/../../evil", data: "x"}}, archive.Options{},
		"p/../../evil", `".." component leads out of its folder`},
	{"dot dot, although inward", []entry{{name: "p/../q", data: "x"}}, archive.Options{},
		"p/../q", `".." component leads out of its folder`},
	{"dot dot, excluded", []entry{{name: "../evil", data: "x"}}, archive.Options{Exclude: []string{"**"}},
		"../evil", `".." component leads out of its folder`},
	{"absolute", []entry{{name: "/etc/cron.d/evil", data: "x"}}, archive.Options{},
		"/etc/cron.d/evil", "absolute path"},
	{"drive", []entry{{name: "C:/evil", data: "x"}}, archive.Options{},
		"C:/evil", "name starts with a drive letter"},
	{"backslash", []entry{{name: `p\..\..\evil`, data: "x"}}, archive.Options{},
		`p\..\..\evil`, "name holds a backslash, which Windows takes for a separator"},
	{"symlink outward", []entry{{name: "p/l", link: "../../x", flag: tar.TypeSymlink}}, archive.Options{},
		"p/l", `is a link that leads out of the archive, to "../../x"`},
	{"symlink absolute", []entry{{name: "p/l", link: "/etc/passwd", flag: tar.TypeSymlink}}, archive.Options{},
		"p/l", `is a link that leads out of the archive, to "/etc/passwd"`},
	{"symlink to a drive", []entry{{name: "p/l", link: "C:x", flag: tar.TypeSymlink}}, archive.Options{},
		"p/l", `is a link that leads out of the archive, to "C:x"`},
	{"symlink outward through another", []entry{
		{name: "p/q/r/up", link: "../..", flag: tar.TypeSymlink}, {name: "p/l", link: "q/r/up/../../x", flag: tar.TypeSymlink}},
		archive.Options{Exclude: []string{"p/q/r/up"}}, "p/l", `is a link that leads out of the archive, to "q/r/up/../../x"`},
	{"hard link outward", []entry{{name: "p/l", link: "../x", flag: tar.TypeLink}}, archive.Options{},
		"p/l", `is a link that leads out of the archive, to "../x"`},
	{"hard link absolute", []entry{{name: "p/l", link: "/etc/shadow", flag: tar.TypeLink}}, archive.Options{},
		"p/l", `is a link that leads out of the archive, to "/etc/shadow"`},
	{"write through a link", []entry{{name: "p/l", link: "q", flag: tar.TypeSymlink}, {name: "p/l/f", data: "x"}}, archive.Options{},
		"p/l/f", `lies below "p/l", which is a link`},
	{"link over a folder", []entry{{name: "p/d/f", data: "x"}, {name: "p/e/f", data: "x"}, {name: "p/d", link: "e", flag: tar.TypeSymlink}}, archive.Options{},
		"p/d", "is a link to a folder and a folder as well"},
	{"dangling link", []entry{{name: "p/l", link: "gone", flag: tar.TypeSymlink}}, archive.Options{},
		"p/l", `is a link to "p/gone", which the archive does not hold`},
	{"link to what is excluded", []entry{{name: "p/f", data: "x"}, {name: "p/l", link: "f", flag: tar.TypeSymlink}}, archive.Options{Exclude: []string{"p/f"}},
		"p/l", `is a link to "p/f", which is left out: exclude the link too`},
	{"link to itself", []entry{{name: "p/l", link: "m", flag: tar.TypeSymlink}, {name: "p/m", link: "l", flag: tar.TypeSymlink}}, archive.Options{},
		"p/l", "is a link that leads to itself"},
	{"link to its parent", []entry{{name: "p/d/l", link: "..", flag: tar.TypeSymlink}}, archive.Options{},
		"p/d/l", `is a link to a folder, "p", that contains it`},
	{"folders that link to each other", []entry{
		{name: "a/b", link: "../c", flag: tar.TypeSymlink}, {name: "c/d", link: "../a", flag: tar.TypeSymlink}}, archive.Options{},
		"a/b", `is a link to a folder, "c", that contains it`},
	{"case clash", []entry{{name: "p/README", data: "1"}, {name: "p/Readme", data: "1"}}, archive.Options{},
		"p/Readme", `differs only by case from file "p/README"`},
	{"case clash of folders", []entry{{name: "p/Src/a", data: "1"}, {name: "p/src/b", data: "1"}}, archive.Options{},
		"p/src/b", `differs only by case from folder "p/Src"`},
	{"case clash of a link", []entry{{name: "p/a", data: "1"}, {name: "p/A", link: "a", flag: tar.TypeSymlink}}, archive.Options{},
		"p/A", `differs only by case from file "p/a"`},
	{"file and folder", []entry{{name: "p/a", data: "1"}, {name: "p/a/b", data: "1"}}, archive.Options{},
		"p/a/b", `needs "p/a" as a folder, which is already a file`},
	{"folder and file", []entry{{name: "p/a/b", data: "1"}, {name: "p/a", data: "1"}}, archive.Options{},
		"p/a", `needs "p/a" as a file, which is already a folder`},
	{"file and link", []entry{{name: "p/a", data: "1"}, {name: "p/a", link: "b", flag: tar.TypeSymlink}}, archive.Options{},
		"p/a", "is there twice, as different things"},
	{"twice, same length", []entry{{name: "p/a", data: "1"}, {name: "p/a", data: "2"}}, archive.Options{},
		"p/a", "is already there with different bytes, from ARCHIVE"},
	{"twice, one longer", []entry{{name: "p/a", data: "1"}, {name: "./p//a", data: "12"}}, archive.Options{},
		"./p//a", "is already there with different bytes, from ARCHIVE"},
	{"device", []entry{{name: "p/null", flag: tar.TypeChar}}, archive.Options{},
		"p/null", "is a device; only files, folders and links can be extracted"},
	{"block device", []entry{{name: "p/sda", flag: tar.TypeBlock}}, archive.Options{},
		"p/sda", "is a device; only files, folders and links can be extracted"},
	{"fifo", []entry{{name: "p/fifo", flag: tar.TypeFifo}}, archive.Options{},
		"p/fifo", "is a fifo; only files, folders and links can be extracted"},
	{"colon", []entry{{name: "p/a:b", data: "x"}}, archive.Options{},
		"p/a:b", "Windows cannot hold ':' in a name"},
	{"trailing dot", []entry{{name: "p/d./f", data: "x"}}, archive.Options{},
		"p/d./f", "Windows drops a trailing dot or space of a name"},
	{"reserved", []entry{{name: "p/aux.c", data: "x"}}, archive.Options{},
		"p/aux.c", "AUX is a device on Windows"},
	{"too long", []entry{{name: "p/" + strings.Repeat("d/", 129) + "f", data: "x"}}, archive.Options{},
		"p/" + strings.Repeat("d/", 129) + "f", "path of 261 characters, Windows holds 260"},
	{"stripped to nothing", []entry{{name: "p", data: "x"}}, archive.Options{Strip: 1},
		"p", "strip 1 leaves nothing of its name"},
	{"bytes", []entry{{name: "p/a", data: "12345"}, {name: "p/b", data: "67890"}}, archive.Options{Limits: archive.Limits{Bytes: 10}},
		"p/b", "more than 10 bytes in all; raise the limit if the archive is to be trusted"},
	{"members", []entry{{name: "p/a"}, {name: "p/b"}, {name: "p/c"}}, archive.Options{Limits: archive.Limits{Members: 3}},
		"p/c", "more than 3 members; raise the limit if the archive is to be trusted"},
	{"members made by links", []entry{
		{name: "p/d/1"}, {name: "p/d/2"}, {name: "p/d/3"}, {name: "p/l", link: "d", flag: tar.TypeSymlink}, {name: "p/m", link: "d", flag: tar.TypeSymlink}},
		archive.Options{Limits: archive.Limits{Members: 12}}, "p/m", "more than 12 members; raise the limit if the archive is to be trusted"},
	{"bytes made by links", []entry{{name: "p/f", data: "12345678"}, {name: "p/l", link: "f", flag: tar.TypeSymlink}},
		archive.Options{Limits: archive.Limits{Bytes: 12}}, "p/l", "more than 12 bytes in all; raise the limit if the archive is to be trusted"},
}

func TestRefused(t *testing.T) {
	for _, tc := range refused {
		t.Run(tc.name, func(t *testing.T) {
			entries := append([]entry{{name: "good/f", data: "x"}}, tc.entries...)
			file := save(t, "a.tar.gz", gz(t, tarball(t, entries...)))
			problem := strings.ReplaceAll(tc.problem, "ARCHIVE", file)
			checkRefused(t, file, tc.opts, &archive.Error{Archive: file, Member: tc.member, Problem: problem})
		})
	}
}

// checkRefused extracts once to a new folder and once to an empty one, as
// Bazel makes it, and expects the error and no trace.
func checkRefused(t *testing.T, file string, opts archive.Options, want error) {
	t.Helper()
	opts.Strip = max(opts.Strip, 0)
	for _, before := range []treetest.Tree{{}, {"out/": ""}} {
		parent := treetest.Write(t, before)
		err := archive.Extract(filepath.Join(parent, "out"), opts, file)
		if diff := cmp.Diff(want, err); diff != "" {
			t.Errorf("error: -want +got\n%s", diff)
		}
		if diff := cmp.Diff(before, treetest.Read(t, parent)); diff != "" {
			t.Errorf("something was left behind: -want +got\n%s", diff)
		}
	}
}

func TestRatioBomb(t *testing.T) {
	zeros := strings.Repeat("\x00", 2*archive.RatioGrace)
	file := save(t, "bomb.tar.gz", gz(t, tarball(t, entry{name: "p/zeros", data: zeros})))
	info, err := os.Stat(file)
	must(t, err)
	want := &archive.Error{Archive: file, Member: "p/zeros", Problem: "expands to more than 200 times the archive's " +
		strconv.FormatInt(info.Size(), 10) + " bytes; raise the limit if the archive is to be trusted"}
	checkRefused(t, file, archive.Options{Limits: archive.DefaultLimits}, want)

	small := save(t, "small.tar.gz", gz(t, tarball(t, entry{name: "p/zeros", data: zeros[:archive.RatioGrace]})))
	must(t, archive.Extract(filepath.Join(t.TempDir(), "out"), archive.Options{Limits: archive.DefaultLimits}, small))
}

func TestRefusedZip(t *testing.T) {
	encrypted := zipped(t, entry{name: "p/f", data: "x"})
	central := bytes.Index(encrypted, []byte("PK\x01\x02"))
	flags := encrypted[central+8:]
	binary.LittleEndian.PutUint16(flags, binary.LittleEndian.Uint16(flags)|1)

	damaged := zipped(t, entry{name: "p/f", data: "some text that is stored"})
	damaged[35]++

	for _, tc := range []struct {
		name string
		data []byte
		err  archive.Error
	}{
		{"dot dot", zipped(t, entry{name: "../evil", data: "x"}),
			archive.Error{Member: "../evil", Problem: `".." component leads out of its folder`}},
		{"symlink outward", zipped(t, entry{name: "l", link: "../evil", flag: tar.TypeSymlink}),
			archive.Error{Member: "l", Problem: `is a link that leads out of the archive, to "../evil"`}},
		{"symlink without end", zipped(t, entry{name: "l", link: strings.Repeat("a/", 4096), flag: tar.TypeSymlink}),
			archive.Error{Member: "l", Problem: "is a link with an absurdly long target"}},
		{"symlink without target", zipped(t, entry{name: "l", flag: tar.TypeSymlink}),
			archive.Error{Member: "l", Problem: `is a link that leads out of the archive, to ""`}},
		{"fifo", zipped(t, entry{name: "p", flag: tar.TypeFifo}),
			archive.Error{Member: "p", Problem: "is a device or fifo; only files, folders and links can be extracted"}},
		{"encrypted", encrypted, archive.Error{Member: "p/f", Problem: "is a member under a password; only files, folders and links can be extracted"}},
		{"damaged", damaged, archive.Error{Member: "p/f", Problem: "zip: checksum error"}},
		{"empty", zipped(t), archive.Error{Problem: "holds no members"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			file := save(t, "a.whl", tc.data)
			want := tc.err
			want.Archive = file
			checkRefused(t, file, archive.Options{}, &want)
		})
	}
}

func TestRefusedAsAWhole(t *testing.T) {
	good := gz(t, tarball(t, entry{name: "p/f", data: strings.Repeat("x", 5000)}))
	flipped := bytes.Clone(good)
	flipped[len(flipped)-5] ^= 0xff // the checksum, after the end of the tar
	for _, tc := range []struct {
		name, problem, member string
		data                  []byte
	}{
		{"error page", `neither tar (plain, gzip, xz, bzip2) nor zip: it starts with "<!DOCTYPE html><title>40"`, "", []byte("<!DOCTYPE html><title>404</title>")},
		{"nothing", `neither tar (plain, gzip, xz, bzip2) nor zip: it starts with ""`, "", nil},
		{"cut off", "unexpected EOF", "p/f", good[:len(good)-20]},
		{"wrong checksum", "damaged or unreadable: gzip: invalid checksum", "", flipped},
		{"no members", "holds no members", "", gz(t, tarball(t))},
		{"gzip of something else", "damaged or unreadable: unexpected EOF", "", gz(t, []byte("hello"))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			file := save(t, "a.tar.gz", tc.data)
			checkRefused(t, file, archive.Options{}, &archive.Error{Archive: file, Member: tc.member, Problem: tc.problem})
		})
	}
}

func TestUnusedInclude(t *testing.T) {
	file := save(t, "a.tar", tarball(t, entry{name: "p/f", data: "x"}))
	parent := t.TempDir()
	err := archive.Extract(filepath.Join(parent, "out"), archive.Options{Include: []string{"p/f", "p/moved.c"}}, file)
	if err == nil || err.Error() != `include pattern "p/moved.c" matches no member` {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(treetest.Tree{}, treetest.Read(t, parent)); diff != "" {
		t.Errorf("something was left behind: %s", diff)
	}
}

func TestOutputNotEmpty(t *testing.T) {
	file := save(t, "a.tar", tarball(t, entry{name: "f", data: "x"}))
	out := treetest.Write(t, treetest.Tree{"old": "o"})
	if err := archive.Extract(out, archive.Options{}, file); err == nil {
		t.Error("a folder with files was taken")
	}
	if diff := cmp.Diff(treetest.Tree{"old": "o"}, treetest.Read(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
