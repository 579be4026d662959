package pe

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// maxName bounds every name that is read: longer ones are garbage.
const maxName = 4096

// nameRoom bounds all names together, in multiples of the file's size. Linkers
// store most names once.
const nameRoom = 4

// space is an image's address space: it reads values by relative virtual
// address from the bytes of the file.
type space struct {
	data     []byte
	sections []*pe.Section
	dirs     []pe.DataDirectory
	base     uint64
	headers  uint32
	is64     bool
	// room is how many bytes of names may still be read: malformed tables can
	// point to one name a million times.
	room int
}

func newSpace(data []byte, file *pe.File) (*space, error) {
	s := &space{data: data, sections: file.Sections, room: nameRoom * len(data)}
	switch h := file.OptionalHeader.(type) {
	case *pe.OptionalHeader64:
		s.dirs, s.base, s.headers, s.is64 = h.DataDirectory[:], h.ImageBase, h.SizeOfHeaders, true
		s.dirs = s.dirs[:min(int64(len(s.dirs)), int64(h.NumberOfRvaAndSizes))]
	case *pe.OptionalHeader32:
		s.dirs, s.base, s.headers = h.DataDirectory[:], uint64(h.ImageBase), h.SizeOfHeaders
		s.dirs = s.dirs[:min(int64(len(s.dirs)), int64(h.NumberOfRvaAndSizes))]
	default:
		return nil, errors.New("PE headers: no optional header, so this is an object file and no image")
	}
	for _, section := range s.sections {
		if section.Offset != 0 && uint64(section.Offset)+uint64(section.Size) > uint64(len(data)) {
			return nil, fmt.Errorf("PE headers: section %q runs past the end of the file", section.Name)
		}
	}
	return s, nil
}

// directory gives one data directory, zero when the image has none.
func (s *space) directory(index int) pe.DataDirectory {
	if index >= len(s.dirs) {
		return pe.DataDirectory{}
	}
	return s.dirs[index]
}

// from gives the file's bytes from rva to the end of its section.
func (s *space) from(rva uint32) ([]byte, error) {
	for _, section := range s.sections {
		start := uint64(section.VirtualAddress)
		// What the file holds beyond VirtualSize is padding, and what memory
		// holds beyond Size is zero: neither carries a table.
		size := uint64(section.Size)
		if section.VirtualSize != 0 {
			size = min(size, uint64(section.VirtualSize))
		}
		at := uint64(rva)
		if at < start || at >= start+size {
			continue
		}
		lo := uint64(section.Offset) + at - start
		hi := uint64(section.Offset) + size
		hi = min(hi, uint64(len(s.data)))
		if lo >= hi {
			break
		}
		return s.data[lo:hi], nil
	}
	if rva < s.headers && uint64(rva) < uint64(len(s.data)) {
		return s.data[rva:min(uint64(s.headers), uint64(len(s.data)))], nil
	}
	return nil, fmt.Errorf("address 0x%x is in no section", rva)
}

// bytes gives exactly n bytes at rva.
func (s *space) bytes(rva, n uint32) ([]byte, error) {
	rest, err := s.from(rva)
	if err != nil {
		return nil, err
	}
	if uint64(len(rest)) < uint64(n) {
		return nil, fmt.Errorf("%d bytes at address 0x%x run past their section", n, rva)
	}
	return rest[:n], nil
}

func (s *space) u16(rva uint32) (uint16, error) {
	b, err := s.bytes(rva, 2)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint16(b), nil
}

func (s *space) u32(rva uint32) (uint32, error) {
	b, err := s.bytes(rva, 4)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

func (s *space) u64(rva uint32) (uint64, error) {
	b, err := s.bytes(rva, 8)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b), nil
}

// name gives the NUL-terminated string at rva.
func (s *space) name(rva uint32) (string, error) {
	rest, err := s.from(rva)
	if err != nil {
		return "", err
	}
	end := bytes.IndexByte(rest[:min(len(rest), maxName)], 0)
	if end < 0 {
		return "", fmt.Errorf("the name at address 0x%x has no end", rva)
	}
	if s.room -= end + 1; s.room < 0 {
		return "", fmt.Errorf("the names take more than %d times the room of the file", nameRoom)
	}
	return string(rest[:end]), nil
}

// add is rva+offset, refused where it leaves 32 bits: garbage would wrap round
// and be read as something else.
func add(rva uint32, offset uint64) (uint32, error) {
	sum := uint64(rva) + offset
	if sum > math.MaxUint32 {
		return 0, fmt.Errorf("address 0x%x+0x%x is out of range", rva, offset)
	}
	return uint32(sum), nil
}
