package ccdriver

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"fmt"
	"strings"
)

// stripPE drops the COFF symbol table and the .debug sections of an image. lld
// writes both after everything that is loaded for other reasons, so the rest
// stays byte for byte where it is (Microsoft, "PE Format").
func stripPE(data []byte) ([]byte, error) {
	f, err := pe.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	const fileHeader, sectionHeader, sizeOfImage, sectionAlignment = 20, 40, 56, 32
	le := binary.LittleEndian
	coff := int(le.Uint32(data[0x3c:])) + 4
	optional := coff + fileHeader
	table := optional + int(f.SizeOfOptionalHeader)
	kept := len(f.Sections)
	for kept > 0 && strings.HasPrefix(f.Sections[kept-1].Name, ".debug") {
		kept--
	}
	end := table + sectionHeader*len(f.Sections)
	for i, s := range f.Sections[:kept] {
		if strings.HasPrefix(s.Name, ".debug") {
			return nil, fmt.Errorf("section %s lies before others that are needed; link with -s instead", s.Name)
		}
		if data[table+i*sectionHeader] == '/' {
			return nil, fmt.Errorf("the name of section %s lies in the symbol table; link with -s instead", s.Name)
		}
		end = max(end, int(s.Offset+s.Size))
	}
	if kept == len(f.Sections) && f.PointerToSymbolTable == 0 {
		return data, nil
	}
	out := append([]byte{}, data[:end]...)
	clear(out[table+kept*sectionHeader : table+len(f.Sections)*sectionHeader])
	le.PutUint16(out[coff+2:], uint16(kept))
	le.PutUint32(out[coff+8:], 0)
	le.PutUint32(out[coff+12:], 0)
	if kept > 0 {
		last := f.Sections[kept-1]
		unit := le.Uint32(out[optional+sectionAlignment:])
		le.PutUint32(out[optional+sizeOfImage:], (last.VirtualAddress+last.VirtualSize+unit-1)/unit*unit)
	}
	return out, nil
}
