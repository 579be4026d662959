package audit

import (
	"fmt"
	"slices"
	"strings"

	pep440 "github.com/aquasecurity/go-pep440-version"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

const retag = "rename the wheel with `wheel retag`, which also rewrites WHEEL and RECORD"

// checkNames compares the file name with METADATA, WHEEL and the policy.
func (a *auditor) checkNames() {
	base := a.archive.Base
	name, nameErr := wheel.ParseName(base)
	if nameErr != nil {
		a.add("wheel-name", base, "name the file as its WHEEL says", "%s", strings.TrimPrefix(nameErr.Error(), base+": "))
	} else {
		a.name = name
		if canonical := name.Canonical(); canonical.String() != base && !a.options.Upstream {
			a.add("wheel-name", base, "pack the wheel with `wheel pack`", "is not normalised; the name should be %s", canonical)
		}
		if a.options.Upstream && !a.acceptsUpstream(name.Platform) {
			a.add("platform-tag", base, "pin the wheel that upstream published for it", "has no platform tag that the policy %s accepts", a.policy.Platform)
		}
		for _, platform := range name.Platform {
			if !a.options.Upstream && platform != wheel.AnyPlatform && !slices.Contains(a.policy.Tags, platform) {
				a.add("platform-tag", base, "build it for "+strings.Join(a.policy.Tags, " or "), "has the platform tag %s, which the policy %s does not know", platform, a.policy.Platform)
			}
		}
	}
	meta, err := wheel.ReadMeta(a.archive)
	if err != nil {
		a.addError(err)
		return
	}
	a.meta = meta
	a.report.Name, a.report.Version, a.report.Tags = meta.Project, meta.Version, meta.Info.Tags
	if nameErr != nil {
		return
	}
	metadata, info := meta.DistInfo+"/METADATA", meta.DistInfo+"/WHEEL"
	if wheel.EscapeProject(meta.Project) != wheel.EscapeProject(name.Distribution) {
		a.add("name-mismatch", metadata, retag, "has the name %s, and the file is called %s", meta.Project, name.Distribution)
	}
	version, err := wheel.CanonicalVersion(meta.Version)
	if err != nil {
		a.add("metadata-version", metadata, "give the project a version that PEP 440 allows", "%v", err)
	} else if canonical := name.Canonical().Version; version != canonical {
		a.add("name-mismatch", metadata, retag, "has the version %s, and the file name has %s", meta.Version, name.Version)
	}
	if meta.DistInfo != name.Stem()+".dist-info" {
		a.add("name-mismatch", meta.DistInfo, retag, "should be called %s.dist-info as the file name says", name.Stem())
	}
	a.checkTags(info)
	a.checkRequiresPython(metadata)
}

// addError adds an error that another package made, which is Problems already
// or becomes one.
func (a *auditor) addError(err error) {
	if found, ok := err.(wheel.Problems); ok {
		a.addAll("metadata-missing", found)
		return
	}
	a.add("metadata-missing", a.archive.Base, rebuild, "%v", err)
}

func (a *auditor) checkTags(info string) {
	var want []string
	for _, tag := range a.name.Tags() {
		want = append(want, tag.String())
	}
	got := slices.Clone(a.meta.Info.Tags)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		a.add("tag-mismatch", info, retag, "has the tags %s, and the file name has %s", strings.Join(got, ", "), strings.Join(want, ", "))
	}
	if a.meta.Info.Build != a.name.Build {
		a.add("tag-mismatch", info, retag, "has the build tag %q, and the file name has %q", a.meta.Info.Build, a.name.Build)
	}
}

// checkRequiresPython refuses a wheel that pip would refuse on the very Python
// that it is tagged for.
func (a *auditor) checkRequiresPython(metadata string) {
	values := a.meta.Headers.Values("Requires-Python")
	switch {
	case len(values) == 0:
		return
	case len(values) > 1:
		a.add("requires-python", metadata, rebuild, "has %d Requires-Python fields", len(values))
		return
	}
	a.report.RequiresPython = values[0]
	specifiers, err := pep440.NewSpecifiers(values[0])
	if err != nil {
		a.add("requires-python", metadata, "write a version specifier as PEP 440 has them, such as >=3.9", "has the Requires-Python %q, which cannot be read", values[0])
		return
	}
	for _, tag := range a.name.Python {
		if minor, found := strings.CutPrefix(tag, "cp3"); found && minor != "" && !admits(specifiers, minor) {
			a.add("requires-python", metadata, "correct requires-python, or build for a Python that it admits", "has the Requires-Python %s, which excludes the Python %s of the file name", values[0], tag)
		}
	}
}

// admits tells whether any micro release of Python 3.minor is admitted.
func admits(specifiers pep440.Specifiers, minor string) bool {
	for micro := range 50 {
		if version, err := pep440.Parse(fmt.Sprintf("3.%s.%d", minor, micro)); err == nil && specifiers.Check(version) {
			return true
		}
	}
	return false
}

// checkRecord compares RECORD with the members.
func (a *auditor) checkRecord() {
	if a.meta == nil {
		return
	}
	const fix = "pack the wheel with `wheel pack`, which writes RECORD anew"
	place := a.meta.DistInfo + "/RECORD"
	member := a.archive.Member(place)
	if member == nil {
		a.add("record", place, fix, "is missing")
		return
	}
	data, err := member.Read()
	if err != nil {
		return // told when the members were read
	}
	entries, err := wheel.ParseRecord(data)
	if err != nil {
		a.add("record", place, fix, "cannot be read: %v", err)
		return
	}
	listed := map[string]bool{}
	for _, entry := range entries {
		actual, there := a.hashes[entry.Path]
		switch {
		case listed[entry.Path]:
			a.add("record", entry.Path, fix, "is in RECORD twice")
		case entry.Path == place:
			if entry.Hash != "" {
				a.add("record", place, fix, "has a hash of itself, which cannot be true")
			}
		case !there && a.archive.Member(entry.Path) == nil:
			a.add("record", entry.Path, fix, "is in RECORD and not in the wheel")
		case !there: // told when the members were read
		case !strings.HasPrefix(entry.Hash, "sha256="):
			a.add("record", entry.Path, fix, "has the hash %q in RECORD, which is no sha256", entry.Hash)
		case entry.Hash != actual.Hash:
			a.add("record", entry.Path, fix, "has the hash %s in RECORD and is %s", entry.Hash, actual.Hash)
		case entry.Size != actual.Size:
			a.add("record", entry.Path, fix, "has the size %d in RECORD and is %d bytes long", entry.Size, actual.Size)
		}
		listed[entry.Path] = true
	}
	for _, member := range a.archive.Members {
		if !listed[member.Name] && member.Name != place+".jws" && member.Name != place+".p7s" {
			a.add("record", member.Name, fix, "is not in RECORD")
		}
	}
}
