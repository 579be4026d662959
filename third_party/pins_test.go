// Package third_party tests the pins of this repository themselves; go/pins tests the code that reads them.
package third_party

import (
	"os"
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
