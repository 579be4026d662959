package wheel

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/elf"
	"github.com/sparkwheels/sparkwheels/go/pe"
)

// Changes says what a repacked wheel is to be called. Empty fields keep what
// the wheel has.
type Changes struct {
	// Python, ABI and Platform replace a tag set; dots separate its elements.
	Python, ABI, Platform string
	// Build replaces the build tag.
	Build string
	// Local is appended to the version, as in 2.8.3+cu134torch2.14.
	Local string
	// Licenses are licence texts to add, named below .dist-info/licenses, which
	// METADATA then lists (PEP 639).
	Licenses []Source
	// Describe gives files to add, named below .dist-info, once the wheel's
	// name is known; nil for none.
	Describe func(name Name, meta *Meta) ([]Source, error)
}

// Packed is a wheel on its way to Write.
type Packed struct {
	// Name is the file name that its metadata ask for.
	Name Name

	sources []Source
}

// Write writes the wheel, the same bytes for the same contents and Name.
func (p *Packed) Write(out io.Writer) error {
	return Write(out, p.Name.Stem()+".dist-info", p.sources)
}

// sniffed is how much of a member is read to see whether it is native.
const sniffed = 64 << 10

// Repack prepares a wheel with normalised and changed names: the .dist-info
// and .data folders, METADATA's Version, the WHEEL file's tags, build tag and
// Root-Is-Purelib, and RECORD follow the new name. The archive's own file name
// is not looked at, since a back end's output may be called anything.
//
// It is an error when the zip file is unclean, metadata are missing or
// contradict each other, the wheel is signed, or a change would make the wheel
// tell a lie about its platform. The archive must stay open until Write.
func Repack(archive *Archive, changes Changes) (*Packed, error) {
	if err := archive.Problems().WithoutFolders().Err(); err != nil {
		return nil, err
	}
	meta, err := ReadMeta(archive)
	if err != nil {
		return nil, err
	}
	fail := func(place, fix, what string, args ...any) (*Packed, error) {
		var problems Problems
		problems.Add(place, fix, what, args...)
		return nil, problems
	}

	name := Name{Distribution: EscapeProject(meta.Project), Build: meta.Info.Build}
	if name.Version, err = CanonicalVersion(meta.Version); err != nil {
		return fail(meta.DistInfo+"/METADATA", "give the project a version that PEP 440 allows", "%v", err)
	}
	if name.Python, name.ABI, name.Platform, err = tagSets(meta.Info.Tags); err != nil {
		return fail(meta.DistInfo+"/WHEEL", "build one wheel for each set of tags", "%v", err)
	}
	if changes.Local != "" {
		public, local, _ := strings.Cut(name.Version, "+")
		if local != "" && local != changes.Local {
			return fail(meta.DistInfo+"/METADATA", "leave the local version to one of the two", "the version %s has a local part already, and +%s was to be added", name.Version, changes.Local)
		}
		if name.Version, err = CanonicalVersion(public + "+" + changes.Local); err != nil || name.Version != public+"+"+changes.Local {
			return fail("--local-version", "use lower-case letters, digits and dots, such as cu134torch2.14", "%q is no normalised local version", changes.Local)
		}
	}
	native, err := nativeMembers(archive)
	if err != nil {
		return nil, err
	}
	if changes.Platform != "" {
		platforms := strings.Split(changes.Platform, ".")
		pure := slices.Equal(name.Platform, []string{AnyPlatform})
		switch {
		case pure && changes.Platform != AnyPlatform && len(native) == 0:
			return fail(meta.DistInfo+"/WHEEL", "declare the wheel as "+AnyPlatform, "the wheel is pure Python and cannot become one for %s", changes.Platform)
		case !pure && !sameFamily(name.Platform, platforms):
			return fail(meta.DistInfo+"/WHEEL", "make the back end build for the target; for setuptools see VSCMD_ARG_TGT_ARCH and _PYTHON_HOST_PLATFORM", "the wheel was built for %s and cannot become one for %s", strings.Join(name.Platform, "."), changes.Platform)
		}
		name.Platform = platforms
	}
	if changes.Python != "" {
		name.Python = strings.Split(changes.Python, ".")
	}
	if changes.ABI != "" {
		name.ABI = strings.Split(changes.ABI, ".")
	}
	if changes.Build != "" {
		name.Build = changes.Build
	}
	if _, err := ParseName(name.String()); err != nil {
		return nil, err
	}

	info := meta.Info
	info.Tags, info.Build = nil, name.Build
	for _, tag := range name.Tags() {
		info.Tags = append(info.Tags, tag.String())
	}
	if slices.ContainsFunc(native, func(member string) bool { return !inFolder(member, meta.stem()+".data") }) {
		info.Purelib = false
	}
	metadata := meta.metadata
	if name.Version != meta.Version {
		if metadata, err = SetHeader(metadata, "Version", name.Version); err != nil {
			return fail(meta.DistInfo+"/METADATA", "build the wheel again", "%v", err)
		}
	}
	texts := unlisted(archive, meta)
	for _, text := range changes.Licenses {
		texts = append(texts, text.Name)
	}
	for _, text := range texts {
		if metadata, err = addLicenseFile(metadata, text); err != nil {
			return fail(meta.DistInfo+"/METADATA", "build the wheel again", "%v", err)
		}
	}
	packed := &Packed{Name: name}
	if packed.sources, err = added(name, meta, changes); err != nil {
		return nil, err
	}
	for _, member := range archive.Members {
		folder, rest, _ := strings.Cut(member.Name, "/")
		renamed := member.Name
		switch folder {
		case meta.DistInfo:
			switch rest {
			case "RECORD":
				continue
			case "RECORD.jws", "RECORD.p7s":
				return fail(member.Name, "build an unsigned wheel and sign the finished one", "is a signature, which repacking makes false")
			}
			renamed = name.Stem() + ".dist-info/" + rest
		case meta.stem() + ".data":
			renamed = name.Stem() + ".data/" + rest
		}
		source := Source{Name: renamed, Read: member.Read}
		switch member.Name {
		case meta.DistInfo + "/WHEEL":
			source = Bytes(renamed, info.Bytes())
		case meta.DistInfo + "/METADATA":
			source = Bytes(renamed, metadata)
		}
		packed.sources = append(packed.sources, source)
	}
	return packed, nil
}

// added gives the files of Changes.Licenses and Changes.Describe. One that the
// back end wrote too is a name given twice, which Write refuses.
func added(name Name, meta *Meta, changes Changes) ([]Source, error) {
	folder := name.Stem() + ".dist-info/"
	var sources []Source
	for _, text := range changes.Licenses {
		sources = append(sources, Source{folder + "licenses/" + text.Name, text.Read})
	}
	if changes.Describe == nil {
		return sources, nil
	}
	described, err := changes.Describe(name, meta)
	for _, file := range described {
		sources = append(sources, Source{folder + file.Name, file.Read})
	}
	return sources, err
}

// nativeMembers names the members that are PE or ELF files.
func nativeMembers(archive *Archive) ([]string, error) {
	var native []string
	for _, member := range archive.Members {
		head, err := member.Head(sniffed)
		if err != nil {
			return nil, err
		}
		if elf.Sniff(head) || pe.Sniff(head) {
			native = append(native, member.Name)
		}
	}
	return native, nil
}

// Difference says how a packed wheel's name differs from the one declared, ""
// when it does not.
func (p *Packed) Difference(declared Name) string {
	var differences []string
	compare := func(what, got, want string) {
		if got != want {
			differences = append(differences, fmt.Sprintf("%s %s and not %s", what, orNone(got), orNone(want)))
		}
	}
	dots := func(set []string) string { return strings.Join(set, ".") }
	compare("project", p.Name.Distribution, declared.Distribution)
	compare("version", p.Name.Version, declared.Version)
	compare("build tag", p.Name.Build, declared.Build)
	compare("Python tag", dots(p.Name.Python), dots(declared.Python))
	compare("ABI tag", dots(p.Name.ABI), dots(declared.ABI))
	compare("platform tag", dots(p.Name.Platform), dots(declared.Platform))
	return strings.Join(differences, ", ")
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
