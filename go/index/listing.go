package index

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
)

// Listing is what Bazel says of the wheels of a set (wheels/private/index.bzl).
type Listing struct {
	// Repositories is the path of third_party/repositories.bzl; "" for wheels
	// of which no pins are known.
	Repositories string `json:"repositories"`
	// Wheels are the wheels that were built.
	Wheels []Listed `json:"wheels"`
}

// Listed is one wheel of a Listing; the last three are paths.
type Listed struct {
	Pin      string `json:"pin"`
	Platform string `json:"platform"`
	// Origin is Built or Upstream; "" means Built.
	Origin string `json:"origin,omitempty"`
	Wheel  string `json:"wheel"`
	// Report is the audit's JSON, which tells the GPU architectures.
	Report string `json:"report,omitempty"`
	// Provenance is the SLSA statement.
	Provenance string `json:"provenance,omitempty"`
}

// ReadListing reads a Listing. The error names the file.
func ReadListing(file string) (*Listing, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	listing := &Listing{}
	if err := json.Unmarshal(data, listing); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return listing, nil
}

// Load reads every wheel of the listing into an index and a set. All errors come
// together.
func (l *Listing) Load() (*Index, *Set, error) {
	x, set := New(), &Set{Schema: SetSchema}
	var errs []error
	if l.Repositories != "" {
		pins, err := os.ReadFile(l.Repositories)
		if err != nil {
			return nil, nil, err
		}
		set.PinsSHA256 = sum(pins)
	}
	for _, listed := range l.Wheels {
		file, err := FromWheel(listed.Wheel)
		if err == nil {
			file.provenance = listed.Provenance
			err = x.Add(file)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		entry := SetWheel{
			Pin: listed.Pin, Project: file.Project, Version: file.Version, Platform: listed.Platform, Origin: listed.Origin,
			File: file.Name, SHA256: file.SHA256, Size: file.Size, Payload: file.Payload, RequiresPython: file.RequiresPython,
		}
		if entry.Origin == "" {
			entry.Origin = Built
		}
		if listed.Report != "" {
			if entry.SM, err = reportedSM(listed.Report); err != nil {
				errs = append(errs, err)
			}
		}
		if listed.Provenance != "" {
			entry.Provenance = file.Name + ProvenanceSuffix
		}
		set.Wheels = append(set.Wheels, entry)
	}
	set.sort()
	return x, set, errors.Join(errs...)
}

// Locate writes the addresses of the index into the set, and leaves out what
// the index does not have.
func (s *Set) Locate(x *Index) {
	s.Wheels = slices.DeleteFunc(s.Wheels, func(w SetWheel) bool { return x.File(w.File) == nil && w.Origin != Upstream })
	for i := range s.Wheels {
		if file := x.File(s.Wheels[i].File); file != nil {
			s.Wheels[i].URL = file.address("")
		}
	}
}

// reportedSM gathers the GPU architectures of all native members of an audit's
// report.
func reportedSM(report string) ([]string, error) {
	data, err := os.ReadFile(report)
	if err != nil {
		return nil, err
	}
	var seen struct {
		Members []struct {
			Native *struct {
				Device []struct {
					Code string `json:"code"`
				} `json:"device_code"`
			} `json:"native"`
		} `json:"members"`
	}
	if err := json.Unmarshal(data, &seen); err != nil {
		return nil, fmt.Errorf("%s: %w", report, err)
	}
	var all []string
	for _, member := range seen.Members {
		if member.Native == nil {
			continue
		}
		for _, device := range member.Native.Device {
			all = append(all, device.Code)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}
