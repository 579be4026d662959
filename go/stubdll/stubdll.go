// Package stubdll writes Windows DLLs that export given names and do nothing.
//
// A loader test needs something by the name of python312.dll that has every
// export an extension module may import, on any machine and without a
// compiler. The primary type is [DLL]: it comes from a module definition file
// ([ParseDef]) or is filled in by hand, and [DLL.Bytes] renders it as an image
// whose functions return 0, whose data is zeros, and which has no entry point.
// [DLL.Imports] makes images that cannot be loaded, for tests of the loader.
//
// The format is that of Microsoft's "PE Format" specification.
package stubdll

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/pe"
)

// DataSize is how many zero bytes stand behind each exported datum; Python's
// largest static type object takes a tenth of it.
const DataSize = 4096

// DLL describes one stub.
type DLL struct {
	// Name is the file name, such as "python312.dll".
	Name string
	// Machine is what the image is for: [pe.MachineARM64] or [pe.MachineAMD64].
	Machine pe.Machine
	// Functions are the exported functions. Each returns 0.
	Functions []string
	// Data are the exported variables, [DataSize] bytes of zeros each.
	Data []string
	// Imports are what the image itself needs to be loaded.
	Imports []pe.Import
}

// ParseDef reads a module definition file: the LIBRARY statement, which is
// required, and the EXPORTS, whose DATA, ordinal and "= internal name" parts
// are understood. Comments start with a semicolon. Other statements are
// errors, which name the line.
func ParseDef(text string, machine pe.Machine) (*DLL, error) {
	d := &DLL{Machine: machine}
	exports := false
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, ";")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		switch {
		case strings.EqualFold(words[0], "LIBRARY") && len(words) == 2 && !exports:
			d.Name = strings.Trim(words[1], `"`)
		case strings.EqualFold(words[0], "EXPORTS") && len(words) == 1:
			exports = true
		case exports:
			name, _, _ := strings.Cut(words[0], "=")
			if slices.ContainsFunc(words[1:], func(w string) bool { return strings.EqualFold(w, "DATA") }) {
				d.Data = append(d.Data, name)
			} else {
				d.Functions = append(d.Functions, name)
			}
		default:
			return nil, fmt.Errorf("line %d: %q is neither LIBRARY nor EXPORTS", i+1, strings.TrimSpace(line))
		}
	}
	if d.Name == "" {
		return nil, fmt.Errorf("no LIBRARY statement names the DLL")
	}
	if !strings.Contains(d.Name, ".") {
		d.Name += ".dll"
	}
	return d, nil
}

// Missing lists what the image imports from a DLL of d's name and d does not
// export. Wine, unlike Windows, loads such an image.
func (d *DLL) Missing(image *pe.Image) []string {
	var missing []string
	for _, imported := range image.Imports {
		if !strings.EqualFold(imported.DLL, d.Name) {
			continue
		}
		for _, symbol := range imported.Symbols {
			if !slices.Contains(d.Functions, symbol) && !slices.Contains(d.Data, symbol) {
				missing = append(missing, symbol)
			}
		}
	}
	return missing
}
