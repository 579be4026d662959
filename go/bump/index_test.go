package bump

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/upstream"
)

// server is a package index on this machine.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	pages map[string]string // path to body
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{pages: map[string]string{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		body, ok := s.pages[r.URL.Path]
		s.mu.Unlock()
		if !ok {
			http.NotFound(w, r)
			return
		}
		if strings.HasPrefix(body, "{") {
			w.Header().Set("Content-Type", "application/vnd.pypi.simple.v1+json")
		}
		_, _ = fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) put(path, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = body
}

// list puts a project's page; each file is its entry in JSON, without the address.
func (s *server) list(project string, files ...string) {
	var entries []string
	for _, f := range files {
		name := strings.SplitN(f, `"`, 3)[1]
		entries = append(entries, fmt.Sprintf(`{"filename": %s, "url": "/files/%s"}`, f, name))
	}
	s.put("/simple/"+project+"/", `{"meta": {"api-version": "1.1"}, "files": [`+strings.Join(entries, ",")+`]}`)
}

// entry is a file of list.
func entry(name, sum, more string) string {
	return fmt.Sprintf(`%q, "hashes": {"sha256": %q}%s`, name, sum, more)
}

func (s *server) client(t *testing.T, timeout time.Duration) *upstream.Client {
	t.Helper()
	c := upstream.NewClient(timeout)
	c.Env = func(name string) string { return map[string]string{"PIP_INDEX_URL": s.URL + "/simple"}[name] }
	return c
}

// sdist makes an archive with the files below one folder.
func sdist(t *testing.T, folder string, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: folder + "/" + name, Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}

// repo is a repository whose one wheel is soxr 1.0, and an index that has it and 1.1.
type repo struct {
	*server
	dir      string
	old, new string // the sdists
}

const soxrPatch = `Subject: faster

diff --git a/src/rate.c b/src/rate.c
--- a/src/rate.c
+++ b/src/rate.c
@@ -1,3 +1,3 @@
 first
-second
+SECOND
 third
`

func newRepo(t *testing.T) *repo {
	t.Helper()
	r := &repo{server: newServer(t), dir: t.TempDir()}
	r.old = sdist(t, "soxr-1.0", map[string]string{"src/rate.c": "first\nsecond\nthird\n"})
	r.new = sdist(t, "soxr-1.1", map[string]string{"src/rate.c": "new\nfirst\nsecond\nthird\n"})
	r.put("/files/soxr-1.0.tar.gz", r.old)
	r.put("/files/soxr-1.1.tar.gz", r.new)
	r.list("soxr", entry("soxr-1.0.tar.gz", sum(r.old), ""), entry("soxr-1.1.tar.gz", sum(r.new), ""))
	text := fmt.Sprintf(`{
  "schema": 1,
  "pins": [
    {"name": "soxr",   "version": "1.0", "kind": "wheel",
     "source": {"pypi": {"project": "soxr", "file": "soxr-1.0.tar.gz"}},
     "sha256": %q, "patches": ["0001-faster.patch"], "platforms": ["win_arm64"], "build": "setuptools", "retire_when": "never"}
  ]
}
`, sum(r.old))
	for name, data := range map[string]string{
		pins.PinsFile: text, pins.WheelsFile: `pep517_wheel(name = "soxr")`, pins.RepositoriesFile: "old\n",
		"patches/soxr/0001-faster.patch": soxrPatch,
	} {
		file := filepath.Join(r.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// bump runs a bump with a client and a store of its own.
func (r *repo) bump(t *testing.T, timeout time.Duration, change func(*Bump)) (*Report, error) {
	t.Helper()
	client := r.client(t, timeout)
	b := &Bump{Root: r.dir, Ask: client, Store: &Store{filepath.Join(t.TempDir(), "sources"), client}}
	if change != nil {
		change(b)
	}
	return b.Run(t.Context(), map[string]string{"soxr": ""})
}

// files returns the texts of everything in the repository.
func (r *repo) files(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(r.dir, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Base(file) == filepath.Base(lockFile) {
			return err
		}
		data, err := os.ReadFile(file)
		out[file] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
