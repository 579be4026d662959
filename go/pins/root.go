package pins

import (
	"fmt"
	"os"
	"path/filepath"
)

// Root returns the given folder or, if that is empty, the repository that `bazel run` was called in, or the nearest folder with
// MODULE.bazel at or above the working directory.
func Root(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	if dir := os.Getenv("BUILD_WORKSPACE_DIRECTORY"); dir != "" {
		return dir, nil
	}
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "MODULE.bazel")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no MODULE.bazel in %s or above it: name the repository with --root", start)
		}
	}
}
