package wheel

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// licenseMetadata is the first version of METADATA that knows License-File
// (PEP 639).
const licenseMetadata = "2.4"

// addLicenseFile lists a licence text in METADATA, whose version is raised to
// one that knows the field.
func addLicenseFile(metadata []byte, name string) ([]byte, error) {
	headers, err := ParseHeaders(metadata)
	if err != nil {
		return nil, err
	}
	version, err := headers.One("Metadata-Version")
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(version, "1.") || version == "2.0" || version == "2.1" || version == "2.2" || version == "2.3" {
		if metadata, err = SetHeader(metadata, "Metadata-Version", licenseMetadata); err != nil {
			return nil, err
		}
	}
	// After the fields, before the empty line that ends them.
	end := bytes.Index(metadata, []byte("\n\n"))
	newline := "\n"
	if crlf := bytes.Index(metadata, []byte("\r\n\r\n")); crlf >= 0 && (end < 0 || crlf < end) {
		end, newline = crlf, "\r\n"
	}
	if end < 0 {
		metadata = append(bytes.TrimRight(metadata, "\r\n"), '\n')
		end = len(metadata) - 1
	}
	line := fmt.Sprintf("%sLicense-File: %s", newline, name)
	return bytes.Join([][]byte{metadata[:end], []byte(line), metadata[end:]}, nil), nil
}

// unlisted names the texts in .dist-info/licenses that METADATA does not list,
// as some back ends leave it.
func unlisted(archive *Archive, meta *Meta) []string {
	listed := meta.Headers.Values("License-File")
	var names []string
	for _, member := range archive.Members {
		if name, found := strings.CutPrefix(member.Name, meta.DistInfo+"/licenses/"); found && !slices.Contains(listed, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
