// Package elftest makes small ELF shared objects for tests, byte by byte, so
// that no binary is checked in.
package elftest

import (
	"encoding/binary"
	"maps"
	"slices"
)

// Machine numbers for Image.Machine.
const (
	X86_64  = 62
	AArch64 = 183
)

// Image describes a 64-bit little-endian shared object.
type Image struct {
	Machine   uint16
	SOName    string
	Needed    []string
	RPath     string
	RunPath   string
	Exports   []string
	Undefined []string
	// Versions maps a library to the versions of it that are needed.
	Versions map[string][]string
	// NoSections leaves the section headers out, as a stripper might.
	NoSections bool
	// Interpreter makes the image a program.
	Interpreter string
	// ExecStack makes the image ask for an executable stack.
	ExecStack bool
	// Text is put into the image as it is.
	Text string
	// Sections are further sections, which nothing in the image refers to.
	Sections []Section
}

// Section is one further section.
type Section struct {
	Name string
	Data []byte
}

// Module is an aarch64 extension module that exports init.
func Module(init string) Image {
	return Image{
		Machine: AArch64, Needed: []string{"libc.so.6"},
		Exports: []string{init}, Undefined: []string{"PyModule_Create2"},
		Versions: map[string][]string{"libc.so.6": {"GLIBC_2.17"}},
	}
}

const (
	headerSize  = 64
	programSize = 56
	sectionSize = 64
)

type section struct {
	name, kind   uint32
	link, info   uint32
	entry        uint64
	offset, size uint64
}

// Bytes renders the image.
func (i Image) Bytes() []byte {
	le := binary.LittleEndian
	strings := []byte{0}
	text := func(s string) uint32 {
		at := uint32(len(strings))
		strings = append(append(strings, s...), 0)
		return at
	}

	symbols := make([]byte, 24)
	count := 1
	symbol := func(name string, index uint16) {
		symbols = le.AppendUint32(symbols, text(name))
		symbols = append(symbols, 1<<4|2, 0) // global function
		symbols = le.AppendUint16(symbols, index)
		symbols = le.AppendUint64(symbols, 0x1000)
		symbols = le.AppendUint64(symbols, 4)
		count++
	}
	for _, name := range i.Exports {
		symbol(name, 1)
	}
	for _, name := range i.Undefined {
		symbol(name, 0)
	}

	var needs []byte
	libraries := slices.Sorted(maps.Keys(i.Versions))
	index := uint16(2)
	for n, library := range libraries {
		versions := i.Versions[library]
		next := uint32(16 + 16*len(versions))
		if n == len(libraries)-1 {
			next = 0
		}
		needs = le.AppendUint16(needs, 1)
		needs = le.AppendUint16(needs, uint16(len(versions)))
		needs = le.AppendUint32(needs, text(library))
		needs = le.AppendUint32(needs, 16)
		needs = le.AppendUint32(needs, next)
		for v, version := range versions {
			next := uint32(16)
			if v == len(versions)-1 {
				next = 0
			}
			needs = le.AppendUint32(needs, 0)
			needs = le.AppendUint16(needs, 0)
			needs = le.AppendUint16(needs, index)
			needs = le.AppendUint32(needs, text(version))
			needs = le.AppendUint32(needs, next)
			index++
		}
	}

	var dynamic []byte
	entry := func(tag uint64, value string) {
		dynamic = le.AppendUint64(dynamic, tag)
		dynamic = le.AppendUint64(dynamic, uint64(text(value)))
	}
	for _, library := range i.Needed {
		entry(1, library)
	}
	for _, tag := range []struct {
		number uint64
		value  string
	}{{14, i.SOName}, {15, i.RPath}, {29, i.RunPath}} {
		if tag.value != "" {
			entry(tag.number, tag.value)
		}
	}
	dynamic = append(dynamic, make([]byte, 16)...)
	var names []uint32
	for _, extra := range i.Sections {
		names = append(names, text(extra.Name))
	}

	programs := 1
	if i.Interpreter != "" {
		programs++
	}
	if i.ExecStack {
		programs++
	}
	body := make([]byte, headerSize+programs*programSize)
	put := func(data []byte) (offset, size uint64) {
		for len(body)%8 != 0 {
			body = append(body, 0)
		}
		offset = uint64(len(body))
		body = append(body, data...)
		return offset, uint64(len(data))
	}
	put([]byte(i.Text + "\x00"))
	sections := []section{{}}
	add := func(s section, data []byte) {
		s.offset, s.size = put(data)
		sections = append(sections, s)
	}
	add(section{kind: 3}, strings)                               // 1: string table
	add(section{kind: 11, link: 1, info: 1, entry: 24}, symbols) // 2: dynamic symbols
	add(section{kind: 6, link: 1, entry: 16}, dynamic)           // 3: dynamic section
	if needs != nil {
		add(section{kind: 0x6fffffff, link: 2, entry: 2}, make([]byte, 2*count)) // version of each symbol
		add(section{kind: 0x6ffffffe, link: 1, info: uint32(len(libraries))}, needs)
	}
	for n, extra := range i.Sections {
		add(section{name: names[n], kind: 1}, extra.Data)
	}

	program := func(at int, kind uint32, offset, size uint64) {
		p := body[headerSize+at*programSize:]
		le.PutUint32(p, kind)
		le.PutUint32(p[4:], 4)
		le.PutUint64(p[8:], offset)
		le.PutUint64(p[16:], offset)
		le.PutUint64(p[24:], offset)
		le.PutUint64(p[32:], size)
		le.PutUint64(p[40:], size)
	}
	interpreter, length := put([]byte(i.Interpreter + "\x00"))
	program(0, 2, sections[3].offset, sections[3].size)
	if i.Interpreter != "" {
		program(1, 3, interpreter, length)
	}
	if i.ExecStack {
		program(programs-1, 0x6474e551, 0, 0)
		le.PutUint32(body[headerSize+(programs-1)*programSize+4:], 7)
	}

	headers, _ := put(nil)
	if i.NoSections {
		headers, sections = 0, nil
	}
	for _, s := range sections {
		body = le.AppendUint32(body, s.name) // that of most is the empty string
		body = le.AppendUint32(body, s.kind)
		body = le.AppendUint64(body, 0)
		body = le.AppendUint64(body, s.offset)
		body = le.AppendUint64(body, s.offset)
		body = le.AppendUint64(body, s.size)
		body = le.AppendUint32(body, s.link)
		body = le.AppendUint32(body, s.info)
		body = le.AppendUint64(body, 8)
		body = le.AppendUint64(body, s.entry)
	}

	copy(body, "\x7fELF\x02\x01\x01")
	le.PutUint16(body[16:], 3) // shared object
	le.PutUint16(body[18:], i.Machine)
	le.PutUint32(body[20:], 1)
	le.PutUint64(body[32:], headerSize)
	le.PutUint64(body[40:], headers)
	le.PutUint16(body[52:], headerSize)
	le.PutUint16(body[54:], programSize)
	le.PutUint16(body[56:], uint16(programs))
	le.PutUint16(body[58:], sectionSize)
	le.PutUint16(body[60:], uint16(len(sections)))
	if len(sections) > 0 {
		le.PutUint16(body[62:], 1)
	}
	return body
}
