package ccdriver

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"strings"
)

// ELF64 structure sizes and field offsets (System V ABI, chapters 4 and 5).
const (
	ehdrSize, shdrSize, symSize  = 64, 64, 24
	ehShoff, ehShnum, ehShstrndx = 40, 60, 62
	shOff                        = 24
	shLink, shInfo, shAddral     = 40, 44, 48
	stShndx                      = 6
)

// stripELF drops the debug sections of a linked 64-bit little-endian file, and
// without debugOnly its symbol table and comments as well. What is mapped into
// memory stays byte for byte where it is.
func stripELF(data []byte, debugOnly bool) ([]byte, error) {
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if f.Class != elf.ELFCLASS64 || f.Data != elf.ELFDATA2LSB {
		return nil, fmt.Errorf("not a 64-bit little-endian file")
	}
	if f.Type != elf.ET_DYN && f.Type != elf.ET_EXEC {
		return nil, fmt.Errorf("an ELF file of type %v; only linked files are stripped", f.Type)
	}
	le := binary.LittleEndian
	shoff := le.Uint64(data[ehShoff:])
	header := func(i int) []byte { return data[shoff+uint64(i)*shdrSize:][:shdrSize] }
	// The part that is loaded ends with the last program segment or allocated section.
	end := uint64(ehdrSize)
	for _, p := range f.Progs {
		end = max(end, p.Off+p.Filesz)
	}
	keep := make([]bool, len(f.Sections))
	index := make([]uint32, len(f.Sections))
	kept := uint32(0)
	for i, s := range f.Sections {
		keep[i] = keepSection(s, i == 0, debugOnly) || i == int(le.Uint16(data[ehShstrndx:]))
		if keep[i] {
			index[i] = kept
			kept++
		}
		if s.Flags&elf.SHF_ALLOC != 0 && s.Type != elf.SHT_NOBITS {
			end = max(end, s.Offset+s.FileSize)
		}
	}
	out := append([]byte{}, data[:end]...)
	var headers []byte
	for i, s := range f.Sections {
		if !keep[i] {
			continue
		}
		h := append([]byte{}, header(i)...)
		if i > 0 && s.Flags&elf.SHF_ALLOC == 0 {
			body := append([]byte{}, data[s.Offset:s.Offset+s.FileSize]...)
			if s.Type == elf.SHT_SYMTAB {
				renumber(body, keep, index)
			}
			out = align(out, max(le.Uint64(h[shAddral:]), 1))
			le.PutUint64(h[shOff:], uint64(len(out)))
			out = append(out, body...)
		}
		if link := le.Uint32(h[shLink:]); int(link) < len(index) {
			le.PutUint32(h[shLink:], index[link])
		}
		if s.Type == elf.SHT_RELA || s.Type == elf.SHT_REL || s.Flags&elf.SHF_INFO_LINK != 0 {
			if info := le.Uint32(h[shInfo:]); int(info) < len(index) {
				le.PutUint32(h[shInfo:], index[info])
			}
		}
		headers = append(headers, h...)
	}
	out = align(out, 8)
	le.PutUint64(out[ehShoff:], uint64(len(out)))
	le.PutUint16(out[ehShnum:], uint16(kept))
	le.PutUint16(out[ehShstrndx:], uint16(index[le.Uint16(data[ehShstrndx:])]))
	return append(out, headers...), nil
}

func keepSection(s *elf.Section, null, debugOnly bool) bool {
	if null || s.Flags&elf.SHF_ALLOC != 0 {
		return true
	}
	return debugOnly && !strings.HasPrefix(s.Name, ".debug") && !strings.HasPrefix(s.Name, ".gdb_index")
}

// renumber gives the symbols of a symbol table the new numbers of their sections.
func renumber(symbols []byte, keep []bool, index []uint32) {
	le := binary.LittleEndian
	for at := 0; at+symSize <= len(symbols); at += symSize {
		if section := int(le.Uint16(symbols[at+stShndx:])); section < len(index) {
			number := uint16(0)
			if keep[section] {
				number = uint16(index[section])
			}
			le.PutUint16(symbols[at+stShndx:], number)
		}
	}
}

func align(data []byte, to uint64) []byte {
	if rest := uint64(len(data)) % to; rest != 0 {
		data = append(data, make([]byte, to-rest)...)
	}
	return data
}
