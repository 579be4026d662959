package bump

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/upstream"
)

// State says how a pin stands to upstream.
type State string

// The states of a pin.
const (
	// Current is a pin at the newest version that fits.
	Current State = "current"
	// Newer is a pin that upstream has a newer fitting version of.
	Newer State = "newer"
	// Unasked is a pin whose source cannot be asked.
	Unasked State = "not asked"
	// Failed is a pin whose source did not answer, or not what it should.
	Failed State = "failed"
)

// Row is one pin, or the upstream wheels that one pin takes, in the table.
type Row struct {
	// Name is the pin's name.
	Name string `json:"name"`
	// Group is the pin that stands for all that move as one with this one.
	Group string `json:"group"`
	// Source is the kind of source, or "upstream's wheel".
	Source string `json:"source"`
	// Pinned is the pinned version.
	Pinned string `json:"pinned"`
	// Newest is the newest version that fits; empty if that is not known.
	Newest string `json:"newest,omitempty"`
	// State sums it up.
	State State `json:"state"`
	// Note says why a newer version does not fit, or what went wrong.
	Note string `json:"note,omitempty"`

	err error
}

// Asker is what Outdated, Look and Resolve ask; *upstream.Client is the one there is.
type Asker interface {
	Releases(context.Context, *pins.Pin) ([]upstream.Release, error)
	Project(context.Context, string) ([]upstream.Release, error)
	HasCommit(context.Context, *pins.Git) error
}

// Outdated asks for each pin what upstream has, eight at a time. The rows are in the order of the pins; err joins the
// failures, each with its pin's name.
func Outdated(ctx context.Context, ask Asker, all []*pins.Pin) (rows []Row, err error) {
	results := make([][]Row, len(all))
	each(len(all), func(i int) { results[i] = rowsOf(ctx, ask, all[i]) })
	for i, p := range all {
		for j := range results[i] {
			results[i][j].Group = Group(all, p)
		}
	}
	rows = slices.Concat(results...)
	var failed []error
	for _, r := range rows {
		if r.State == Failed {
			failed = append(failed, fmt.Errorf("pin %q: %w", r.Name, r.err))
		}
	}
	return rows, errors.Join(failed...)
}

// each calls do for 0 to n-1, eight at a time.
func each(n int, do func(i int)) {
	var wait sync.WaitGroup
	slots := make(chan struct{}, 8)
	for i := range n {
		wait.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() { <-slots; wait.Done() }()
			do(i)
		}()
	}
	wait.Wait()
}

func rowsOf(ctx context.Context, ask Asker, p *pins.Pin) []Row {
	row := Row{Name: p.Name, Source: sourceName(p.Source), Pinned: p.Version}
	rows := []Row{row}
	choice, err := newest(ctx, ask, p, "")
	rows[0].fill(choice, err)
	if len(p.Retired) > 0 {
		rows = append(rows, retiredRow(ctx, ask, p))
	}
	return rows
}

func (r *Row) fill(choice *Choice, err error) {
	var unaskable *upstream.UnaskableError
	switch {
	case errors.As(err, &unaskable):
		r.State, r.Note = Unasked, err.Error()
	case err != nil:
		r.State, r.Note, r.err = Failed, err.Error(), err
	default:
		r.Newest, r.State = choice.Release.Version, Current
		if upstream.Compare(r.Newest, r.Pinned) > 0 || untagged(r.Pinned) && r.Newest != r.Pinned {
			r.State = Newer
		}
		r.Note = strings.Join(choice.Passed, "; ")
	}
}

// newest asks for one pin and holds what is pinned against the answer.
func newest(ctx context.Context, ask Asker, p *pins.Pin, wanted string) (*Choice, error) {
	releases, err := ask.Releases(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := unchanged(ctx, ask, p, releases); err != nil {
		return nil, err
	}
	return Newest(p, releases, wanted)
}

// unchanged refuses a source that no longer has what is pinned under the pinned name: another hash, a tag that was moved, a
// commit that is gone.
func unchanged(ctx context.Context, ask Asker, p *pins.Pin, releases []upstream.Release) error {
	for _, r := range releases {
		for _, f := range r.Files {
			if f.Name == p.File() && f.SHA256 != "" && f.SHA256 != p.SHA256 {
				return changed(f.Name, p.SHA256, f.SHA256)
			}
		}
		if p.Source.PyPI != nil || upstream.Compare(r.Version, p.Version) != 0 {
			continue
		}
		if g := p.Source.Git; g != nil && r.Commit != g.Commit && !untagged(p.Version) {
			return fmt.Errorf("the tag of %s was moved: it was commit %s when it was pinned and is %s now; find out why before you take either", r.Version, g.Commit, r.Commit)
		}
		if p.Source.Git == nil && r.SHA256 != "" && r.SHA256 != p.SHA256 && (p.Source.Redist == nil || p.Source.Redist.Release == r.Manifest) {
			return changed(p.File(), p.SHA256, r.SHA256)
		}
	}
	if p.Source.Git != nil {
		return ask.HasCommit(ctx, p.Source.Git)
	}
	return nil
}

func changed(file, pinned, now string) error {
	return fmt.Errorf("%s changed under its name: sha256 %s is pinned, upstream has %s now; find out why before you take either", file, pinned, now)
}

// retiredRow compares the upstream wheels that the set takes with the newest version that has one for every such platform.
func retiredRow(ctx context.Context, ask Asker, p *pins.Pin) Row {
	platforms := p.RetiredPlatforms()
	use := p.Retired[platforms[0]].Use
	row := Row{Name: p.Name, Source: "upstream's wheel", Pinned: use.Version()}
	releases, err := ask.Project(ctx, use.Project())
	if err != nil {
		row.fill(nil, err)
		return row
	}
	for _, platform := range platforms {
		for _, r := range releases {
			for _, f := range r.Files {
				if u := p.Retired[platform].Use; f.Name == u.File && f.SHA256 != "" && f.SHA256 != u.SHA256 {
					row.fill(nil, changed(f.Name, u.SHA256, f.SHA256))
					return row
				}
			}
		}
	}
	row.fill(newestForAll(releases, platforms), nil)
	// Where other platforms are built here, the set holds their version, and the pin's own row says whether that can move.
	if own := p.OwnPlatforms(); len(own) > 0 && row.State == Newer {
		row.State, row.Note = Current, "moves with the version that is built for "+strings.Join(own, ", ")
	}
	return row
}

// newestForAll returns the newest release with a wheel for every platform.
func newestForAll(releases []upstream.Release, platforms []string) *Choice {
	choice := &Choice{}
	for _, r := range releases {
		if r.Yanked || upstream.PreRelease(r.Version) || choice.Release.Version != "" && upstream.Compare(r.Version, choice.Release.Version) <= 0 {
			continue
		}
		if !slices.ContainsFunc(platforms, func(platform string) bool { _, ok := wheelFor(r, platform); return !ok }) {
			choice.Release = r
		}
	}
	return choice
}

func sourceName(s pins.Source) string {
	switch {
	case s.PyPI != nil:
		return "pypi"
	case s.Git != nil:
		return "git"
	case s.Crate != nil:
		return "crate"
	case s.Redist != nil:
		return "redist"
	case s.Debian != nil:
		return "debian"
	case s.Maven != nil:
		return "maven"
	case s.Archive != nil:
		return "archive"
	}
	return "unknown"
}

// Table returns rows as aligned columns.
func Table(rows []Row) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PIN\tSOURCE\tPINNED\tNEWEST\tSTATE\tNOTE")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", r.Name, r.Source, r.Pinned, r.Newest, r.State, r.Note)
	}
	w.Flush() // a strings.Builder takes everything
	return b.String()
}
