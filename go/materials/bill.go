// Package materials reads the bill of materials of a wheel: what went into it,
// as Bazel's rules know it before anything is built.
//
// Its primary type is Bill. wheels/private/bill.bzl writes one as JSON for each
// wheel; package sbom tells the wheel's users of it, package provenance its
// verifiers.
package materials

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
)

// Bill is what went into one wheel.
type Bill struct {
	// Pin is the name in third_party/pins.json, Platform the wheel's platform,
	// and Target the Bazel label that builds it.
	Pin      string `json:"pin"`
	Platform string `json:"platform"`
	Target   string `json:"target"`
	// Source is the upstream source.
	Source Material `json:"source"`
	// Patches are applied to it, in that order.
	Patches []Patch `json:"patches"`
	// Vendored are libraries whose source is inside Source.
	Vendored []Component `json:"vendored"`
	// Runtimes are libraries that the linker may have added.
	Runtimes []Component `json:"runtimes"`
	// Tools made the wheel, the same on every machine that builds.
	Tools []Material `json:"tools"`
	// Dependencies are the exact files behind Tools, and what the build read
	// beside them. They differ between machines, so nothing in the wheel may
	// depend on them.
	Dependencies []Material `json:"dependencies"`
	// Parameters are what else was asked of the build, such as environment
	// variables.
	Parameters map[string]any `json:"parameters"`
}

// Material is one thing with an address.
type Material struct {
	// Name is the pin's name.
	Name string `json:"name"`
	// Version is upstream's.
	Version string `json:"version"`
	// PURL is the package URL, without the file.
	PURL string `json:"purl"`
	// File is the file's name, "" for a git tree.
	File string `json:"file,omitempty"`
	// SHA256 is the pinned digest of the file, hex; Commit that of a git tree.
	SHA256 string `json:"sha256,omitempty"`
	Commit string `json:"commit,omitempty"`
}

// Patch is one patch file.
type Patch struct {
	// Name is its path in the repository.
	Name string `json:"name"`
	// Path is where it lies now.
	Path string `json:"path"`
}

// Component is a library inside the wheel.
type Component struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// License is an SPDX expression.
	License string `json:"license"`
	// Text is where its licence lies now, "" for one whose text is in Source.
	Text string `json:"text,omitempty"`
	// Markers are texts that only this library brings into a binary. With
	// markers, the library counts as inside when one of them is; without, it
	// counts as inside of every wheel that has a binary.
	Markers []string `json:"markers,omitempty"`
}

// Read reads a Bill. A key that is not known is an error, which names the file.
func Read(file string) (*Bill, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	bill := &Bill{}
	if err := decoder.Decode(bill); err != nil {
		return nil, fmt.Errorf("bill of materials %s: %w", file, err)
	}
	for _, need := range []struct{ key, value string }{
		{"pin", bill.Pin}, {"platform", bill.Platform}, {"source.name", bill.Source.Name}, {"source.purl", bill.Source.PURL},
	} {
		if need.value == "" {
			return nil, fmt.Errorf("bill of materials %s: %s is missing", file, need.key)
		}
	}
	return bill, nil
}

// Digest gives the digest of the patch file, hex.
func (p *Patch) Digest() (string, error) {
	data, err := os.ReadFile(p.Path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}
