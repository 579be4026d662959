package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadPeaks reads what compilations wrote, in a folder below the one that
// `bazel run` was called in.
func TestReadPeaks(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, "out", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a/fwd.o.usage.json", `{"peak_bytes": 4000000000, "cpu_seconds": 1, "wall_seconds": 1}`)
	write("b/fwd.o.usage.json", `{"peak_bytes": 3000000000, "cpu_seconds": 1, "wall_seconds": 1}`)
	write("b/bwd.fatbin.usage.json", `{"peak_bytes": 6000000000, "cpu_seconds": 1, "wall_seconds": 1}`)
	write("b/fwd.o", "no usage")
	t.Setenv("BUILD_WORKING_DIRECTORY", dir)
	got, err := readPeaks([]string{"out"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int64{"fwd.cu": 4000000000, "bwd.cu": 6000000000}, got); diff != "" {
		t.Errorf("peaks (-want +got):\n%s", diff)
	}
	write("c/none.o.usage.json", `{}`)
	if _, err := readPeaks([]string{"out"}); err == nil || !strings.Contains(err.Error(), "none.o.usage.json: not what a compilation took") {
		t.Errorf("a file without a peak: %v", err)
	}
	if _, err := readPeaks([]string{filepath.Join("out", "b", "fwd.o")}); err == nil || !strings.Contains(err.Error(), "build the output group cuda_usage") {
		t.Errorf("no usage file: %v", err)
	}
}
