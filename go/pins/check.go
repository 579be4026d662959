package pins

import (
	"fmt"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	pep440 "github.com/aquasecurity/go-pep440-version"
)

var (
	nameRE    = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	hexRE     = regexp.MustCompile(`^[0-9a-f]*$`)
	projectRE = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	plainRE   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)
	runRE     = regexp.MustCompile(`[-_.]+`)
	debVerRE  = regexp.MustCompile(`^([0-9]+:)?[0-9][A-Za-z0-9.+~-]*$`)
	debNameRE = regexp.MustCompile(`^[a-z0-9][a-z0-9+.-]+$`)
	debArchRE = regexp.MustCompile(`^[a-z0-9-]+$`)
	patchRE   = regexp.MustCompile(`^[0-9]{4}-[a-z0-9][a-z0-9._-]*\.patch$`)
)

// check reports what is wrong with the pin by itself.
func (p *Pin) check(problems *Problems) {
	bad := func(key, format string, args ...any) { problems.add(p.Name, key, format, args...) }
	if !nameRE.MatchString(p.Name) {
		bad("name", "want lower-case letters, digits and _, starting with a letter, as Bazel's repository names")
	}
	if !slices.Contains(kinds, p.Kind) {
		bad("kind", "%q is not one of %s", p.Kind, list(kinds))
	}
	if p.Version == "" {
		bad("version", "missing")
	} else if p.python() {
		if _, err := pep440.Parse(p.Version); err != nil {
			bad("version", "%q is not a PEP 440 version", p.Version)
		}
	} else if p.Source.Debian != nil {
		if !debVerRE.MatchString(p.Version) {
			bad("version", "%q is not a version of Debian's (deb-version(7))", p.Version)
		}
	} else if !plainRE.MatchString(p.Version) {
		bad("version", "%q: want letters, digits and . _ + - only", p.Version)
	}
	p.checkSource(bad)
	p.checkPatches(bad)
	p.checkTargets(bad)
	if p.Build != "" && !slices.Contains(builds, p.Build) {
		bad("build", "%q is not one of %s", p.Build, list(builds))
	}
	if p.Overlay != "" && !p.Unpack {
		bad("overlay", "is for pins with \"unpack\": true")
	}
	if p.Unpack && len(p.Patches) > 0 {
		bad("patches", "an unpacked pin is used as it comes: patches are for what source_tree unpacks")
	}
}

// python says whether the pin's version is a Python package's.
func (p *Pin) python() bool {
	return p.Kind == Wheel || p.Kind == Backend || p.Source.PyPI != nil
}

// checkPatches reports patch names that are malformed or out of order; checkDisk looks for the files.
func (p *Pin) checkPatches(bad func(key, format string, args ...any)) {
	for i, name := range p.Patches {
		if !patchRE.MatchString(name) {
			bad("patches", "%q: want NNNN-what.patch", name)
		} else if i > 0 && name[:min(4, len(name))] <= p.Patches[i-1][:min(4, len(p.Patches[i-1]))] {
			bad("patches", "%q does not come after %q: numbers must rise", name, p.Patches[i-1])
		}
	}
	p.checkMemory(bad)
	if p.AllowOffset && len(p.Patches) == 0 {
		bad("allow_offset", "there is no patch to allow it for")
	}
}

// checkTargets reports platforms that are unknown or do not fit the kind, and reasons for platforms that nobody wants.
func (p *Pin) checkTargets(bad func(key, format string, args ...any)) {
	checkList(p.Platforms, platforms, "platforms", bad)
	checkList(p.ExecPlatforms, execPlatforms, "exec_platforms", bad)
	if p.Kind == Wheel {
		if len(p.Platforms) == 0 {
			bad("platforms", "missing: a wheel is wanted for at least one of %s", list(platforms))
		}
		if p.Build == "" {
			bad("build", "missing: a wheel needs one of %s", list(builds))
		}
		if p.RetireWhen == "" {
			bad("retire_when", "missing: say what upstream must publish for our build to become unnecessary")
		}
	} else {
		if p.RetireWhen != "" {
			bad("retire_when", "is for pins of kind %q", Wheel)
		}
		if p.Cost != "" {
			bad("cost", "is for pins of kind %q", Wheel)
		}
	}
	if p.Cost != "" && !slices.Contains(costs, p.Cost) {
		bad("cost", "%q is not one of %s", p.Cost, list(costs))
	}
	p.checkReasons("blocked", p.Blocked, bad)
	p.checkReasons("never_run", p.NeverRun, bad)
	for _, platform := range slices.Sorted(maps.Keys(p.NeverRun)) {
		if _, blocked := p.Blocked[platform]; blocked {
			bad("never_run."+platform, "is blocked, too: a wheel that cannot be built is never run")
		}
	}
	p.checkRetired(bad)
}

// checkReasons reports reasons for platforms that nobody wants, and empty ones.
func (p *Pin) checkReasons(key string, reasons map[string]string, bad func(key, format string, args ...any)) {
	for _, platform := range slices.Sorted(maps.Keys(reasons)) {
		if !slices.Contains(p.Platforms, platform) {
			bad(key+"."+platform, "not among the pin's platforms")
		}
		if strings.TrimSpace(reasons[platform]) == "" {
			bad(key+"."+platform, "is empty")
		}
	}
}

func checkList(got, known []string, key string, bad func(key, format string, args ...any)) {
	for i, name := range got {
		if !slices.Contains(known, name) {
			bad(key, "%q is not one of %s", name, list(known))
		}
		if slices.Contains(got[:i], name) {
			bad(key, "%q given twice", name)
		}
	}
}

// checkSource reports a source that is not exactly one of the known, or whose fields do not hold together.
func (p *Pin) checkSource(bad func(key, format string, args ...any)) {
	s := p.Source
	var set []string
	for _, c := range []struct {
		name string
		ok   bool
	}{
		{"archive", s.Archive != nil}, {"crate", s.Crate != nil}, {"debian", s.Debian != nil}, {"git", s.Git != nil}, {"maven", s.Maven != nil},
		{"pypi", s.PyPI != nil}, {"redist", s.Redist != nil}, {"unknown", s.Unknown != ""},
	} {
		if c.ok {
			set = append(set, c.name)
		}
	}
	if len(set) != 1 {
		bad("source", "want exactly one of archive, crate, debian, git, maven, pypi, redist, unknown; have %d", len(set))
		return
	}
	if s.Git != nil || s.Unknown != "" {
		if p.SHA256 != "" {
			bad("sha256", "a source of kind %q has none", set[0])
		}
	} else if text := hexProblem(p.SHA256, 64); text != "" {
		bad("sha256", "%s", text)
	}
	switch {
	case s.PyPI != nil:
		p.checkPyPI(bad)
	case s.Git != nil:
		checkURL(s.Git.Remote, "source.git.remote", bad)
		if text := hexProblem(s.Git.Commit, 40); text != "" {
			bad("source.git.commit", "%s", text)
		}
	case s.Archive != nil:
		if len(s.Archive.URLs) == 0 {
			bad("source.archive.urls", "missing")
		}
		for _, u := range s.Archive.URLs {
			checkURL(u, "source.archive.urls", bad)
			if path.Base(u) != p.File() {
				bad("source.archive.urls", "%q and %q name different files", p.File(), path.Base(u))
			}
		}
	case s.Redist != nil:
		p.checkRedist(bad)
	case s.Maven != nil:
		checkPlain(s.Maven.Group, "source.maven.group", bad)
		checkPlain(s.Maven.Artifact, "source.maven.artifact", bad)
		if s.Maven.Classifier != "" {
			checkPlain(s.Maven.Classifier, "source.maven.classifier", bad)
		}
	case s.Crate != nil:
		checkPlain(s.Crate.Crate, "source.crate.crate", bad)
	case s.Debian != nil:
		p.checkDebian(bad)
	case len(p.Patches) > 0 || p.Unpack:
		bad("source.unknown", "there is nothing to patch or unpack")
	}
}

// checkDebian reports names that are not Debian's (Debian Policy 5.6.1, 5.6.7, 5.6.8).
func (p *Pin) checkDebian(bad func(key, format string, args ...any)) {
	s := p.Source.Debian
	for _, c := range []struct{ key, name string }{{"package", s.Package}, {"source", s.Source}} {
		if !debNameRE.MatchString(c.name) && (c.name != "" || c.key == "package") {
			bad("source.debian."+c.key, "%q is not a package's name: lower-case letters, digits and . + -", c.name)
		}
	}
	if s.Source == s.Package && s.Source != "" {
		bad("source.debian.source", "is the package's own name: leave it out")
	}
	if !debArchRE.MatchString(s.Architecture) {
		bad("source.debian.architecture", "%q is not an architecture of Debian's, such as \"arm64\" or \"all\"", s.Architecture)
	}
}

// checkPyPI reports a file name that is not one of the project and version (PEP 427, PEP 625, and the older sdist names).
func (p *Pin) checkPyPI(bad func(key, format string, args ...any)) {
	s := p.Source.PyPI
	if !projectRE.MatchString(s.Project) {
		bad("source.pypi.project", "%q is not a normalised project name (PEP 503): lower-case letters, digits and single -", s.Project)
		return
	}
	var project, version string
	base, isWheel := strings.CutSuffix(s.File, ".whl")
	if isWheel {
		parts := strings.Split(base, "-")
		if len(parts) != 5 && len(parts) != 6 {
			bad("source.pypi.file", "%q is not a wheel's name (PEP 427)", s.File)
			return
		}
		project, version = parts[0], parts[1]
	} else {
		base, ok := strings.CutSuffix(s.File, ".tar.gz")
		if !ok {
			base, ok = strings.CutSuffix(s.File, ".zip")
		}
		i := strings.LastIndex(base, "-")
		if !ok || i < 0 {
			bad("source.pypi.file", "%q is neither a wheel (.whl) nor an sdist (.tar.gz, .zip)", s.File)
			return
		}
		project, version = base[:i], base[i+1:]
	}
	if normalise(project) != s.Project {
		bad("source.pypi.file", "%q is a file of project %q, not of %q", s.File, normalise(project), s.Project)
	}
	want, err := pep440.Parse(p.Version)
	if err != nil {
		return // reported under "version"
	}
	if have, err := pep440.Parse(version); err != nil || !have.Equal(want) {
		bad("source.pypi.file", "%q is a file of version %q, not of %q", s.File, version, p.Version)
	}
}

// normalise returns a project's name as PEP 503 wants it.
func normalise(name string) string {
	return strings.ToLower(runRE.ReplaceAllString(name, "-"))
}

func checkURL(s, key string, bad func(key, format string, args ...any)) {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http"):
		bad(key, "%q is not an https URL", s)
	case u.User != nil:
		bad(key, "holds a user name or password: credentials belong into ~/.netrc")
	}
}

func checkPlain(s, key string, bad func(key, format string, args ...any)) {
	if !plainRE.MatchString(s) {
		bad(key, "%q: want letters, digits and . _ + - only", s)
	}
}

// hexProblem says what keeps s from being n lower-case hex digits, or "".
func hexProblem(s string, n int) string {
	switch {
	case s == "":
		return fmt.Sprintf("missing, want %d hex digits", n)
	case !hexRE.MatchString(s):
		return fmt.Sprintf("want %d lower-case hex digits, have other characters", n)
	case len(s) != n:
		return fmt.Sprintf("%d hex digits, want %d", len(s), n)
	}
	return ""
}

func list[T ~string](names []T) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(quoted, ", ")
}
