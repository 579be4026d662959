package bump

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/rebase"
)

func TestBump(t *testing.T) {
	r := newRepo(t)
	before := r.files(t)
	report, err := r.bump(t, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if results := report.Patches["soxr"]; len(results) != 1 || results[0].State != rebase.Moved {
		t.Errorf("the patch: %+v, want it to have moved", results)
	}
	after := r.files(t)
	file := filepath.Join(r.dir, filepath.FromSlash(pins.PinsFile))
	want := strings.NewReplacer(`"1.0"`, `"1.1"`, "soxr-1.0.tar.gz", "soxr-1.1.tar.gz", sum(r.old), sum(r.new)).Replace(before[file])
	if diff := cmp.Diff(want, after[file]); diff != "" {
		t.Errorf("pins.json (-want +got):\n%s", diff)
	}
	if text := after[filepath.Join(r.dir, filepath.FromSlash(pins.RepositoriesFile))]; !strings.Contains(text, sum(r.new)) {
		t.Errorf("repositories.bzl has no %s", sum(r.new))
	}
	for _, want := range []string{"| soxr | 1.0 | 1.1 |  |", "patches/soxr/0001-faster.patch: applies at an offset", "src/rate.c: hunk 1/1 moved from line 1 to line 2", "patch -- refresh soxr"} {
		if !strings.Contains(report.Text(), want) {
			t.Errorf("no %q in:\n%s", want, report.Text())
		}
	}
	if again, err := r.bump(t, 0, nil); err != nil || len(again.Steps) > 0 {
		t.Errorf("a second bump: %v, %v", again, err)
	}
}

// Whatever goes wrong is one clear error, and every file is as it was.
func TestBumpFails(t *testing.T) {
	for name, c := range map[string]struct {
		spoil   func(t *testing.T, r *repo)
		change  func(*Bump)
		timeout time.Duration
		want    string
	}{
		"index down": {spoil: func(_ *testing.T, r *repo) { r.Close() }, want: "could not ask http://127.0.0.1:"},
		"index slow": {timeout: 300 * time.Millisecond, want: "no answer in 300ms", spoil: func(t *testing.T, r *repo) {
			slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) { <-q.Context().Done() }))
			t.Cleanup(slow.CloseClientConnections)
			r.Server = slow
		}},
		"HTML that is no listing": {want: "is a page of HTML, but no listing of files (PEP 503): is there a log-in page or a proxy between?",
			spoil: func(_ *testing.T, r *repo) {
				r.put("/simple/soxr/", `<html><body>Please <a href="/login">log in</a></body></html>`)
			}},
		"no such project": {spoil: func(_ *testing.T, r *repo) { delete(r.pages, "/simple/soxr/") }, want: "the index has no project soxr"},
		"hash of the pinned file changed": {want: "soxr-1.0.tar.gz changed under its name: sha256 ", spoil: func(_ *testing.T, r *repo) {
			r.list("soxr", entry("soxr-1.0.tar.gz", sum("other"), ""), entry("soxr-1.1.tar.gz", sum(r.new), ""))
		}},
		"hash changed between two look-ups": {want: " but the file that came has " + sum("other") + ": nothing was changed",
			spoil: func(_ *testing.T, r *repo) { r.put("/files/soxr-1.1.tar.gz", "other") }},
		"file without a hash": {want: "the index gives no sha256 for soxr-1.1.tar.gz", spoil: func(_ *testing.T, r *repo) {
			r.list("soxr", entry("soxr-1.0.tar.gz", sum(r.old), ""), `"soxr-1.1.tar.gz"`)
		}},
		"patch conflicts": {want: "patches of soxr do not fit the new source (above), so nothing was written", spoil: func(t *testing.T, r *repo) {
			r.new = sdist(t, "soxr-1.1", map[string]string{"src/rate.c": "first\n2nd\nthird\n"})
			r.put("/files/soxr-1.1.tar.gz", r.new)
			r.list("soxr", entry("soxr-1.0.tar.gz", sum(r.old), ""), entry("soxr-1.1.tar.gz", sum(r.new), ""))
		}},
		"read-only pins.json": {want: "pins.json is read-only: make it writable, nothing was changed", spoil: func(t *testing.T, r *repo) {
			if err := os.Chmod(filepath.Join(r.dir, filepath.FromSlash(pins.PinsFile)), 0o444); err != nil {
				t.Fatal(err)
			}
		}},
		"two bumps at once": {want: "another bump is at work in this folder", spoil: func(t *testing.T, r *repo) {
			unlock, err := Lock(r.dir)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = unlock() })
		}},
		"disk full": {want: "no space left on device", spoil: func(t *testing.T, _ *repo) { fullDisk(t) }},
		"check":     {change: func(b *Bump) { b.Check = true }},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			if c.spoil != nil {
				c.spoil(t, r)
			}
			before := r.files(t)
			_, err := r.bump(t, c.timeout, c.change)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got error %v, want %q", err, c.want)
			}
			if diff := cmp.Diff(before, r.files(t)); diff != "" {
				t.Errorf("files changed:\n%s", diff)
			}
		})
	}
}

// fullDisk makes the first half of every text fit and no more.
func fullDisk(t *testing.T) {
	t.Helper()
	real := writeAll
	writeAll = func(f *os.File, text []byte) error {
		if _, err := f.Write(text[:len(text)/2]); err != nil {
			return err
		}
		return &os.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
	}
	t.Cleanup(func() { writeAll = real })
}

// A bump that is interrupted while it asks changes nothing, and the next one is not locked out.
func TestBumpInterrupted(t *testing.T) {
	r := newRepo(t)
	before := r.files(t)
	client := r.client(t, 0)
	b := &Bump{Root: r.dir, Ask: client, Store: &Store{t.TempDir(), client}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Run(ctx, map[string]string{"soxr": ""}); err == nil {
		t.Error("no error")
	}
	if diff := cmp.Diff(before, r.files(t)); diff != "" {
		t.Errorf("files changed:\n%s", diff)
	}
	if _, err := r.bump(t, 0, nil); err != nil {
		t.Errorf("the next bump: %v", err)
	}
}

// With --with-conflicts the pins are written and the report says what is left to do.
func TestBumpWithConflicts(t *testing.T) {
	r := newRepo(t)
	r.new = sdist(t, "soxr-1.1", map[string]string{"src/rate.c": "first\n2nd\nthird\n"})
	r.put("/files/soxr-1.1.tar.gz", r.new)
	r.list("soxr", entry("soxr-1.0.tar.gz", sum(r.old), ""), entry("soxr-1.1.tar.gz", sum(r.new), ""))
	report, err := r.bump(t, 0, func(b *Bump) { b.WithConflicts = true })
	if err != nil || !report.Written {
		t.Fatalf("%v, written %v", err, report.Written)
	}
	if want := `src/rate.c:2: the patch wants "SECOND", the new source has "2nd"`; !strings.Contains(report.Text(), want) {
		t.Errorf("no %q in:\n%s", want, report.Text())
	}
}
