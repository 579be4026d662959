package audit

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/sparkwheels/sparkwheels/go/native"
)

// Report is what an audit saw of a wheel. Its JSON depends on the wheel's
// bytes alone: no time, no folder, every list sorted or in the wheel's order.
type Report struct {
	Wheel          string          `json:"wheel"`
	SHA256         string          `json:"sha256"`
	Size           int64           `json:"size"`
	Policy         string          `json:"policy"`
	Name           string          `json:"name"`
	Version        string          `json:"version"`
	RequiresPython string          `json:"requires_python,omitempty"`
	Tags           []string        `json:"tags"`
	Members        []*MemberReport `json:"members"`
}

// MemberReport is what an audit saw of one file.
type MemberReport struct {
	Name   string        `json:"name"`
	Size   int64         `json:"size"`
	SHA256 string        `json:"sha256"`
	Native *NativeReport `json:"native,omitempty"`
}

// NativeReport is what an audit saw of one binary.
type NativeReport struct {
	Format  native.Format `json:"format"`
	Machine string        `json:"machine"`
	// Module is the name under which Python imports an extension module.
	Module  string   `json:"module,omitempty"`
	SOName  string   `json:"soname,omitempty"`
	Imports []string `json:"imports"`
	// Exports counts the exported names.
	Exports int `json:"exports"`
	// Versions are the highest symbol versions asked for, by library.
	Versions map[string][]string `json:"symbol_versions,omitempty"`
	RunPath  []string            `json:"runpath,omitempty"`
	PDB      string              `json:"pdb,omitempty"`
	// Device is the device code, by architecture.
	Device []DeviceReport `json:"device_code,omitempty"`
}

func newNativeReport(binary *native.Binary) *NativeReport {
	report := &NativeReport{
		Format: binary.Format(), Machine: binary.Machine(),
		Imports: append([]string{}, binary.Imports()...), Exports: len(binary.Exports()),
	}
	if binary.ELF != nil {
		report.SOName, report.Versions = binary.ELF.SOName, binary.ELF.Versions
		report.RunPath = append(slices.Clone(binary.ELF.RPath), binary.ELF.RunPath...)
	} else {
		report.PDB = binary.PE.PDB
	}
	return report
}

// JSON renders the report.
func (r *Report) JSON() []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	// A Report holds nothing that JSON cannot, and a Buffer takes everything.
	encoder.Encode(r)
	return out.Bytes()
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
