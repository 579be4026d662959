package pins

import (
	"fmt"
	"strings"
)

// PURL returns the package URL of the pin's source, without the file: what SBOMs call it. A git tree is named by its commit.
func (p *Pin) PURL() string {
	version := strings.ReplaceAll(p.Version, "+", "%2B")
	switch s := p.Source; {
	case s.PyPI != nil:
		return fmt.Sprintf("pkg:pypi/%s@%s", s.PyPI.Project, version)
	case s.Crate != nil:
		return fmt.Sprintf("pkg:cargo/%s@%s", s.Crate.Crate, version)
	case s.Maven != nil:
		return fmt.Sprintf("pkg:maven/%s/%s@%s", s.Maven.Group, s.Maven.Artifact, version)
	case s.Debian != nil:
		return fmt.Sprintf("pkg:deb/debian/%s@%s?arch=%s", strings.ReplaceAll(s.Debian.Package, "+", "%2B"), strings.ReplaceAll(version, ":", "%3A"), s.Debian.Architecture)
	case s.Git != nil:
		if repository, ok := strings.CutPrefix(s.Git.Remote, "https://github.com/"); ok {
			return fmt.Sprintf("pkg:github/%s@%s", strings.ToLower(strings.TrimSuffix(repository, ".git")), s.Git.Commit)
		}
		return fmt.Sprintf("pkg:generic/%s@%s?vcs_url=git%%2B%s%%40%s", p.Name, version, strings.ReplaceAll(s.Git.Remote, ":", "%3A"), s.Git.Commit)
	}
	return fmt.Sprintf("pkg:generic/%s@%s", p.Name, version)
}
