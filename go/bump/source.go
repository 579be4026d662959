package bump

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/archive"
	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/upstream"
)

// Store keeps fetched files by their hash, so that a second look at a source costs no download.
type Store struct {
	// Dir is the folder; it is made where needed.
	Dir string
	// Client fetches.
	Client *upstream.Client
}

// NewStore returns a store in the user's cache folder.
func NewStore(client *upstream.Client) (*Store, error) {
	cache := os.Getenv("SPARKWHEELS_CACHE")
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil, err
		}
		cache = filepath.Join(user, "sparkwheels")
	}
	return &Store{filepath.Join(cache, "sources"), client}, nil
}

// Fetch returns the path of a file of the package index. The index must give a hash, and the bytes must have it.
func (s *Store) Fetch(ctx context.Context, f upstream.File) (path string, err error) {
	if err := hashed(f); err != nil {
		return "", err
	}
	dir := filepath.Join(s.Dir, f.SHA256)
	path = filepath.Join(dir, f.Name)
	if sum, err := hashFile(path); err == nil && sum == f.SHA256 {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	tmp, err := os.CreateTemp(dir, ".fetch-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(tmp.Name()) // gone already when all went well
	sum, err := s.Client.Download(ctx, f, tmp)
	if err = errors.Join(err, tmp.Close()); err != nil {
		return "", err
	}
	if sum != f.SHA256 {
		return "", fmt.Errorf("%s: the index says that its sha256 is %s, but the file that came has %s: nothing was changed", f.Name, f.SHA256, sum)
	}
	return path, os.Rename(tmp.Name(), path)
}

// Tree unpacks the source that the pin names, as //wheels does, into the folder dir, which must not exist.
func (s *Store) Tree(ctx context.Context, p *pins.Pin, dir string) error {
	switch {
	case p.Source.Git != nil:
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		return s.Client.Checkout(ctx, p.Source.Git, dir)
	case p.Source.PyPI == nil:
		return &upstream.UnaskableError{Reason: "only sources of the package index and of git are unpacked here"}
	}
	path, err := s.File(ctx, p)
	if err != nil {
		return err
	}
	options := archive.Options{Limits: archive.DefaultLimits}
	if !strings.HasSuffix(path, ".whl") {
		options.Strip = 1
	}
	return archive.Extract(dir, options, path)
}

// File returns the path of the file of the package index that the pin names.
func (s *Store) File(ctx context.Context, p *pins.Pin) (string, error) {
	path := filepath.Join(s.Dir, p.SHA256, p.File())
	if sum, err := hashFile(path); err == nil && sum == p.SHA256 {
		return path, nil
	}
	releases, err := s.Client.Project(ctx, p.Source.PyPI.Project)
	if err != nil {
		return "", err
	}
	file, ok := fileNamed(releases, p.File())
	if !ok {
		return "", fmt.Errorf("the index has no file %s any more", p.File())
	}
	if file.SHA256 != "" && file.SHA256 != p.SHA256 {
		return "", changed(file.Name, p.SHA256, file.SHA256)
	}
	file.SHA256 = p.SHA256
	return s.Fetch(ctx, file)
}

// hashed refuses a file that the index gives no hash for.
func hashed(f upstream.File) error {
	if f.SHA256 == "" {
		return fmt.Errorf("the index gives no sha256 for %s, so there is nothing to hold a download against: fetch it yourself, read it, and write its hash into %s by hand", f.Name, pins.PinsFile)
	}
	return nil
}

func fileNamed(releases []upstream.Release, name string) (upstream.File, bool) {
	for _, r := range releases {
		for _, f := range r.Files {
			if f.Name == name {
				return f, true
			}
		}
	}
	return upstream.File{}, false
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
