package fatbin

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// The container's header: magic, version (16 bits), header size (16 bits), size
// of what follows (64 bits), all little endian.
const (
	containerMagic   = "\x50\xed\x55\xba" // 0xba55ed50
	containerVersion = 1
	containerHeader  = 16
)

// An entry's header. It is longer than entryHeader where it has a name or
// options, whose places the fields say, counted from the header's start:
//
//	 0 u16 kind             24 u16 minor, 26 u16 major version of the code
//	 2 u16 version          28 u32 architecture's number
//	 4 u32 header's size    32 u32 name's place, 36 u32 name's length
//	 8 u64 payload's size   40 u64 flags
//	16 u32 compressed size  48 u64 zero
//	20 u32 options' place   56 u64 decompressed size
//
// The options' place leads to a place and a length; the text there is a
// command line for PTX and NVVM, and attributes in binary for machine code.
const (
	entryVersion = 0x0101
	entryHeader  = 64
)

// The kinds of entries. A concatenation is an entry whose header goes on, at
// its options' place, with a count, the size of what follows and the count, and
// the headers of its parts; these have the place in the decompressed payload
// where other entries have the header's size.
const (
	kindPTX    = 1
	kindCubin  = 2
	kindNVVM   = 8
	kindConcat = 0x100
)

// The flags that matter here. 64-bit code also has 0x1 and each host system a
// flag of its own; cuobjdump tells of them, and nothing here depends on them.
const (
	flagDebug    = 0x2
	flagLZ4      = 0x2000
	flagZstd     = 0x8000
	flagSpecific = 0x100000 // suffix a
	flagFamily   = 0x200000 // suffix f
)

// errRoom ends the search in a file that was made to take for ever.
var errRoom = errors.New("too many broken fat binaries lie over each other")

// container reads the container at the start of data. size is how much of data
// it takes.
func (s *scanner) container(data []byte) (entries []Entry, size uint64, err error) {
	le := binary.LittleEndian
	if len(data) < containerHeader {
		return nil, 0, errors.New("the header is cut off")
	}
	if version := le.Uint16(data[4:]); version != containerVersion {
		return nil, 0, fmt.Errorf("version %d is not known, only %d is", version, containerVersion)
	}
	header, length := uint64(le.Uint16(data[6:])), le.Uint64(data[8:])
	if header < containerHeader || header > uint64(len(data)) || length > uint64(len(data))-header {
		return nil, 0, fmt.Errorf("%d bytes of entries do not fit into the %d that are left", length, len(data))
	}
	rest := data[header : header+length]
	for len(rest) > 0 {
		if s.room--; s.room < 0 {
			return nil, 0, errRoom
		}
		parts, used, err := entry(rest)
		if err != nil {
			return nil, 0, fmt.Errorf("entry %d: %w", len(entries)+1, err)
		}
		// So far counted from the entry's start.
		for i := range parts {
			parts[i].Offset += header + length - uint64(len(rest))
		}
		entries = append(entries, parts...)
		rest = rest[used:]
	}
	return entries, header + length, nil
}

// entry reads the entry at the start of data; a concatenation gives several.
func entry(data []byte) (parts []Entry, used uint64, err error) {
	le := binary.LittleEndian
	if len(data) < entryHeader {
		return nil, 0, errors.New("the header is cut off")
	}
	if version := le.Uint16(data[2:]); version != entryVersion {
		return nil, 0, fmt.Errorf("version 0x%x is not known, only 0x%x is", version, entryVersion)
	}
	header, length := uint64(le.Uint32(data[4:])), le.Uint64(data[8:])
	if header < entryHeader || header > uint64(len(data)) || length > uint64(len(data))-header {
		return nil, 0, fmt.Errorf("%d bytes do not fit into the %d that are left", length, len(data))
	}
	used = header + length
	payload := data[header:used]
	kind := le.Uint16(data)
	one, err := describe(data[:header], kind)
	if err != nil {
		return nil, 0, err
	}
	one.Offset, one.Stored, one.Size = header, length, length
	if one.Compression != "" {
		stored := uint64(le.Uint32(data[16:]))
		if stored > length {
			return nil, 0, fmt.Errorf("%d compressed bytes are not in a payload of %d", stored, length)
		}
		one.Stored, one.Size = stored, le.Uint64(data[56:])
		payload = payload[:stored]
	}
	if kind == kindConcat {
		parts, err := concatenated(data[:header], one)
		return parts, used, err
	}
	return []Entry{one}, used, checkPayload(one, payload)
}

// checkPayload holds the first bytes against what the header says, where they
// are known.
func checkPayload(one Entry, payload []byte) error {
	switch {
	case one.Kind == Cubin && one.Compression == "" && !bytes.HasPrefix(payload, []byte("\x7fELF")):
		return fmt.Errorf("the machine code for %s is no ELF image", one.Code)
	case one.Kind != NVVM && one.Compression == "zstd" && !bytes.HasPrefix(payload, []byte("\x28\xb5\x2f\xfd")):
		return fmt.Errorf("the code for %s is no zstd frame", one.Code)
	}
	return nil
}

// describe reads what entries and the parts of a concatenation have in common.
func describe(header []byte, kind uint16) (Entry, error) {
	le := binary.LittleEndian
	var one Entry
	switch kind {
	case kindPTX:
		one.Kind = PTX
	case kindCubin:
		one.Kind = Cubin
	case kindNVVM:
		one.Kind = NVVM
	default:
		one.Kind = Kind(fmt.Sprintf("kind 0x%x", kind))
	}
	flags := le.Uint64(header[40:])
	arch := Arch{Number: le.Uint32(header[28:])}
	switch flags & (flagSpecific | flagFamily) {
	case flagSpecific:
		arch.Suffix = "a"
	case flagFamily:
		arch.Suffix = "f"
	case flagSpecific | flagFamily:
		return one, fmt.Errorf("the flags 0x%x say both suffixes, a and f", flags)
	}
	one.Code, one.Debug = arch.Code(one.Kind), flags&flagDebug != 0
	switch flags & (flagLZ4 | flagZstd) {
	case flagLZ4:
		one.Compression = "lz4"
	case flagZstd:
		one.Compression = "zstd"
	case flagLZ4 | flagZstd:
		return one, fmt.Errorf("the flags 0x%x say both compressions", flags)
	}
	if at, length := uint64(le.Uint32(header[32:])), uint64(le.Uint32(header[36:])); length > 0 {
		if at+length > uint64(len(header)) {
			return one, errors.New("the source's name runs past the header")
		}
		one.Name = string(header[at : at+length])
	}
	return one, nil
}

// concatenated lists the parts of a concatenation, whose own header is whole.
func concatenated(header []byte, whole Entry) ([]Entry, error) {
	le := binary.LittleEndian
	at := uint64(le.Uint32(header[20:]))
	if at+8 > uint64(len(header)) {
		return nil, errors.New("the list of concatenated entries is cut off")
	}
	count, size := le.Uint32(header[at:]), uint64(le.Uint32(header[at+4:]))
	if size < 8 || size > uint64(len(header))-at {
		return nil, errors.New("the list of concatenated entries runs past the header")
	}
	rest := header[at+8 : at+size]
	var parts []Entry
	for n := range count {
		if len(rest) < entryHeader {
			return nil, fmt.Errorf("only %d of %d concatenated entries are there", n, count)
		}
		if version := le.Uint16(rest[2:]); version != entryVersion {
			return nil, fmt.Errorf("version 0x%x of a concatenated entry is not known, only 0x%x is", version, entryVersion)
		}
		part, err := describe(rest, le.Uint16(rest))
		if err != nil {
			return nil, err
		}
		start, length := uint64(le.Uint32(rest[4:])), le.Uint64(rest[8:])
		if length > whole.Size || start > whole.Size-length {
			return nil, fmt.Errorf("concatenated entry %d runs past the %d bytes of all", n+1, whole.Size)
		}
		part.Offset, part.Size, part.Concatenated, part.Compression = whole.Offset, length, true, whole.Compression
		if n == 0 {
			part.Stored = whole.Stored
		}
		parts = append(parts, part)
		used, err := partSize(rest)
		if err != nil {
			return nil, err
		}
		rest = rest[used:]
	}
	return parts, nil
}

// partSize is the length of a part's header: it reaches to the end of its name
// and of its options, which have a NUL behind them and are padded to 8 bytes.
func partSize(header []byte) (uint64, error) {
	le := binary.LittleEndian
	u32 := func(at int) uint64 { return uint64(le.Uint32(header[at:])) }
	end := uint64(entryHeader)
	if at, length := u32(32), u32(36); length > 0 {
		end = max(end, at+length+1)
	}
	if at := u32(20); at > 0 {
		if at+8 > uint64(len(header)) {
			return 0, errors.New("the options of a concatenated entry are cut off")
		}
		end = max(end, u32(int(at))+u32(int(at)+4)+1)
	}
	end = (end + 7) &^ 7
	if end > uint64(len(header)) {
		return 0, errors.New("the header of a concatenated entry is cut off")
	}
	return end, nil
}
