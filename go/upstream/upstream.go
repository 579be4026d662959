// Package upstream asks the places that pins come from what they have: package indexes, git remotes, crate registries,
// NVIDIA's manifests.
//
// Its primary type is Client. A Client answers Releases for one pin: every version that its source has, each with what a pin
// of it would hold. What to do with the answer is package bump's business. No index is named here: the configuration of the
// machine's own pip, git and cargo decides whom a Client asks, as it does for the repository rules in third_party/rules.
//
// An error is an *UnreachableError when nobody answered, and a *MalformedError when the answer makes no sense.
package upstream

import (
	"context"
	"fmt"

	"github.com/sparkwheels/sparkwheels/go/pins"
)

// Release is one version of something, as its source has it.
type Release struct {
	// Version is the version as upstream spells it, without a tag's prefix.
	Version string
	// Files are what a package index holds of the version.
	Files []File
	// Commit is the full commit id of a git tag.
	Commit string
	// SHA256 is the hash of a crate or of a redistributable archive.
	SHA256 string
	// Manifest is the release of NVIDIA's manifest that has the version; it is not the version.
	Manifest string
	// Archive is the archive's file name where a manifest names it.
	Archive string
	// Yanked says that upstream has taken the version back.
	Yanked bool
}

// File is one file of a package index (PEP 503, PEP 691).
type File struct {
	// Name is the file's name, URL its absolute address.
	Name, URL string
	// SHA256 is the hash that the index gives; empty if it gives none.
	SHA256 string
	// RequiresPython is a version specifier, such as ">=3.10"; may be empty.
	RequiresPython string
	// Yanked says that the file was taken back (PEP 592).
	Yanked bool
}

// UnreachableError says that a source could not be asked: no network, no answer in time, or an answer that is an error.
type UnreachableError struct {
	// What was asked, without credentials.
	What string
	// Err is why there was no answer.
	Err error
}

func (e *UnreachableError) Error() string { return fmt.Sprintf("could not ask %s: %v", e.What, e.Err) }

// Unwrap returns the reason.
func (e *UnreachableError) Unwrap() error { return e.Err }

// MalformedError says that a source answered something that is not what it should be.
type MalformedError struct {
	// What was asked, without credentials.
	What string
	// Problem says what is wrong with the answer.
	Problem string
}

func (e *MalformedError) Error() string { return e.What + ": " + e.Problem }

// UnaskableError says that there is no way to ask for new versions of a kind of source.
type UnaskableError struct{ Reason string }

func (e *UnaskableError) Error() string { return e.Reason }

// Releases returns every version that the pin's source has, in no order.
func (c *Client) Releases(ctx context.Context, p *pins.Pin) ([]Release, error) {
	switch s := p.Source; {
	case s.PyPI != nil:
		return c.Project(ctx, s.PyPI.Project)
	case s.Git != nil:
		return c.tags(ctx, s.Git.Remote)
	case s.Crate != nil:
		return c.crate(ctx, s.Crate.Crate)
	case s.Redist != nil:
		return c.redist(ctx, s.Redist)
	case s.Debian != nil:
		return nil, &UnaskableError{"a Debian archive is not asked for new versions: look with apt-cache policy"}
	case s.Maven != nil:
		return nil, &UnaskableError{"a Maven repository is not asked for new versions: look by hand"}
	case s.Archive != nil:
		return nil, &UnaskableError{"an archive's address does not say where new ones appear: look by hand"}
	}
	return nil, &UnaskableError{"has no source: " + p.Source.Unknown}
}
