package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/audit"
	"github.com/sparkwheels/sparkwheels/go/index"
	"github.com/sparkwheels/sparkwheels/go/native"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// installed is a wheel in an environment.
type installed struct {
	project, version string
	tags             []string
	// site is the folder that it is installed in.
	site    string
	entries []wheel.RecordEntry
}

// Venv holds what is installed in an environment against a set: whether each
// wheel of the set that is there is the one that was built, whether the
// libraries that it loads are there, and whether it has code for the GPUs. The
// policies say which libraries every machine has. The error says that the
// folder is no environment.
func Venv(folder string, set *index.Set, policies map[string]*audit.Policy, gpus []GPU) ([]Finding, error) {
	sites, err := sitePackages(folder)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	found := 0
	for _, site := range sites {
		all, err := readInstalled(site)
		if err != nil {
			return nil, err
		}
		for _, one := range all {
			candidates := slices.DeleteFunc(slices.Clone(set.Wheels), func(w index.SetWheel) bool { return w.Project != one.project })
			if len(candidates) == 0 {
				continue
			}
			found++
			match, finding := one.compare(candidates)
			findings = append(findings, finding)
			if match == nil {
				continue
			}
			findings = append(findings, one.checkImports(policies[match.Platform])...)
			if len(match.SM) > 0 {
				findings = append(findings, checkSM(one.project, match.SM, gpus))
			}
		}
	}
	if found == 0 {
		findings = append(findings, Finding{Name: "installed", Level: Note, What: "no wheel of the set is installed in " + folder})
	}
	return findings, nil
}

// sitePackages finds the folders of an environment, of Windows or Linux.
func sitePackages(folder string) ([]string, error) {
	var sites []string
	for _, pattern := range []string{"Lib/site-packages", "lib/python3.*/site-packages"} {
		found, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, site := range found {
			// On a file system without case both patterns find one folder.
			if !slices.ContainsFunc(sites, func(known string) bool { return strings.EqualFold(known, site) }) {
				sites = append(sites, site)
			}
		}
	}
	if sites == nil {
		return nil, fmt.Errorf("%s is no virtual environment: it has no site-packages", folder)
	}
	return sites, nil
}

func readInstalled(site string) ([]*installed, error) {
	folders, err := filepath.Glob(filepath.Join(site, "*.dist-info"))
	if err != nil {
		return nil, err
	}
	var all []*installed
	for _, folder := range folders {
		one, err := readDistInfo(site, folder)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		if one != nil {
			all = append(all, one)
		}
	}
	return all, nil
}

// readDistInfo reads one installation and digests its files anew: RECORD says
// what was installed and not what is there now. It is nil for an installation
// that is no wheel's.
func readDistInfo(site, folder string) (*installed, error) {
	info, err := os.ReadFile(filepath.Join(folder, "WHEEL"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	parsed, err := wheel.ParseInfo(info)
	if err != nil {
		return nil, err
	}
	metadata, err := os.ReadFile(filepath.Join(folder, "METADATA"))
	if err != nil {
		return nil, err
	}
	headers, err := wheel.ParseHeaders(metadata)
	if err != nil {
		return nil, err
	}
	name, err := headers.One("Name")
	if err != nil {
		return nil, err
	}
	version, err := headers.One("Version")
	if err != nil {
		return nil, err
	}
	record, err := os.ReadFile(filepath.Join(folder, "RECORD"))
	if err != nil {
		return nil, err
	}
	entries, err := wheel.ParseRecord(record)
	if err != nil {
		return nil, err
	}
	one := &installed{project: wheel.NormalizeProject(name), version: version, tags: parsed.Tags, site: site}
	for _, entry := range entries {
		entry.Path = filepath.ToSlash(entry.Path)
		if entry.Hash != "" && !strings.HasPrefix(entry.Path, "../") {
			data, err := os.ReadFile(filepath.Join(site, filepath.FromSlash(entry.Path)))
			switch {
			case errors.Is(err, fs.ErrNotExist):
				entry.Hash = "missing"
			case err != nil:
				return nil, err
			default:
				entry.Hash = wheel.Hash(data)
			}
		}
		one.entries = append(one.entries, entry)
	}
	return one, nil
}

// compare finds the wheel of the set that is installed, nil when it is none.
func (i *installed) compare(candidates []index.SetWheel) (*index.SetWheel, Finding) {
	fix := "pip install --force-reinstall --no-deps --index-url URL/simple/ " + i.project + "==" + candidates[0].Version
	bad := func(what string) Finding {
		return Finding{"installed", Problem, i.project + " " + i.version + ": " + what, "what was tested together is the set, and nothing else", fix}
	}
	payload := wheel.Payload(i.entries)
	for n := range candidates {
		candidate := &candidates[n]
		if candidate.Version != i.version || !i.hasTagOf(candidate.File) {
			continue
		}
		if candidate.Payload == payload {
			return candidate, Finding{Name: "installed", Level: OK, What: candidate.File + " of the set"}
		}
		return candidate, bad("its files are not those of " + candidate.File)
	}
	var files []string
	for _, candidate := range candidates {
		files = append(files, candidate.File)
	}
	return nil, bad("has the tags " + strings.Join(i.tags, ", ") + ", and the set has " + strings.Join(files, ", "))
}

func (i *installed) hasTagOf(file string) bool {
	name, err := wheel.ParseName(file)
	return err == nil && slices.ContainsFunc(name.Tags(), func(tag wheel.Tag) bool { return slices.Contains(i.tags, tag.String()) })
}

// checkImports looks for every library that the native files load: the
// platform has it, the interpreter is it, or it is somewhere in site-packages.
func (i *installed) checkImports(policy *audit.Policy) []Finding {
	if policy == nil {
		return nil
	}
	there := map[string]bool{}
	filepath.WalkDir(i.site, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && native.Suffix(entry.Name()) != native.None {
			there[strings.ToLower(entry.Name())] = true
		}
		return nil // what cannot be read is not there
	})
	missing := map[string][]string{}
	for _, entry := range i.entries {
		if native.Suffix(path.Base(entry.Path)) == native.None {
			continue
		}
		data, err := os.ReadFile(filepath.Join(i.site, filepath.FromSlash(entry.Path)))
		if err != nil {
			continue // compare told of it
		}
		binary, err := native.Parse(data)
		if err != nil {
			continue
		}
		for _, library := range binary.Imports() {
			lower := strings.ToLower(library)
			if !policy.HasLibrary(library) && !there[lower] && !strings.HasPrefix(lower, "python3") {
				missing[library] = append(missing[library], entry.Path)
			}
		}
	}
	var findings []Finding
	for library, members := range missing {
		findings = append(findings, Finding{"imports", Problem, fmt.Sprintf("%s loads %s, which is neither in the environment nor part of the system", members[0], library),
			"importing the module fails", "install the package that brings " + library})
	}
	slices.SortFunc(findings, func(a, b Finding) int { return strings.Compare(a.What, b.What) })
	return findings
}

// checkSM holds a wheel's GPU code against the GPUs. Code for sm_XY runs on
// GPUs of the same major number and the same or a later minor one.
func checkSM(project string, sm []string, gpus []GPU) Finding {
	what := project + " has code for " + strings.Join(sm, ", ")
	for _, gpu := range gpus {
		major, minor, found := strings.Cut(gpu.Compute, ".")
		fits := slices.ContainsFunc(sm, func(one string) bool {
			number := strings.TrimRight(strings.TrimPrefix(one, "sm_"), "af")
			return len(number) > 1 && number[:len(number)-1] == major && number[len(number)-1:] <= minor
		})
		if found && !fits {
			return Finding{"sm", Problem, what, "the GPU " + gpu.Name + " has compute capability " + gpu.Compute + ", and a kernel would fail at its first launch", "install a wheel with code for sm_" + major + minor}
		}
	}
	return Finding{Name: "sm", Level: OK, What: what}
}
