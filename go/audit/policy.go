package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/native"
)

// Policy says what a platform's wheels may hold. It is a JSON file; a key that
// is not known is an error.
type Policy struct {
	// Platform is the policy's name, such as win_arm64.
	Platform string `json:"platform"`
	// Sources says where the lists come from.
	Sources []string `json:"sources"`
	// Tags are the platform tags that file names may have, beside "any".
	Tags []string `json:"tags"`
	// Format is PE or ELF, and Machine the only machine of native members.
	Format  native.Format `json:"format"`
	Machine string        `json:"machine"`
	// Hybrids are images for several machines that are accepted, such as ARM64X.
	Hybrids []string `json:"hybrids,omitempty"`
	// Libraries are what every machine of the platform has, with * as wildcard.
	// For PE the case does not matter.
	Libraries []string `json:"libraries"`
	// Python tells how extension modules are named and what they load.
	Python Python `json:"python"`
	// SymbolVersions are the highest versions of each family, such as GLIBCXX:
	// 3.4.24. GLIBC's follows from the platform tag instead.
	SymbolVersions map[string]string `json:"symbol_versions,omitempty"`
	// Vendors are company names whose binaries must not be redistributed.
	Vendors []string `json:"vendors"`
	// VendorFiles are file names of such binaries, with * as wildcard; they
	// help where a binary does not say who made it.
	VendorFiles []string `json:"vendor_files"`
	// BuildPaths are texts that betray a folder of the build.
	BuildPaths BuildPaths `json:"build_paths"`
}

// Python is the part of a policy that is about extension modules. In each text
// {version} stands for what follows "cp" in the ABI tag, such as 312.
type Python struct {
	// Library is the interpreter's library, "" where modules must not load one.
	Library string `json:"library,omitempty"`
	// StableLibrary is the same for the stable ABI.
	StableLibrary string `json:"stable_library,omitempty"`
	// Suffix is that of a module for one version.
	Suffix string `json:"suffix"`
	// StableSuffixes are those of a module for the stable ABI; the interpreter
	// also loads them in a wheel for one version.
	StableSuffixes []string `json:"stable_suffixes"`
}

// BuildPaths are the texts that must not be in members.
type BuildPaths struct {
	// Everywhere is searched in every member.
	Everywhere []string `json:"everywhere"`
	// Native is searched in PE and ELF members and in .dist-info only, since
	// honest Python sources mention such folders.
	Native []string `json:"native"`
}

// ReadPolicy reads a policy file. The error names the file and the key.
func ReadPolicy(file string) (*Policy, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return ParsePolicy(file, data)
}

// ParsePolicy reads the text of a policy; file is for errors.
func ParsePolicy(file string, data []byte) (*Policy, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	policy := &Policy{}
	if err := decoder.Decode(policy); err != nil {
		return nil, fmt.Errorf("policy %s: %w", file, err)
	}
	if decoder.More() {
		return nil, fmt.Errorf("policy %s: has more after its end", file)
	}
	if err := policy.check(); err != nil {
		return nil, fmt.Errorf("policy %s: %w", file, err)
	}
	return policy, nil
}

func (p *Policy) check() error {
	switch {
	case p.Platform == "":
		return fmt.Errorf("platform is missing")
	case len(p.Tags) == 0:
		return fmt.Errorf("tags is empty")
	case p.Format != native.PE && p.Format != native.ELF:
		return fmt.Errorf("format is %q and neither PE nor ELF", p.Format)
	case p.Machine == "":
		return fmt.Errorf("machine is missing")
	case len(p.Libraries) == 0:
		return fmt.Errorf("libraries is empty")
	case p.Python.Suffix == "" || len(p.Python.StableSuffixes) == 0:
		return fmt.Errorf("python.suffix and python.stable_suffixes are needed")
	case len(p.BuildPaths.Everywhere) == 0:
		return fmt.Errorf("build_paths.everywhere is empty")
	}
	for key, list := range map[string][]string{
		"libraries": p.Libraries, "vendor_files": p.VendorFiles, "vendors": p.Vendors,
		"build_paths.everywhere": p.BuildPaths.Everywhere, "build_paths.native": p.BuildPaths.Native,
	} {
		for _, text := range list {
			if text == "" {
				return fmt.Errorf("%s has an empty text, which is found everywhere", key)
			}
			if _, err := path.Match(text, ""); err != nil && !strings.HasPrefix(key, "build") {
				return fmt.Errorf("%s has the malformed pattern %q", key, text)
			}
		}
	}
	return nil
}

// fold makes library names comparable: Windows ignores case.
func (p *Policy) fold(library string) string {
	if p.Format == native.PE {
		return strings.ToLower(library)
	}
	return library
}

// HasLibrary tells whether every machine of the platform has the library.
func (p *Policy) HasLibrary(library string) bool {
	return matches(p.Libraries, library, p.fold)
}

func matches(patterns []string, name string, fold func(string) string) bool {
	for _, pattern := range patterns {
		if ok, _ := path.Match(fold(pattern), fold(name)); ok {
			return true
		}
	}
	return false
}

// suffixes lists what an extension module may be called in a wheel with that
// ABI tag.
func (p *Policy) suffixes(abi string) []string {
	if version, found := strings.CutPrefix(abi, "cp"); found {
		return append([]string{forVersion(p.Python.Suffix, version)}, p.Python.StableSuffixes...)
	}
	return p.Python.StableSuffixes
}

func forVersion(text, version string) string { return strings.ReplaceAll(text, "{version}", version) }
