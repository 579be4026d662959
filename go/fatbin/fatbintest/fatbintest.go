// Package fatbintest makes small fat binaries for tests, byte by byte, so that
// no binary is checked in.
package fatbintest

import "encoding/binary"

// Kinds of entries.
const (
	PTX   = 1
	Cubin = 2
	NVVM  = 8
)

// Flags of entries.
const (
	Debug    = 0x2
	LZ4      = 0x2000
	Zstd     = 0x8000
	Specific = 0x100000 // suffix a
	Family   = 0x200000 // suffix f
)

// Entry describes one entry.
type Entry struct {
	Kind  uint16
	SM    uint32
	Flags uint64
	// Name is the source's name, Options the command line.
	Name, Options string
	// Payload is what is stored, without padding; Size is what it decompresses
	// to, where the flags say so.
	Payload string
	Size    uint64
	// Concat makes the entry a concatenation of these.
	Concat []Entry
}

// SASS is machine code, with the first bytes that it must have.
func SASS(sm uint32, flags uint64) Entry {
	payload, size := "\x7fELF machine code", uint64(0)
	switch {
	case flags&Zstd != 0:
		payload, size = "\x28\xb5\x2f\xfd frame", 4096
	case flags&LZ4 != 0:
		payload, size = "\xa2\x7fELF block", 4096
	}
	return Entry{Kind: Cubin, SM: sm, Flags: flags, Payload: payload, Size: size}
}

// Text is PTX.
func Text(sm uint32, flags uint64) Entry {
	return Entry{Kind: PTX, SM: sm, Flags: flags, Payload: ".version 9.4"}
}

// Container renders a container with the entries.
func Container(entries ...Entry) []byte {
	var body []byte
	for _, entry := range entries {
		body = append(body, entry.bytes()...)
	}
	le := binary.LittleEndian
	data := le.AppendUint32(nil, 0xba55ed50)
	data = le.AppendUint16(data, 1)
	data = le.AppendUint16(data, 16)
	data = le.AppendUint64(data, uint64(len(body)))
	return append(data, body...)
}

// pad makes the length a multiple of 8.
func pad(data []byte) []byte {
	for len(data)%8 != 0 {
		data = append(data, 0)
	}
	return data
}

func (e Entry) bytes() []byte {
	le := binary.LittleEndian
	header, payload := e.header(), pad([]byte(e.Payload))
	if e.Concat != nil {
		le.PutUint16(header, 0x100)
		var parts []byte
		for n, part := range e.Concat {
			head := part.header()
			le.PutUint32(head[4:], uint32(n)*uint32(part.Size))
			le.PutUint64(head[8:], part.Size)
			parts = append(parts, head...)
		}
		le.PutUint32(header[20:], uint32(len(header)))
		header = le.AppendUint32(header, uint32(len(e.Concat)))
		header = le.AppendUint32(header, uint32(8+len(parts)))
		header = append(header, parts...)
	}
	le.PutUint32(header[4:], uint32(len(header)))
	le.PutUint64(header[8:], uint64(len(payload)))
	return append(header, payload...)
}

// header renders what entries and the parts of a concatenation have in common.
func (e Entry) header() []byte {
	le := binary.LittleEndian
	header := make([]byte, 64)
	le.PutUint16(header, e.Kind)
	le.PutUint16(header[2:], 0x0101)
	le.PutUint32(header[28:], e.SM)
	le.PutUint64(header[40:], e.Flags|0x11) // 64 bits, Linux
	if e.Flags&(LZ4|Zstd) != 0 {
		le.PutUint32(header[16:], uint32(len(e.Payload)))
		le.PutUint64(header[56:], e.Size)
	}
	if e.Name != "" {
		le.PutUint32(header[32:], uint32(len(header)))
		le.PutUint32(header[36:], uint32(len(e.Name)))
		header = pad(append(header, e.Name+"\x00"...))
	}
	if e.Options != "" {
		at := uint32(len(header))
		le.PutUint32(header[20:], at)
		header = le.AppendUint32(header, at+8)
		header = le.AppendUint32(header, uint32(len(e.Options)))
		header = pad(append(header, e.Options+"\x00"...))
	}
	return header
}
