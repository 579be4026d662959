package toolkit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sparkwheels/sparkwheels/go/archive"
	"github.com/sparkwheels/sparkwheels/go/implib"
	"github.com/sparkwheels/sparkwheels/go/stage"
)

// ComponentOptions are one component that code links against, such as cuBLAS.
type ComponentOptions struct {
	// Package is the component's archive, for the target.
	Package string
	// Libraries maps the file name of a shared library in the archive to the
	// import library or stub to make of it.
	Libraries map[string]string
	// Headers is the folder to fill with the component's headers; it must be
	// absent or empty. "" makes none.
	Headers string
	// Zig is zig's executable.
	Zig string
}

// Component makes what a compilation and a link need of a component: the headers,
// with LF line ends, and an import library (a stub for ELF) of each library.
func Component(ctx context.Context, o ComponentOptions) error {
	work, err := os.MkdirTemp("", "toolkit")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	root := filepath.Join(work, "package")
	var include []string
	for name := range o.Libraries {
		include = append(include, "**/"+name)
	}
	if o.Headers != "" {
		include = append(include, "**/include/**")
	}
	if err := archive.Extract(root, archive.Options{Include: include, Limits: archive.DefaultLimits}, o.Package); err != nil {
		return err
	}
	for name, out := range o.Libraries {
		library, err := find(root, name)
		if err != nil {
			return fmt.Errorf("%s: %w", o.Package, err)
		}
		scratch := filepath.Join(work, name+".work")
		if err := os.Mkdir(scratch, 0o755); err != nil {
			return err
		}
		if err := implib.Make(ctx, o.Zig, library, scratch, out); err != nil {
			return fmt.Errorf("%s: %w", o.Package, err)
		}
	}
	if o.Headers == "" {
		return nil
	}
	return stage.Dir(o.Headers, func(dir string) error {
		top, err := findRoot(root)
		if err != nil {
			return err
		}
		c := &component{name: filepath.Base(o.Package), archive: o.Package, root: top}
		if err := c.copyTree("include", dir, nil); err != nil {
			return err
		}
		if err := lineEnds(dir); err != nil {
			return err
		}
		return seal(dir)
	})
}

// find is the one file of the name below dir.
func find(dir, name string) (string, error) {
	var found []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && entry.Name() == name {
			found = append(found, path)
		}
		return err
	})
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", fmt.Errorf("there is no %s in it", name)
	case len(found) > 1:
		return "", errors.New("there is more than one " + name + " in it")
	}
	return found[0], nil
}
