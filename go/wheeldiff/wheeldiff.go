// Package wheeldiff tells how two wheels of one project differ: in their tags,
// metadata and members, and for native members in what they import and export.
// It is made to hold a wheel of ours against upstream's.
//
// The primary type is Diff, which Compare makes and which prints itself.
package wheeldiff

import (
	"crypto/sha256"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/native"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// Sides lists what only one of the two has, sorted.
type Sides struct {
	OnlyA []string `json:"only_a"`
	OnlyB []string `json:"only_b"`
}

// Empty tells that both have the same.
func (s Sides) Empty() bool { return len(s.OnlyA)+len(s.OnlyB) == 0 }

// Diff is all that differs between the wheels A and B.
type Diff struct {
	A string `json:"a"`
	B string `json:"b"`
	// Tags are the tags of the WHEEL files.
	Tags Sides `json:"tags"`
	// Metadata are the fields of the METADATA files, as "Key: value".
	Metadata Sides `json:"metadata"`
	// Members are file names. .dist-info and .data folders count as equal when
	// only the version in their names differs, and RECORD is left out.
	Members Sides `json:"members"`
	// Changed are the members that both have with other contents.
	Changed []Member `json:"changed"`
}

// Member is one file that differs.
type Member struct {
	Name string `json:"name"`
	// Native is set when both are binaries, and then the rest says how they
	// differ in what matters to a loader; nothing else of them is compared.
	Native   bool  `json:"native"`
	Machines Sides `json:"machines"`
	Imports  Sides `json:"imports"`
	Exports  Sides `json:"exports"`
}

// Empty tells that the wheels do not differ. Binaries with other bytes but the
// same machine, imports and exports are no difference.
func (d *Diff) Empty() bool {
	return d.Tags.Empty() && d.Metadata.Empty() && d.Members.Empty() && len(d.Changed) == 0
}

// side is one of the wheels, read.
type side struct {
	meta     *wheel.Meta
	contents map[string]content
}

// content is what is compared of a member.
type content struct {
	sum    [32]byte
	binary *native.Binary
}

// Compare reads two wheels. The error names the file or member that cannot be
// read.
func Compare(a, b string) (*Diff, error) {
	left, err := readSide(a)
	if err != nil {
		return nil, err
	}
	right, err := readSide(b)
	if err != nil {
		return nil, err
	}
	diff := &Diff{
		A: path.Base(toSlash(a)), B: path.Base(toSlash(b)),
		Tags:     compare(left.meta.Info.Tags, right.meta.Info.Tags),
		Metadata: compare(fields(left.meta), fields(right.meta)),
		Members:  compare(slices.Collect(maps.Keys(left.contents)), slices.Collect(maps.Keys(right.contents))),
		Changed:  []Member{},
	}
	for _, name := range slices.Sorted(maps.Keys(left.contents)) {
		x := left.contents[name]
		y, both := right.contents[name]
		if !both || x.sum == y.sum {
			continue
		}
		// METADATA and WHEEL are compared by field above.
		if name == ".dist-info/METADATA" || name == ".dist-info/WHEEL" {
			continue
		}
		member := Member{Name: name}
		if x.binary != nil && y.binary != nil {
			member.Native = true
			member.Machines = compare([]string{x.binary.Machine()}, []string{y.binary.Machine()})
			member.Imports = compare(libraries(x.binary), libraries(y.binary))
			member.Exports = compare(x.binary.Exports(), y.binary.Exports())
			if member.Machines.Empty() && member.Imports.Empty() && member.Exports.Empty() {
				continue
			}
		}
		diff.Changed = append(diff.Changed, member)
	}
	return diff, nil
}

// toSlash lets path.Base work on Windows' paths, too.
func toSlash(name string) string { return strings.ReplaceAll(name, `\`, "/") }

func readSide(file string) (*side, error) {
	archive, err := wheel.Open(file)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	meta, err := wheel.ReadMeta(archive)
	if err != nil {
		return nil, err
	}
	s := &side{meta: meta, contents: map[string]content{}}
	stem := strings.TrimSuffix(meta.DistInfo, ".dist-info")
	for _, member := range archive.Members {
		if member.Name == meta.DistInfo+"/RECORD" {
			continue
		}
		data, err := member.Read()
		if err != nil {
			return nil, err
		}
		entry := content{sum: sha256.Sum256(data)}
		if format := native.Sniff(data); format == native.PE || format == native.ELF {
			if entry.binary, err = native.Parse(data); err != nil {
				return nil, wheel.Problems{{Place: member.Name, What: "cannot be read: " + err.Error(), Fix: "build or fetch the wheel again"}}
			}
		}
		name := member.Name
		for _, suffix := range []string{".dist-info", ".data"} {
			if rest, found := strings.CutPrefix(name, stem+suffix+"/"); found {
				name = suffix + "/" + rest
			}
		}
		s.contents[name] = entry
	}
	return s, nil
}

func fields(meta *wheel.Meta) []string {
	var list []string
	for _, header := range meta.Headers {
		list = append(list, header.Key+": "+header.Value)
	}
	return list
}

// libraries lists the imports, in lower case for PE, where case is no matter.
func libraries(binary *native.Binary) []string {
	list := binary.Imports()
	if binary.PE != nil {
		for i, library := range list {
			list[i] = strings.ToLower(library)
		}
	}
	return list
}

// compare tells what only one of two lists has.
func compare(a, b []string) Sides {
	return Sides{OnlyA: without(a, b), OnlyB: without(b, a)}
}

func without(list, other []string) []string {
	known := map[string]bool{}
	for _, text := range other {
		known[text] = true
	}
	left := []string{}
	for _, text := range list {
		if !known[text] {
			left = append(left, text)
		}
	}
	slices.Sort(left)
	return slices.Compact(left)
}
