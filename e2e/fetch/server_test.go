package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// server is a package index, a Maven repository, a crate index and NVIDIA's manifests on one local address.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	files map[string]page // by path
	seen  []string        // paths that were asked for
}

// page is one answer of the server.
type page struct {
	kind, body string
	// secret, if set, is the password without which the answer is 401.
	secret string
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{files: map[string]page{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		p, ok := s.files[r.URL.Path]
		s.seen = append(s.seen, r.URL.Path)
		s.mu.Unlock()
		_, password, _ := r.BasicAuth()
		switch {
		case !ok:
			http.NotFound(w, r)
		case password != p.secret:
			w.Header().Set("WWW-Authenticate", `Basic realm="index"`)
			http.Error(w, "who are you?", http.StatusUnauthorized)
		default:
			w.Header().Set("Content-Type", p.kind)
			// The client has gone if this fails; the test sees that there.
			_, _ = fmt.Fprint(w, p.body)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// put makes the server answer a path.
func (s *server) put(path, kind, body string) { s.putSecret(path, kind, body, "") }

// putSecret makes the server answer a path to those who know the password.
func (s *server) putSecret(path, kind, body, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[path] = page{kind, body, secret}
}

// requests returns the paths that were asked for since the last call and start with prefix.
func (s *server) requests(prefix string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, path := range s.seen {
		if strings.HasPrefix(path, prefix) {
			out = append(out, path)
		}
	}
	s.seen = nil
	return out
}

func hash(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:])
}
