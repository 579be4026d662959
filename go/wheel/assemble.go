package wheel

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Assembly is a wheel that no back end makes: files that were built or copied,
// put under the names that they have in the wheel, with the metadata of the
// source that they come from.
type Assembly struct {
	// Metadata is a METADATA file, or the PKG-INFO of an sdist. Dynamic fields,
	// which speak of the sdist only, are left out; the rest stays as it is.
	Metadata []byte
	// Tags are the wheel's tags.
	Tags []Tag
	// EntryPoints is entry_points.txt; nil leaves it out.
	EntryPoints []byte
	// Licences go to .dist-info/licenses (PEP 639). Where Metadata has
	// License-File fields, they must name these, no more and no fewer.
	Licences []Source
	// Files are the other members.
	Files []Source
}

// generator is what the WHEEL file says made it.
const generator = "sparkwheels"

// Write writes the wheel as a back end would. It is an error, with one line for
// each problem, when the metadata cannot be read or do not fit the licences,
// when no member is there, or when a member would lie in the .dist-info folder.
func (a Assembly) Write(out io.Writer) error {
	name, metadata, err := a.metadata()
	if err != nil {
		return err
	}
	distInfo := name.Stem() + ".dist-info"
	var problems Problems
	if len(a.Files) == 0 {
		problems.Add(name.Stem(), "name what goes into the wheel", "has no member")
	}
	for _, file := range a.Files {
		if folder, _, _ := strings.Cut(file.Name, "/"); strings.HasSuffix(folder, ".dist-info") {
			problems.Add(file.Name, "give it as metadata, entry points or licence", "is a member of the .dist-info folder, which is made")
		}
	}
	if err := problems.Err(); err != nil {
		return err
	}
	info := Info{Version: "1.0", Generator: generator}
	for _, tag := range a.Tags {
		info.Tags = append(info.Tags, tag.String())
	}
	sources := append(slices.Clone(a.Files), Bytes(distInfo+"/METADATA", metadata), Bytes(distInfo+"/WHEEL", info.Bytes()))
	if a.EntryPoints != nil {
		sources = append(sources, Bytes(distInfo+"/entry_points.txt", a.EntryPoints))
	}
	for _, licence := range a.Licences {
		sources = append(sources, Source{distInfo + "/licenses/" + licence.Name, licence.Read})
	}
	return Write(out, distInfo, sources)
}

// metadata gives the METADATA file and the project and version in it.
func (a Assembly) metadata() (Name, []byte, error) {
	fail := func(what string, args ...any) (Name, []byte, error) {
		var problems Problems
		problems.Add("METADATA", "correct the file that `metadata` names", what, args...)
		return Name{}, nil, problems
	}
	headers, err := ParseHeaders(a.Metadata)
	if err != nil {
		return fail("%v", err)
	}
	project, err := headers.One("Name")
	if err != nil {
		return fail("%v", err)
	}
	version, err := headers.One("Version")
	if err != nil {
		return fail("%v", err)
	}
	if version, err = CanonicalVersion(version); err != nil {
		return fail("%v", err)
	}
	named, given := headers.Values("License-File"), []string{}
	for _, licence := range a.Licences {
		given = append(given, licence.Name)
	}
	slices.Sort(named)
	slices.Sort(given)
	if named != nil && !slices.Equal(named, given) {
		return fail("has the License-File fields [%s], and the licences are [%s]", strings.Join(named, ", "), strings.Join(given, ", "))
	}
	return Name{Distribution: EscapeProject(project), Version: version}, withoutHeader(a.Metadata, "Dynamic"), nil
}

// withoutHeader removes every field with that key, continuation lines included,
// and keeps every other byte.
func withoutHeader(data []byte, key string) []byte {
	var out strings.Builder
	fields, skipping := true, false
	for _, line := range strings.SplitAfter(string(data), "\n") {
		fields = fields && strings.TrimRight(line, "\r\n") != ""
		if fields && line[0] != ' ' && line[0] != '\t' {
			field, _, _ := strings.Cut(line, ":")
			skipping = strings.EqualFold(field, key)
		}
		if !fields || !skipping {
			out.WriteString(line)
		}
	}
	return []byte(out.String())
}

// ParseTags reads a compressed tag set such as py3-none-win_arm64.
func ParseTags(set string) ([]Tag, error) {
	python, abi, platform, err := tagSets([]string{set})
	if err != nil {
		return nil, fmt.Errorf("%q: %w", set, err)
	}
	return Name{Python: python, ABI: abi, Platform: platform}.Tags(), nil
}
