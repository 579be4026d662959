package pe

import (
	"bytes"
	"encoding/binary"
)

const (
	debugEntrySize = 28
	debugCodeView  = 2
	maxDebug       = 64
)

// readDebug finds the path of the PDB file in the CodeView (RSDS) entry.
func readDebug(s *space, image *Image) error {
	dir := s.directory(dirDebug)
	if dir.VirtualAddress == 0 {
		return nil
	}
	for i := range min(dir.Size/debugEntrySize, maxDebug) {
		at, err := add(dir.VirtualAddress, uint64(i)*debugEntrySize)
		if err != nil {
			return err
		}
		entry, err := s.bytes(at, debugEntrySize)
		if err != nil {
			return err
		}
		if binary.LittleEndian.Uint32(entry[12:]) != debugCodeView {
			continue
		}
		// The data is found by file offset: it need not be mapped.
		size := uint64(binary.LittleEndian.Uint32(entry[16:]))
		offset := uint64(binary.LittleEndian.Uint32(entry[24:]))
		if offset+size > uint64(len(s.data)) || size < 24 {
			continue
		}
		data := s.data[offset : offset+size]
		if string(data[:4]) != "RSDS" {
			continue
		}
		path, _, _ := bytes.Cut(data[24:], []byte{0})
		image.PDB = string(path)
		return nil
	}
	return nil
}
