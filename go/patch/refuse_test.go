package patch_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/patch"
	"github.com/sparkwheels/sparkwheels/go/treetest"
)

// two has two hunks, so that messages can be seen to count them.
const two = `--- a/f
+++ b/f
@@ -2,7 +2,7 @@
 2
 3
 4
-5
+five
 6
 7
 8
@@ -30,3 +30,4 @@
 30
+thirty and a half
 31
 32
`

var p1 = patch.Options{Strip: 1}

// refused are patches that must not apply. P stands for the patch's path.
var refused = []struct {
	name  string
	opts  patch.Options
	src   treetest.Tree
	patch string
	err   string
}{
	// Line ends.
	{"CRLF patch, LF source", p1, treetest.Tree{"f": numbered("", 40)}, crlf(two),
		"P:3: hunk 1/2 of f: line endings differ: the patch has CRLF, the file has LF (line 2); convert the one that is wrong (git: core.autocrlf=false)"},
	{"LF patch, CRLF source", p1, treetest.Tree{"f": crlf(numbered("", 40))}, two,
		"P:3: hunk 1/2 of f: line endings differ: the patch has LF, the file has CRLF (line 2); convert the one that is wrong (git: core.autocrlf=false)"},
	{"LF patch, source with CRLF in part", p1, treetest.Tree{"f": numbered("", 30) + crlf("31\n32\n")}, two,
		"P:12: hunk 2/2 of f: line endings differ: the patch has LF, the file has both CRLF and LF (line 30); convert the one that is wrong (git: core.autocrlf=false)"},
	{"LF patch, CRLF source, shifted", p1, treetest.Tree{"f": crlf(numbered("x", 5) + numbered("", 40))}, two,
		"P:3: hunk 1/2 of f: line endings differ: the patch has LF, the file has CRLF (line 7); convert the one that is wrong (git: core.autocrlf=false)"},
	{"CRLF patch makes a new file", p1, treetest.Tree{"x": ""}, crlf("diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n"),
		"P:1: hunk 1/1 of n: line endings differ: the patch itself has CRLF, so the new file would have too; save the patch with LF (git: core.autocrlf=false)"},
	// Context. GNU patch takes the first two with its default fuzz of 2.
	{"wrong first context line", p1, treetest.Tree{"f": numbered("", 40)}, strings.Replace(two, " 2\n", " two\n", 1),
		`P:3: hunk 1/2 of f: does not apply at line 2: line 2 should be "two", but is "2"; the hunk's text stands nowhere in the file`},
	{"wrong last context line", p1, treetest.Tree{"f": numbered("", 40)}, strings.Replace(two, " 32\n", " 33\n", 1),
		`P:12: hunk 2/2 of f: does not apply at line 30: line 32 should be "33", but is "32"; the hunk's text stands nowhere, that line alone at 33`},
	{"white space differs", p1, treetest.Tree{"f": numbered("", 40)}, strings.Replace(two, " 31\n", " 31 \n", 1),
		`P:12: hunk 2/2 of f: does not apply at line 30: line 31 should be "31 ", but is "31"; the hunk's text stands nowhere in the file`},
	{"file too short", p1, treetest.Tree{"f": numbered("", 30)}, two,
		`P:12: hunk 2/2 of f: does not apply at line 30: line 31 should be "31", but is beyond the end (the file has 30 lines); the hunk's text stands nowhere in the file`},
	{"applied already", p1, treetest.Tree{"f": edited + numbered("", 40)[len(numbered("", 10)):]}, two,
		`P:3: hunk 1/2 of f: does not apply at line 2: line 5 should be "5", but is "five"; the patched text stands at line 2 already: this version may have the change`},
	{"shifted by 40", p1, treetest.Tree{"f": numbered("", 10) + numbered("new ", 40) + numbered("", 40)[len(numbered("", 10)):]}, two,
		`P:12: hunk 2/2 of f: expected at line 30, identical text at line 70; line 30 is "new 20", the hunk starts with "30"`},
	{"shifted, two places", patch.Options{Strip: 1, AllowOffset: true}, treetest.Tree{"f": "x\n" + numbered("", 10) + numbered("", 10)}, edit,
		"P:5: hunk 1/1 of f: expected at line 2, identical text at lines 3, 13: which one is meant cannot be told"},
	{"only before the hunk above", patch.Options{Strip: 1, AllowOffset: true}, treetest.Tree{"f": numbered("", 8) + numbered("x", 30)},
		two + "@@ -40,3 +41,2 @@\n-6\n 7\n 8\n",
		`P:12: hunk 2/3 of f: does not apply at line 30: line 30 should be "30", but is "x22"; the hunk's text stands nowhere in the file`},
	// Strip level.
	{"-p1 patch with strip 0", patch.Options{}, treetest.Tree{"f": numbered("", 40)}, two,
		"P:1: b/f: patch touched no file: b/f is not in the tree (strip 0), but f is: strip 1?"},
	{"-p1 git patch with strip 0", patch.Options{}, treetest.Tree{"f": numbered("", 40)}, edit,
		"P:1: patch touched no file: a/f and b/f are two files, but the patch renames none; strip 0 is too low"},
	{"-p1 git patch with strip 0, where a/f exists", patch.Options{}, treetest.Tree{"a/f": numbered("", 40), "b/f": numbered("", 40)}, edit,
		"P:1: patch touched no file: a/f and b/f are two files, but the patch renames none; strip 0 is too low"},
	{"mode-only git patch with strip 0", patch.Options{}, treetest.Tree{"s": ""}, "diff --git a/s b/s\nold mode 100644\nnew mode 100755\n",
		"P:1: git file header: missing filename information (is strip 0 right?)"},
	{"-p0 patch with strip 1", p1, treetest.Tree{"d/f": numbered("", 40)}, strings.NewReplacer("a/f", "d/f", "b/f", "d/f").Replace(two),
		"P:1: f: patch touched no file: f is not in the tree (strip 1), but d/f is: a lower strip, or a tree that starts at d?"},
	{"strip beyond the name", patch.Options{Strip: 2}, treetest.Tree{"f": ""}, two,
		`P:1: patch touched no file: the strip level leaves nothing of "b/f"`},
	{"no such file anywhere", p1, treetest.Tree{"x": ""}, two,
		"P:1: f: patch touched no file: f is not in the tree (strip 1)"},
	// Patches that change nothing.
	{"empty", p1, treetest.Tree{"f": ""}, "",
		"P: patch touched no file: it holds no unified diff (no hunk, no rename, no mode change)"},
	{"prose", p1, treetest.Tree{"f": ""}, "Subject: nothing\n\n- no diff\n",
		"P: patch touched no file: it holds no unified diff (no hunk, no rename, no mode change)"},
	{"zero hunks", p1, treetest.Tree{"f": ""}, "--- a/f\n+++ b/f\n",
		"P:1: patch touched no file: the header of b/f is followed by no hunk"},
	{"zero hunks of one file among others", p1, treetest.Tree{"f": numbered("", 40), "g": ""}, two + "--- a/g\n+++ b/g\n",
		"P:17: patch touched no file: the header of b/g is followed by no hunk"},
	{"zero hunks, git", p1, treetest.Tree{"f": ""}, "diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n",
		"P:1: patch touched no file: f has neither hunks nor a new name or mode"},
	{"hunk that changes nothing", p1, treetest.Tree{"f": "a\n"}, "--- a/f\n+++ b/f\n@@ -1 +1 @@\n a\n",
		"P:1: fragment contains no changes"},
	// Outside the tree.
	{"dot dot", p1, treetest.Tree{"f": "a\n"}, "--- a/../../etc/f\n+++ b/../../etc/f\n@@ -1 +1 @@\n-a\n+b\n",
		`P:1: "a/../../etc/f" is outside the tree: ".." component leads out of its folder`},
	{"dot dot that strip would hide", p1, treetest.Tree{"f": "a\n"}, "--- ../f\n+++ ../f\n@@ -1 +1 @@\n-a\n+b\n",
		`P:1: "../f" is outside the tree: ".." component leads out of its folder`},
	{"absolute", p1, treetest.Tree{"etc/f": "a\n"}, "--- /etc/f\n+++ /etc/f\n@@ -1 +1 @@\n-a\n+b\n",
		`P:1: "/etc/f" is outside the tree: absolute path`},
	{"new file outside", p1, treetest.Tree{"f": ""}, "diff --git a/../n b/../n\nnew file mode 100644\n--- /dev/null\n+++ b/../n\n@@ -0,0 +1 @@\n+n\n",
		`P:4: "b/../n" is outside the tree: ".." component leads out of its folder`},
	{"empty new file outside", p1, treetest.Tree{"f": ""}, "diff --git a/../n b/../n\nnew file mode 100644\n",
		`P:1: "../n" is outside the tree: ".." component leads out of its folder`},
	{"rename to the outside", p1, treetest.Tree{"f": ""}, "diff --git a/f b/../g\nsimilarity index 100%\nrename from f\nrename to ../g\n",
		`P:4: "../g" is outside the tree: ".." component leads out of its folder`},
	{"quoted", p1, treetest.Tree{"f": ""}, "--- \"a/..\\\\f\"\n+++ \"b/..\\\\f\"\n@@ -1 +1 @@\n-a\n+b\n",
		`P:1: "a/..\\f" is outside the tree: name holds a backslash, which Windows takes for a separator`},
	// Files that are not as the patch thinks.
	{"new file exists", p1, treetest.Tree{"n": "n\n"}, "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n",
		"P:1: n: already exists, and the patch would create it"},
	{"new file is a folder", p1, treetest.Tree{"n/x": ""}, "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n",
		`P: n: needs "n" as a file, which is already a folder`},
	{"new file differs by case", p1, treetest.Tree{"N": ""}, "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n",
		`P: n: differs only by case from file "N"`},
	{"new file that Windows cannot hold", p1, treetest.Tree{"f": ""}, "--- /dev/null\n+++ b/a:b\n@@ -0,0 +1 @@\n+n\n",
		"P:1: a:b: Windows cannot hold ':' in a name"},
	{"file made twice", p1, treetest.Tree{"f": ""}, "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+m\n",
		"P:5: n: already exists, and the patch would create it"},
	{"rename onto a file", p1, treetest.Tree{"f": "", "g": ""}, "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n",
		"P:1: g: already exists, and the patch would create it"},
	{"rename of nothing", p1, treetest.Tree{"x": ""}, "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n",
		"P:1: g: patch touched no file: f is not in the tree (strip 1)"},
	{"deletion, content differs", p1, treetest.Tree{"f": "a\nx\n"}, "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n",
		`P:3: hunk 1/1 of f: does not apply at line 1: line 2 should be "b", but is "x"; the hunk's text stands nowhere in the file`},
	{"deletion, file is longer", p1, treetest.Tree{"f": "a\nb\nc\nd\n"}, "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n",
		`P:3: hunk 1/1 of f: should leave nothing of the file, but the patch does not know line 3: "c"`},
	{"deletion without content", p1, treetest.Tree{"f": "a\n"}, "diff --git a/f b/f\ndeleted file mode 100644\n",
		`P:1: f: is to be deleted, but the patch does not know what it holds, such as "a"`},
	{"not empty", p1, treetest.Tree{"f": "a\n"}, "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+x\n",
		`P:4: hunk 1/1 of f: expected an empty file, but it starts with "a"`},
	{"not emptied", p1, treetest.Tree{"f": "a\nb\n"}, "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-a\n",
		`P:4: hunk 1/1 of f: should leave nothing of the file, but the patch does not know line 2: "b"`},
	{"emptied or deleted", p1, treetest.Tree{"f": "a\n"}, "--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-a\n",
		"P:1: hunk 1/1 of f: it does not say whether the file is emptied or deleted; make the patch with git diff"},
	// Final newline.
	{"patch lacks it, file has it", p1, treetest.Tree{"f": "a\nb\n"}, "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n",
		"P:3: hunk 1/1 of f: final newline differs: the patch has line 2 without one, the file has it"},
	{"patch has it, file lacks it", p1, treetest.Tree{"f": "a\nb"}, "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n",
		"P:3: hunk 1/1 of f: final newline differs: the patch has line 2 with one, the file lacks it"},
	{"drops it amid the file", p1, treetest.Tree{"f": "a\nb\nc\n"}, "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n\\ No newline at end of file\n",
		`P:3: hunk 1/1 of f: final newline differs: the patch ends the file here, but line 3 follows: "c"`},
	{"drops it amid the hunk", p1, treetest.Tree{"f": "a\nb\n"}, "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+A\n\\ No newline at end of file\n b\n",
		`P:1: hunk 1/1 of f: "\ No newline at end of file" stands before more lines`},
	// Malformed or unsupported.
	{"cut off", p1, treetest.Tree{"f": numbered("", 40)}, two[:len(two)-len(" 32\n")],
		"P:16: hunk 2: the file ends where 1 old and 1 new lines are still to come"},
	{"cut off amid a line", p1, treetest.Tree{"f": numbered("", 40)}, two[:len(two)-1],
		"P:16: hunk 2: the patch file lacks its own final newline, so its last line may be cut off"},
	{"header counts too few", p1, treetest.Tree{"f": numbered("", 40)}, strings.Replace(two, "-30,3 +30,4", "-30,2 +30,3", 1),
		"P:16: hunk 2: its header counts fewer lines than it has"},
	{"header counts too few, after an empty line", p1, treetest.Tree{"f": "a\n\nb\n"}, "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+A\n\n-b\n",
		"P:6: hunk 1: its header counts fewer lines than it has"},
	{"header counts too many", p1, treetest.Tree{"f": numbered("", 40)}, strings.Replace(two, "-2,7 +2,7", "-2,9 +2,9", 1),
		`P:12: hunk 1: line starts with '@' where 2 old and 2 new lines are still to come`},
	{"header without numbers", p1, treetest.Tree{"f": ""}, "--- a/f\n+++ b/f\n@@ -x +y @@\n-a\n+b\n",
		`P:3: malformed hunk header "@@ -x +y @@"`},
	{"header with absurd numbers", p1, treetest.Tree{"f": ""}, "--- a/f\n+++ b/f\n@@ -1,99999999999999999999 +1 @@\n-a\n+b\n",
		"P:4: hunk 1: its header counts fewer lines than it has"},
	{"hunk without a file", p1, treetest.Tree{"f": ""}, "@@ -1 +1 @@\n-a\n+b\n",
		"P:1: hunk without a file header before it"},
	{"hunks out of order", p1, treetest.Tree{"f": numbered("", 40)}, "--- a/f\n+++ b/f\n@@ -30,2 +30,2 @@\n-30\n+x\n 31\n@@ -2,2 +2,2 @@\n-2\n+y\n 3\n",
		"P:1: hunk 2/2 of f: it overlaps the hunk before it, or is out of order"},
	{"no context", p1, treetest.Tree{"f": numbered("", 40)}, "--- a/f\n+++ b/f\n@@ -5,0 +6 @@\n+x\n",
		"P:1: hunk 1/1 of f: it inserts without any context, so its place cannot be checked; make the patch with context (git diff -U3)"},
	{"binary, with data", p1, treetest.Tree{"b": "x"}, "diff --git a/b b/b\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZQzU|?nd0RaF5\n\n",
		"P:1: b: binary files cannot be patched"},
	{"binary, without data", p1, treetest.Tree{"b": "x"}, "diff --git a/b b/b\nindex 1..2 100644\nBinary files a/b and b/b differ\n",
		"P:1: b: binary files cannot be patched"},
	{"binary, traditional, after a good file", p1, treetest.Tree{"f": numbered("", 40), "b": "x"}, two + "Binary files old/b and new/b differ\n",
		"P:17: Binary files old/b and new/b differ: binary files cannot be patched"},
	{"symbolic link", p1, treetest.Tree{"f": ""}, "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n",
		"P:1: l: mode 120000 is not a plain file's; links and submodules cannot be patched"},
	{"submodule", p1, treetest.Tree{"f": ""}, "diff --git a/s b/s\nindex 1..2 160000\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n",
		"P:1: s: mode 160000 is not a plain file's; links and submodules cannot be patched"},
	{"merge", p1, treetest.Tree{"f": ""}, "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n",
		"P:1: combined diff of a merge; make one against a single parent"},
}

func TestRefused(t *testing.T) {
	for _, tc := range refused {
		t.Run(tc.name, func(t *testing.T) {
			// A good patch goes first: not even that may leave a trace.
			src := treetest.Tree{"other": "o\n"}
			for name, data := range tc.src {
				src[name] = data
			}
			paths := save(t, "--- a/other\n+++ b/other\n@@ -1 +1 @@\n-o\n+O\n", tc.patch)
			if tc.opts.Strip == 0 {
				paths = save(t, "--- other\n+++ other\n@@ -1 +1 @@\n-o\n+O\n", tc.patch)
			} else if tc.opts.Strip == 2 {
				paths = save(t, "--- a/b/other\n+++ a/b/other\n@@ -1 +1 @@\n-o\n+O\n", tc.patch)
			}
			dir := treetest.Write(t, src)
			for _, before := range []treetest.Tree{{}, {"out/": ""}} {
				parent := treetest.Write(t, before)
				_, err := patch.Apply(dir, filepath.Join(parent, "out"), tc.opts, paths...)
				if err == nil {
					t.Fatal("the patch was taken")
				}
				if diff := cmp.Diff(tc.err, strings.ReplaceAll(err.Error(), paths[1], "P")); diff != "" {
					t.Errorf("error: -want +got\n%s", diff)
				}
				if diff := cmp.Diff(before, treetest.Read(t, parent)); diff != "" {
					t.Errorf("something was left behind: -want +got\n%s", diff)
				}
			}
			if diff := cmp.Diff(src, treetest.Read(t, dir)); diff != "" {
				t.Errorf("the source changed: -want +got\n%s", diff)
			}
		})
	}
}
