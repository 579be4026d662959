// Package petest makes small PE images for tests, byte by byte, so that no
// binary is checked in.
package petest

import (
	"encoding/binary"
	"unicode/utf16"
)

// Machine types for Image.Machine.
const (
	X64   = 0x8664
	ARM64 = 0xaa64
)

const (
	sectionRVA    = 0x1000
	sectionOffset = 0x400
	imageBase     = 0x180000000
)

// Import is one DLL of the import or delay import table.
type Import struct {
	// DLL is the name that the loader looks for.
	DLL string
	// Symbols are the names; "" stands for an import by ordinal 1.
	Symbols []string
	// Delay puts the entry into the delay import table.
	Delay bool
}

// Export is one name of the export table. Forwarder may be "".
type Export struct{ Name, Forwarder string }

// Image describes a PE32+ DLL.
type Image struct {
	Machine   uint16
	Timestamp uint32
	Name      string
	Imports   []Import
	Exports   []Export
	// CHPE makes the image ARM64EC (x64) or ARM64X (ARM64).
	CHPE bool
	// PDB is the path for the debug directory, if any.
	PDB string
	// Company is the version resource's CompanyName, if any.
	Company string
	// Text is put into the image as it is.
	Text string
	// Sections are further sections, which nothing in the image refers to.
	Sections []Section
}

// Section is one further section; its name has eight letters at most.
type Section struct {
	Name string
	Data []byte
}

// Module is an ARM64 extension module: it exports init and imports python312.dll.
func Module(init string) Image {
	return Image{
		Machine: ARM64, Name: "module.pyd",
		Imports: []Import{{DLL: "python312.dll", Symbols: []string{"PyModule_Create2"}}, {DLL: "KERNEL32.dll", Symbols: []string{"Sleep"}}},
		Exports: []Export{{Name: init}},
	}
}

// Bytes renders the image.
func (i Image) Bytes() []byte {
	b := &builder{}
	dirs := [16][2]uint32{}
	b.raw([]byte(i.Text + "\x00"))
	dirs[0] = b.exports(i.Name, i.Exports)
	dirs[1] = b.imports(i.Imports, false)
	dirs[13] = b.imports(i.Imports, true)
	dirs[2] = b.resources(i.Company)
	dirs[6] = b.debug(i.PDB)
	dirs[10] = b.loadConfig(i.CHPE)

	le := binary.LittleEndian
	h := make([]byte, 0, sectionOffset)
	h = append(h, "MZ"...)
	h = append(h, make([]byte, 0x3a)...)
	h = le.AppendUint32(h, 0x40)
	h = append(h, "PE\x00\x00"...)
	h = le.AppendUint16(h, i.Machine)
	h = le.AppendUint16(h, uint16(1+len(i.Sections)))
	h = le.AppendUint32(h, i.Timestamp)
	h = le.AppendUint32(h, 0)      // symbol table
	h = le.AppendUint32(h, 0)      // symbols
	h = le.AppendUint16(h, 240)    // optional header
	h = le.AppendUint16(h, 0x2022) // DLL, large address aware, executable
	size := uint32(len(b.data))
	h = le.AppendUint16(h, 0x20b)
	h = append(h, 14, 0)
	h = le.AppendUint32(h, 0)
	h = le.AppendUint32(h, size)
	h = append(h, make([]byte, 12)...) // bss, entry, code base
	h = le.AppendUint64(h, imageBase)
	h = le.AppendUint32(h, 0x1000)
	h = le.AppendUint32(h, 0x200)
	h = append(h, 6, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0)
	end := sectionRVA + (size+0xfff)&^0xfff
	for _, extra := range i.Sections {
		end += (uint32(len(extra.Data)) + 0xfff) &^ 0xfff
	}
	h = le.AppendUint32(h, end)
	h = le.AppendUint32(h, sectionOffset)
	h = le.AppendUint32(h, 0) // check sum
	h = le.AppendUint16(h, 3) // console
	h = le.AppendUint16(h, 0x160)
	for range 4 {
		h = le.AppendUint64(h, 0x10000)
	}
	h = le.AppendUint32(h, 0)
	h = le.AppendUint32(h, 16)
	for _, dir := range dirs {
		h = le.AppendUint32(h, dir[0])
		h = le.AppendUint32(h, dir[1])
	}
	body := b.data
	address := uint32(sectionRVA)
	section := func(name string, size uint32) {
		h = append(h, name...)
		h = append(h, make([]byte, 8-len(name))...)
		h = le.AppendUint32(h, size)
		h = le.AppendUint32(h, address)
		h = le.AppendUint32(h, size)
		h = le.AppendUint32(h, uint32(sectionOffset+len(body))-size)
		h = append(h, make([]byte, 12)...)
		h = le.AppendUint32(h, 0x40000040)
		address += (size + 0xfff) &^ 0xfff
	}
	section(".rdata", size)
	for _, extra := range i.Sections {
		body = append(body, extra.Data...)
		section(extra.Name, uint32(len(extra.Data)))
	}
	h = append(h, make([]byte, sectionOffset-len(h))...)
	return append(h, body...)
}

// builder fills the one section and knows the address of what it appended.
type builder struct{ data []byte }

func (b *builder) align() {
	for len(b.data)%8 != 0 {
		b.data = append(b.data, 0)
	}
}

func (b *builder) raw(data []byte) uint32 {
	b.align()
	at := uint32(sectionRVA + len(b.data))
	b.data = append(b.data, data...)
	return at
}

func (b *builder) name(text string) uint32 { return b.raw([]byte(text + "\x00")) }

func (b *builder) u32s(values ...uint32) uint32 {
	var data []byte
	for _, value := range values {
		data = binary.LittleEndian.AppendUint32(data, value)
	}
	return b.raw(data)
}

func (b *builder) imports(imports []Import, delay bool) [2]uint32 {
	var table []uint32
	for _, entry := range imports {
		if entry.Delay != delay {
			continue
		}
		var thunks []byte
		for _, symbol := range entry.Symbols {
			value := uint64(1)<<63 | 1
			if symbol != "" {
				value = uint64(b.raw([]byte("\x00\x00" + symbol + "\x00")))
			}
			thunks = binary.LittleEndian.AppendUint64(thunks, value)
		}
		thunks = append(thunks, make([]byte, 8)...)
		names := b.raw(thunks)
		addresses := b.raw(thunks)
		dll := b.name(entry.DLL)
		if delay {
			table = append(table, 1, dll, 0, addresses, names, 0, 0, 0)
		} else {
			table = append(table, names, 0, 0, dll, addresses)
		}
	}
	if table == nil {
		return [2]uint32{}
	}
	table = append(table, make([]uint32, 8)...)
	return [2]uint32{b.u32s(table...), uint32(len(table) * 4)}
}

func (b *builder) exports(name string, exports []Export) [2]uint32 {
	if len(exports) == 0 {
		return [2]uint32{}
	}
	target := b.raw(make([]byte, 16)) // what the plain exports point to
	b.align()
	start := uint32(sectionRVA + len(b.data))
	n := uint32(len(exports))
	b.data = append(b.data, make([]byte, 40)...)
	dll := b.name(name)
	addresses, names, ordinals := []uint32{}, []uint32{}, []byte{}
	for i, export := range exports {
		names = append(names, b.name(export.Name))
		ordinals = binary.LittleEndian.AppendUint16(ordinals, uint16(i))
		address := target
		if export.Forwarder != "" {
			address = b.name(export.Forwarder)
		}
		addresses = append(addresses, address)
	}
	head := make([]byte, 12)
	for _, value := range []uint32{dll, 1, n, n, b.u32s(addresses...), b.u32s(names...), b.raw(ordinals)} {
		head = binary.LittleEndian.AppendUint32(head, value)
	}
	copy(b.data[start-sectionRVA:], head)
	return [2]uint32{start, uint32(sectionRVA+len(b.data)) - start}
}

func (b *builder) debug(pdb string) [2]uint32 {
	if pdb == "" {
		return [2]uint32{}
	}
	data := append([]byte("RSDS"), make([]byte, 20)...)
	data = append(data, pdb+"\x00"...)
	at := b.raw(data)
	entry := b.u32s(0, 0, 0, 2, uint32(len(data)), at, at-sectionRVA+sectionOffset)
	return [2]uint32{entry, 28}
}

func (b *builder) loadConfig(chpe bool) [2]uint32 {
	if !chpe {
		return [2]uint32{}
	}
	data := make([]byte, 0x140)
	binary.LittleEndian.PutUint32(data, 0x140)
	binary.LittleEndian.PutUint64(data[0xc8:], imageBase+sectionRVA)
	return [2]uint32{b.raw(data), 0x140}
}

func (b *builder) resources(company string) [2]uint32 {
	if company == "" {
		return [2]uint32{}
	}
	text := block("CompanyName", utf16z(company), nil)
	table := block("040904B0", nil, text)
	version := block("VS_VERSION_INFO", make([]byte, 52), block("StringFileInfo", nil, table))
	// Three directories of one entry each, 24 bytes, then the data entry.
	data := b.raw(version)
	tree := b.u32s(
		0, 0, 0, 1<<16, 16, 1<<31|24,
		0, 0, 0, 1<<16, 1, 1<<31|48,
		0, 0, 0, 1<<16, 0x409, 72,
		data, uint32(len(version)), 0, 0)
	return [2]uint32{tree, 88}
}

func utf16z(text string) []byte {
	var data []byte
	for _, unit := range append(utf16.Encode([]rune(text)), 0) {
		data = binary.LittleEndian.AppendUint16(data, unit)
	}
	return data
}

// block is one node of the version information, padded to 4 bytes.
func block(key string, value, children []byte) []byte {
	pad := func(data []byte) []byte {
		for len(data)%4 != 0 {
			data = append(data, 0)
		}
		return data
	}
	valueLength := len(value)
	if children == nil {
		valueLength /= 2 // of a string it counts characters
	}
	data := make([]byte, 6)
	data = pad(append(data, utf16z(key)...))
	data = pad(append(data, value...))
	data = append(data, children...)
	binary.LittleEndian.PutUint16(data, uint16(len(data)))
	binary.LittleEndian.PutUint16(data[2:], uint16(valueLength))
	return data
}
