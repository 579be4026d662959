// Package rules tests the reference of rules.
package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const update = "./bazelw run //docs/rules:update"

// TestUpToDate compares the pages with those that Bazel makes of today's docstrings.
func TestUpToDate(t *testing.T) {
	if os.Getenv("TEST_SRCDIR") == "" {
		t.Skip("Bazel makes the pages to compare with: ./bazelw test //docs/rules:rules_test")
	}
	pages, made := read(t)
	for name, want := range made {
		if diff := cmp.Diff(want, pages[name]); diff != "" {
			t.Errorf("docs/rules/%s is out of date; run %s\n(-docstrings +page):\n%s", name, update, diff)
		}
	}
	for name := range pages {
		if _, ok := made[name]; !ok {
			t.Errorf("nothing makes docs/rules/%s: delete it, or add it to docs/rules/BUILD.bazel", name)
		}
	}
	if len(made) == 0 {
		t.Error("Bazel made no pages")
	}
}

// read returns the pages checked in and the pages made, by name.
func read(t *testing.T) (pages, made map[string]string) {
	t.Helper()
	pages, made = map[string]string{}, map[string]string{}
	files, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if name, ok := strings.CutSuffix(file, ".made.md"); ok {
			made[name+".md"] = string(text)
		} else {
			pages[file] = string(text)
		}
	}
	return pages, made
}
