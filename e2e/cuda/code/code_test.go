// Package code_test holds what go/fatbin lists against what nvcc was asked for.
package code_test

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/fatbin"
)

// expected are the entries of each target's files, in any order; relocatable
// code is in an object of its own beside what the device linker made of it.
var expected = map[string][]string{
	"bare":             {"sm_121", "compute_121 zstd"},
	"compressed_fast":  {"sm_121", "compute_121 lz4"},
	"compressed_small": {"sm_121 zstd", "compute_121 zstd"},
	"concatenated":     {"sm_120 zstd concatenated", "sm_121 zstd concatenated"},
	"debug":            {"sm_121 zstd debug probe.cu", "compute_121 zstd debug probe.cu"},
	"ptx":              {"compute_121a zstd"},
	"relocatable":      {"sm_121 zstd relocatable", "sm_121"},
	"several":          {"sm_90", "sm_120f", "sm_121a", "compute_100"},
}

// TestEntries looks at the files that FILES names, objects of the format FORMAT.
func TestEntries(t *testing.T) {
	names, format := strings.Fields(os.Getenv("FILES")), os.Getenv("FORMAT")
	if len(names) == 0 {
		t.Fatal("FILES is not set: run this with ./bazelw test //e2e/cuda/code:all")
	}
	got := map[string][]string{}
	for _, name := range names {
		file, err := runfiles.Rlocation(name)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		image, err := fatbin.Parse(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		target := target(t, name)
		if want := map[bool]string{true: "fatbin", false: format}[target == "bare"]; image.Format != want {
			t.Errorf("%s is %s, want %s", name, image.Format, want)
		}
		for _, entry := range image.Entries {
			got[target] = append(got[target], describe(entry))
		}
	}
	want := map[string][]string{}
	for target, entries := range expected {
		want[target] = slices.Sorted(slices.Values(entries))
		slices.Sort(got[target])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}

// target finds the target's name among the folders of an output.
func target(t *testing.T, name string) string {
	for dir := name; dir != "."; dir = path.Dir(dir) {
		if _, ok := expected[path.Base(dir)]; ok {
			return path.Base(dir)
		}
	}
	t.Fatalf("%s belongs to no target of this test", name)
	return ""
}

func describe(entry fatbin.Entry) string {
	words := []string{entry.Code}
	if entry.Compression != "" {
		words = append(words, entry.Compression)
	}
	for _, mark := range []struct {
		word string
		is   bool
	}{{"concatenated", entry.Concatenated}, {"relocatable", entry.Relocatable}, {"debug", entry.Debug}, {"loose", entry.Loose}} {
		if mark.is {
			words = append(words, mark.word)
		}
	}
	if entry.Name != "" {
		words = append(words, path.Base(entry.Name))
	}
	return strings.Join(words, " ")
}
