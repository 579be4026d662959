package upstream

import (
	"io/fs"
	"os"
	"path/filepath"
)

// removeGit removes git's own files and folders from a checkout: they hold times and the remote's name.
func removeGit(root string) error {
	var found []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != ".git" {
			return err
		}
		found = append(found, path)
		if entry.IsDir() {
			return filepath.SkipDir
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, path := range found {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}
