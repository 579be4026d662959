package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/ulikunitz/xz"
)

// entry is one member of an archive under test.
type entry struct {
	name, data, link string
	mode             int64 // permission bits; 0 means 0644
	flag             byte  // tar.TypeReg by default
}

func tarball(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Linkname: e.link, Mode: e.mode, Typeflag: e.flag, Size: int64(len(e.data))}
		if h.Mode == 0 {
			h.Mode = 0o644
		}
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if h.Typeflag == tar.TypeXGlobalHeader { // as git archive writes it
			h = &tar.Header{Typeflag: h.Typeflag, Name: h.Name, PAXRecords: map[string]string{"comment": "0123"}}
		}
		must(t, w.WriteHeader(h))
		_, err := io.WriteString(w, e.data)
		must(t, err)
	}
	must(t, w.Close())
	return buf.Bytes()
}

func gz(t testing.TB, data []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	_, err := w.Write(data)
	must(t, err)
	must(t, w.Close())
	return buf.Bytes()
}

func xzip(t testing.TB, data []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := xz.NewWriter(&buf)
	must(t, err)
	_, err = w.Write(data)
	must(t, err)
	must(t, w.Close())
	return buf.Bytes()
}

func zipped(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		data := e.data
		switch {
		case e.flag == tar.TypeSymlink:
			h.SetMode(fs.ModeSymlink | 0o777)
			data = e.link
		case e.flag == tar.TypeFifo:
			h.SetMode(fs.ModeNamedPipe | 0o644)
		case e.mode != 0:
			h.SetMode(fs.FileMode(e.mode))
		}
		f, err := w.CreateHeader(h)
		must(t, err)
		_, err = io.WriteString(f, data)
		must(t, err)
	}
	must(t, w.Close())
	return buf.Bytes()
}

// save writes an archive to a folder of its own and returns its path.
func save(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, data, 0o644))
	return path
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
