package index

import (
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Handler serves a site. It does what a static host does, and answers the
// simple pages in the form that the client asks for (PEP 691).
func Handler(folder string) http.Handler {
	files := http.FileServerFS(os.DirFS(folder))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		clean := path.Clean("/" + r.URL.Path)
		if strings.HasPrefix(clean, "/simple") && strings.HasSuffix(r.URL.Path, "/") {
			name, kind := "index.html", "text/html; charset=utf-8"
			switch accept := r.Header.Get("Accept"); {
			case strings.Contains(accept, TypeJSON):
				name, kind = "index.json", TypeJSON
			case strings.Contains(accept, TypeHTML):
				kind = TypeHTML
			}
			data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(clean), name))
			if err != nil {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Vary", "Accept")
			w.Write(data)
			return
		}
		switch path.Ext(clean) {
		case ".whl":
			w.Header().Set("Content-Type", "application/octet-stream")
		case MetadataSuffix:
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		}
		files.ServeHTTP(w, r)
	})
}
