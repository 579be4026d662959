package wheel

import (
	"fmt"
	"regexp"
	"strings"

	pep440 "github.com/aquasecurity/go-pep440-version"
)

// Name is a wheel's file name, taken apart:
// distribution-version[-build]-python-abi-platform.whl.
type Name struct {
	// Distribution is the project's name with "_" where it has "-" or ".".
	Distribution string
	// Version is the version with its local part, such as 2.8.3+cu134torch2.14.
	Version string
	// Build is the build tag, which starts with a digit, or "".
	Build string
	// Python, ABI and Platform are the three tag sets; most have one element.
	Python, ABI, Platform []string
}

// Tag is one combination of a wheel's tag sets.
type Tag struct{ Python, ABI, Platform string }

// String gives the form of the WHEEL file, such as cp312-cp312-win_arm64.
func (t Tag) String() string { return t.Python + "-" + t.ABI + "-" + t.Platform }

var (
	distributionForm = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._]*[A-Za-z0-9])?$`)
	versionForm      = regexp.MustCompile(`^[A-Za-z0-9._!+]+$`)
	buildForm        = regexp.MustCompile(`^[0-9][A-Za-z0-9_.]*$`)
	tagForm          = regexp.MustCompile(`^[a-z0-9_]+$`)
	separators       = regexp.MustCompile(`[-_.]+`)
)

// ParseName takes a file name (without folders) apart. It accepts names that
// older tools wrote, such as PyWavelets-1.0-…; Canonical tells them.
func ParseName(base string) (Name, error) {
	fail := func(what string, args ...any) (Name, error) {
		return Name{}, fmt.Errorf("%s: %s; a wheel's name is distribution-version[-build]-python-abi-platform.whl", base, fmt.Sprintf(what, args...))
	}
	stem, ok := strings.CutSuffix(base, ".whl")
	if !ok {
		return fail("the name does not end in .whl")
	}
	parts := strings.Split(stem, "-")
	if len(parts) != 5 && len(parts) != 6 {
		return fail("the name has %d parts and not 5 or 6", len(parts))
	}
	name := Name{Distribution: parts[0], Version: parts[1]}
	if !distributionForm.MatchString(name.Distribution) {
		return fail("%q is no distribution name", name.Distribution)
	}
	if _, err := CanonicalVersion(name.Version); err != nil || !versionForm.MatchString(name.Version) {
		return fail("%q is no version", name.Version)
	}
	if len(parts) == 6 {
		name.Build = parts[2]
		if !buildForm.MatchString(name.Build) {
			return fail("%q is no build tag, which starts with a digit", name.Build)
		}
	}
	tags := parts[len(parts)-3:]
	for i, set := range []*[]string{&name.Python, &name.ABI, &name.Platform} {
		*set = strings.Split(tags[i], ".")
		for _, tag := range *set {
			if !tagForm.MatchString(tag) {
				return fail("%q is no tag", tag)
			}
		}
	}
	return name, nil
}

// String gives the file name.
func (n Name) String() string {
	parts := []string{n.Distribution, n.Version}
	if n.Build != "" {
		parts = append(parts, n.Build)
	}
	for _, set := range [][]string{n.Python, n.ABI, n.Platform} {
		parts = append(parts, strings.Join(set, "."))
	}
	return strings.Join(parts, "-") + ".whl"
}

// Stem gives distribution-version, which the .dist-info folder is named after.
func (n Name) Stem() string { return n.Distribution + "-" + n.Version }

// Tags expands the tag sets in the order of the file name.
func (n Name) Tags() []Tag {
	var tags []Tag
	for _, python := range n.Python {
		for _, abi := range n.ABI {
			for _, platform := range n.Platform {
				tags = append(tags, Tag{python, abi, platform})
			}
		}
	}
	return tags
}

// Canonical gives the name with its distribution and version normalised.
func (n Name) Canonical() Name {
	n.Distribution = EscapeProject(n.Distribution)
	if version, err := CanonicalVersion(n.Version); err == nil {
		n.Version = version
	}
	return n
}

// NormalizeProject gives a project's normalised name (PEP 503): lower case and
// "-" for every run of "-", "_" and ".".
func NormalizeProject(name string) string {
	return strings.ToLower(separators.ReplaceAllString(name, "-"))
}

// EscapeProject gives a project's name as file names spell it: normalised, with
// "_" for "-".
func EscapeProject(name string) string {
	return strings.ReplaceAll(NormalizeProject(name), "-", "_")
}

// CanonicalVersion gives a version's normal form (PEP 440), so that 1.0-RC1
// becomes 1.0rc1.
func CanonicalVersion(version string) (string, error) {
	parsed, err := pep440.Parse(version)
	if err != nil {
		return "", fmt.Errorf("%q is no version as PEP 440 has them", version)
	}
	public, local, found := strings.Cut(parsed.String(), "+")
	if !found {
		return public, nil
	}
	// The library keeps the separators of the local part as they were.
	return public + "+" + separators.ReplaceAllString(local, "."), nil
}
