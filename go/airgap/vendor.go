package airgap

import (
	"archive/tar"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// vendored returns a tar of the module with its vendor folder, made once and kept in the cache. Gazelle's repository
// rules compile fetch_repo from a vendored tree, which Go module zips leave out.
func vendored(c Config, d *download) (string, error) {
	out := filepath.Join(c.Cache, fmt.Sprintf("%s-%s-vendored.tar", filepath.Base(d.path), d.version))
	if _, err := os.Stat(out); err == nil {
		return out, nil
	}
	c.Log("vendoring %s %s", d.path, d.version)
	dir, err := os.MkdirTemp(c.Cache, "vendor-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := d.unpack(dir); err != nil {
		return "", err
	}
	cmd := exec.Command(c.Go, "mod", "vendor")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GO111MODULE=on", "GOWORK=off", "GOFLAGS=-mod=mod -modcacherw", "GOTOOLCHAIN=local")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go mod vendor in %s: %w\n%s", d.prefix(), err, msg)
	}
	if err := writeTar(out+".part", dir); err != nil {
		return "", err
	}
	return out, os.Rename(out+".part", out)
}

// writeTar archives the files below dir in name order with fixed metadata, under the top folder "module".
func writeTar(out, dir string) error {
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	w := tar.NewWriter(f)
	// WalkDir goes in lexical order.
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		h := &tar.Header{Name: "module/" + filepath.ToSlash(rel), Mode: 0o644, Size: info.Size(), Format: tar.FormatPAX}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		src, err := os.Open(path)
		if err != nil {
			return err
		}
		defer src.Close()
		_, err = io.Copy(w, src)
		return err
	})
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return f.Close()
}
