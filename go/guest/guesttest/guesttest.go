// Package guesttest is what tests that run programs in a [guest.Guest] share:
// their inputs from Bazel, and the guest itself.
package guesttest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/guest"
)

// suites: trixie is stable, with Wine 10; sid is where a newer one would be.
var suites = []string{"trixie", "sid"}

// Input is the absolute path of a file that the BUILD file names in the
// environment, as $(rlocationpath).
func Input(t *testing.T, variable string) string {
	t.Helper()
	all := Inputs(t, variable)
	if len(all) != 1 {
		t.Fatalf("%s names %d files, want one", variable, len(all))
	}
	return all[0]
}

// Inputs is the same for $(rlocationpaths) of any number of files.
func Inputs(t *testing.T, variable string) []string {
	t.Helper()
	var paths []string
	for _, p := range strings.Fields(os.Getenv(variable)) {
		if !filepath.IsAbs(p) {
			p = filepath.Join(os.Getenv("TEST_SRCDIR"), p)
		}
		// What goes into the guest must not be a link out of it.
		real, err := filepath.EvalSymlinks(p)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, real)
	}
	if len(paths) == 0 {
		t.Fatalf("%s is not set: run this with ./bazelw test", variable)
	}
	return paths
}

// Open gives the guest that DEBROOT and GUEST_PACKAGES describe. A machine that
// cannot have one skips the test and says why; with SPARKWHEELS_LOADER=require
// in the environment that is a failure.
func Open(t *testing.T) *guest.Guest {
	t.Helper()
	g, err := guest.Open(t.Context(), guest.Options{
		Debroot: Input(t, "DEBROOT"), Packages: Input(t, "GUEST_PACKAGES"), Suites: suites, Log: os.Stderr,
	})
	if unavailable := (*guest.Unavailable)(nil); errors.As(err, &unavailable) && os.Getenv("SPARKWHEELS_LOADER") != "require" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}
