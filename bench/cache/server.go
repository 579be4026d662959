package main

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// server is an HTTP cache in a folder, as Bazel wants one: GET and PUT below /ac/ and /cas/. nginx does the same for people
// (docs/remote-cache.md); this one is for a benchmark, and answers the loopback interface alone.
type server struct {
	url string
	srv *http.Server
}

func serve(dir string) (*server, error) {
	for _, sub := range []string{"ac", "cas"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return nil, err
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	files := http.FileServer(http.Dir(dir))
	s := &server{url: "http://" + listener.Addr().String(), srv: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPut {
			files.ServeHTTP(w, r)
			return
		}
		if err := store(filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(r.URL.Path, "/"))), r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})}}
	go func() { _ = s.srv.Serve(listener) }() // it ends with close
	return s, nil
}

// store writes an object under a temporary name first, so that no reader sees half of it.
func store(path string, body io.Reader) error {
	f, err := os.CreateTemp(filepath.Dir(path), "put-*")
	if err != nil {
		return err
	}
	_, err = io.Copy(f, body)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), path)
}

func (s *server) close() { _ = s.srv.Close() }
