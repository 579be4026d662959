package wheel_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sparkwheels/sparkwheels/go/wheel"
	"github.com/sparkwheels/sparkwheels/go/wheel/wheeltest"
)

const goodName = "fast-1.0-cp312-cp312-win_arm64.whl"

// unclean opens a wheel, reads every member, and gives all that is wrong.
func unclean(t *testing.T, path string) string {
	t.Helper()
	archive, err := wheel.Open(path)
	if err != nil {
		return err.Error()
	}
	defer archive.Close()
	problems := archive.Problems()
	for _, member := range archive.Members {
		if _, err := member.Read(); err != nil {
			problems = append(problems, err.(wheel.Problems)...)
		}
	}
	if problems == nil {
		return ""
	}
	return problems.Error()
}

func TestUncleanZips(t *testing.T) {
	member := []wheeltest.File{{Name: "a.py", Data: "one"}, {Name: "b.py", Data: "two"}}
	replace := func(old, new string, n int) func([]byte) []byte {
		return func(data []byte) []byte { return bytes.Replace(data, []byte(old), []byte(new), n) }
	}
	for _, test := range []struct {
		name  string
		files []wheeltest.File
		edit  func([]byte) []byte
		want  string
	}{
		{"good", member, nil, ""},
		{"trailing data", member, func(d []byte) []byte { return append(d, "junk"...) },
			goodName + ": the zip file has a comment or other bytes after its end; "},
		{"comment", member, func(d []byte) []byte { d[len(d)-2] = 4; return append(d, "junk"...) },
			goodName + ": the zip file has a comment or other bytes after its end; "},
		{"leading data", member, func(d []byte) []byte { return append([]byte("junk"), d...) },
			goodName + ": the zip file has bytes between its central directory and its end, or before its first member; "},
		{"data between members and directory", member, func(d []byte) []byte {
			at := bytes.Index(d, []byte("PK\x01\x02"))
			d = bytes.Join([][]byte{d[:at], d[at:]}, []byte("junk"))
			d[len(d)-6] += 4
			return d
		}, goodName + ": the zip file has bytes that belong to no member between the last one and the central directory"},
		{"wrong checksum", member, replace("one", "0ne", 1), "a.py: does not have the checksum that the zip directory says; "},
		{"other name in the local header", member, replace("a.py", "x.py", 1), "a.py: is called x.py in its local header; "},
		{"other size in the local header", member, func(d []byte) []byte { d[22] = 9; return d }, "a.py: has another size or checksum in its local header; "},
		{"other flags in the local header", member, func(d []byte) []byte { d[6] = 2; return d }, "a.py: has another method or other flags in its local header; "},
		{"twice", []wheeltest.File{member[0], member[0]}, nil, "a.py: is in the wheel twice; "},
		{"case clash", []wheeltest.File{member[0], {Name: "A.py"}}, nil, "A.py: cannot stand beside another name: "},
		{"file and folder", []wheeltest.File{member[0], {Name: "a.py/x"}}, nil, "a.py/x: cannot stand beside another name: "},
		{"absolute", []wheeltest.File{{Name: "/etc/passwd"}}, nil, "/etc/passwd: has a name that is refused: absolute path; "},
		{"parent", []wheeltest.File{{Name: "a/../../b"}}, nil, "a/../../b: has a name that is refused: "},
		{"drive", []wheeltest.File{{Name: "c:x"}}, nil, "c:x: has a name that is refused: "},
		{"device", []wheeltest.File{{Name: "x/nul.py"}}, nil, "x/nul.py: has a name that is refused: NUL is a device"},
		{"backslash", []wheeltest.File{{Name: `a\b`}}, nil, `a\b: has a name that is refused: `},
		{"odd spelling", []wheeltest.File{{Name: "./a"}}, nil, "./a: is not spelled a; "},
		{"folder", []wheeltest.File{{Name: "a/"}}, nil, goodName + ": has 1 entries for folders, the first is a/; "},
		{"link", member, func(d []byte) []byte {
			at := bytes.Index(d, []byte("PK\x01\x02"))
			d[at+41] = 0xa1 // S_IFLNK in the upper half of the external attributes
			return d
		}, "a.py: is no plain file but L"},
		{"encrypted", member, func(d []byte) []byte {
			d[6] |= 1
			d[bytes.Index(d, []byte("PK\x01\x02"))+8] |= 1
			return d
		}, "a.py: is encrypted or compressed with method 0"},
		{"unknown method", member, func(d []byte) []byte {
			d[8] = 14
			d[bytes.Index(d, []byte("PK\x01\x02"))+10] = 14
			return d
		}, "a.py: is encrypted or compressed with method 14"},
		{"no zip", member, func([]byte) []byte { return []byte("<html>") }, goodName + ": is no readable zip file: "},
		{"half a zip", member, func(d []byte) []byte { return d[:len(d)/2] }, goodName + ": is no readable zip file: "},
		{"empty", member, func([]byte) []byte { return nil }, goodName + ": is no readable zip file: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := wheeltest.WriteZip(t, filepath.Join(t.TempDir(), goodName), test.files)
			if test.edit != nil {
				wheeltest.Edit(t, path, test.edit)
			}
			got := unclean(t, path)
			if test.want == "" && got != "" || !strings.HasPrefix(got, test.want) || strings.Count(got, "\n") > 0 {
				t.Errorf("got %q, want one line with %q", got, test.want)
			}
		})
	}
}

func TestDataDescriptorsAreFollowed(t *testing.T) {
	path := filepath.Join(t.TempDir(), goodName)
	write := func(change func([]byte) []byte) {
		var out bytes.Buffer
		archive := zip.NewWriter(&out)
		w, err := archive.Create("a.py") // with a descriptor, since sizes are not known
		if err != nil {
			t.Fatal(err)
		}
		w.Write(bytes.Repeat([]byte("text "), 100))
		archive.Close()
		if err := os.WriteFile(path, change(out.Bytes()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(func(d []byte) []byte { return d })
	if got := unclean(t, path); got != "" {
		t.Errorf("a good descriptor gives %q", got)
	}
	write(func(d []byte) []byte {
		d[bytes.Index(d, []byte("PK\x07\x08"))+4] ^= 1
		return d
	})
	if got := unclean(t, path); !strings.HasPrefix(got, "a.py: has a data descriptor that disagrees") {
		t.Errorf("a wrong descriptor gives %q", got)
	}
}

func TestMemberLiesAboutItsSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), goodName)
	var out bytes.Buffer
	if err := wheel.Write(&out, "x.dist-info", []wheel.Source{wheel.Bytes("a", bytes.Repeat([]byte("a"), 1000))}); err != nil {
		t.Fatal(err)
	}
	data := out.Bytes()
	central := bytes.Index(data, []byte("PK\x01\x02"))
	data[22], data[23] = 9, 0
	data[central+24], data[central+25] = 9, 0
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if got, want := unclean(t, path), "a: is longer than the 9 bytes that the zip directory says; build or fetch the wheel again"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestArchiveReadsBack(t *testing.T) {
	path := wheeltest.Wheel{Name: goodName, Files: []wheeltest.File{{Name: "fast/__init__.py", Data: "x = 1\n"}}}.Write(t, t.TempDir())
	archive, err := wheel.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	var names []string
	for _, member := range archive.Members {
		names = append(names, member.Name)
	}
	want := []string{"fast/__init__.py", "fast-1.0.dist-info/METADATA", "fast-1.0.dist-info/WHEEL", "fast-1.0.dist-info/RECORD"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("Members (-want +got):\n%s", diff)
	}
	data, err := archive.Member("fast/__init__.py").Read()
	if err != nil || string(data) != "x = 1\n" {
		t.Errorf("Read gave %q, %v", data, err)
	}
	if archive.Member("none") != nil {
		t.Error("there is a member that is not there")
	}
}

func FuzzOpen(f *testing.F) {
	var out bytes.Buffer
	if err := wheel.Write(&out, "x.dist-info", []wheel.Source{wheel.Bytes("a", bytes.Repeat([]byte("a"), 100))}); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), goodName)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		archive, err := wheel.Open(path)
		if err != nil {
			return
		}
		defer archive.Close()
		for _, member := range archive.Members {
			if data, err := member.Read(); err == nil && int64(len(data)) != member.Size {
				t.Errorf("%q has %d bytes and not %d", member.Name, len(data), member.Size)
			}
		}
	})
}
