// Package loader_test runs what the wheels hold: the native members of
// win_arm64 wheels under ARM64 Wine, and linux_aarch64 wheels, with a part of
// their own tests, under an arm64 Python.
//
// Everything happens in a guest ([guesttest.Open]) that the first test makes from
// Debian's packages. A machine that cannot have one skips the tests and says
// why; with SPARKWHEELS_LOADER=require in the environment that is a failure.
package loader_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/archive"
	"github.com/sparkwheels/sparkwheels/go/guest/guesttest"
)

// What all tests of this kind share.
var (
	input  = guesttest.Input
	inputs = guesttest.Inputs
	open   = guesttest.Open
)

// wheels are the wheels with a platform tag that ends so.
func wheels(t *testing.T, platform string) []string {
	t.Helper()
	all := slices.DeleteFunc(inputs(t, "WHEELS"), func(p string) bool { return !strings.HasSuffix(p, platform+".whl") })
	if len(all) == 0 {
		t.Fatalf("WHEELS has no wheel for %s", platform)
	}
	return all
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
