package pins

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/bazelbuild/buildtools/build"
)

// State says what becomes of a wheel on a platform.
type State string

// The states of a wheel on a platform.
const (
	// Built is a wheel that wheels/BUILD.bazel has a target for.
	Built State = "built here"
	// BuiltFull is a wheel that has such a target too, but one for --config=full only.
	BuiltFull State = "built here with --config=full"
	// Retired is a wheel that upstream ships by now and that we do not build.
	Retired State = "retired"
	// Skipped is a wheel that is not built here, for a reason.
	Skipped State = "skipped"
	// NoSource is a wheel whose source could not be pinned yet.
	NoSource State = "no source"
)

// Plan is the whole set of pins in the order in which they can be built, and the wheels among them with their state.
type Plan struct {
	// Order holds every pin after all that it requires, otherwise by name.
	Order []Step `json:"order"`
	// Wheels holds one line per wheel and platform, in the same order.
	Wheels []Line `json:"wheels"`
}

// Step is one pin of the order.
type Step struct {
	// Name is the pin's name.
	Name string `json:"name"`
	// Kind is the pin's kind.
	Kind Kind `json:"kind"`
	// Version is the pin's version.
	Version string `json:"version"`
	// Requires names the pins that come before.
	Requires []string `json:"requires"`
}

// Line is one wheel on one platform.
type Line struct {
	// Wheel is the pin's name.
	Wheel string `json:"wheel"`
	// Version is the version that is pinned.
	Version string `json:"version"`
	// Platform is the target.
	Platform string `json:"platform"`
	// State says whether it is built here.
	State State `json:"state"`
	// Why gives the reason of any state that is not built here.
	Why string `json:"why,omitempty"`
	// Upstream is the first upstream version known to ship this wheel itself.
	Upstream string `json:"upstream_ships_since,omitempty"`
}

// NewPlan loads the pins of the repository at fsys and compares them with WheelsFile. A wheel's state is never a mere claim:
// Built comes from a target, and it is a problem if a wheel without a target has no reason, or a wheel with one has a reason
// against it.
func NewPlan(fsys fs.FS) (*Plan, error) {
	f, err := Load(fsys)
	if err != nil {
		return nil, err
	}
	data, err := fs.ReadFile(fsys, WheelsFile)
	if err != nil {
		return nil, err
	}
	targets, err := wheelTargets(data)
	if err != nil {
		return nil, err
	}
	return newPlan(f, targets)
}

func newPlan(f *File, targets map[string]State) (*Plan, error) {
	var problems Problems
	plan := &Plan{}
	sorted, _ := order(f.Pins)
	byName := map[string]*Pin{}
	for _, p := range sorted {
		byName[p.Name] = p
		plan.Order = append(plan.Order, Step{p.Name, p.Kind, p.Version, append([]string{}, p.Requires...)})
		if p.Kind != Wheel {
			continue
		}
		for _, platform := range slices.Sorted(slices.Values(p.Platforms)) {
			line := Line{Wheel: p.Name, Version: p.Version, Platform: platform, Upstream: p.Retired[platform]}
			blocked := p.Blocked[platform]
			switch {
			case targets[p.Name] != "" && p.Source.Unknown != "":
				problems.add(p.Name, "source.unknown", "%s has a target for a wheel without a source", WheelsFile)
			case targets[p.Name] != "" && blocked == "":
				line.State = targets[p.Name]
			case p.Source.Unknown != "":
				line.State, line.Why = NoSource, p.Source.Unknown
			case blocked != "":
				line.State, line.Why = Skipped, blocked
			case line.Upstream != "":
				line.State = Retired
			default:
				problems.add(p.Name, "blocked."+platform, "missing: %s has no target for this wheel, so the plan needs a reason", WheelsFile)
				continue
			}
			plan.Wheels = append(plan.Wheels, line)
		}
		if targets[p.Name] != "" && p.Source.Unknown == "" && len(p.BuiltPlatforms()) == 0 {
			problems.add(p.Name, "blocked", "all platforms are blocked, but %s has a target for this wheel", WheelsFile)
		}
		for _, name := range p.Requires {
			if targets[p.Name] != "" && byName[name].Source.Unknown != "" {
				problems.add(p.Name, "requires", "%s has a target for this wheel, but %q has no source", WheelsFile, name)
			}
		}
	}
	for name := range targets {
		if p := byName[name]; p == nil || p.Kind != Wheel {
			problems = append(problems, Problem{File: WheelsFile, Text: fmt.Sprintf("target %q: no pin of kind %q has this name", name, Wheel)})
		}
	}
	if err := problems.err(); err != nil {
		return nil, err
	}
	return plan, nil
}

// wheelRules are the rules of //wheels:defs.bzl whose targets are wheels, each named after its pin.
var wheelRules = []string{"native_wheel", "pep517_wheel"}

// wheelTargets returns the wheels that a BUILD file has a target for, by name: Built, or BuiltFull where the target says
// "full = True".
func wheelTargets(data []byte) (map[string]State, error) {
	f, err := build.ParseBuild(WheelsFile, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", WheelsFile, err)
	}
	targets := map[string]State{}
	for _, kind := range wheelRules {
		for _, rule := range f.Rules(kind) {
			targets[rule.Name()] = Built
			if rule.AttrLiteral("full") == "True" {
				targets[rule.Name()] = BuiltFull
			}
		}
	}
	return targets, nil
}
