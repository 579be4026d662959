package rebase

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/patch"
)

const header = "Subject: twice is enough\n\nUpstream: not sent\n\n"

// lines numbers n lines, with some of them replaced.
func lines(n int, with map[int]string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		if text, ok := with[i]; ok {
			b.WriteString(text)
			continue
		}
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := write(filepath.Join(dir, filepath.FromSlash(name)), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// diff makes a patch between two states of files, as a person would with git.
func diff(t *testing.T, name string, a, b map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here, which makes and merges patches")
	}
	dir := t.TempDir()
	for side, files := range map[string]map[string]string{"a": a, "b": b} {
		for name, text := range files {
			if err := write(filepath.Join(dir, side, name), []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	text, err := Diff(t.Context(), dir)
	if err != nil || len(text) == 0 {
		t.Fatalf("diff: %v, %d bytes", err, len(text))
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, append([]byte(header), text...), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestPatches(t *testing.T) {
	old := map[string]string{"src/a.c": lines(30, nil)}
	first := map[string]string{"src/a.c": lines(30, map[int]string{15: "line fifteen\n"})}
	patched := map[string]string{"src/a.c": lines(30, map[int]string{15: "line fifteen\n", 25: "line twenty-five\n"})}
	files := []string{diff(t, "0001-a.patch", old, first), diff(t, "0002-b.patch", first, patched)}
	for _, c := range []struct {
		name    string
		fresh   string
		states  []State
		details string // part of the details of the first patch that has some
		result  string // the tree with the new patches; "" where there is none
		noOld   bool
	}{
		{name: "same", fresh: lines(30, nil), states: []State{Applies, Applies}, result: patched["src/a.c"]},
		{name: "moved", fresh: "new\nnew\n" + lines(30, nil), states: []State{Moved, Moved},
			details: "src/a.c: hunk 1/1 moved from line 12 to line 14", result: "new\nnew\n" + patched["src/a.c"]},
		{name: "first is upstream", fresh: first["src/a.c"], states: []State{Upstream, Applies}, result: patched["src/a.c"]},
		{name: "context changed", fresh: lines(30, map[int]string{13: "line XIII\n"}), states: []State{Merged, Applies},
			details: "src/a.c: merged by three ways", result: lines(30, map[int]string{13: "line XIII\n", 15: "line fifteen\n", 25: "line twenty-five\n"})},
		{name: "context changed, no old source", fresh: lines(30, map[int]string{13: "line XIII\n"}), noOld: true, states: []State{Conflict, Applies},
			details: `line 13 should be "line 13", but is "line XIII"`},
		{name: "same line changed", fresh: "new\n" + lines(30, map[int]string{15: "line XV\n"}), states: []State{Conflict, Moved},
			details: `src/a.c:16: the patch wants "line fifteen", the new source has "line XV"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			from := tree(t, old)
			if c.noOld {
				from = ""
			}
			fresh := tree(t, map[string]string{"src/a.c": c.fresh})
			results, err := Patches(t.Context(), from, fresh, files)
			if err != nil {
				t.Fatal(err)
			}
			var states []State
			var details, rebased []string
			for _, r := range results {
				states = append(states, r.State)
				details = append(details, r.Details...)
				switch {
				case r.State == Applies:
					rebased = append(rebased, r.Patch)
				case r.Text != nil:
					if !strings.HasPrefix(string(r.Text), header) {
						t.Errorf("the header is lost:\n%s", r.Text)
					}
					file := filepath.Join(t.TempDir(), filepath.Base(r.Patch))
					if err := os.WriteFile(file, r.Text, 0o644); err != nil {
						t.Fatal(err)
					}
					rebased = append(rebased, file)
				}
			}
			if diff := cmp.Diff(c.states, states); diff != "" {
				t.Errorf("states (-want +got):\n%s\n%s", diff, strings.Join(details, "\n"))
			}
			if !strings.Contains(strings.Join(details, "\n"), c.details) {
				t.Errorf("details %q do not have %q", details, c.details)
			}
			if c.result == "" {
				return
			}
			// What was written applies exactly, and gives the text that a person would have made.
			out := filepath.Join(t.TempDir(), "out")
			if _, err := patch.Apply(fresh, out, patch.Options{Strip: 1}, rebased...); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(out, "src", "a.c"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.result, string(got)); diff != "" {
				t.Errorf("patched (-want +got):\n%s", diff)
			}
		})
	}
}

// A conflict comes with the file as git marks it.
func TestConflictIsMarked(t *testing.T) {
	old, ours := map[string]string{"a": lines(9, nil)}, map[string]string{"a": lines(9, map[int]string{5: "ours\n"})}
	results, err := Patches(t.Context(), tree(t, old), tree(t, map[string]string{"a": lines(9, map[int]string{5: "theirs\n"})}), []string{diff(t, "0001-a.patch", old, ours)})
	if err != nil {
		t.Fatal(err)
	}
	want := "<<<<<<< the patch\nours\n||||||| the old source\nline 5\n=======\ntheirs\n>>>>>>> the new source\n"
	if got := string(results[0].Files["a"]); !strings.Contains(got, want) {
		t.Errorf("no marks in:\n%s", got)
	}
}

// What is said of a patch of several files does not change from run to run.
func TestDetailsAreInOrder(t *testing.T) {
	old, patched, fresh, want := map[string]string{}, map[string]string{}, map[string]string{}, []string(nil)
	for _, name := range []string{"a.c", "b.c", "c.c", "d.c", "e.c", "f.c"} {
		old[name] = lines(30, nil)
		patched[name] = lines(30, map[int]string{15: "line fifteen\n"})
		fresh[name] = lines(30, map[int]string{13: "line thirteen\n"})
		want = append(want, name+": merged by three ways; read the new patch")
	}
	got, err := Patches(t.Context(), tree(t, old), tree(t, fresh), []string{diff(t, "0001-a.patch", old, patched)})
	if err != nil || len(got) != 1 || got[0].State != Merged {
		t.Fatalf("got %+v, %v, want one merged patch", got, err)
	}
	if diff := cmp.Diff(want, got[0].Details); diff != "" {
		t.Errorf("details (-want +got):\n%s", diff)
	}
}
