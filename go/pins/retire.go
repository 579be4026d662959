package pins

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	pep440 "github.com/aquasecurity/go-pep440-version"

	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// Retirement says that upstream ships a wheel for a platform itself, and which of its wheels stands in the set for ours.
type Retirement struct {
	// Since is the first upstream version that is known to ship the wheel.
	Since string `json:"since"`
	// Use is the wheel that the set takes.
	Use UpstreamWheel `json:"use"`
}

// UpstreamWheel is a wheel of the Python package index, of the project that its name says.
type UpstreamWheel struct {
	// File is the exact file name.
	File string `json:"file"`
	// SHA256 is the hash of the file, 64 lower-case hex digits.
	SHA256 string `json:"sha256"`
}

// Project returns the project's normalised name (PEP 503).
func (u UpstreamWheel) Project() string {
	name, _, _ := strings.Cut(u.File, "-")
	return normalise(name)
}

// Version returns the version in the file's name.
func (u UpstreamWheel) Version() string {
	parts := strings.Split(u.File, "-")
	if len(parts) < 2 {
		return ""
	}
	return parts[1]
}

// UpstreamName returns the name of the repository that holds the upstream wheel of a pin for a platform.
func UpstreamName(pin, platform string) string { return pin + "_" + platform + "_upstream" }

// platformTags tells a wheel's platform by the end of its platform tag.
var platformTags = map[string]string{"linux_aarch64": "_aarch64", "win_arm64": "win_arm64"}

// checkRetired reports retirements that name no usable wheel, or wheels of different versions: the set holds one version of a
// project, or a user would get another one on each platform.
func (p *Pin) checkRetired(bad func(key, format string, args ...any)) {
	want, from := "", ""
	if len(p.OwnPlatforms()) > 0 {
		want, from = p.Version, "the pin builds"
	}
	for _, platform := range slices.Sorted(maps.Keys(p.Retired)) {
		key, r := "retired."+platform, p.Retired[platform]
		if !slices.Contains(p.Platforms, platform) {
			bad(key, "not among the pin's platforms")
			continue
		}
		if r == nil {
			bad(key, "is null, want {\"since\", \"use\"}")
			continue
		}
		since, err := pep440.Parse(r.Since)
		if err != nil {
			bad(key+".since", "%q is not a PEP 440 version", r.Since)
			continue
		}
		if text := hexProblem(r.Use.SHA256, 64); text != "" {
			bad(key+".use.sha256", "%s", text)
		}
		name, err := wheel.ParseName(r.Use.File)
		if err != nil {
			bad(key+".use.file", "%q is not a wheel's name (PEP 427)", r.Use.File)
			continue
		}
		if !slices.ContainsFunc(name.Platform, func(tag string) bool { return tag == "any" || strings.HasSuffix(tag, platformTags[platform]) }) {
			bad(key+".use.file", "%q is not for %s", r.Use.File, platform)
		}
		if s := p.Source.PyPI; s != nil && r.Use.Project() != s.Project {
			bad(key+".use.file", "%q is a file of project %q, not of %q", r.Use.File, r.Use.Project(), s.Project)
		}
		version, err := pep440.Parse(r.Use.Version())
		if err != nil {
			bad(key+".use.file", "%q is not a PEP 440 version", r.Use.Version())
			continue
		}
		if version.LessThan(since) {
			bad(key+".use.file", "is of version %s, before %s, since when upstream ships it", r.Use.Version(), r.Since)
		}
		if want == "" {
			want, from = r.Use.Version(), fmt.Sprintf("%s uses", platform)
		} else if same, err := pep440.Parse(want); err == nil && !version.Equal(same) {
			bad(key+".use.file", "is of version %s, but %s %s: the set would hold two versions", r.Use.Version(), from, want)
		}
	}
}

// OwnPlatforms returns the platforms whose wheel in the set is built here, sorted: wanted, not blocked, not retired, and
// run before.
func (p *Pin) OwnPlatforms() []string {
	return slices.DeleteFunc(p.BuiltPlatforms(), func(name string) bool { return p.Retired[name] != nil || p.NeverRun[name] != "" })
}

// RetiredPlatforms returns the platforms whose wheel in the set is upstream's, sorted.
func (p *Pin) RetiredPlatforms() []string { return slices.Sorted(maps.Keys(p.Retired)) }
