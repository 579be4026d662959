package index

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// SetSchema is the number of set.json's format.
const SetSchema = 1

// The origins of a wheel of a set.
const (
	// Built is a wheel that this build made.
	Built = "built"
	// Upstream is a wheel that upstream publishes, so that none is made here.
	Upstream = "upstream"
)

// Set is set.json: exactly which wheels one build stands for. It never changes
// once published; another build has another one.
type Set struct {
	// Schema is SetSchema.
	Schema int `json:"schema"`
	// PinsSHA256 is the digest of third_party/repositories.bzl, which changes
	// with every pin and with nothing else; "" when no pins are known.
	PinsSHA256 string `json:"pins_sha256"`
	// Wheels are sorted by pin and platform.
	Wheels []SetWheel `json:"wheels"`
}

// SetWheel is one wheel of a set.
type SetWheel struct {
	// Pin is the name in third_party/pins.json.
	Pin string `json:"pin"`
	// Project is the normalised name of the project, Version its version.
	Project string `json:"project"`
	Version string `json:"version"`
	// Platform is win_arm64 or linux_aarch64.
	Platform string `json:"platform"`
	// Origin is Built or Upstream.
	Origin string `json:"origin"`
	// File is the wheel's name, URL its address relative to set.json or
	// absolute; "" for upstream's, where it is not published again.
	File string `json:"file"`
	URL  string `json:"url,omitempty"`
	// SHA256 and Size are those of the file.
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
	// Payload is the digest of what the wheel installs (wheel.Payload), by
	// which an installation can be told.
	Payload string `json:"payload_sha256"`
	// RequiresPython is METADATA's field.
	RequiresPython string `json:"requires_python,omitempty"`
	// SM is the device code inside, such as sm_121 and compute_121 (PTX); empty for a wheel without any.
	SM []string `json:"sm,omitempty"`
	// Provenance is the name of the SLSA statement that lies beside the wheel.
	Provenance string `json:"provenance,omitempty"`
}

// JSON renders the set.
func (s *Set) JSON() []byte {
	if s.Wheels == nil {
		s.Wheels = []SetWheel{}
	}
	return encode(s)
}

// ReadSet reads a set.json. The error names the file.
func ReadSet(file string) (*Set, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return ParseSet(file, data)
}

// ParseSet reads the text of a set.json; name is for errors.
func ParseSet(name string, data []byte) (*Set, error) {
	set := &Set{}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(set); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if set.Schema != SetSchema {
		return nil, fmt.Errorf("%s: has schema %d, and this tool reads %d", name, set.Schema, SetSchema)
	}
	return set, nil
}

func (s *Set) sort() {
	slices.SortFunc(s.Wheels, func(a, b SetWheel) int {
		return strings.Compare(a.Pin+"\x00"+a.Platform+"\x00"+a.File, b.Pin+"\x00"+b.Platform+"\x00"+b.File)
	})
}
