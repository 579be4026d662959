package tests

import (
	"archive/zip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/audit"
)

// TestVendorDigests holds the audit's list of NVIDIA's files against the pinned
// packages: a bump of the pins must bring the list along.
func TestVendorDigests(t *testing.T) {
	packages := strings.Fields(os.Getenv("PACKAGES"))
	if len(packages) == 0 {
		t.Skip("PACKAGES is not set: run by `bazel test //toolchains/cuda/tests:all`")
	}
	for _, name := range packages {
		archive, err := zip.OpenReader(runfile(t, name))
		if err != nil {
			t.Fatal(err)
		}
		defer archive.Close()
		seen := 0
		for _, member := range archive.File {
			// What the index says of a package is no part of the toolkit.
			if member.FileInfo().IsDir() || strings.Contains(member.Name, ".dist-info/") {
				continue
			}
			file, err := member.Open()
			if err != nil {
				t.Fatal(err)
			}
			hash := sha256.New()
			if _, err := io.Copy(hash, file); err != nil {
				t.Fatal(err)
			}
			seen++
			if _, found := audit.VendorFile(fmt.Sprintf("%x", hash.Sum(nil))); !found && member.UncompressedSize64 > 0 {
				t.Errorf("%s: %s is not in go/audit/data/vendor_digests.txt", name, member.Name)
			}
		}
		if seen == 0 {
			t.Errorf("%s is empty", name)
		}
	}
}
