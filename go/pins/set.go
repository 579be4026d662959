package pins

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// checkSet reports what is wrong between pins: names given twice, requirements that are unknown or go round in a circle.
func checkSet(all []*Pin, problems *Problems) {
	byName := map[string]*Pin{}
	for _, p := range all {
		if byName[p.Name] != nil {
			problems.add(p.Name, "name", "given twice")
		}
		byName[p.Name] = p
	}
	if byName["pins"] != nil {
		problems.add("pins", "name", "is the name of the repository that holds an alias for each pin")
	}
	for _, p := range all {
		for _, platform := range p.RetiredPlatforms() {
			if name := UpstreamName(p.Name, platform); byName[name] != nil {
				problems.add(name, "name", "is the name of the repository of %s's upstream wheel for %s", p.Name, platform)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(p.BuiltFor)) {
			if other := byName[name]; other == nil {
				problems.add(p.Name, "built_for", "no pin is named %q", name)
			} else if other.Version != p.BuiltFor[name] {
				problems.add(p.Name, "built_for."+name, "is %q, but %s is pinned at %q: the two move together (pins bump %s)",
					p.BuiltFor[name], name, other.Version, name)
			}
		}
		for i, name := range p.Requires {
			if byName[name] == nil {
				problems.add(p.Name, "requires", "no pin is named %q", name)
			}
			if slices.Contains(p.Requires[:i], name) {
				problems.add(p.Name, "requires", "%q given twice", name)
			}
		}
	}
	if _, cycle := order(all); cycle != nil {
		problems.add(cycle[0], "requires", "goes round in a circle: %s", strings.Join(append(cycle, cycle[0]), " -> "))
	}
}

// order returns the pins so that each comes after all that it requires, otherwise by name. If that is impossible it returns
// the names along one circle, starting with the least.
func order(all []*Pin) (sorted []*Pin, cycle []string) {
	byName := map[string]*Pin{}
	for _, p := range all {
		byName[p.Name] = p
	}
	names := make([]string, 0, len(byName))
	for name := range byName {
		names = append(names, name)
	}
	slices.Sort(names)
	done := map[string]bool{}
	var trail []string
	var visit func(name string) bool
	visit = func(name string) bool {
		p := byName[name]
		if p == nil || done[name] {
			return true
		}
		if i := slices.Index(trail, name); i >= 0 {
			cycle = trail[i:]
			least := slices.Index(cycle, slices.Min(cycle))
			cycle = slices.Concat(cycle[least:], cycle[:least])
			return false
		}
		trail = append(trail, name)
		for _, next := range slices.Sorted(slices.Values(p.Requires)) {
			if !visit(next) {
				return false
			}
		}
		trail = trail[:len(trail)-1]
		done[name] = true
		sorted = append(sorted, p)
		return true
	}
	for _, name := range names {
		if !visit(name) {
			return nil, cycle
		}
	}
	return sorted, nil
}

// checkDisk reports patches and overlays that are named but not there, and patches that are there but not named.
func checkDisk(fsys fs.FS, all []*Pin, problems *Problems) error {
	onDisk, err := fs.Glob(fsys, PatchesDir+"/*/*.patch")
	if err != nil {
		return fmt.Errorf("%s: %w", PatchesDir, err)
	}
	there := map[string]bool{}
	for _, file := range onDisk {
		there[file] = true
	}
	named := map[string]bool{}
	for _, p := range all {
		for _, patch := range p.Patches {
			file := path.Join(PatchesDir, p.Name, patch)
			named[file] = true
			if there[file] {
				continue
			}
			if err := exists(fsys, file, func() {
				problems.add(p.Name, "patches", "%s does not exist", file)
			}); err != nil {
				return err
			}
		}
		if p.Unpack {
			if err := exists(fsys, p.OverlayFile(), func() {
				problems.add(p.Name, "unpack", "%s does not exist: an unpacked pin needs a BUILD file", p.OverlayFile())
			}); err != nil {
				return err
			}
		}
	}
	for _, file := range onDisk {
		if !named[file] {
			*problems = append(*problems, Problem{File: file, Text: fmt.Sprintf(
				"no pin names this patch: list it under \"patches\" of pin %q in %s, or delete it", path.Base(path.Dir(file)), PinsFile)})
		}
	}
	return nil
}

// exists calls missing if there is no such file, and returns any other trouble.
func exists(fsys fs.FS, file string, missing func()) error {
	if !fs.ValidPath(file) {
		missing()
		return nil
	}
	_, err := fs.Stat(fsys, file)
	if errors.Is(err, fs.ErrNotExist) {
		missing()
		return nil
	}
	return err
}
