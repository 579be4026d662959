package patch_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/patch"
	"github.com/sparkwheels/sparkwheels/go/treetest"
)

// crlf is text with Windows' line ends.
func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

// numbered is a file of n lines, "1" to n, each with the prefix.
func numbered(prefix string, n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "%s%d\n", prefix, i)
	}
	return b.String()
}

// edit changes line 5 of a numbered file.
const edit = `diff --git a/f b/f
index 1111111..2222222 100644
--- a/f
+++ b/f
@@ -2,7 +2,7 @@ some function
 2
 3
 4
-5
+five
 6
 7
 8
`

var edited = strings.Replace(numbered("", 10), "5\n", "five\n", 1)

var applied = []struct {
	name    string
	opts    patch.Options
	src     treetest.Tree
	patches []string
	want    treetest.Tree
}{
	{"edit keeps the rest", patch.Options{Strip: 1},
		treetest.Tree{"f": numbered("", 10), "run*": "#!", "d/e": "x", "empty/": ""}, []string{edit},
		treetest.Tree{"f": edited, "run*": "#!", "d/e": "x", "empty/": ""}},
	{"message before, signature after", patch.Options{Strip: 1},
		treetest.Tree{"f": numbered("", 10)}, []string{"From: me\nSubject: [PATCH] five\n\n- list\n+ list\n---\n f | 2 +-\n\n" + edit + "-- \n2.47.3\n\n"},
		treetest.Tree{"f": edited}},
	{"traditional, with time stamps", patch.Options{Strip: 1},
		treetest.Tree{"f": "a\n"}, []string{"diff -ur old/f new/f\n--- old/f\t2026-01-01 00:00:00.0 +0000\n+++ new/f\t2026-01-02 00:00:00.0 +0000\n@@ -1 +1 @@\n-a\n+b\n"},
		treetest.Tree{"f": "b\n"}},
	{"strip 0, git without prefix", patch.Options{},
		treetest.Tree{"d/f": "a\n", "d/x": "x"}, []string{"diff --git d/f d/f\n--- d/f\n+++ d/f\n@@ -1 +1 @@\n-a\n+b\ndiff --git d/x d/x\nold mode 100644\nnew mode 100755\n"},
		treetest.Tree{"d/f": "b\n", "d/x*": "x"}},
	{"strip 0, new and renamed", patch.Options{},
		treetest.Tree{"d/f": "a\n"}, []string{"diff --git d/n d/n\nnew file mode 100644\n--- /dev/null\n+++ d/n\n@@ -0,0 +1 @@\n+n\ndiff --git d/f d/g\nsimilarity index 100%\nrename from d/f\nrename to d/g\n"},
		treetest.Tree{"d/n": "n\n", "d/g": "a\n"}},
	{"strip 2", patch.Options{Strip: 2},
		treetest.Tree{"f": "a\n"}, []string{"diff --git a/sub/f b/sub/f\n--- a/sub/f\n+++ b/sub/f\n@@ -1 +1 @@\n-a\n+b\n"},
		treetest.Tree{"f": "b\n"}},
	{"strip 2 of a traditional patch", patch.Options{Strip: 2},
		treetest.Tree{"f": "a\n"}, []string{"--- old/sub/f\n+++ new/sub/f\n@@ -1 +1 @@\n-a\n+b\n"},
		treetest.Tree{"f": "b\n"}},
	{"names with spaces and quotes", patch.Options{Strip: 1},
		treetest.Tree{"a b": "a\n", "ü": "a\n"}, []string{"diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n@@ -1 +1 @@\n-a\n+b\n" +
			"diff --git \"a/\\303\\274\" \"b/\\303\\274\"\n--- \"a/\\303\\274\"\n+++ \"b/\\303\\274\"\n@@ -1 +1 @@\n-a\n+b\n"},
		treetest.Tree{"a b": "b\n", "ü": "b\n"}},
	{"rename only", patch.Options{Strip: 1},
		treetest.Tree{"d/old*": "x"}, []string{"diff --git a/d/old b/new/name\nsimilarity index 100%\nrename from d/old\nrename to new/name\n"},
		treetest.Tree{"new/name*": "x"}},
	{"rename and edit", patch.Options{Strip: 1},
		treetest.Tree{"f": numbered("", 10)}, []string{"diff --git a/f b/g\nsimilarity index 90%\nrename from f\nrename to g\nindex 1..2 100644\n--- a/f\n+++ b/g\n@@ -1,3 +1,3 @@\n-1\n+one\n 2\n 3\n"},
		treetest.Tree{"g": strings.Replace(numbered("", 10), "1\n", "one\n", 1)}},
	{"two files swap names", patch.Options{Strip: 1},
		treetest.Tree{"a": "A", "b": "B"}, []string{"diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\ndiff --git a/b b/a\nsimilarity index 100%\nrename from b\nrename to a\n"},
		treetest.Tree{"a": "B", "b": "A"}},
	{"rename that changes case only", patch.Options{Strip: 1},
		treetest.Tree{"Readme": "x"}, []string{"diff --git a/Readme b/README\nsimilarity index 100%\nrename from Readme\nrename to README\n"},
		treetest.Tree{"README": "x"}},
	{"copy and edit, of the file as it was", patch.Options{Strip: 1},
		treetest.Tree{"f": "a\nb\n"}, []string{"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n" +
			"diff --git a/f b/g\nsimilarity index 50%\ncopy from f\ncopy to g\n--- a/f\n+++ b/g\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"},
		treetest.Tree{"f": "A\nb\n", "g": "a\nB\n"}},
	{"mode only", patch.Options{Strip: 1},
		treetest.Tree{"s": "#!", "t*": "x"}, []string{"diff --git a/s b/s\nold mode 100644\nnew mode 100755\ndiff --git a/t b/t\nold mode 100755\nnew mode 100644\n"},
		treetest.Tree{"s*": "#!", "t": "x"}},
	{"mode and edit", patch.Options{Strip: 1},
		treetest.Tree{"s": "a\n"}, []string{"diff --git a/s b/s\nold mode 100644\nnew mode 100755\nindex 1..2\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-a\n+b\n"},
		treetest.Tree{"s*": "b\n"}},
	{"new files, one of them empty, one executable", patch.Options{Strip: 1},
		treetest.Tree{"f": "x"}, []string{"diff --git a/d/n b/d/n\nnew file mode 100644\nindex 0000000..1\n--- /dev/null\n+++ b/d/n\n@@ -0,0 +1,2 @@\n+1\n+2\n" +
			"diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n" +
			"diff --git a/x b/x\nnew file mode 100755\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+#!\n\\ No newline at end of file\n"},
		treetest.Tree{"f": "x", "d/n": "1\n2\n", "e": "", "x*": "#!"}},
	{"new file, traditional", patch.Options{Strip: 1},
		treetest.Tree{"f": "x"}, []string{"--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n--- a/m\t1970-01-01 00:00:00.000000000 +0000\n+++ b/m\t2026-01-01 00:00:00.000000000 +0000\n@@ -0,0 +1 @@\n+m\n"},
		treetest.Tree{"f": "x", "n": "n\n", "m": "m\n"}},
	{"deleted files, one of them empty", patch.Options{Strip: 1},
		treetest.Tree{"f": "x", "d/g": "1\n2", "e": ""}, []string{"diff --git a/d/g b/d/g\ndeleted file mode 100644\nindex 1..0\n--- a/d/g\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n\\ No newline at end of file\n" +
			"diff --git a/e b/e\ndeleted file mode 100644\nindex e69de29..0000000\n"},
		treetest.Tree{"f": "x"}},
	{"a file gives way to a folder", patch.Options{Strip: 1},
		treetest.Tree{"f": "x\n"}, []string{"diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\ndiff --git a/f/g b/f/g\nnew file mode 100644\n--- /dev/null\n+++ b/f/g\n@@ -0,0 +1 @@\n+g\n"},
		treetest.Tree{"f/g": "g\n"}},
	{"adds the final newline", patch.Options{Strip: 1},
		treetest.Tree{"f": "a\nb"}, []string{"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
		treetest.Tree{"f": "a\nb\n"}},
	{"removes the final newline", patch.Options{Strip: 1},
		treetest.Tree{"f": "a\nb\n"}, []string{"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"},
		treetest.Tree{"f": "a\nb"}},
	{"no final newline on either side", patch.Options{Strip: 1},
		treetest.Tree{"f": "a\nb"}, []string{"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n"},
		treetest.Tree{"f": "A\nb"}},
	{"CRLF in both", patch.Options{Strip: 1},
		treetest.Tree{"f": crlf(numbered("", 10))}, []string{strings.NewReplacer("\n ", "\r\n ", "\n-5", "\r\n-5", "\n+f", "\r\n+f", "8\n", "8\r\n").Replace(edit)},
		treetest.Tree{"f": crlf(edited)}},
	{"CRLF in both, headers too, empty and unterminated lines", patch.Options{Strip: 1},
		treetest.Tree{"f": "a\r\n\r\nb"}, []string{crlf("--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n-a\n+A\n\n b\n\\ No newline at end of file\n")},
		treetest.Tree{"f": "A\r\n\r\nb"}},
	{"a lone CR at the end of the file", patch.Options{Strip: 1},
		treetest.Tree{"f": "a\r\nb\r"}, []string{"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n\\ No newline at end of file\n+B\r\n\\ No newline at end of file\n"},
		treetest.Tree{"f": "a\r\nB\r"}},
	{"patches build on each other", patch.Options{Strip: 1},
		treetest.Tree{"f": numbered("", 10)}, []string{edit, strings.NewReplacer("-5", "-five", "+five", "+5").Replace(edit)},
		treetest.Tree{"f": numbered("", 10)}},
	{"one patch touches a file twice", patch.Options{Strip: 1},
		treetest.Tree{"f": numbered("", 10)}, []string{edit + strings.NewReplacer("-5", "-five", "+five", "+FIVE").Replace(edit)},
		treetest.Tree{"f": strings.Replace(edited, "five", "FIVE", 1)}},
	{"an empty file is filled, a full one emptied", patch.Options{Strip: 1},
		treetest.Tree{"e": "", "f": "x\n"}, []string{"diff --git a/e b/e\n--- a/e\n+++ b/e\n@@ -0,0 +1 @@\n+e\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-x\n"},
		treetest.Tree{"e": "e\n", "f": ""}},
}

func TestApply(t *testing.T) {
	for _, tc := range applied {
		t.Run(tc.name, func(t *testing.T) {
			src := treetest.Write(t, tc.src)
			for _, before := range []treetest.Tree{{}, {"out/": ""}} {
				out := filepath.Join(treetest.Write(t, before), "out")
				offsets, err := patch.Apply(src, out, tc.opts, save(t, tc.patches...)...)
				if err != nil {
					t.Fatal(err)
				}
				if len(offsets) > 0 {
					t.Errorf("offsets: %v", offsets)
				}
				if diff := cmp.Diff(tc.want, treetest.Read(t, out)); diff != "" {
					t.Errorf("-want +got\n%s", diff)
				}
			}
			if diff := cmp.Diff(tc.src, treetest.Read(t, src)); diff != "" {
				t.Errorf("the source changed: -want +got\n%s", diff)
			}
		})
	}
}

// save writes patch files 1.patch, 2.patch… and returns their paths.
func save(t testing.TB, patches ...string) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for i, text := range patches {
		path := filepath.Join(dir, fmt.Sprintf("%d.patch", i+1))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func TestSourceThroughLinks(t *testing.T) {
	real := treetest.Write(t, treetest.Tree{"f": numbered("", 10)})
	src := t.TempDir()
	if err := os.Symlink(filepath.Join(real, "f"), filepath.Join(src, "f")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	out := filepath.Join(t.TempDir(), "out")
	if _, err := patch.Apply(src, out, patch.Options{Strip: 1}, save(t, edit)...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(treetest.Tree{"f": edited}, treetest.Read(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff(treetest.Tree{"f": numbered("", 10)}, treetest.Read(t, real)); diff != "" {
		t.Errorf("the link's target changed: -want +got\n%s", diff)
	}
}

func TestSourceThatLinksToItself(t *testing.T) {
	src := t.TempDir()
	if err := os.Symlink(src, filepath.Join(src, "loop")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	_, err := patch.Check(src, patch.Options{Strip: 1}, save(t, edit)...)
	if err == nil {
		t.Fatal("a loop was walked to its end")
	}
}

func TestTargets(t *testing.T) {
	p, err := patch.Parse("x", []byte(edit+"diff --git a/d b/d\ndeleted file mode 100644\ndiff --git a/o b/n\nrename from o\nrename to n\n"), 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"f", "d", "n"}, p.Targets()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestErrorKinds(t *testing.T) {
	src := treetest.Write(t, treetest.Tree{"f": "x\n"})
	var apply *patch.ApplyError
	if _, err := patch.Check(src, patch.Options{Strip: 1}, save(t, edit)...); !errors.As(err, &apply) {
		t.Errorf("%T is no ApplyError", err)
	}
	var format *patch.FormatError
	if _, err := patch.Check(src, patch.Options{Strip: 1}, save(t, "hello\n")...); !errors.As(err, &format) {
		t.Errorf("%T is no FormatError", err)
	}
	if _, err := patch.Check(filepath.Join(src, "f"), patch.Options{}, save(t, edit)...); err == nil || errors.As(err, &apply) || errors.As(err, &format) {
		t.Errorf("a file as source: %v", err)
	}
}
