// Package loader_test runs what the wheels hold: the native members of
// win_arm64 wheels under ARM64 Wine, and linux_aarch64 wheels, with a part of
// their own tests, under an arm64 Python.
//
// Everything happens in a guest ([guest.Open]) that the first test makes from
// Debian's packages. A machine that cannot have one skips the tests and says
// why; with SPARKWHEELS_LOADER=require in the environment that is a failure.
package loader_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/archive"
	"github.com/sparkwheels/sparkwheels/go/guest"
)

// suites: trixie is stable, with Wine 10; sid is where a newer one would be.
var suites = []string{"trixie", "sid"}

// input is the absolute path of a file that the BUILD file names in the
// environment, as $(rlocationpath).
func input(t *testing.T, variable string) string {
	t.Helper()
	all := inputs(t, variable)
	if len(all) != 1 {
		t.Fatalf("%s names %d files, want one", variable, len(all))
	}
	return all[0]
}

// inputs is the same for $(rlocationpaths) of any number of files.
func inputs(t *testing.T, variable string) []string {
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
		t.Fatalf("%s is not set: run this with ./bazelw test //e2e/loader/...", variable)
	}
	return paths
}

// wheels are the wheels with a platform tag that ends so.
func wheels(t *testing.T, platform string) []string {
	t.Helper()
	all := slices.DeleteFunc(inputs(t, "WHEELS"), func(p string) bool { return !strings.HasSuffix(p, platform+".whl") })
	if len(all) == 0 {
		t.Fatalf("WHEELS has no wheel for %s", platform)
	}
	return all
}

// open gives the guest, or skips the test.
func open(t *testing.T) *guest.Guest {
	t.Helper()
	g, err := guest.Open(t.Context(), guest.Options{
		Debroot: input(t, "DEBROOT"), Packages: input(t, "GUEST_PACKAGES"), Suites: suites, Log: os.Stderr,
	})
	if unavailable := (*guest.Unavailable)(nil); errors.As(err, &unavailable) && os.Getenv("SPARKWHEELS_LOADER") != "require" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// unpack extracts wheels into one new folder.
func unpack(t *testing.T, files ...string) string {
	t.Helper()
	return extract(t, archive.Options{}, files...)
}

// unpackPart extracts what the patterns name, without the first strip folders.
func unpackPart(t *testing.T, file string, strip int, patterns ...string) string {
	t.Helper()
	return extract(t, archive.Options{Strip: strip, Include: patterns}, file)
}

func extract(t *testing.T, options archive.Options, files ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	options.Limits = archive.DefaultLimits
	if err := archive.Extract(dir, options, files...); err != nil {
		t.Fatal(err)
	}
	return dir
}
