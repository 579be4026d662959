package pins

import (
	"cmp"
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
	// NeverRun is a wheel that has a target which nobody here has built yet: only its own name builds it.
	NeverRun State = "never run"
	// Retired is a wheel that upstream ships by now: the set holds upstream's.
	Retired State = "upstream's"
	// Skipped is a wheel that is not built here, for a reason.
	Skipped State = "skipped"
	// NoSource is a wheel whose source could not be pinned yet.
	NoSource State = "no source"
)

// Plan is the whole set of pins in the order in which they can be built, and the wheels among them with their state.
type Plan struct {
	// Order holds every pin after all that it requires, otherwise by name.
	Order []Step `json:"order"`
	// Wheels holds one line per wheel and platform, by step, name and platform.
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
	// Version is the version in the set: the pinned one unless the wheel is upstream's.
	Version string `json:"version"`
	// Pinned is the version of the pinned source, where it is another one.
	Pinned string `json:"pinned,omitempty"`
	// Platform is the target.
	Platform string `json:"platform"`
	// Step is 1 for a wheel that is built without another wheel, and otherwise one more than the steps of those.
	Step int `json:"step"`
	// After names the wheels that must be there before this one.
	After []string `json:"after,omitempty"`
	// Cost is CostMinutes, CostHours, or CostDownload for upstream's wheel.
	Cost string `json:"cost"`
	// State says whether it is built here.
	State State `json:"state"`
	// Why gives the reason of any state that is not built here.
	Why string `json:"why,omitempty"`
	// Upstream is the first upstream version known to ship this wheel itself; of Retired only.
	Upstream string `json:"upstream_ships_since,omitempty"`
	// Own says that a retired wheel can still be built here, with --config=own, and with its own name if Why says that it
	// was never run.
	Own bool `json:"own,omitempty"`
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

// CostDownload is the cost of a wheel that is upstream's.
const CostDownload = "download"

func newPlan(f *File, targets map[string]target) (*Plan, error) {
	var problems Problems
	plan := &Plan{}
	sorted, _ := order(f.Pins)
	byName, step := map[string]*Pin{}, map[string]int{}
	for _, p := range sorted {
		byName[p.Name] = p
		plan.Order = append(plan.Order, Step{p.Name, p.Kind, p.Version, append([]string{}, p.Requires...)})
		if p.Kind != Wheel {
			continue
		}
		var after []string
		step[p.Name] = 1
		for _, name := range p.Requires {
			if byName[name].Kind == Wheel {
				after = append(after, name)
				step[p.Name] = max(step[p.Name], step[name]+1)
			}
		}
		for _, platform := range slices.Sorted(slices.Values(p.Platforms)) {
			line := Line{Wheel: p.Name, Version: p.Version, Platform: platform, Step: step[p.Name], After: after, Cost: cmp.Or(p.Cost, CostMinutes)}
			blocked, retired := p.Blocked[platform], p.Retired[platform]
			own := targets[p.Name].builds()
			switch {
			case retired != nil && targets[p.Name] == noTarget:
				problems.add(p.Name, "retired."+platform, "%s has no target that puts upstream's wheel into the set", WheelsFile)
			case retired != nil:
				line.State, line.Upstream, line.Version, line.Cost = Retired, retired.Since, retired.Use.Version(), CostDownload
				if line.Version != p.Version {
					line.Pinned = p.Version
				}
				if line.Own = own && blocked == "" && p.Source.Unknown == ""; line.Own {
					line.Why = p.NeverRun[platform]
				}
			case targets[p.Name] != noTarget && p.Source.Unknown != "":
				problems.add(p.Name, "source.unknown", "%s has a target for a wheel without a source", WheelsFile)
			case own && blocked == "" && p.NeverRun[platform] != "":
				line.State, line.Why = NeverRun, p.NeverRun[platform]
			case own && blocked == "":
				line.State = Built
				if targets[p.Name] == buildsOwnFull {
					line.State = BuiltFull
				}
			case p.Source.Unknown != "":
				line.State, line.Why = NoSource, p.Source.Unknown
			case blocked != "":
				line.State, line.Why = Skipped, blocked
			default:
				problems.add(p.Name, "blocked."+platform, "missing: %s has no target for this wheel, so the plan needs a reason", WheelsFile)
				continue
			}
			plan.Wheels = append(plan.Wheels, line)
		}
		if targets[p.Name].builds() && p.Source.Unknown == "" && len(p.BuiltPlatforms()) == 0 {
			problems.add(p.Name, "blocked", "all platforms are blocked, but %s has a target for this wheel", WheelsFile)
		}
		if !targets[p.Name].builds() && len(p.NeverRun) > 0 {
			problems.add(p.Name, "never_run", "%s has no target for this wheel that could run", WheelsFile)
		}
		if full := targets[p.Name] == buildsOwnFull; targets[p.Name].builds() && full != (p.Cost == CostHours) {
			problems.add(p.Name, "cost", "is %q, but the target in %s says full = %t: a wheel of %s is built with --config=full",
				cmp.Or(p.Cost, CostMinutes), WheelsFile, full, CostHours)
		}
		for _, name := range p.Requires {
			if targets[p.Name].builds() && byName[name].Source.Unknown != "" {
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
	slices.SortStableFunc(plan.Wheels, func(a, b Line) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.Wheel, b.Wheel), cmp.Compare(a.Platform, b.Platform))
	})
	return plan, nil
}

// target is what WheelsFile has for a wheel.
type target int

const (
	noTarget target = iota
	// buildsOwn is a target that builds the wheel here.
	buildsOwn
	// buildsOwnFull is one that does with --config=full.
	buildsOwnFull
	// takesUpstream is a target that only takes upstream's wheel.
	takesUpstream
)

// wheelRules are the rules of //wheels:defs.bzl whose targets are wheels, each named after its pin.
var wheelRules = map[string]target{"native_wheel": buildsOwn, "pep517_wheel": buildsOwn, "upstream_wheel": takesUpstream}

// builds says whether the target builds the wheel here.
func (t target) builds() bool { return t == buildsOwn || t == buildsOwnFull }

// wheelTargets returns what a BUILD file has a target for, by the wheel's name; "full = True" says that it is for --config=full.
func wheelTargets(data []byte) (map[string]target, error) {
	f, err := build.ParseBuild(WheelsFile, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", WheelsFile, err)
	}
	targets := map[string]target{}
	for kind, does := range wheelRules {
		for _, rule := range f.Rules(kind) {
			targets[rule.Name()] = does
			if does == buildsOwn && rule.AttrLiteral("full") == "True" {
				targets[rule.Name()] = buildsOwnFull
			}
		}
	}
	return targets, nil
}
