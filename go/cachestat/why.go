package cachestat

import (
	"maps"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/execlog"
)

// Change is one difference between two builds of an action.
type Change struct {
	// Kind is input, tool, argument, environment or platform.
	Kind string `json:"kind"`
	// Name is the path of the input, the name of the variable or property, the argument itself.
	Name string `json:"name"`
	// Old and New are the hashes or values; empty where there is none.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
	// Maker is the action that makes the input; empty for a source file.
	Maker string `json:"maker,omitempty"`
}

// Verdicts on an action that ran.
const (
	// Changed: its key differs, and Changes says by what.
	Changed = "changed"
	// Lost: its key is as before, so a cache could have had it: not uploaded, evicted, unreadable, or out of reach.
	Lost = "same key"
	// New: the other log has no such action.
	New = "new action"
	// Never: it may not be cached.
	Never = "not cacheable"
)

// Miss is an action that ran, and why no cache had its result.
type Miss struct {
	ID      string  `json:"id"`
	Label   string  `json:"label"`
	Verdict string  `json:"verdict"`
	Seconds float64 `json:"seconds"`
	// Changes are the direct differences.
	Changes []Change `json:"changes,omitempty"`
	// Roots are where they come from in the end: source files, variables, arguments, and actions that gave other
	// output for the same key.
	Roots []string `json:"roots,omitempty"`
}

// Explain compares the actions that ran in now with the same actions of before, which may be another machine's log or a
// log of one's own last build. With all set, hits with another key than before are explained too.
func Explain(now, before *execlog.Log, all bool) ([]Miss, error) {
	e := &explainer{now: now, before: byID(before), byID: byID(now), makers: map[string]*execlog.Spawn{}, roots: map[string][]string{}}
	for _, s := range now.Spawns {
		for path := range s.Outputs {
			e.makers[path] = s
		}
	}
	var misses []Miss
	for _, s := range now.Spawns {
		if s.CacheHit && !all {
			continue
		}
		m := Miss{ID: s.ID(), Label: s.Label, Seconds: s.Wall.Seconds()}
		old, known := e.before[s.ID()]
		switch {
		case !s.Cacheable && s.Ran():
			m.Verdict = Never
		case !known:
			m.Verdict = New
		default:
			var err error
			if m.Changes, err = e.changes(s, old); err != nil {
				return nil, err
			}
			if m.Verdict = Lost; len(m.Changes) > 0 {
				m.Verdict = Changed
			}
			if m.Roots, err = e.trace(s); err != nil {
				return nil, err
			}
		}
		if s.CacheHit && m.Verdict != Changed {
			continue
		}
		misses = append(misses, m)
	}
	return misses, nil
}

type explainer struct {
	now          *execlog.Log
	before, byID map[string]*execlog.Spawn
	// makers are the actions of now by output.
	makers map[string]*execlog.Spawn
	// roots are finished traces by action; an entry that is nil is being traced.
	roots map[string][]string
}

// byID takes the last of several runs of one action, as after a retry.
func byID(log *execlog.Log) map[string]*execlog.Spawn {
	m := make(map[string]*execlog.Spawn, len(log.Spawns))
	for _, s := range log.Spawns {
		m[s.ID()] = s
	}
	return m
}

func (e *explainer) changes(s, old *execlog.Spawn) ([]Change, error) {
	if s.Key != "" && s.Key == old.Key {
		return nil, nil
	}
	var out []Change
	for _, side := range []struct {
		has, lacks []string
		added      bool
	}{{old.Args, s.Args, false}, {s.Args, old.Args, true}} {
		known := map[string]bool{}
		for _, a := range side.lacks {
			known[a] = true
		}
		for _, a := range side.has {
			switch {
			case known[a]:
			case side.added:
				out = append(out, Change{Kind: "argument", Name: a, New: a})
			default:
				out = append(out, Change{Kind: "argument", Name: a, Old: a})
			}
		}
	}
	if len(out) == 0 && !slices.Equal(s.Args, old.Args) {
		out = append(out, Change{Kind: "argument", Name: "(their order or number)"})
	}
	out = append(out, values("environment", s.Env, old.Env)...)
	out = append(out, values("platform", s.Platform, old.Platform)...)
	a, err := s.Inputs()
	if err != nil {
		return nil, err
	}
	b, err := old.Inputs()
	if err != nil {
		return nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(union(a, b))) {
		now, is := a[path]
		was, had := b[path]
		if is && had && now.Hash == was.Hash {
			continue
		}
		c := Change{Kind: "input", Name: path, Old: text(was, had), New: text(now, is)}
		if now.Tool || was.Tool {
			c.Kind = "tool"
		}
		if maker, ok := e.makers[e.now.Link(path)]; ok {
			c.Maker = maker.ID()
		}
		out = append(out, c)
	}
	return out, nil
}

// text is a file's hash, which an empty file lacks.
func text(f execlog.File, there bool) string {
	if there && f.Hash == "" {
		return "empty"
	}
	return f.Hash
}

func union[V any](a, b map[string]V) map[string]V {
	m := maps.Clone(a)
	maps.Copy(m, b)
	return m
}

func values(kind string, a, b map[string]string) []Change {
	var out []Change
	for _, name := range slices.Sorted(maps.Keys(union(a, b))) {
		if now, is := a[name]; true {
			if was, had := b[name]; is != had || now != was {
				out = append(out, Change{Kind: kind, Name: name, Old: was, New: now})
			}
		}
	}
	return out
}

// trace follows changed inputs to what changed first.
func (e *explainer) trace(s *execlog.Spawn) ([]string, error) {
	id := s.ID()
	if known, ok := e.roots[id]; ok {
		return known, nil
	}
	e.roots[id] = nil
	old, ok := e.before[id]
	if !ok {
		return []string{"new action " + id}, nil
	}
	changes, err := e.changes(s, old)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, c := range changes {
		maker := e.byID[c.Maker]
		if maker == nil {
			found[c.Kind+" "+c.Name] = true
			continue
		}
		above, err := e.trace(maker)
		if err != nil {
			return nil, err
		}
		for _, r := range above {
			found[r] = true
		}
		if was := e.before[c.Maker]; len(above) == 0 && was != nil && was.Key == maker.Key {
			found["not reproducible: "+c.Maker+" gave another "+c.Name+" for the same inputs"] = true
		}
	}
	roots := slices.Sorted(maps.Keys(found))
	e.roots[id] = roots
	return roots, nil
}

// ByRoot groups misses by their first cause. Those without one are under their verdict.
func ByRoot(misses []Miss) map[string][]Miss {
	m := map[string][]Miss{}
	for _, x := range misses {
		cause := strings.Join(x.Roots, "\n")
		if cause == "" {
			cause = x.Verdict
		}
		m[cause] = append(m[cause], x)
	}
	return m
}
