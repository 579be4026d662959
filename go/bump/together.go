package bump

import (
	"slices"

	"github.com/sparkwheels/sparkwheels/go/pins"
)

// Together returns the names of all pins that move with the named ones, sorted: files of one project at one version, the
// components of one toolkit, and what is built for a pin that moves.
func Together(all []*pins.Pin, names ...string) []string {
	in := map[string]bool{}
	for _, name := range names {
		in[name] = true
	}
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			for _, other := range all {
				if in[p.Name] && !in[other.Name] && moves(p, other) {
					in[other.Name], grown = true, true
				}
			}
		}
	}
	var out []string
	for name := range in {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// Group returns the name that stands for the pins that always move as one with p: a bump of any of them is the same bump.
func Group(all []*pins.Pin, p *pins.Pin) string {
	least, seen := p.Name, map[string]bool{p.Name: true}
	for todo := []*pins.Pin{p}; len(todo) > 0; {
		one := todo[0]
		todo = todo[1:]
		for _, other := range all {
			if !seen[other.Name] && moves(one, other) && moves(other, one) {
				seen[other.Name] = true
				least = min(least, other.Name)
				todo = append(todo, other)
			}
		}
	}
	return least
}

// moves tells whether other must move when p does.
func moves(p, other *pins.Pin) bool {
	if _, coupled := other.BuiltFor[p.Name]; coupled {
		return true
	}
	a, b := p.Source, other.Source
	switch {
	case a.PyPI != nil && b.PyPI != nil:
		return a.PyPI.Project == b.PyPI.Project && p.Version == other.Version || p.Kind == pins.Toolkit && other.Kind == pins.Toolkit
	case a.Redist != nil && b.Redist != nil:
		return a.Redist.Product == b.Redist.Product && a.Redist.Release == b.Redist.Release
	case a.Git != nil && b.Git != nil:
		return a.Git.Remote == b.Git.Remote && a.Git.Commit == b.Git.Commit
	}
	return false
}

// builtForEdits makes what is built for a pin that moves say for which version that is now.
func builtForEdits(all []*pins.Pin, versions map[string]string) (edits []pins.Edit) {
	for _, p := range all {
		for name, was := range p.BuiltFor {
			if now := versions[name]; now != "" && now != was {
				edits = append(edits, pins.Edit{Pin: p.Name, Path: []string{"built_for", name}, Value: now})
			}
		}
	}
	return edits
}
