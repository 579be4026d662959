package publish_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// server behaves like GitHub's REST API for the releases of o/r.
type server struct {
	*httptest.Server
	mu      sync.Mutex
	tag     string
	assets  []stored
	next    int64
	uploads int
	// before is called first for every request; true means that it answered.
	before func(w http.ResponseWriter, r *http.Request) bool
	// noDigests leaves digests out, as GitHub did before 2025.
	noDigests bool
}

type stored struct {
	id    int64
	name  string
	state string
	data  []byte
}

func newServer(t *testing.T) *server {
	s := &server{next: 1}
	mux := http.NewServeMux()
	release := func(w http.ResponseWriter) {
		fmt.Fprintf(w, `{"id": 7, "tag_name": %q, "upload_url": "%s/upload/7{?name,label}"}`, s.tag, s.URL)
	}
	mux.HandleFunc("GET /repos/o/r/releases/tags/{tag}", func(w http.ResponseWriter, r *http.Request) {
		if s.tag == "" || s.tag != r.PathValue("tag") {
			http.Error(w, `{"message": "Not Found"}`, http.StatusNotFound)
			return
		}
		release(w)
	})
	mux.HandleFunc("POST /repos/o/r/releases", func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Tag string `json:"tag_name"`
		}
		json.NewDecoder(r.Body).Decode(&body)
		s.tag = body.Tag
		w.WriteHeader(http.StatusCreated)
		release(w)
	})
	mux.HandleFunc("GET /repos/o/r/releases/7/assets", func(w http.ResponseWriter, r *http.Request) {
		page, _ := strconv.Atoi(r.URL.Query().Get("page"))
		from := min(len(s.assets), (page-1)*100)
		part := s.assets[from:min(len(s.assets), from+100)]
		all := []map[string]any{}
		for _, one := range part {
			all = append(all, s.form(one))
		}
		json.NewEncoder(w).Encode(all)
	})
	mux.HandleFunc("POST /upload/7", func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Query().Get("name")
		if slices.ContainsFunc(s.assets, func(one stored) bool { return one.name == name }) {
			http.Error(w, `{"errors": [{"code": "already_exists"}]}`, http.StatusUnprocessableEntity)
			return
		}
		data, err := io.ReadAll(r.Body)
		if err != nil || int64(len(data)) != r.ContentLength {
			return
		}
		s.uploads++
		w.WriteHeader(http.StatusCreated)
		json.NewEncoder(w).Encode(s.form(s.put(name, "uploaded", data)))
	})
	mux.HandleFunc("DELETE /repos/o/r/releases/assets/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
		s.assets = slices.DeleteFunc(s.assets, func(one stored) bool { return one.id == id })
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /download/", func(w http.ResponseWriter, r *http.Request) {
		for _, one := range s.assets {
			if one.name == path.Base(r.URL.Path) {
				w.Write(one.data)
				return
			}
		}
		http.NotFound(w, r)
	})
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !strings.HasPrefix(r.URL.Path, "/download/") && r.Header.Get("Authorization") != "Bearer token" {
			http.Error(w, `{"message": "Bad credentials"}`, http.StatusUnauthorized)
			return
		}
		if s.before == nil || !s.before(w, r) {
			mux.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) put(name, state string, data []byte) stored {
	one := stored{s.next, name, state, data}
	s.next++
	s.assets = append(s.assets, one)
	return one
}

func (s *server) form(one stored) map[string]any {
	form := map[string]any{
		"id": one.id, "name": one.name, "size": len(one.data), "state": one.state,
		"browser_download_url": s.URL + "/download/" + strings.ReplaceAll(one.name, "+", "%2B"),
	}
	if !s.noDigests {
		sum := sha256.Sum256(one.data)
		form["digest"] = "sha256:" + hex.EncodeToString(sum[:])
	}
	return form
}

func (s *server) names() []string {
	var names []string
	for _, one := range s.assets {
		names = append(names, one.name)
	}
	slices.Sort(names)
	return names
}
