package audit

import (
	"bytes"
	"encoding/binary"
	"path"
	"regexp"
	"strings"
	"unicode/utf16"

	"github.com/sparkwheels/sparkwheels/go/native"
)

// checkVendor refuses binaries that say they are a vendor's.
func (a *auditor) checkVendor(name string, binary *native.Binary) {
	if binary.PE == nil {
		return
	}
	company := binary.PE.Version["CompanyName"]
	for _, vendor := range a.policy.Vendors {
		if strings.Contains(strings.ToLower(company), strings.ToLower(vendor)) {
			a.add("vendor-binary", name, "leave it out; the user installs it from the vendor", "is a binary of %s, which may not be redistributed here", company)
			return
		}
	}
}

// checkVendorFile refuses the file names of such binaries; found tells whether
// it did.
func (a *auditor) checkVendorFile(name string) (found bool) {
	found = matches(a.policy.VendorFiles, path.Base(name), strings.ToLower)
	if found {
		a.add("vendor-name", name, "leave it out; the user installs it from the vendor", "is called like a vendor's library, which may not be redistributed here")
	}
	return found
}

// absolute is a path from the root of a file system or of a Windows drive.
var absolute = regexp.MustCompile(`^([A-Za-z]:)?[\\/]`)

// checkDebugPath refuses the full path of a debug file, which is a build path
// whatever folder it names.
func (a *auditor) checkDebugPath(name string, binary *native.Binary) {
	if binary.PE != nil && absolute.MatchString(binary.PE.PDB) {
		a.add("debug-path", name, "link without debug information or with /PDBALTPATH:%_PDB%", "records the absolute path %s of its debug file", binary.PE.PDB)
	}
}

// checkPaths searches a member for folders of the build. In native members it
// also searches for the UTF-16 form, which Windows programs hold.
func (a *auditor) checkPaths(name string, data []byte, isNative bool) {
	if matches(a.options.Paths, name, strings.Clone) {
		return
	}
	patterns := a.policy.BuildPaths.Everywhere
	folder, _, _ := strings.Cut(name, "/")
	if isNative || strings.HasSuffix(folder, ".dist-info") && !strings.HasSuffix(name, "/METADATA") {
		patterns = append(append([]string{}, patterns...), a.policy.BuildPaths.Native...)
	}
	for _, pattern := range patterns {
		found, ok := "", false
		if at := bytes.Index(data, []byte(pattern)); at >= 0 {
			found, ok = around(data, at, at+len(pattern)), true
		} else if isNative {
			wide := utf16Bytes(pattern)
			if at := bytes.Index(data, wide); at >= 0 {
				found, ok = pattern+" in UTF-16", true
			}
		}
		if ok {
			a.add("build-path", name, "map it away (-ffile-prefix-map, SOURCE_DATE_EPOCH-like switches of the generator), or name the member in allowed_paths if it is plain text",
				"holds the build path %q", found)
		}
	}
}

// around extends a match to the printable text that it stands in, so far as
// that is of use to a reader.
func around(data []byte, from, to int) string {
	const most = 100
	printable := func(b byte) bool { return b > ' ' && b < 0x7f && b != '"' && b != '\'' }
	low, high := max(0, from-most), min(len(data), to+most)
	for from > low && printable(data[from-1]) {
		from--
	}
	for to < high && printable(data[to]) {
		to++
	}
	return string(data[from:to])
}

func utf16Bytes(text string) []byte {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return out
}
