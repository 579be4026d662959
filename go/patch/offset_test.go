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

// shifted is the file of [two] with 40 new lines before its second hunk.
var shifted = numbered("", 10) + numbered("new ", 40) + strings.TrimPrefix(numbered("", 40), numbered("", 10))

func TestAllowOffset(t *testing.T) {
	src := treetest.Write(t, treetest.Tree{"f": shifted})
	paths := save(t, two)
	out := filepath.Join(t.TempDir(), "out")
	offsets, err := patch.Apply(src, out, patch.Options{Strip: 1, AllowOffset: true}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	want := []patch.Offset{{Patch: paths[0], Line: 12, Target: "f", Hunk: 2, Hunks: 2, Expected: 30, Found: 70}}
	if diff := cmp.Diff(want, offsets); diff != "" {
		t.Errorf("offsets: -want +got\n%s", diff)
	}
	if got, want := offsets[0].String(), paths[0]+":12: hunk 2/2 of f: expected at line 30, applied at line 70"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	text := strings.Replace(strings.Replace(shifted, "\n5\n", "\nfive\n", 1), "\n30\n31\n", "\n30\nthirty and a half\n31\n", 1)
	if diff := cmp.Diff(treetest.Tree{"f": text}, treetest.Read(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestAllowOffsetPrefersTheStatedLine(t *testing.T) {
	src := treetest.Write(t, treetest.Tree{"f": "a\nx\na\n"})
	offsets, err := patch.Check(src, patch.Options{Strip: 1, AllowOffset: true}, save(t, "--- a/f\n+++ b/f\n@@ -3 +3 @@\n-a\n+b\n")...)
	if err != nil || len(offsets) > 0 {
		t.Errorf("got %v, %v", offsets, err)
	}
}

func TestRefresh(t *testing.T) {
	// The preamble, the section after @@ and a form without counts stay.
	long := "Why: because.\n\n" + edit + "--- a/g\n+++ b/g\n@@ -1 +1,2 @@ func g\n-g\n+G\n+G2\n@@ -5,2 +6 @@\n-5\n 6\n"
	src := treetest.Tree{
		"f": "new\n" + numbered("", 10),
		"g": "h\nh\nh\ng\n5\n6\n",
	}
	want := strings.NewReplacer("@@ -2,7 +2,7 @@ some", "@@ -3,7 +3,7 @@ some", "@@ -1 +1,2 @@ func g", "@@ -4 +4,2 @@ func g", "@@ -5,2 +6 @@", "@@ -5,2 +6 @@").Replace(long)
	second := "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n--- a/e\n+++ /dev/null\n@@ -1 +0,0 @@\n-e\n"
	src["e"] = "e\n"
	dir := treetest.Write(t, src)
	paths := save(t, long, second)
	out := filepath.Join(t.TempDir(), "new", "folder")
	if err := patch.WriteRefreshed(dir, out, patch.Options{Strip: 1}, paths...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(treetest.Tree{"1.patch": want, "2.patch": second}, treetest.Read(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if offsets, err := patch.Check(dir, patch.Options{Strip: 1}, filepath.Join(out, "1.patch"), filepath.Join(out, "2.patch")); err != nil {
		t.Errorf("the refreshed patches do not apply: %v %v", offsets, err)
	}

	first := filepath.Join(t.TempDir(), "first.patch")
	name, err := patch.WriteFirstRefreshed(dir, first, patch.Options{Strip: 1}, paths...)
	if err != nil || name != paths[0] {
		t.Fatalf("got %q, %v", name, err)
	}
	got, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestRefreshRefuses(t *testing.T) {
	src := treetest.Write(t, treetest.Tree{"f": shifted})
	good, bad := save(t, two)[0], save(t, "", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-gone\n+here\n")[1]
	out := treetest.Write(t, treetest.Tree{"1.patch": "old"})
	if err := patch.WriteRefreshed(src, out, patch.Options{Strip: 1}, good, bad); err == nil {
		t.Error("a patch that does not apply was refreshed")
	}
	if err := patch.WriteRefreshed(src, out, patch.Options{Strip: 1}, good, save(t, two)[0]); err == nil || !strings.Contains(err.Error(), "would both become") {
		t.Errorf("two patches of one name: %v", err)
	}
	if diff := cmp.Diff(treetest.Tree{"1.patch": "old"}, treetest.Read(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	first := filepath.Join(out, "first")
	if name, err := patch.WriteFirstRefreshed(src, first, patch.Options{Strip: 1}, good, bad); name != good || err != nil {
		t.Errorf("got %q, %v; want the patch before the bad one", name, err)
	}
	if name, err := patch.WriteFirstRefreshed(src, first, patch.Options{Strip: 1}, bad); name != "" || err == nil {
		t.Errorf("got %q, %v", name, err)
	}
}
