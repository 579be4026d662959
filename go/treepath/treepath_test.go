package treepath

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestClean(t *testing.T) {
	for _, tc := range []struct{ name, want, err string }{
		{"a/b.c", "a/b.c", ""},
		{"./a//b/./c/", "a/b/c", ""},
		{"./", ".", ""},
		{"a/..b/c..", "a/..b/c..", ""},
		{"", "", "empty name"},
		{"/etc/passwd", "", "absolute path"},
		{"//server/share", "", "absolute path"},
		{"../a", "", `".." component leads out of its folder`},
		{"a/../b", "", `".." component leads out of its folder`},
		{"a/..", "", `".." component leads out of its folder`},
		{`a\..\b`, "", "name holds a backslash, which Windows takes for a separator"},
		{"C:/x", "", "name starts with a drive letter"},
		{"c:x", "", "name starts with a drive letter"},
		{"a\x00b", "", "name holds a NUL byte"},
	} {
		got, err := Clean(tc.name)
		if diff := cmp.Diff([]string{tc.want, tc.err}, []string{got, message(err)}); diff != "" {
			t.Errorf("Clean(%q): -want +got\n%s", tc.name, diff)
		}
	}
}

func TestPortable(t *testing.T) {
	for _, tc := range []struct{ name, err string }{
		{"src/.hidden/nulls.c", ""},
		{"console.c", ""},
		{"com10.txt", ""},
		{"grün/日本.py", ""},
		{strings.Repeat("d/", 129) + "ab", ""},
		{"a/x:y", `Windows cannot hold ':' in a name`},
		{"what?", `Windows cannot hold '?' in a name`},
		{"a\tb", `Windows cannot hold '\t' in a name`},
		{"a/b./c", "Windows drops a trailing dot or space of a name"},
		{"a /c", "Windows drops a trailing dot or space of a name"},
		{"src/nul", "NUL is a device on Windows"},
		{"src/Aux.c", "AUX is a device on Windows"},
		{"con.tar.gz", "CON is a device on Windows"},
		{"lpt¹", "LPT¹ is a device on Windows"},
		{"COM1/x", "COM1 is a device on Windows"},
		{"\xff", "name is not UTF-8"},
		{strings.Repeat("d/", 129) + "abc", "path of 261 characters, Windows holds 260"},
	} {
		if diff := cmp.Diff(tc.err, message(Portable(tc.name))); diff != "" {
			t.Errorf("Portable(%q): -want +got\n%s", tc.name, diff)
		}
	}
}

func TestStrip(t *testing.T) {
	for _, tc := range []struct {
		name string
		n    int
		want string
	}{{"a/b/c", 0, "a/b/c"}, {"a/b/c", 2, "c"}, {"a/b", 2, ""}, {"a", 9, ""}} {
		if got := Strip(tc.name, tc.n); got != tc.want {
			t.Errorf("Strip(%q, %d) = %q, want %q", tc.name, tc.n, got, tc.want)
		}
	}
}

func TestSet(t *testing.T) {
	type add struct {
		name string
		kind Kind
	}
	for _, tc := range []struct {
		what  string
		adds  []add
		known bool   // of the last
		err   string // of the last
	}{
		{"different names", []add{{"a/b", File}, {"a/c", File}}, false, ""},
		{"same again", []add{{"a/b", File}, {"a/b", File}}, true, ""},
		{"parent as folder", []add{{"a/b/c", File}, {"a/b", Dir}}, true, ""},
		{"the root", []add{{".", Dir}}, true, ""},
		{"case", []add{{"README", File}, {"readme", File}}, false, `differs only by case from file "README"`},
		{"case of a parent", []add{{"Src/a", File}, {"src/b", File}}, false, `differs only by case from folder "Src"`},
		{"case beyond ASCII", []add{{"Ä", File}, {"ä", File}}, false, `differs only by case from file "Ä"`},
		{"file then folder", []add{{"a", File}, {"a/b", File}}, false, `needs "a" as a folder, which is already a file`},
		{"folder then file", []add{{"a/b", File}, {"a", File}}, false, `needs "a" as a file, which is already a folder`},
	} {
		t.Run(tc.what, func(t *testing.T) {
			var s Set
			for i, a := range tc.adds {
				known, err := s.Add(a.name, a.kind)
				if i < len(tc.adds)-1 {
					if err != nil {
						t.Fatal(err)
					}
					continue
				}
				if known != tc.known || message(err) != tc.err {
					t.Errorf("got %v, %v; want %v, %q", known, err, tc.known, tc.err)
				}
			}
		})
	}
}

func TestSetRecordsNothingOnError(t *testing.T) {
	var s Set
	if _, err := s.Add("a", File); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add("a/b/c", File); err == nil {
		t.Fatal("a file became a folder")
	}
	if _, ok := s.Kind("a/b"); ok {
		t.Error("a/b was recorded although its parent is a file")
	}
	if kind, ok := s.Kind("a"); kind != File || !ok {
		t.Errorf("a is %v, %v", kind, ok)
	}
	if _, ok := s.Kind("A"); ok {
		t.Error("Kind ignores case")
	}
}
