// Package pe reads what an auditor needs to know of a Windows executable image.
//
// It stands on debug/pe for the headers and the section table and adds what
// that package lacks: imports of every machine with their DLL names, delay
// imports, the export table with forwarders, the ARM64EC and ARM64X marks, the
// debug directory and the version information resource.
//
// The primary type is Image. Parse makes it from the bytes of one file in one
// pass; after that it is plain data. Parse never panics and never allocates
// more than a small multiple of its input, whatever the input holds.
//
// The format is that of Microsoft's "PE Format" specification.
package pe

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"errors"
	"fmt"
)

// Indexes of the optional header's data directories.
const (
	dirExport      = 0
	dirImport      = 1
	dirResource    = 2
	dirDebug       = 6
	dirLoadConfig  = 10
	dirDelayImport = 13
)

// ErrNotImage says that the bytes are no PE image at all.
var ErrNotImage = errors.New("not a PE image")

// Image is one executable image: a DLL, an extension module or a program.
type Image struct {
	// Machine is the file header's machine type.
	Machine Machine
	// Hybrid tells ARM64EC and ARM64X images from plain ones.
	Hybrid Hybrid
	// DLL is the file header's IMAGE_FILE_DLL bit.
	DLL bool
	// Timestamp is the file header's time stamp; a hash in reproducible images.
	Timestamp uint32
	// Imports lists one entry for each DLL that is named, in file order,
	// ordinary imports before delay imports.
	Imports []Import
	// ExportName is the DLL's own name in its export table.
	ExportName string
	// Exports lists the exported functions and data in file order.
	Exports []Export
	// PDB is the path that the CodeView debug entry records, or "".
	PDB string
	// Version holds the version resource's strings, such as CompanyName. When
	// a file has several languages, the first one wins for each key.
	Version map[string]string
}

// Sniff tells whether data starts like a PE image: an MZ header whose pointer
// leads to a PE signature. A DOS program or a text that begins with "MZ" does
// not.
func Sniff(data []byte) bool {
	if len(data) < 0x40 || data[0] != 'M' || data[1] != 'Z' {
		return false
	}
	at := uint64(binary.LittleEndian.Uint32(data[0x3c:]))
	return at+4 <= uint64(len(data)) && string(data[at:at+4]) == "PE\x00\x00"
}

// Parse reads an image from the bytes of a whole file. The error is ErrNotImage
// when there is no PE signature, and else names the table that is broken.
func Parse(data []byte) (*Image, error) {
	if !Sniff(data) {
		return nil, ErrNotImage
	}
	file, err := pe.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("PE headers: %w", err)
	}
	defer file.Close()
	mapped, err := newSpace(data, file)
	if err != nil {
		return nil, err
	}
	image := &Image{
		Machine:   Machine(file.Machine),
		DLL:       file.Characteristics&pe.IMAGE_FILE_DLL != 0,
		Timestamp: file.TimeDateStamp,
	}
	for _, table := range []struct {
		name string
		read func(*space, *Image) error
	}{
		{"import table", readImports},
		{"delay import table", readDelayImports},
		{"export table", readExports},
		{"load configuration", readHybrid},
		{"debug directory", readDebug},
		{"version resource", readVersion},
	} {
		if err := table.read(mapped, image); err != nil {
			return nil, fmt.Errorf("PE %s: %w", table.name, err)
		}
	}
	return image, nil
}
