package stubdll

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/sparkwheels/sparkwheels/go/pe"
)

const (
	imageBase    = 0x180000000
	pageSize     = 0x1000
	fileAlign    = 0x200
	headerSize   = 0x400
	optionalSize = 240
	// Section characteristics: what it holds, then what may be done with it.
	codeSection = 0x20 | 0x20000000 | 0x40000000
	readSection = 0x40 | 0x40000000
	dataSection = 0x40 | 0x40000000 | 0x80000000
	zeroSection = 0x80 | 0x40000000 | 0x80000000
)

// returnZero is the one function, for each machine.
var returnZero = map[pe.Machine][]byte{
	pe.MachineAMD64: {0x31, 0xc0, 0xc3},                               // xor eax, eax; ret
	pe.MachineARM64: {0x00, 0x00, 0x80, 0xd2, 0xc0, 0x03, 0x5f, 0xd6}, // mov x0, #0; ret
}

// section is a part of the image; zero bytes past data up to size are not in
// the file.
type section struct {
	name  string
	rva   uint32
	data  []byte
	size  uint32
	flags uint32
}

// append puts data at the next multiple of 8 and tells its address.
func (s *section) append(data []byte) uint32 {
	for len(s.data)%8 != 0 {
		s.data = append(s.data, 0)
	}
	at := s.rva + uint32(len(s.data))
	s.data = append(s.data, data...)
	return at
}

func (s *section) text(text string) uint32 { return s.append([]byte(text + "\x00")) }

// next is the first page after the section.
func (s *section) next() uint32 {
	return s.rva + align(max(s.size, uint32(len(s.data)), 1), pageSize)
}

func align(n, to uint32) uint32 { return (n + to - 1) / to * to }

// Bytes renders the image. The same description gives the same bytes. It is an
// error to export a name twice or to ask for a machine other than the two.
func (d *DLL) Bytes() ([]byte, error) {
	code, ok := returnZero[d.Machine]
	if !ok {
		return nil, fmt.Errorf("%s: no stub can be written for %s", d.Name, d.Machine)
	}
	text := &section{name: ".text", rva: pageSize, data: code, flags: codeSection}
	bss := &section{name: ".bss", rva: text.next(), size: uint32(len(d.Data)) * DataSize, flags: zeroSection}
	address := map[string]uint32{}
	for _, name := range d.Functions {
		address[name] = text.rva
	}
	for i, name := range d.Data {
		address[name] = bss.rva + uint32(i)*DataSize
	}
	if len(address) != len(d.Functions)+len(d.Data) {
		return nil, fmt.Errorf("%s: a name is exported twice", d.Name)
	}
	edata := &section{name: ".edata", rva: bss.next(), flags: readSection}
	exports := d.exports(edata, address)
	idata := &section{name: ".idata", rva: edata.next(), flags: dataSection}
	imports := d.imports(idata)
	return d.file([]*section{text, bss, edata, idata}, exports, imports), nil
}

// exports writes the export directory and tells its address; names are sorted,
// since loaders search them by halves.
func (d *DLL) exports(s *section, address map[string]uint32) uint32 {
	names := make([]string, 0, len(address))
	for name := range address {
		names = append(names, name)
	}
	slices.Sort(names)
	var rvas, pointers, ordinals []byte
	for i, name := range names {
		rvas = binary.LittleEndian.AppendUint32(rvas, address[name])
		pointers = binary.LittleEndian.AppendUint32(pointers, s.text(name))
		ordinals = binary.LittleEndian.AppendUint16(ordinals, uint16(i))
	}
	count := uint32(len(names))
	return s.append(words(0, 0, 0, s.text(d.Name), 1, count, count, s.append(rvas), s.append(pointers), s.append(ordinals)))
}

// imports writes the import directory and tells its address.
func (d *DLL) imports(s *section) uint32 {
	var table []byte
	for _, imported := range d.Imports {
		var thunks []byte
		for _, symbol := range imported.Symbols {
			thunks = binary.LittleEndian.AppendUint64(thunks, uint64(s.text("\x00\x00"+symbol)))
		}
		thunks = append(thunks, make([]byte, 8)...)
		table = append(table, words(s.append(thunks), 0, 0, s.text(imported.DLL), s.append(thunks))...)
	}
	return s.append(append(table, make([]byte, 20)...))
}

func words(values ...uint32) []byte {
	var data []byte
	for _, value := range values {
		data = binary.LittleEndian.AppendUint32(data, value)
	}
	return data
}

// file puts the headers before the sections.
func (d *DLL) file(sections []*section, exports, imports uint32) []byte {
	var dirs [16][2]uint32
	edata, idata := sections[2], sections[3]
	// The export directory's size also bounds what counts as a forwarder.
	dirs[0] = [2]uint32{exports, edata.rva + uint32(len(edata.data)) - exports}
	if len(d.Imports) > 0 {
		dirs[1] = [2]uint32{imports, idata.rva + uint32(len(idata.data)) - imports}
	}
	le := binary.LittleEndian
	h := append(make([]byte, 0, headerSize), "MZ"...)
	h = append(h, make([]byte, 0x3a)...)
	h = le.AppendUint32(h, 0x40) // where the PE header starts
	h = append(h, "PE\x00\x00"...)
	h = le.AppendUint16(h, uint16(d.Machine))
	h = le.AppendUint16(h, uint16(len(sections)))
	h = append(h, make([]byte, 12)...) // time stamp, symbols
	h = le.AppendUint16(h, optionalSize)
	h = le.AppendUint16(h, 0x2022)    // DLL, large addresses, executable
	h = le.AppendUint16(h, 0x20b)     // PE32+
	h = append(h, make([]byte, 2)...) // linker version
	h = append(h, words(fileAlign, 0, 0, 0, sections[0].rva)...)
	h = le.AppendUint64(h, imageBase)
	h = append(h, words(pageSize, fileAlign, 6, 0, 6, 0, sections[len(sections)-1].next(), headerSize, 0)...)
	h = le.AppendUint16(h, 3)     // console
	h = le.AppendUint16(h, 0x160) // movable, no execution of data
	for _, size := range []uint64{1 << 20, 1 << 12, 1 << 20, 1 << 12} {
		h = le.AppendUint64(h, size) // stack, heap
	}
	h = append(h, words(0, uint32(len(dirs)))...)
	for _, dir := range dirs {
		h = append(h, words(dir[:]...)...)
	}
	var body []byte
	for _, s := range sections {
		stored := align(uint32(len(s.data)), fileAlign)
		h = append(h, s.name...)
		h = append(h, make([]byte, 8-len(s.name))...)
		at := headerSize + uint32(len(body))
		if stored == 0 {
			at = 0
		}
		h = append(h, words(max(s.size, uint32(len(s.data))), s.rva, stored, at, 0, 0, 0, s.flags)...)
		body = append(body, s.data...)
		body = append(body, make([]byte, int(stored)-len(s.data))...)
	}
	h = append(h, make([]byte, headerSize-len(h))...)
	return append(h, body...)
}
