// Package native gives one view of the binaries of all platforms: what kind
// they are, what they load and what they offer.
//
// Its primary type is Binary, which wraps a PE or an ELF image.
package native

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/elf"
	"github.com/sparkwheels/sparkwheels/go/pe"
)

// Format is the kind of a binary.
type Format string

// The formats that Sniff tells apart. Only PE and ELF can be parsed.
const (
	None  Format = ""
	PE    Format = "PE"
	ELF   Format = "ELF"
	MachO Format = "Mach-O"
)

// Article gives the format for a sentence: "a PE", "an ELF", "a Mach-O".
func (f Format) Article() string {
	if f == ELF {
		return "an ELF"
	}
	return "a " + string(f)
}

// Sniff tells a file's format by its contents, whatever it is called.
func Sniff(data []byte) Format {
	switch {
	case elf.Sniff(data):
		return ELF
	case pe.Sniff(data):
		return PE
	}
	for _, magic := range []string{"\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xfe\xed\xfa\xcf", "\xfe\xed\xfa\xce"} {
		if bytes.HasPrefix(data, []byte(magic)) {
			return MachO
		}
	}
	return None
}

// Suffix gives the format that a file's name promises, None when it promises
// nothing: .dll, .pyd and .exe are PE, .so and .so.1 ELF, .dylib Mach-O.
func Suffix(base string) Format {
	lower := strings.ToLower(base)
	switch {
	case strings.HasSuffix(lower, ".dll"), strings.HasSuffix(lower, ".pyd"), strings.HasSuffix(lower, ".exe"):
		return PE
	case strings.HasSuffix(lower, ".dylib"):
		return MachO
	case strings.HasSuffix(lower, ".so"):
		return ELF
	}
	if at := strings.LastIndex(lower, ".so."); at >= 0 && strings.Trim(lower[at+4:], "0123456789.") == "" {
		return ELF
	}
	return None
}

// Binary is a parsed binary. Exactly one of PE and ELF is set.
type Binary struct {
	PE  *pe.Image
	ELF *elf.Image
}

// Parse reads a binary from the bytes of a whole file.
func Parse(data []byte) (*Binary, error) {
	switch format := Sniff(data); format {
	case PE:
		image, err := pe.Parse(data)
		if err != nil {
			return nil, err
		}
		return &Binary{PE: image}, nil
	case ELF:
		image, err := elf.Parse(data)
		if err != nil {
			return nil, err
		}
		return &Binary{ELF: image}, nil
	default:
		return nil, fmt.Errorf("neither PE nor ELF")
	}
}

// Format gives the binary's format.
func (b *Binary) Format() Format {
	if b.PE != nil {
		return PE
	}
	return ELF
}

// Machine gives the machine as the platform's tools name it, such as ARM64 or
// aarch64; an ARM64EC or ARM64X image is called that.
func (b *Binary) Machine() string {
	if b.ELF != nil {
		return b.ELF.Machine
	}
	if b.PE.Hybrid != pe.HybridNone {
		return string(b.PE.Hybrid)
	}
	return b.PE.Machine.String()
}

// Imports lists the libraries that are loaded with the binary, sorted, each
// once; those of delay imports and forwarded exports too.
func (b *Binary) Imports() []string {
	var libraries []string
	if b.ELF != nil {
		libraries = slices.Clone(b.ELF.Needed)
	} else {
		for _, entry := range b.PE.Imports {
			libraries = append(libraries, entry.DLL)
		}
		for _, export := range b.PE.Exports {
			if at := strings.LastIndexByte(export.Forwarder, '.'); at >= 0 {
				libraries = append(libraries, export.Forwarder[:at]+".dll")
			}
		}
	}
	slices.Sort(libraries)
	return slices.Compact(libraries)
}

// Symbols lists what is imported from one library, where the format tells.
func (b *Binary) Symbols(library string) []string {
	var symbols []string
	if b.PE != nil {
		for _, entry := range b.PE.Imports {
			if entry.DLL == library {
				symbols = append(symbols, entry.Symbols...)
			}
		}
	}
	return symbols
}

// Exports lists the exported names, sorted.
func (b *Binary) Exports() []string {
	if b.ELF != nil {
		return slices.Clone(b.ELF.Exports)
	}
	var names []string
	for _, export := range b.PE.Exports {
		if export.Name != "" {
			names = append(names, export.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// HasExport tells whether a name is exported.
func (b *Binary) HasExport(name string) bool {
	if b.ELF != nil {
		return b.ELF.HasExport(name)
	}
	return b.PE.HasExport(name)
}
