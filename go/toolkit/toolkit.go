// Package toolkit lays NVIDIA's CUDA toolkit out as trees that actions take.
//
// The toolkit comes as components: wheels of the Python index, which hold
// nvidia/cu13/, or NVIDIA's redistributable archives, which hold one folder
// named after themselves. Below those the layout is the same: bin/, nvvm/,
// include/, lib/. [Tools] makes the tree of programs from the components for the
// machine that compiles; [Headers] makes the tree of headers from the components
// for the machine that the code is for, adapted to the host compiler of this
// repository; [Files] takes single files, such as a DLL, out of a component.
//
// Adapting means counted substitutions ([edit]): a toolkit in which a text
// stands more or less often than it did fails, instead of compiling differently.
package toolkit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sparkwheels/sparkwheels/go/archive"
)

// needs says what nvcc needs each component for.
var needs = map[string]string{
	"cccl":   "cuda_runtime.h's own headers include <cuda/std/...> from it",
	"crt":    "crt/host_runtime.h and crt/host_config.h are included into every compilation",
	"cudart": "cuda_runtime.h is included into every .cu file, and programs link its runtime",
	"nvcc":   "it holds nvcc itself, cudafe++, ptxas and fatbinary",
	"nvvm":   "it holds cicc, which compiles device code to PTX",
}

// component is an unpacked component of the toolkit.
type component struct {
	name string
	// archive is the file that it came from.
	archive string
	// root is the folder that holds bin, include, lib and nvvm.
	root string
}

// unpack unpacks the archive of a component below dir.
func unpack(name, file, dir string) (*component, error) {
	if file == "" {
		return nil, fmt.Errorf("the toolkit's component %s is missing: %s", name, needs[name])
	}
	out := filepath.Join(dir, name)
	// RECORD and METADATA of a wheel are no part of the toolkit.
	opts := archive.Options{Exclude: []string{"*.dist-info/**"}, Limits: archive.DefaultLimits}
	if err := archive.Extract(out, opts, file); err != nil {
		return nil, err
	}
	root, err := findRoot(out)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &component{name: name, archive: file, root: root}, nil
}

// findRoot descends from dir through folders that hold one folder and nothing
// else, until the toolkit's own folders stand there.
func findRoot(dir string) (string, error) {
	for {
		for _, known := range []string{"bin", "include", "lib", "nvvm"} {
			if info, err := os.Stat(filepath.Join(dir, known)); err == nil && info.IsDir() {
				return dir, nil
			}
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return "", err
		}
		var folders []string
		for _, entry := range entries {
			if entry.IsDir() {
				folders = append(folders, entry.Name())
			}
		}
		if len(folders) != 1 {
			return "", errors.New("this is no component of the CUDA toolkit: there is no folder bin, include, lib or nvvm in it")
		}
		dir = filepath.Join(dir, folders[0])
	}
}

// copyTree adds the folder from of the component to the folder to, except for
// what skip names by its slash path below from. A file that is there already
// must have the same bytes: two components never disagree.
func (c *component) copyTree(from, to string, skip func(name string) bool) error {
	base := filepath.Join(c.root, filepath.FromSlash(from))
	found := false
	err := filepath.WalkDir(base, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(base, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if skip != nil && skip(name) {
			return nil
		}
		found = true
		if err := copyFile(path, filepath.Join(to, rel)); err != nil {
			return fmt.Errorf("%s: %s: %w", c.archive, name, err)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) || err == nil && !found {
		return fmt.Errorf("%s: there is no folder %s in it, so it is not the component %s (%s)", c.archive, from, c.name, needs[c.name])
	}
	return err
}
