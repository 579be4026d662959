package airgap

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// goModule is a Bazel module that is published as a Go module too.
type goModule struct {
	// path is the Go module path.
	path string
	// vendor: the zip leaves out vendor/ (as every Go module zip does) and the module's repository rules need it.
	vendor bool
	// edit changes the MODULE.bazel of the registry's copy; nil leaves it.
	edit func(c Config, source *download, module string) (string, error)
}

// download is a module zip in the Go module cache.
type download struct{ path, version, zip string }

// fetchGoModule runs `go mod download`, which checks the zip against the checksum database or go.sum.
func fetchGoModule(c Config, path, version string) (*download, error) {
	cmd := exec.Command(c.Go, "mod", "download", "-json", path+"@"+version)
	cmd.Dir = c.Cache
	// Outside a module, so that the workspace's go.mod neither limits nor is changed by what is fetched.
	cmd.Env = append(os.Environ(), "GO111MODULE=on", "GOWORK=off", "GOFLAGS=-modcacherw", "GOTOOLCHAIN=local")
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	runErr := cmd.Run()
	var info struct{ Zip, Error string }
	if err := json.Unmarshal(out.Bytes(), &info); err != nil || info.Error != "" || runErr != nil {
		return nil, fmt.Errorf("go mod download %s@%s failed: %s%s (is GOPROXY reachable?)", path, version, info.Error, strings.TrimSpace(msg.String()))
	}
	return &download{path: path, version: version, zip: info.Zip}, nil
}

func (m goModule) download(c Config, version string) (*download, error) {
	return fetchGoModule(c, m.path, "v"+version)
}

// prefix is the folder that every member of the zip lies in.
func (d *download) prefix() string { return d.path + "@" + d.version }

// read returns one file of the zip.
func (d *download) read(name string) ([]byte, error) {
	z, err := zip.OpenReader(d.zip)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	f, err := z.Open(d.prefix() + "/" + name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.zip, err)
	}
	defer f.Close()
	return io.ReadAll(f)
}

// unpack writes the zip's files under dir, without the prefix. The zip was verified by the go command.
func (d *download) unpack(dir string) error {
	z, err := zip.OpenReader(d.zip)
	if err != nil {
		return err
	}
	defer z.Close()
	for _, f := range z.File {
		rel, ok := strings.CutPrefix(f.Name, d.prefix()+"/")
		if !ok || strings.HasSuffix(rel, "/") || !filepath.IsLocal(rel) {
			continue
		}
		dst := filepath.Join(dir, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
			return err
		}
		src, err := f.Open()
		if err != nil {
			return err
		}
		w, err := os.Create(dst)
		if err == nil {
			_, err = io.Copy(w, src)
			if cerr := w.Close(); err == nil {
				err = cerr
			}
		}
		src.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// integrity is a file's hash in the form that a registry's source.json wants (W3C subresource integrity).
func integrity(path string) (string, error) {
	sum, err := sha256File(path)
	if err != nil {
		return "", err
	}
	return "sha256-" + base64.StdEncoding.EncodeToString(sum), nil
}

func sha256File(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}
