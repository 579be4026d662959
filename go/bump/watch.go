package bump

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/upstream"
)

// Watch is the dated answer to "does upstream ship this wheel yet".
type Watch struct {
	// Date is the day that upstream was asked, YYYY-MM-DD in UTC.
	Date string `json:"date"`
	// Wheels has one line per wheel and platform.
	Wheels []WatchLine `json:"wheels"`
	// Collapses says what would go if what upstream ships were retired.
	Collapses []Collapse `json:"collapses"`
}

// WatchLine is one wheel on one platform.
type WatchLine struct {
	// Wheel is the pin's name, Platform the target, Pinned the version that is in the set or wanted there.
	Wheel    string `json:"wheel"`
	Platform string `json:"platform"`
	Pinned   string `json:"pinned"`
	// Newest is upstream's newest version, whatever it ships of it.
	Newest string `json:"newest,omitempty"`
	// Ships is upstream's newest version with a wheel that our Python installs there, Since the first one, File that wheel.
	Ships string `json:"ships,omitempty"`
	Since string `json:"since,omitempty"`
	File  string `json:"file,omitempty"`
	// Holds says whether that is at least the pinned version, so that our build is unnecessary.
	Holds bool `json:"holds"`
	// Retired says that the set takes upstream's wheel already.
	Retired bool `json:"retired"`
	// RetireWhen is the pin's own condition, in words.
	RetireWhen string `json:"retire_when"`
	// Problem says why upstream could not be asked.
	Problem string `json:"problem,omitempty"`
}

// Collapse is a chain of wheels that upstream ships on all wanted platforms, and the pins that nothing else needs.
type Collapse struct {
	// Wheels are the pins whose wheels upstream ships.
	Wheels []string `json:"wheels"`
	// Pins are what only these wheels require, and what their own builds are pinned for.
	Pins []string `json:"pins"`
	// Patches counts their patches.
	Patches int `json:"patches"`
	// Retired says that all of the chain is retired already.
	Retired bool `json:"retired"`
}

// Look asks upstream about every wheel. err joins what could not be asked; the lines of the rest stand.
func Look(ctx context.Context, ask Asker, all []*pins.Pin, now time.Time) (*Watch, error) {
	var wheels []*pins.Pin
	for _, p := range all {
		if p.Kind == pins.Wheel {
			wheels = append(wheels, p)
		}
	}
	lines := make([][]WatchLine, len(wheels))
	failed := make([]error, len(wheels))
	each(len(wheels), func(i int) { lines[i], failed[i] = look(ctx, ask, wheels[i]) })
	w := &Watch{Date: now.UTC().Format(time.DateOnly), Wheels: slices.Concat(lines...), Collapses: []Collapse{}}
	w.Collapses = append(w.Collapses, collapses(all, w.Wheels)...)
	return w, errors.Join(failed...)
}

// project is the name under which upstream would publish the wheel.
func project(p *pins.Pin) string {
	switch {
	case p.Source.PyPI != nil:
		return p.Source.PyPI.Project
	case len(p.Retired) > 0:
		return p.Retired[p.RetiredPlatforms()[0]].Use.Project()
	}
	return strings.ReplaceAll(p.Name, "_", "-")
}

func look(ctx context.Context, ask Asker, p *pins.Pin) (lines []WatchLine, err error) {
	releases, err := ask.Project(ctx, project(p))
	var malformed *upstream.MalformedError
	notThere := errors.As(err, &malformed)
	newest := ""
	for _, r := range releases {
		if !r.Yanked && !upstream.PreRelease(r.Version) && (newest == "" || upstream.Compare(r.Version, newest) > 0) {
			newest = r.Version
		}
	}
	for _, platform := range slices.Sorted(slices.Values(p.Platforms)) {
		line := WatchLine{Wheel: p.Name, Platform: platform, Pinned: p.Version, Newest: newest, RetireWhen: p.RetireWhen}
		if r := p.Retired[platform]; r != nil {
			line.Retired, line.Pinned = true, r.Use.Version()
		}
		if err != nil {
			line.Problem = err.Error()
		} else if version, file, ok := NewestWheel(releases, platform); ok {
			line.Ships, line.File, line.Since = version, file.Name, FirstWheel(releases, platform)
			line.Holds = upstream.Compare(version, line.Pinned) >= 0
		}
		lines = append(lines, line)
	}
	if err != nil && !notThere { // a project that is not on the index is an answer
		return lines, fmt.Errorf("pin %q: %w", p.Name, err)
	}
	return lines, nil
}

// collapses groups the wheels that upstream ships everywhere with what they alone need.
func collapses(all []*pins.Pin, lines []WatchLine) []Collapse {
	ships, retired := map[string]bool{}, map[string]bool{}
	for _, l := range lines {
		if held, seen := ships[l.Wheel]; !seen {
			ships[l.Wheel], retired[l.Wheel] = l.Holds, l.Retired
		} else {
			ships[l.Wheel], retired[l.Wheel] = held && l.Holds, retired[l.Wheel] && l.Retired
		}
	}
	needs := map[string][]string{}
	byName := map[string]*pins.Pin{}
	for _, p := range all {
		byName[p.Name] = p
		needs[p.Name] = slices.Clone(p.Requires)
		for other := range p.BuiltFor {
			needs[p.Name] = append(needs[p.Name], other)
		}
	}
	// What a wheel that stays needs, stays.
	kept := map[string]bool{}
	var keep func(name string)
	keep = func(name string) {
		if !kept[name] {
			kept[name] = true
			for _, other := range needs[name] {
				keep(other)
			}
		}
	}
	for _, p := range all {
		if p.Kind == pins.Wheel && !ships[p.Name] {
			keep(p.Name)
		}
	}
	group := map[string]string{} // name to the least name of its chain
	var find func(string) string
	find = func(name string) string {
		if group[name] == "" || group[name] == name {
			return name
		}
		return find(group[name])
	}
	join := func(a, b string) {
		a, b = find(a), find(b)
		group[max(a, b)] = min(a, b)
	}
	gone := map[string]bool{}
	var drop func(name string)
	drop = func(name string) {
		if gone[name] {
			return
		}
		gone[name] = true
		for _, other := range needs[name] {
			if !kept[other] {
				join(name, other)
				drop(other)
			}
		}
	}
	for name, yes := range ships {
		if yes {
			drop(name)
		}
	}
	chains := map[string]*Collapse{}
	for _, name := range sortedKeys(gone) {
		c := chains[find(name)]
		if c == nil {
			c = &Collapse{Wheels: []string{}, Pins: []string{}, Retired: true}
			chains[find(name)] = c
		}
		if ships[name] {
			c.Wheels = append(c.Wheels, name)
			c.Retired = c.Retired && retired[name]
		} else {
			c.Pins = append(c.Pins, name)
		}
		c.Patches += len(byName[name].Patches)
	}
	var out []Collapse
	for _, first := range sortedKeys(chains) {
		out = append(out, *chains[first])
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// News tells whether upstream ships a wheel that is not retired yet.
func (w *Watch) News() bool {
	return slices.ContainsFunc(w.Wheels, func(l WatchLine) bool { return l.Holds && !l.Retired })
}

// JSON returns the whole answer.
func (w *Watch) JSON() (string, error) {
	data, err := json.MarshalIndent(w, "", "  ")
	return string(data) + "\n", err
}

// Markdown returns the table and the chains.
func (w *Watch) Markdown() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Does upstream ship it yet? Asked on %s, for CPython 3.%d.\n\n", w.Date, pythonMinor)
	b.WriteString("| wheel | platform | in the set | newest | newest with a wheel | since | verdict |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, l := range w.Wheels {
		verdict := "not yet"
		switch {
		case l.Problem != "":
			verdict = "not known: " + l.Problem
		case l.Retired && l.Holds:
			verdict = "retired"
		case l.Retired:
			verdict = "retired, but gone upstream: build it again"
		case l.Holds:
			verdict = "**can be retired**"
		case l.Ships != "":
			verdict = "only older than ours"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", l.Wheel, l.Platform, l.Pinned, l.Newest, l.Ships, l.Since, strings.ReplaceAll(verdict, "|", `\|`))
	}
	for _, c := range w.Collapses {
		state := "would be unnecessary"
		if c.Retired {
			state = "are kept for --config=own only"
		}
		fmt.Fprintf(&b, "\nUpstream ships %s on every wanted platform: our builds, %d patches", strings.Join(c.Wheels, ", "), c.Patches)
		if len(c.Pins) > 0 {
			fmt.Fprintf(&b, " and the pins %s", strings.Join(c.Pins, ", "))
		}
		fmt.Fprintf(&b, " %s.\n", state)
	}
	return b.String(), nil
}
