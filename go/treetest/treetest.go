// Package treetest writes and reads small trees of files in tests.
package treetest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Tree is a folder's content: bytes by slash-separated name. A name that ends
// in "*" is an executable file, one that ends in "/" an empty folder.
type Tree map[string]string

// Write creates the tree in a new temporary folder and returns that.
func Write(t testing.TB, tree Tree) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range tree {
		bare, exec := strings.CutSuffix(name, "*")
		full := filepath.Join(dir, filepath.FromSlash(bare))
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(full, 0o755))
			continue
		}
		mode := fs.FileMode(0o644)
		if exec {
			mode = 0o755
		}
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		must(t, os.WriteFile(full, []byte(data), mode))
	}
	return dir
}

// Read returns what the folder holds, or nil if it does not exist. Anything
// but files and folders fails the test.
func Read(t testing.TB, dir string) Tree {
	t.Helper()
	if _, err := os.Lstat(dir); os.IsNotExist(err) {
		return nil
	}
	tree := Tree{}
	must(t, filepath.WalkDir(dir, func(full string, d fs.DirEntry, err error) error {
		if err != nil || full == dir {
			return err
		}
		rel, err := filepath.Rel(dir, full)
		must(t, err)
		name := filepath.ToSlash(rel)
		if d.IsDir() {
			children, err := os.ReadDir(full)
			if len(children) == 0 {
				tree[name+"/"] = ""
			}
			return err
		}
		info, err := d.Info()
		must(t, err)
		if !info.Mode().IsRegular() {
			t.Fatalf("%s is neither a file nor a folder", full)
		}
		if info.Mode()&0o111 != 0 {
			name += "*"
		}
		data, err := os.ReadFile(full)
		tree[name] = string(data)
		return err
	}))
	return tree
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
