// Package msvc holds what the C++ and CUDA rules would run on Windows against golden files.
package msvc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGolden compares golden/NAME.txt with NAME.actions.txt, which analysis wrote (golden.bzl). When the difference is meant:
//
//	cp bazel-bin/toolchains/cc/msvc/tests/NAME.actions.txt toolchains/cc/msvc/tests/golden/NAME.txt
func TestGolden(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("golden", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txt") + ".actions.txt"
		got, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
			t.Errorf("%s (-golden +now):\n%s", name, diff)
		}
	}
}
