package bump

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/sparkwheels/sparkwheels/go/pins"
)

// lockFile is held while pins.json changes; git ignores it.
const lockFile = "third_party/.pins.lock"

// LockedError says that another program is changing the pins.
type LockedError struct{ File string }

func (e *LockedError) Error() string {
	return fmt.Sprintf("another bump is at work in this folder (it holds %s): wait for it", e.File)
}

// Lock takes the repository's pins for this program, or fails at once with a *LockedError. The lock vanishes with the program.
func Lock(root string) (unlock func() error, err error) {
	file := filepath.Join(root, filepath.FromSlash(lockFile))
	lock := flock.New(file)
	ok, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if !ok {
		return nil, &LockedError{file}
	}
	return lock.Unlock, nil
}

// overlay is a file system with the contents of one file replaced.
type overlay struct {
	fs.FS
	name string
	data []byte
}

// ReadFile gives the new contents.
func (o overlay) ReadFile(name string) ([]byte, error) {
	if name == o.name {
		return o.data, nil
	}
	return fs.ReadFile(o.FS, name)
}

// ReadDir and the rest are those of the file system beneath.
func (o overlay) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(o.FS, name) }

// Stat is that of the file system beneath.
func (o overlay) Stat(name string) (fs.FileInfo, error) { return fs.Stat(o.FS, name) }

// Glob is that of the file system beneath.
func (o overlay) Glob(pattern string) ([]string, error) { return fs.Glob(o.FS, pattern) }

// Texts returns pins.json with the edits made and the repositories.bzl that it gives, or what is wrong with the result.
func Texts(root string, edits []pins.Edit) (pinsText, repositories []byte, err error) {
	dir := os.DirFS(root)
	data, err := fs.ReadFile(dir, pins.PinsFile)
	if err != nil {
		return nil, nil, err
	}
	if pinsText, err = pins.Apply(data, edits); err != nil {
		return nil, nil, err
	}
	edited := overlay{dir, pins.PinsFile, pinsText}
	if _, err := pins.NewPlan(edited); err != nil {
		return nil, nil, err
	}
	f, err := pins.Load(edited)
	if err != nil {
		return nil, nil, err
	}
	repositories, err = pins.Generate(f)
	return pinsText, repositories, err
}

// Write replaces files, named by paths under root, all or none: every new text is on disk under a temporary name before the
// first one takes its place, and when a later one cannot, the earlier ones get their old text back.
func Write(ctx context.Context, root string, names []string, texts [][]byte) (err error) {
	type pending struct {
		file, tmp string
		old       []byte
	}
	var all []pending
	defer func() {
		for _, p := range all {
			os.Remove(p.tmp) // those that took their place are gone
		}
	}()
	for i, name := range names {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := writable(file); err != nil {
			return err
		}
		old, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		tmp, err := writeTemp(file, texts[i])
		if tmp != "" {
			all = append(all, pending{file, tmp, old})
		}
		if err != nil {
			return fmt.Errorf("%s could not be written, so nothing was changed: %w", name, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, p := range all {
		if err := os.Rename(p.tmp, p.file); err != nil {
			for _, done := range all[:i] {
				err = errors.Join(err, os.WriteFile(done.file, done.old, 0o644))
			}
			return err
		}
	}
	return nil
}

// writable refuses a file that is read-only, which a rename would replace all the same.
func writable(file string) error {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%s is read-only: make it writable, nothing was changed", file)
	}
	return nil
}

// writeAll is where a full disk shows; tests replace it.
var writeAll = func(f *os.File, text []byte) error {
	_, err := f.Write(text)
	return err
}

func writeTemp(file string, text []byte) (name string, err error) {
	tmp, err := os.CreateTemp(filepath.Dir(file), ".pins-*")
	if err != nil {
		return "", err
	}
	err = writeAll(tmp, text)
	if err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Chmod(tmp.Name(), 0o644)
	}
	return tmp.Name(), err
}
