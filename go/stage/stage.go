// Package stage writes folders and files so that nobody ever sees a half of
// them: everything goes to a temporary sibling first, which takes its final
// name only when it is complete.
//
// The temporary name lies beside the final one, never in the system's
// temporary folder, so that the last step is a rename on one file system.
//
// Modes are one of two, whatever the umask. Times are those of writing, and must
// be: Bazel remembers a file's digest by path, size and time (and inode and
// change time, where the file system has them; Windows has neither). A constant
// time made it take a file of the same size for the one before, run nothing that
// depends on it, and put the old digest into caches. No key holds a time.
package stage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Dir creates the folder out with what fill writes into the folder that it is
// given. When fill or a later step fails, out is what it was before: absent,
// or empty. An out that exists and is not empty is refused, since nobody could
// tell its old files from the new ones; an empty one is filled, because Bazel
// creates the folder of a tree artifact before it runs the action.
func Dir(out string, fill func(dir string) error) (err error) {
	old, err := os.ReadDir(out)
	exists := err == nil
	switch {
	case exists && len(old) > 0:
		return fmt.Errorf("output folder %s is not empty", out)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("output folder %s: %w", out, err)
	}
	out, err = filepath.Abs(out)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(out), "."+filepath.Base(out)+".tmp-")
	if err != nil {
		return fmt.Errorf("output folder %s: cannot make one beside it: %w", out, err)
	}
	defer os.RemoveAll(tmp)
	if err := fill(tmp); err != nil {
		return err
	}
	if err := normaliseDirs(tmp); err != nil {
		return err
	}
	if !exists {
		return os.Rename(tmp, out)
	}
	return moveInto(tmp, out)
}

// moveInto moves the children of tmp into the empty folder out, or none.
func moveInto(tmp, out string) (err error) {
	children, err := os.ReadDir(tmp)
	if err != nil {
		return err
	}
	for i, c := range children {
		if err = os.Rename(filepath.Join(tmp, c.Name()), filepath.Join(out, c.Name())); err == nil {
			continue
		}
		for _, moved := range children[:i] {
			err = errors.Join(err, os.RemoveAll(filepath.Join(out, moved.Name())))
		}
		return err
	}
	return nil
}

// normaliseDirs gives every folder under root one mode.
func normaliseDirs(root string) error {
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return os.Chmod(name, 0o755)
	})
}

// File replaces the file out by data, at once.
func File(out string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(out), "."+filepath.Base(out)+".tmp-")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(data)
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	if err := os.Chmod(tmp.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), out)
}

// Seal gives a written file the mode 0755 or 0644, whatever the umask said.
func Seal(name string, executable bool) error {
	mode := fs.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	return os.Chmod(name, mode)
}
