package audit

import (
	"mime"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	pep440 "github.com/aquasecurity/go-pep440-version"
)

// metadataVersions are those of the PyPA "Core metadata specifications".
var metadataVersions = []string{"1.0", "1.1", "1.2", "2.1", "2.2", "2.3", "2.4", "2.5"}

// once are the fields that METADATA may have once only.
var once = []string{
	"Metadata-Version", "Name", "Version", "Summary", "Description", "Description-Content-Type", "Keywords", "Home-page",
	"Download-URL", "Author", "Author-email", "Maintainer", "Maintainer-email", "License", "License-Expression", "Requires-Python",
}

var (
	// requirement is the beginning of a PEP 508 requirement.
	requirement = regexp.MustCompile(`^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(\[[^\]]*\])?\s*(.*)$`)
	extraName   = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$`)
)

// checkMetadata applies what an index asks of METADATA when a wheel is
// uploaded, as `twine check` and the index itself do.
func (a *auditor) checkMetadata() {
	if a.meta == nil {
		return
	}
	place := a.meta.DistInfo + "/METADATA"
	const fix = "correct the project's metadata by a patch"
	headers := a.meta.Headers
	version := strings.Join(headers.Values("Metadata-Version"), ", ")
	if !slices.Contains(metadataVersions, version) {
		a.add("metadata-version", place, fix, "has the Metadata-Version %q, which no index knows", version)
	}
	for _, key := range once {
		if count := len(headers.Values(key)); count > 1 {
			a.add("metadata-field", place, fix, "has %d %s fields and not 1", count, key)
		}
	}
	for _, summary := range headers.Values("Summary") {
		if strings.Contains(summary, "\n") || len(summary) > 512 {
			a.add("metadata-field", place, fix, "has a Summary of several lines or more than 512 characters")
		}
	}
	for _, field := range headers.Values("Requires-Dist") {
		if !validRequirement(field) {
			a.add("metadata-field", place, fix, "has the Requires-Dist %q, which is no requirement as PEP 508 has them", field)
		}
	}
	for _, extra := range headers.Values("Provides-Extra") {
		if !extraName.MatchString(extra) {
			a.add("metadata-field", place, fix, "has the Provides-Extra %q, which is no name", extra)
		}
	}
	for _, url := range headers.Values("Project-URL") {
		label, address, found := strings.Cut(url, ",")
		if !found || strings.TrimSpace(address) == "" || len(strings.TrimSpace(label)) > 32 {
			a.add("metadata-field", place, fix, "has the Project-URL %q, which is no \"label, address\" with a label of at most 32 characters", url)
		}
	}
	a.checkDescription(place, fix)
	a.checkLicenses(place, fix, version)
}

// validRequirement tells whether a requirement's name and version can be read;
// its marker is not looked at.
func validRequirement(text string) bool {
	text, _, _ = strings.Cut(text, ";")
	parts := requirement.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return false
	}
	rest := strings.TrimSpace(parts[3])
	if rest == "" || strings.HasPrefix(rest, "@") {
		return true
	}
	_, err := pep440.NewSpecifiers(strings.Trim(rest, "()"))
	return err == nil
}

// checkDescription judges the description's type. Whether a text in that markup
// can be rendered is not tried.
func (a *auditor) checkDescription(place, fix string) {
	for _, value := range a.meta.Headers.Values("Description-Content-Type") {
		kind, parameters, err := mime.ParseMediaType(value)
		charset := strings.ToLower(parameters["charset"])
		variant := parameters["variant"]
		switch {
		case err != nil || !slices.Contains([]string{"text/plain", "text/x-rst", "text/markdown"}, kind):
			a.add("metadata-description", place, fix, "has the Description-Content-Type %q, which no index renders", value)
		case charset != "" && charset != "utf-8":
			a.add("metadata-description", place, fix, "has a description in %s and not in UTF-8", charset)
		case kind == "text/markdown" && variant != "" && variant != "GFM" && variant != "CommonMark":
			a.add("metadata-description", place, fix, "has the Markdown variant %s, which no index renders", variant)
		}
	}
	if member := a.archive.Member(place); member != nil {
		if data, err := member.Read(); err == nil && !utf8.Valid(data) {
			a.add("metadata-description", place, fix, "is not UTF-8")
		}
	}
}

// checkLicenses applies PEP 639: every License-File is there, and the fields
// that contradict each other do not stand together.
func (a *auditor) checkLicenses(place, fix, version string) {
	headers := a.meta.Headers
	if headers.Values("License-Expression") != nil {
		if headers.Values("License") != nil {
			a.add("metadata-license", place, fix, "has both License and License-Expression")
		}
		for _, classifier := range headers.Values("Classifier") {
			if strings.HasPrefix(classifier, "License ::") {
				a.add("metadata-license", place, fix, "has both License-Expression and the classifier %q", classifier)
			}
		}
	}
	for _, file := range headers.Values("License-File") {
		there := a.archive.Member(a.meta.DistInfo+"/licenses/"+file) != nil
		// Before 2.4, back ends wrote the field without the folder.
		old := strings.HasPrefix(version, "1.") || slices.Contains([]string{"2.1", "2.2", "2.3"}, version)
		there = there || old && a.archive.Member(a.meta.DistInfo+"/"+file[strings.LastIndex(file, "/")+1:]) != nil
		if !there {
			a.add("metadata-license", place, fix, "lists the License-File %s, which is not in .dist-info/licenses", file)
		}
	}
}
