// Package wheels holds the set of wheels that the BUILD file makes against the plan that the pins give. Bazel skips a
// target that is not compatible with the machine in silence, so only a list can tell that a wheel is missing.
package wheels

import (
	stdcmp "cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/pins"
)

// entry is a line of set.json (wheels/private/set.bzl).
type entry struct{ Pin, Version, Platform, Origin, File, Path string }

func readSet(t *testing.T) []entry {
	t.Helper()
	path, err := runfiles.Rlocation("_main/wheels/set.json")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var set []entry
	if err := json.Unmarshal(data, &set); err != nil {
		t.Fatal(err)
	}
	return set
}

func readPlan(t *testing.T) *pins.Plan {
	t.Helper()
	plan, err := pins.NewPlan(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// What is in the set is what the plan says is built here or taken from upstream, no more and no less. With --config=own a
// retired wheel is built here where it can be.
func TestSetIsThePlannedOne(t *testing.T) {
	type key struct{ Wheel, Platform, Origin string }
	want, have := map[key]string{}, map[key]string{}
	set := readSet(t)
	own := slices.ContainsFunc(set, func(e entry) bool { return e.Pin == "numba" && e.Origin == "built" })
	// Set by the BUILD file with --config=full.
	full := os.Getenv("SPARKWHEELS_FULL") != ""
	for _, line := range readPlan(t).Wheels {
		switch {
		case line.State == pins.Built, full && line.State == pins.BuiltFull:
			want[key{line.Wheel, line.Platform, "built"}] = line.Version
		case line.State == pins.Retired && own && line.Own:
			want[key{line.Wheel, line.Platform, "built"}] = stdcmp.Or(line.Pinned, line.Version)
		case line.State == pins.Retired:
			want[key{line.Wheel, line.Platform, "upstream"}] = line.Version
		}
	}
	for _, e := range set {
		// The plan has upstream's version, without the local part that says what a wheel is made for.
		have[key{e.Pin, e.Platform, e.Origin}], _, _ = strings.Cut(e.Version, "+")
	}
	if len(want) == 0 {
		t.Fatal("the plan builds nothing")
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("planned (-) and present (+) wheels differ:\n%s", diff)
	}
}

// Each of them is a file, under the name that set.json gives.
func TestWheelsExist(t *testing.T) {
	for _, e := range readSet(t) {
		path, err := runfiles.Rlocation("_main/" + e.Path)
		if err != nil {
			t.Errorf("%s: %v", e.File, err)
			continue
		}
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s is missing or empty (%v)", e.File, err)
		}
		if filepath.Base(path) != e.File {
			t.Errorf("%s lies under the name %s", e.File, filepath.Base(path))
		}
	}
}

// docs/plan.md shows the plan, skipped wheels and their reasons included.
func TestPlanPageIsFresh(t *testing.T) {
	want, err := readPlan(t).Markdown()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/plan.md")
	if err != nil {
		t.Fatal(err)
	}
	_, have, found := strings.Cut(string(page), "\n\n")
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(have, "\n")); !found || diff != "" {
		t.Errorf("stale: run \"./bazelw run //wheels:plan -- --format markdown\" and put its table into docs/plan.md (-want +have):\n%s", diff)
	}
}
