package bump

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/upstream"
)

// Step is one pin that moves.
type Step struct {
	// Name is the pin's name; From and To are its versions, which are the same where only upstream's wheel moves.
	Name, From, To string
	// Edits are what changes in pins.json.
	Edits []pins.Edit
	// Files are what the pin will name, to be fetched and hashed before anything is written.
	Files []upstream.File
	// After is the pin as it will be.
	After *pins.Pin
	// Because names the pin that this one moves with; empty for one that was asked for.
	Because string
	// Notes say what a person should look at.
	Notes []string
}

// Resolve finds, for the wanted pins (name to version, "" for the newest) and all that move with them, the steps to take. Pins
// that are there already have no step.
func Resolve(ctx context.Context, ask Asker, all []*pins.Pin, wanted map[string]string) ([]*Step, error) {
	byName := map[string]*pins.Pin{}
	for _, p := range all {
		byName[p.Name] = p
	}
	var names []string
	for name := range wanted {
		if byName[name] == nil {
			return nil, fmt.Errorf("no pin is named %q", name)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	group := Together(all, names...)
	choices := map[string]*Choice{}
	for _, name := range group {
		p := byName[name]
		version := wanted[name]
		for other, v := range wanted { // a file of the same project goes to the same version
			if version == "" && v != "" && sameProject(p, byName[other]) {
				version = v
			}
		}
		choice, err := resolve(ctx, ask, p, version)
		if err != nil {
			return nil, fmt.Errorf("pin %q: %w", name, err)
		}
		choices[name] = choice
	}
	if err := level(ctx, ask, byName, group, choices); err != nil {
		return nil, err
	}
	var steps []*Step
	versions := map[string]string{}
	for _, name := range group {
		step, err := stepFor(ctx, ask, byName[name], choices[name], wanted[name] != "")
		if err != nil {
			return nil, fmt.Errorf("pin %q: %w", name, err)
		}
		versions[name] = step.To
		if _, asked := wanted[name]; !asked {
			step.Because = strings.Join(names, ", ")
		}
		steps = append(steps, step)
	}
	for _, e := range builtForEdits(all, versions) {
		for _, s := range steps {
			if s.Name == e.Pin {
				s.Edits = append(s.Edits, e)
				s.Notes = append(s.Notes, fmt.Sprintf("is built for %s %s now: is there a version of it that upstream made for that?", e.Path[1], e.Value))
			}
		}
	}
	return slices.DeleteFunc(steps, func(s *Step) bool { return len(s.Edits) == 0 }), nil
}

func sameProject(a, b *pins.Pin) bool {
	return a.Source.PyPI != nil && b.Source.PyPI != nil && a.Source.PyPI.Project == b.Source.PyPI.Project && a.Version == b.Version
}

// resolve asks for one pin. One without a source, which is only planned, has the versions of the project of its name.
func resolve(ctx context.Context, ask Asker, p *pins.Pin, version string) (*Choice, error) {
	if p.Source.Unknown == "" {
		choice, err := newest(ctx, ask, p, version)
		if err == nil && version == "" && upstream.Compare(choice.Release.Version, p.Version) < 0 {
			err = fmt.Errorf("the pinned version %s is newer than all that fit; the newest of these is %s", p.Version, choice.Release.Version)
		}
		return choice, err
	}
	releases, err := ask.Project(ctx, strings.ReplaceAll(p.Name, "_", "-"))
	if err != nil {
		return nil, err
	}
	return Newest(p, releases, version)
}

// level brings the files of one project to the newest version that has all of them.
func level(ctx context.Context, ask Asker, byName map[string]*pins.Pin, group []string, choices map[string]*Choice) error {
	for range group {
		changed := false
		for _, a := range group {
			for _, b := range group {
				older, newer := choices[a].Release.Version, choices[b].Release.Version
				if a == b || !sameProject(byName[a], byName[b]) || upstream.Compare(older, newer) >= 0 {
					continue
				}
				choice, err := resolve(ctx, ask, byName[b], older)
				if err != nil {
					return fmt.Errorf("pins %q and %q move together, but have no newer version in common: %w", a, b, err)
				}
				choices[b], changed = choice, true
			}
		}
		if !changed {
			break
		}
	}
	return nil
}

// stepFor turns a choice into edits.
func stepFor(ctx context.Context, ask Asker, p *pins.Pin, c *Choice, asked bool) (*Step, error) {
	after := *p
	step := &Step{Name: p.Name, From: p.Version, To: p.Version, After: &after, Notes: slices.Clone(c.Passed)}
	r := c.Release
	edit := func(value string, path ...string) {
		step.Edits = append(step.Edits, pins.Edit{Pin: p.Name, Path: path, Value: value})
	}
	moved := upstream.Compare(r.Version, p.Version) != 0 || untagged(p.Version) && r.Version != p.Version
	if r := p.Source.Redist; r != nil && c.Release.Manifest != r.Release {
		moved = true
	}
	if moved {
		step.To, after.Version = r.Version, r.Version
		if r.Version != p.Version {
			edit(r.Version, "version")
		}
		switch s := p.Source; {
		case s.PyPI != nil:
			if err := hashed(c.File); err != nil {
				return nil, err
			}
			after.Source.PyPI = &pins.PyPI{Project: s.PyPI.Project, File: c.File.Name}
			after.SHA256 = c.File.SHA256
			edit(c.File.Name, "source", "pypi", "file")
			edit(c.File.SHA256, "sha256")
			step.Files = append(step.Files, c.File)
		case s.Git != nil:
			git := *s.Git
			git.Commit = r.Commit
			after.Source.Git = &git
			edit(r.Commit, "source", "git", "commit")
			if err := ask.HasCommit(ctx, &git); err != nil {
				return nil, err
			}
		case s.Crate != nil:
			after.SHA256 = r.SHA256
			edit(r.SHA256, "sha256")
		case s.Redist != nil:
			redist := *s.Redist
			redist.Release = r.Manifest
			edit(r.Manifest, "source", "redist", "release")
			if s.Redist.Archive != "" {
				redist.Archive = r.Archive
				edit(r.Archive, "source", "redist", "archive")
			}
			after.Source.Redist, after.SHA256 = &redist, r.SHA256
			if r.SHA256 != p.SHA256 {
				edit(r.SHA256, "sha256")
			}
		}
	}
	return step, retiredStep(ctx, ask, p, step, asked)
}

// retiredStep moves the upstream wheels that the set takes: with the version that is built for other platforms, or that was
// asked for, else to the newest that has them all.
func retiredStep(ctx context.Context, ask Asker, p *pins.Pin, step *Step, asked bool) error {
	platforms := p.RetiredPlatforms()
	if len(platforms) == 0 {
		return nil
	}
	releases, err := ask.Project(ctx, p.Retired[platforms[0]].Use.Project())
	if err != nil {
		return err
	}
	to := newestForAll(releases, platforms).Release
	if own := p.OwnPlatforms(); len(own) > 0 || asked {
		to = upstream.Release{}
		for _, r := range releases {
			if upstream.Compare(r.Version, step.To) == 0 {
				to = r
			}
		}
	}
	retired := map[string]*pins.Retirement{}
	for _, platform := range platforms {
		was := p.Retired[platform]
		file, ok := wheelFor(to, platform)
		if !ok {
			return fmt.Errorf("upstream has no wheel of version %s for %s, which the set takes from upstream: drop its \"retired\" to build it here again", step.To, platform)
		}
		if err := hashed(file); err != nil {
			return err
		}
		retired[platform] = &pins.Retirement{Since: was.Since, Use: pins.UpstreamWheel{File: file.Name, SHA256: file.SHA256}}
		if file.Name == was.Use.File {
			continue
		}
		step.Files = append(step.Files, file)
		for key, value := range map[string]string{"file": file.Name, "sha256": file.SHA256} {
			step.Edits = append(step.Edits, pins.Edit{Pin: p.Name, Path: []string{"retired", platform, "use", key}, Value: value})
		}
		step.Notes = append(step.Notes, fmt.Sprintf("upstream's wheel for %s: %s instead of %s", platform, file.Name, was.Use.File))
	}
	step.After.Retired = retired
	return nil
}
