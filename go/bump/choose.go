// Package bump finds what is newer upstream than what is pinned, and moves pins there.
//
// Its primary type is Choice, the newest release that a pin could move to. Newest makes one from what package upstream
// answers; Outdated makes a table of them; Resolve turns them into edits of pins.json, which a Bump writes only when every
// file was fetched and hashed, the new text loads without a problem, and the patches were tried.
package bump

import (
	"fmt"
	"slices"
	"strings"

	pep440 "github.com/aquasecurity/go-pep440-version"

	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/upstream"
)

// Choice is the release that a pin could move to.
type Choice struct {
	// Release is the newest that fits the pin, or the one that was asked for.
	Release upstream.Release
	// File is the file that the pin would name; of package indexes only.
	File upstream.File
	// Passed are newer versions that do not fit, newest first, each with the reason.
	Passed []string
}

// Newest picks the newest release that fits the pin: no pre-release unless the pinned version is one, nothing yanked, a file
// of the pinned kind (sdist, or wheel for the same platform) that our Python takes. wanted, if not empty, asks for exactly
// that version, pre-release or not.
func Newest(p *pins.Pin, releases []upstream.Release, wanted string) (*Choice, error) {
	sorted := slices.Clone(releases)
	slices.SortStableFunc(sorted, func(a, b upstream.Release) int { return upstream.Compare(b.Version, a.Version) })
	var passed, strange []string
	if p.Source.PyPI != nil {
		sorted = slices.DeleteFunc(sorted, func(r upstream.Release) bool {
			_, err := pep440.Parse(r.Version)
			if err != nil {
				strange = append(strange, fmt.Sprintf("%q is not a PEP 440 version", r.Version))
			}
			return err != nil
		})
	}
	for _, r := range sorted {
		if wanted != "" && upstream.Compare(r.Version, wanted) != 0 || wanted == "" && untagged(p.Version) != untagged(r.Version) {
			continue
		}
		file, why := fits(p, r, wanted != "")
		if why == "" {
			// Where such a version stands cannot be told; it matters when nothing else is newer.
			if upstream.Compare(r.Version, p.Version) <= 0 && wanted == "" {
				passed = append(passed, strange...)
			}
			return &Choice{r, file, passed}, nil
		}
		if wanted != "" {
			return nil, fmt.Errorf("%s: %s", r.Version, why)
		}
		passed = append(passed, r.Version+" "+why)
	}
	switch {
	case wanted != "":
		return nil, fmt.Errorf("upstream has no version %s%s", wanted, nearest(sorted))
	case len(passed)+len(strange) > 0:
		return nil, fmt.Errorf("upstream has no version that fits: %s", strings.Join(append(passed, strange...), "; "))
	}
	return nil, fmt.Errorf("upstream has no version that fits")
}

// untagged tells whether a version is that of a commit without a tag.
func untagged(version string) bool { return strings.HasPrefix(version, "0+git.") }

func nearest(sorted []upstream.Release) string {
	var names []string
	for _, r := range sorted[:min(3, len(sorted))] {
		names = append(names, r.Version)
	}
	if names == nil {
		return ""
	}
	return "; the newest are " + strings.Join(names, ", ")
}

// fits returns the file of a release that the pin would name, or why it does not fit.
func fits(p *pins.Pin, r upstream.Release, asked bool) (file upstream.File, why string) {
	switch {
	case r.Yanked:
		return file, "was yanked"
	case !asked && upstream.PreRelease(r.Version) && !upstream.PreRelease(p.Version):
		return file, "is a pre-release"
	case p.Source.PyPI == nil:
		return file, ""
	}
	pinned := p.Source.PyPI.File
	isWheel := strings.HasSuffix(pinned, ".whl")
	what := "no sdist"
	if isWheel {
		what = "no wheel for the platform of " + pinned
	}
	var found []upstream.File
	why = "has " + what
	for _, f := range r.Files {
		switch {
		case isWheel && !sameShape(f.Name, pinned) || !isWheel && strings.HasSuffix(f.Name, ".whl"):
		case f.Yanked:
			why = f.Name + " was yanked"
		case !admitsPython(f.RequiresPython):
			why = fmt.Sprintf("wants Python %s", f.RequiresPython)
		default:
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return file, why
	}
	slices.SortStableFunc(found, func(a, b upstream.File) int { return likeness(b.Name, pinned) - likeness(a.Name, pinned) })
	return found[0], ""
}

// likeness says how much a file's name is like the pinned one's: the more tags are the same, the better.
func likeness(file, pinned string) int {
	n, a, b := 0, strings.Split(file, "-"), strings.Split(pinned, "-")
	if strings.HasSuffix(file, ".tar.gz") {
		n++
	}
	for i := 1; i <= 3; i++ {
		if len(a) >= 5 && len(b) >= 5 && a[len(a)-i] == b[len(b)-i] {
			n += 2
		}
	}
	return n
}

// wheelFor returns the wheel of a release that our Python on the platform would install. One for any platform is not meant:
// of a project with native code it is one that works nowhere, or that lacks it.
func wheelFor(r upstream.Release, platform string) (upstream.File, bool) {
	for _, f := range r.Files {
		if !f.Yanked && strings.HasSuffix(f.Name, ".whl") && !strings.HasSuffix(f.Name, "-any.whl") && Installs(f.Name, platform) && admitsPython(f.RequiresPython) {
			return f, true
		}
	}
	return upstream.File{}, false
}

// NewestWheel returns the newest release, no pre-release, whose wheel our Python on the platform would install, and that file.
func NewestWheel(releases []upstream.Release, platform string) (version string, file upstream.File, ok bool) {
	for _, r := range releases {
		if r.Yanked || upstream.PreRelease(r.Version) || version != "" && upstream.Compare(r.Version, version) <= 0 {
			continue
		}
		if f, has := wheelFor(r, platform); has {
			version, file, ok = r.Version, f, true
		}
	}
	return version, file, ok
}

// FirstWheel returns the oldest such release.
func FirstWheel(releases []upstream.Release, platform string) (version string) {
	for _, r := range releases {
		if r.Yanked || upstream.PreRelease(r.Version) || version != "" && upstream.Compare(r.Version, version) >= 0 {
			continue
		}
		if _, has := wheelFor(r, platform); has {
			version = r.Version
		}
	}
	return version
}
