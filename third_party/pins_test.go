// Package third_party tests the pins of this repository themselves; go/pins tests the code that reads them.
package third_party

import (
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/pins"
)

// root is the root of the repository: the runfiles' under Bazel, the checkout's under `go test`.
var root = os.DirFS("..")

// Everything in pins.json is valid, every patch is named, and repositories.bzl is what it gives.
func TestGeneratedFileIsFresh(t *testing.T) {
	f, err := pins.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	want, err := pins.Generate(f)
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile("repositories.bzl")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(have), "\n")); diff != "" {
		t.Errorf("stale: run \"./bazelw run //go/cmd/pins -- generate\" (-want +have):\n%s", diff)
	}
}

// The plan and wheels/BUILD.bazel say the same: each wheel has a target, or a reason why it has none.
func TestPlanMatchesTargets(t *testing.T) {
	if _, err := pins.NewPlan(root); err != nil {
		t.Error(err)
	}
}

// docs/pins.md names every key of pins.json.
func TestDocsNameEveryKey(t *testing.T) {
	text, err := fs.ReadFile(root, "docs/pins.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys(reflect.TypeFor[pins.Pin]()) {
		if !strings.Contains(string(text), "`"+key+"`") {
			t.Errorf("docs/pins.md does not name `%s`", key)
		}
	}
}

// keys returns the JSON keys of a struct and of the structs that it points to.
func keys(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		out = append(out, name)
		inner := t.Field(i).Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Map {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct {
			out = append(out, keys(inner)...)
		}
	}
	return out
}
