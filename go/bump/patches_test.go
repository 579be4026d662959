package bump

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/rebase"
)

func (r *repo) store(t *testing.T) *Store {
	t.Helper()
	return &Store{filepath.Join(t.TempDir(), "sources"), r.client(t, 0)}
}

// release puts soxr 1.1 with another text of the patched file on the index.
func (r *repo) release(t *testing.T, text string) {
	t.Helper()
	r.new = sdist(t, "soxr-1.1", map[string]string{"src/rate.c": text})
	r.put("/files/soxr-1.1.tar.gz", r.new)
	r.list("soxr", entry("soxr-1.0.tar.gz", sum(r.old), ""), entry("soxr-1.1.tar.gz", sum(r.new), ""))
}

func (r *repo) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRefresh(t *testing.T) {
	const patchFile = "patches/soxr/0001-faster.patch"
	for name, c := range map[string]struct {
		text  string // of the new source
		state rebase.State
		check func(t *testing.T, r *repo)
	}{
		"moved": {"new\nfirst\nsecond\nthird\n", rebase.Moved, func(t *testing.T, r *repo) {
			if diff := cmp.Diff(strings.Replace(soxrPatch, "@@ -1,3 +1,3 @@", "@@ -2,3 +2,3 @@", 1), r.read(t, patchFile)); diff != "" {
				t.Errorf("the patch (-want +got):\n%s", diff)
			}
		}},
		"upstream has it": {"first\nSECOND\nthird\n", rebase.Upstream, func(t *testing.T, r *repo) {
			if _, err := os.Stat(filepath.Join(r.dir, filepath.FromSlash(patchFile))); err == nil {
				t.Error("the patch is still there")
			}
			for _, file := range []string{pins.PinsFile, pins.RepositoriesFile} {
				if text := r.read(t, file); strings.Contains(text, "0001-faster.patch") {
					t.Errorf("%s still names the patch:\n%s", file, text)
				}
			}
		}},
		"conflict": {"first\n2nd\nthird\n", rebase.Conflict, func(t *testing.T, r *repo) {
			if got := r.read(t, patchFile); got != soxrPatch {
				t.Errorf("the patch changed:\n%s", got)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.release(t, c.text)
			if _, err := r.bump(t, 0, func(b *Bump) { b.WithConflicts = true }); err != nil {
				t.Fatal(err)
			}
			results, err := Refresh(t.Context(), r.store(t), r.dir, "soxr", "HEAD", filepath.Join(r.dir, "conflicts"))
			if err != nil {
				t.Fatal(err)
			}
			if len(results) != 1 || results[0].State != c.state {
				t.Fatalf("%+v, want %s", results, c.state)
			}
			c.check(t, r)
			if _, err := pins.NewPlan(os.DirFS(r.dir)); err != nil {
				t.Errorf("check afterwards: %v", err)
			}
		})
	}
}

func TestNewPatch(t *testing.T) {
	r := newRepo(t)
	file, err := NewPatch(t.Context(), r.store(t), r.dir, "soxr", "third-too", "louder", func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "src", "rate.c"), []byte("first\nSECOND\nTHIRD\n"), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "Subject: louder\n\nUpstream: not sent yet\n\ndiff --git a/src/rate.c b/src/rate.c\n--- a/src/rate.c\n+++ b/src/rate.c\n" +
		"@@ -1,3 +1,3 @@\n first\n SECOND\n-third\n+THIRD\n"
	if diff := cmp.Diff(want, r.read(t, file)); diff != "" || file != "patches/soxr/0002-third-too.patch" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
	if text := r.read(t, pins.PinsFile); !strings.Contains(text, `"patches": ["0001-faster.patch", "0002-third-too.patch"]`) {
		t.Errorf("the pin does not name it:\n%s", text)
	}
	before := r.files(t)
	for name, edit := range map[string]func(string) error{
		"nothing edited": func(string) error { return nil },
		"given up":       func(string) error { return os.ErrPermission },
		"a binary": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "x.bin"), []byte("a\x00b"), 0o644)
		},
	} {
		file, err := NewPatch(t.Context(), r.store(t), r.dir, "soxr", "more", "", edit)
		if file != "" && err == nil || (name != "nothing edited") == (err == nil) {
			t.Errorf("%s: %q, %v", name, file, err)
		}
		if diff := cmp.Diff(before, r.files(t)); diff != "" {
			t.Errorf("%s changed files:\n%s", name, diff)
		}
	}
}
