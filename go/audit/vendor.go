package audit

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed data/vendor_digests.txt
var vendorDigestsText string

// vendorDigests maps the first 16 hex digits of a sha256 to the path of the
// vendor's file.
var vendorDigests = sync.OnceValue(func() map[string]string {
	digests := map[string]string{}
	for line := range strings.Lines(vendorDigestsText) {
		if digest, path, found := strings.Cut(strings.TrimSpace(line), " "); found && digest != "#" {
			digests[digest] = path
		}
	}
	return digests
})

// VendorFile tells whether a file is one of the toolkit that is pinned, by its
// sha256 in hex, and gives its path there.
func VendorFile(sha256 string) (path string, found bool) {
	path, found = vendorDigests()[sha256[:16]]
	return path, found
}

// checkVendorDigest refuses the very files of the toolkit that is pinned, under
// whatever name; found tells whether it did.
func (a *auditor) checkVendorDigest(name, sha256 string) (found bool) {
	path, found := VendorFile(sha256)
	if !found {
		path, found = a.options.Digests[sha256[:16]]
	}
	if found {
		a.add("vendor-digest", name, "leave it out; the user installs it from the vendor", "is NVIDIA's %s, which may not be redistributed here", path)
	}
	return found
}
