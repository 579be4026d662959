// Package pins reads, checks and publishes third_party/pins.json, the one file that a person edits to take a new version
// of anything that comes from outside this repository.
//
// Its primary type is Pin. A pin's life: Load decodes it strictly from JSON and checks it against the other pins and
// against the patches and overlays on disk; Generate turns it into a repository and a PINS entry of
// third_party/repositories.bzl; NewPlan says, for each wheel and platform, whether it is built here and why not.
// docs/pins.md describes each key for the person who edits the file.
package pins

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Paths of the files that this package reads or writes, relative to the root of the repository.
const (
	// PinsFile is the file that people edit.
	PinsFile = "third_party/pins.json"
	// RepositoriesFile is the Starlark that Generate makes of it.
	RepositoriesFile = "third_party/repositories.bzl"
	// WheelsFile is the BUILD file that says which wheels have a target.
	WheelsFile = "wheels/BUILD.bazel"
	// PatchesDir holds one folder of patches per pin.
	PatchesDir = "patches"
	// OverlayName is the BUILD file of an unpacked repository, in third_party/<overlay>/.
	OverlayName = "overlay.BUILD.bazel"
	// Schema is the only schema number that this package reads.
	Schema = 1
)

// Kind says what a pin is for.
type Kind string

// The kinds of pins.
const (
	// Wheel is a wheel of the mission: its source is pinned and wheels/ may build it.
	Wheel Kind = "wheel"
	// Backend is a ready-made wheel that a PEP 517 build imports: a build back end, Cython, a target's numpy.
	Backend Kind = "backend"
	// Tool is a program that actions run: zig, an interpreter.
	Tool Kind = "tool"
	// Toolkit is a component of NVIDIA's CUDA toolkit or of cuDNN.
	Toolkit Kind = "toolkit"
	// Library is source text or headers that actions compile against.
	Library Kind = "library"
)

// What building a wheel for one platform takes two cores.
const (
	// CostMinutes is up to a quarter of an hour.
	CostMinutes = "minutes"
	// CostHours is more: such a wheel is built with --config=full only.
	CostHours = "hours"
)

var (
	kinds         = []Kind{Wheel, Backend, Tool, Toolkit, Library}
	platforms     = []string{"linux_aarch64", "win_arm64"}
	execPlatforms = []string{"linux_aarch64", "linux_x86_64", "windows_arm64", "windows_x86_64"}
	costs         = []string{CostMinutes, CostHours}
	builds        = []string{"cffi", "cmake", "cuda", "maturin", "meson-python", "none", "scikit-build-core", "setuptools"}
)

// File is the whole of third_party/pins.json.
type File struct {
	// Schema is the version of the file's format.
	Schema int `json:"schema"`
	// Pins holds every pin in the file's order, which carries no meaning.
	Pins []*Pin `json:"pins"`
}

// Pin is one thing from outside, with the version and the content that are wanted.
type Pin struct {
	// Name is the repository's name, and the name by which other pins and BUILD files refer to it.
	Name string `json:"name"`
	// Version is upstream's version; PEP 440 where the source is Python's.
	Version string `json:"version"`
	// Kind says what the pin is for.
	Kind Kind `json:"kind"`
	// Source says where the file or tree comes from.
	Source Source `json:"source"`
	// SHA256 is the hash of the file, 64 lower-case hex digits; empty for git and unknown sources.
	SHA256 string `json:"sha256,omitempty"`
	// Patches names files in patches/<name>/, in the order of their numbers.
	Patches []string `json:"patches,omitempty"`
	// AllowOffset lets a patch apply at another line than it says, and report that.
	AllowOffset bool `json:"allow_offset,omitempty"`
	// Platforms are the targets that the mission wants this for; of wheels only.
	Platforms []string `json:"platforms,omitempty"`
	// ExecPlatforms are the machines that a tool runs on.
	ExecPlatforms []string `json:"exec_platforms,omitempty"`
	// Requires names the pins that must be there before this one can be built.
	Requires []string `json:"requires,omitempty"`
	// Build names the build back end, or "none" for what is used as it comes.
	Build string `json:"build,omitempty"`
	// Unpack asks for an extracted repository with an overlay BUILD file instead of one downloaded file.
	Unpack bool `json:"unpack,omitempty"`
	// Overlay is the folder of third_party that holds the overlay BUILD file; Name if empty.
	Overlay string `json:"overlay,omitempty"`
	// Blocked maps a platform to the reason why its wheel is not built here.
	Blocked map[string]string `json:"blocked,omitempty"`
	// NeverRun maps a platform to the reason why its wheel, which has a target, was never built by anybody here.
	NeverRun map[string]string `json:"never_run,omitempty"`
	// Cost is what building the wheel takes, CostMinutes or CostHours; the former if empty.
	Cost string `json:"cost,omitempty"`
	// Retired maps a platform to the upstream wheel that the set takes there in place of ours.
	Retired map[string]*Retirement `json:"retired,omitempty"`
	// MemoryGB are lines SOURCE.cu=GIB: what compiling a source takes at its peak, as `pins learn-memory` measured it.
	MemoryGB []string `json:"memory_gb,omitempty"`
	// BuiltFor maps a pin to the version of it that this pin's binaries are made for: the two move together.
	BuiltFor map[string]string `json:"built_for,omitempty"`
	// RetireWhen says what upstream must publish for our build to become unnecessary.
	RetireWhen string `json:"retire_when,omitempty"`
	// Note is free text for people; nothing that is generated depends on it.
	Note string `json:"note,omitempty"`
}

// Source says where a pin comes from; exactly one field is set.
type Source struct {
	// PyPI is a file of the Python package index that the machine's pip is configured for.
	PyPI *PyPI `json:"pypi,omitempty"`
	// Git is a commit of a git repository.
	Git *Git `json:"git,omitempty"`
	// Archive is a file at a fixed URL.
	Archive *Archive `json:"archive,omitempty"`
	// Redist is a component of NVIDIA's redistributable archives.
	Redist *Redist `json:"redist,omitempty"`
	// Maven is an artefact of the Maven repository that the machine is configured for.
	Maven *Maven `json:"maven,omitempty"`
	// Crate is a crate of the registry that the machine's cargo is configured for.
	Crate *Crate `json:"crate,omitempty"`
	// Debian is a package of the Debian archive that the machine's apt is configured for.
	Debian *Debian `json:"debian,omitempty"`
	// Unknown is the reason why no source is pinned yet; such a pin is planned but never fetched.
	Unknown string `json:"unknown,omitempty"`
}

// PyPI names a file of a project, never an index.
type PyPI struct {
	// Project is the project's normalised name (PEP 503).
	Project string `json:"project"`
	// File is the exact file name.
	File string `json:"file"`
}

// Git names a commit in full.
type Git struct {
	// Remote is the repository's https URL.
	Remote string `json:"remote"`
	// Commit is the full commit id, 40 lower-case hex digits.
	Commit string `json:"commit"`
	// Submodules asks for all submodules, recursively.
	Submodules bool `json:"submodules,omitempty"`
}

// Archive names a file by URLs that hold the same bytes.
type Archive struct {
	// URLs are tried in order; their last parts name the same file.
	URLs []string `json:"urls"`
	// StripPrefix is removed from member names when the pin is unpacked.
	StripPrefix string `json:"strip_prefix,omitempty"`
}

// Redist names an archive through NVIDIA's manifest redistrib_<release>.json.
type Redist struct {
	// Product is "cuda" or "cudnn".
	Product string `json:"product"`
	// Release is the manifest's release, which is not the component's version.
	Release string `json:"release"`
	// Component is the manifest's key, such as "cuda_nvcc".
	Component string `json:"component"`
	// Platform is NVIDIA's name of the platform, such as "linux-sbsa".
	Platform string `json:"platform"`
	// Archive picks one archive by the last part of its path where the manifest's entry has several.
	Archive string `json:"archive,omitempty"`
}

// Maven names an artefact by its coordinates; the version is the pin's.
type Maven struct {
	// Group is the group id, such as "org.bytedeco".
	Group string `json:"group"`
	// Artifact is the artifact id.
	Artifact string `json:"artifact"`
	// Classifier picks one of the version's files; may be empty.
	Classifier string `json:"classifier,omitempty"`
}

// Crate names a crate; the version is the pin's.
type Crate struct {
	// Crate is the crate's name.
	Crate string `json:"crate"`
}

// Debian names a package of Debian; the version is the pin's, with its epoch if it has one.
type Debian struct {
	// Package is the binary package's name.
	Package string `json:"package"`
	// Source is the source package's name, under which the archive keeps the file; Package if empty.
	Source string `json:"source,omitempty"`
	// Architecture is Debian's name of the architecture, such as "arm64", or "all".
	Architecture string `json:"architecture"`
	// Security says that the package is in the archive of security updates.
	Security bool `json:"security,omitempty"`
}

// Pool returns the folder that holds the package's file, relative to the archive's root, as Debian's policy lays it out:
// https://wiki.debian.org/DebianRepository/Format#Pool
func (d *Debian) Pool() string {
	source := d.Source
	if source == "" {
		source = d.Package
	}
	prefix := source[:min(1, len(source))]
	if strings.HasPrefix(source, "lib") {
		prefix = source[:min(4, len(source))]
	}
	if d.Security {
		return path.Join("pool/updates/main", prefix, source)
	}
	return path.Join("pool/main", prefix, source)
}

// File returns the name of the pin's downloaded file, or "" for a source that is a tree or unknown.
func (p *Pin) File() string {
	switch s := p.Source; {
	case s.PyPI != nil:
		return s.PyPI.File
	case s.Archive != nil && len(s.Archive.URLs) > 0:
		return path.Base(s.Archive.URLs[0])
	case s.Redist != nil:
		if s.Redist.Archive != "" {
			return s.Redist.Archive
		}
		ext := "tar.xz"
		if slices.Contains([]string{"windows-arm64", "windows-x86_64"}, s.Redist.Platform) {
			ext = "zip"
		}
		return fmt.Sprintf("%s-%s-%s-archive.%s", s.Redist.Component, s.Redist.Platform, p.Version, ext)
	case s.Maven != nil:
		if s.Maven.Classifier == "" {
			return fmt.Sprintf("%s-%s.jar", s.Maven.Artifact, p.Version)
		}
		return fmt.Sprintf("%s-%s-%s.jar", s.Maven.Artifact, p.Version, s.Maven.Classifier)
	case s.Crate != nil:
		return fmt.Sprintf("%s-%s.crate", s.Crate.Crate, p.Version)
	case s.Debian != nil:
		// The epoch, which ends at a colon, is not in the file's name.
		return fmt.Sprintf("%s_%s_%s.deb", s.Debian.Package, p.Version[strings.Index(p.Version, ":")+1:], s.Debian.Architecture)
	}
	return ""
}

// OverlayFile returns the path of the BUILD file of an unpacked pin.
func (p *Pin) OverlayFile() string {
	dir := p.Overlay
	if dir == "" {
		dir = p.Name
	}
	return path.Join("third_party", dir, OverlayName)
}

// BuiltPlatforms returns the wanted platforms that no reason blocks, sorted.
func (p *Pin) BuiltPlatforms() []string {
	var out []string
	for _, name := range p.Platforms {
		if _, blocked := p.Blocked[name]; !blocked && p.Source.Unknown == "" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
