package patch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/sparkwheels/sparkwheels/go/stage"
	"github.com/sparkwheels/sparkwheels/go/treepath"
)

// tree is a source tree in memory: names of all files, bytes of those that a
// patch has read or written.
type tree struct {
	files map[string]*content // by slash-separated name
	empty []string            // folders without files
}

// content is one state of a file; it never changes.
type content struct {
	disk string // where to read it, unless data is set
	data []byte
	exec bool
}

func (c *content) bytes() ([]byte, error) {
	if c.disk == "" {
		return c.data, nil
	}
	return os.ReadFile(c.disk)
}

// maxDepth ends the walk through a folder that links to itself.
const maxDepth = 128

// openTree lists src. Symbolic links are followed, since sandboxes make inputs
// of them; where they lead is the caller's business.
func openTree(src string) (*tree, error) {
	t := &tree{files: map[string]*content{}}
	info, err := os.Stat(src)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", src)
	}
	return t, t.list(src, ".", 0)
}

func (t *tree) list(dir, name string, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("%s: more than %d folders deep; does a link lead to its own parent?", dir, maxDepth)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) == 0 && name != "." {
		t.empty = append(t.empty, name)
	}
	for _, e := range entries {
		disk, child := filepath.Join(dir, e.Name()), path.Join(name, e.Name())
		info, err := os.Stat(disk)
		switch {
		case err != nil:
			return err
		case info.IsDir():
			if err := t.list(disk, child, depth+1); err != nil {
				return err
			}
		case info.Mode().IsRegular():
			t.files[child] = &content{disk: disk, exec: info.Mode()&0o111 != 0}
		default:
			return fmt.Errorf("%s is neither a file nor a folder", disk)
		}
	}
	return nil
}

// write creates the folder out with the tree's files.
func (t *tree) write(out string) error {
	return stage.Dir(out, func(dir string) error {
		for _, name := range t.empty {
			if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(name)), 0o755); err != nil {
				return err
			}
		}
		names := slices.Sorted(maps.Keys(t.files))
		folder := ""
		for _, name := range names {
			if parent := path.Dir(name); parent != folder {
				folder = parent
				if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(folder)), 0o755); err != nil {
					return err
				}
			}
		}
		// Small files cost calls of the system more than bytes, so several at once pay on any disk.
		var group errgroup.Group
		group.SetLimit(2 * runtime.NumCPU())
		for _, name := range names {
			group.Go(func() error { return t.files[name].write(filepath.Join(dir, filepath.FromSlash(name))) })
		}
		return group.Wait()
	})
}

// write creates the file, in a folder that is there.
func (c *content) write(name string) (err error) {
	if c.disk == "" {
		err = os.WriteFile(name, c.data, 0o644)
	} else {
		err = copyFile(c.disk, name)
	}
	if err != nil {
		return err
	}
	return stage.Seal(name, c.exec)
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in) // a reflink where the file system can
	return errors.Join(err, out.Close())
}

// clash reports which of the new names cannot stand beside the others: by
// case, or as a file where a folder is.
func (t *tree) clash(fresh []string) (string, error) {
	var set treepath.Set
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		if slices.Contains(fresh, name) {
			continue
		}
		if _, err := set.Add(name, treepath.File); err != nil {
			return "", nil // the tree was like that before
		}
	}
	for _, name := range fresh {
		if _, ok := t.files[name]; !ok {
			continue // removed again
		}
		if _, err := set.Add(name, treepath.File); err != nil {
			return name, err
		}
	}
	return "", nil
}

// isExecutable reads git's mode bits, of which it keeps this one only.
func isExecutable(mode fs.FileMode) bool { return mode&0o111 != 0 }
