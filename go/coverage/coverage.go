// Package coverage answers what would still have to be built for somebody's project on a Spark machine.
//
// Its primary type is Report: for every package that a list of requirements resolves to on a platform, whether a wheel exists
// upstream, in our set, or nowhere, what pulled it in, and the nearest version that does have a wheel. uv resolves; the package
// index says what there is; the plan of the pins says what our set has.
package coverage

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/sparkwheels/sparkwheels/go/bump"
	"github.com/sparkwheels/sparkwheels/go/upstream"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// Where says where a wheel exists.
type Where string

// The answers for one package.
const (
	// Upstream is a wheel on the package index.
	Upstream Where = "upstream"
	// Ours is a wheel in our set.
	Ours Where = "our set"
	// SdistOnly is a package that upstream publishes, for this platform, as source only.
	SdistOnly Where = "only an sdist"
	// Nothing is a package without even that.
	Nothing Where = "nothing"
)

// Package is the answer for one package.
type Package struct {
	// Name is the normalised name, Version what the requirements resolve to.
	Name    string `json:"name"`
	Version string `json:"version"`
	// Where is the answer, File the wheel if it is upstream's.
	Where Where  `json:"where"`
	File  string `json:"file,omitempty"`
	// Via names what requires it: packages and files.
	Via []string `json:"via"`
	// Nearest is the version nearest to Version that has a wheel, and NearestWhere where; empty if none has, or Version has.
	Nearest      string `json:"nearest,omitempty"`
	NearestWhere Where  `json:"nearest_where,omitempty"`
	// Opaque says that its own requirements are not known without building it, and are missing from the list.
	Opaque bool `json:"requirements_unknown,omitempty"`
}

// Report is the answer for a list of requirements on a platform.
type Report struct {
	Platform string `json:"platform"`
	// Complete says whether every package has a wheel.
	Complete bool      `json:"complete"`
	Packages []Package `json:"packages"`
}

// Lister lists a project's releases; *upstream.Client does.
type Lister interface {
	Project(ctx context.Context, project string) ([]upstream.Release, error)
}

// Set is our set: for each normalised project, the versions that have a wheel for the platform.
type Set map[string][]string

// Check resolves the requirement files for the platform and looks for a wheel of every package.
func Check(ctx context.Context, uv *UV, index Lister, set Set, platform string, files []string) (*Report, error) {
	packages, err := uv.resolve(ctx, platform, files)
	if err != nil {
		return nil, err
	}
	report := &Report{Platform: platform, Complete: true, Packages: []Package{}}
	for _, r := range packages {
		p := Package{Name: r.name, Version: r.version, Via: append([]string{}, r.via...), Opaque: r.opaque}
		releases, err := index.Project(ctx, r.name)
		if err != nil && len(set[r.name]) == 0 {
			return nil, err
		}
		p.look(releases, set[r.name], platform)
		report.Complete = report.Complete && (p.Where == Upstream || p.Where == Ours)
		report.Packages = append(report.Packages, p)
	}
	return report, nil
}

// look finds where the package has a wheel.
func (p *Package) look(releases []upstream.Release, ours []string, platform string) {
	p.Where = Nothing
	for _, r := range releases {
		if upstream.Compare(r.Version, p.Version) != 0 {
			continue
		}
		for _, f := range r.Files {
			switch {
			case bump.Installs(f.Name, platform):
				p.Where, p.File = Upstream, f.Name
			case !strings.HasSuffix(f.Name, ".whl") && p.Where == Nothing:
				p.Where = SdistOnly
			}
		}
	}
	if p.Where == Upstream {
		return
	}
	if slices.ContainsFunc(ours, func(v string) bool { return upstream.Compare(public(v), public(p.Version)) == 0 }) {
		p.Where = Ours
		return
	}
	p.nearest(releases, ours, platform)
}

// public is a version without its local part, +cu134.
func public(version string) string {
	v, _, _ := strings.Cut(version, "+")
	return v
}

// nearest finds the version nearest to the resolved one, in the order of all versions, that has a wheel; of two, the newer.
func (p *Package) nearest(releases []upstream.Release, ours []string, platform string) {
	has := map[string]Where{}
	versions := []string{p.Version}
	for _, r := range releases {
		if r.Yanked || upstream.PreRelease(r.Version) {
			continue
		}
		versions = append(versions, r.Version)
		if slices.ContainsFunc(r.Files, func(f upstream.File) bool { return !f.Yanked && bump.Installs(f.Name, platform) }) {
			has[r.Version] = Upstream
		}
	}
	for _, v := range ours {
		versions = append(versions, v)
		if has[v] == "" {
			has[v] = Ours
		}
	}
	slices.SortFunc(versions, upstream.Compare)
	versions = slices.Compact(versions)
	at := slices.Index(versions, p.Version)
	for distance := 1; distance < len(versions); distance++ {
		for _, i := range []int{at + distance, at - distance} {
			if i >= 0 && i < len(versions) && has[versions[i]] != "" {
				p.Nearest, p.NearestWhere = versions[i], has[versions[i]]
				return
			}
		}
	}
}

// FromFiles is the set that a folder of wheels is.
func FromFiles(names []string, platform string) Set {
	set := Set{}
	for _, base := range names {
		if name, err := wheel.ParseName(base); err == nil && bump.Installs(base, platform) {
			project := wheel.NormalizeProject(name.Distribution)
			set[project] = append(set[project], name.Version)
		}
	}
	return set
}

// JSON returns the whole report.
func (r *Report) JSON() (string, error) {
	data, err := json.MarshalIndent(r, "", "  ")
	return string(data) + "\n", err
}

// Table returns what has no wheel, with the reasons, and a line that sums up.
func (r *Report) Table() (string, error) {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	count := map[Where]int{}
	for _, p := range r.Packages {
		count[p.Where]++
	}
	missing := count[SdistOnly] + count[Nothing]
	if missing > 0 {
		fmt.Fprintln(w, "MISSING\tVERSION\tUPSTREAM HAS\tREQUIRED BY\tNEAREST WITH A WHEEL")
	}
	for _, p := range r.Packages {
		if p.Where == Upstream || p.Where == Ours {
			continue
		}
		nearest := "none"
		if p.Nearest != "" {
			nearest = fmt.Sprintf("%s (%s)", p.Nearest, p.NearestWhere)
		}
		where := string(p.Where)
		if p.Where == Nothing {
			where = "nothing for this platform"
		}
		if p.Opaque {
			where += ", its own requirements unknown"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", p.Name, p.Version, where, strings.Join(p.Via, ", "), nearest)
	}
	if err := w.Flush(); err != nil {
		return "", err
	}
	verdict := "complete"
	if !r.Complete {
		verdict = fmt.Sprintf("%d missing", missing)
	}
	fmt.Fprintf(&b, "%s: %d packages, %d with a wheel upstream, %d in our set: %s\n", r.Platform, len(r.Packages), count[Upstream], count[Ours], verdict)
	return b.String(), nil
}
