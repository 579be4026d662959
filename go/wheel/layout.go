package wheel

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Sizes and signatures of the zip format's records (APPNOTE 4.3).
const (
	localSize   = 30
	endSize     = 22
	end64Size   = 56
	locatorSize = 20

	localSignature      = "PK\x03\x04"
	descriptorSignature = "PK\x07\x08"
	endSignature        = "PK\x05\x06"
	end64Signature      = "PK\x06\x06"
	locatorSignature    = "PK\x06\x07"

	flagDescriptor = 8
	max32          = 0xffffffff
)

const fixLayout = "pack the wheel again with `wheel pack`"

// checkLayout follows the file from its first byte to its last: local header,
// data, descriptor, and so on, then the central directory and its end. Readers
// differ in what they make of anything else, so that anything else is a
// problem. The error says that the zip file cannot be followed at all.
func (a *Archive) checkLayout(reader *zip.Reader) error {
	start, err := a.checkEnd(reader)
	if err != nil || start < 0 {
		return err
	}
	type located struct {
		*zip.File
		data int64
	}
	entries := make([]located, len(reader.File))
	for i, file := range reader.File {
		data, err := file.DataOffset()
		if err != nil {
			return fmt.Errorf("%s: %w", file.Name, err)
		}
		entries[i] = located{file, data}
	}
	slices.SortStableFunc(entries, func(x, y located) int { return int(min(1, max(-1, x.data-y.data))) })
	at := int64(0)
	for _, entry := range entries {
		local, name, extra, err := a.local(at)
		if err != nil || at+localSize+int64(len(name))+int64(extra) != entry.data {
			a.problems.Add(a.Base, fixLayout, "the zip file has bytes that belong to no member, or members that overlap, at offset %d before %s", at, entry.Name)
			return nil
		}
		at = entry.data + int64(entry.CompressedSize64)
		flags := binary.LittleEndian.Uint16(local[6:])
		switch {
		case name != entry.Name:
			a.problems.Add(entry.Name, fixLayout, "is called %s in its local header", name)
		case flags != entry.Flags || binary.LittleEndian.Uint16(local[8:]) != entry.Method:
			a.problems.Add(entry.Name, fixLayout, "has another method or other flags in its local header")
		case flags&flagDescriptor != 0:
			used, ok := a.descriptor(at, entry.File)
			if !ok {
				a.problems.Add(entry.Name, fixLayout, "has a data descriptor that disagrees with the zip directory")
			}
			at += used
		case binary.LittleEndian.Uint32(local[14:]) != entry.CRC32 ||
			!sameSize(binary.LittleEndian.Uint32(local[18:]), entry.CompressedSize64) ||
			!sameSize(binary.LittleEndian.Uint32(local[22:]), entry.UncompressedSize64):
			a.problems.Add(entry.Name, fixLayout, "has another size or checksum in its local header")
		}
	}
	if at != start {
		a.problems.Add(a.Base, fixLayout, "the zip file has bytes that belong to no member between the last one and the central directory, at offset %d", at)
	}
	return nil
}

// sameSize compares a 32-bit field, which holds all ones when the true size is
// in a zip64 field.
func sameSize(field uint32, size uint64) bool {
	return uint64(field) == size || field == max32
}

// local reads the local header at an offset.
func (a *Archive) local(at int64) (header []byte, name string, extra int, err error) {
	header = make([]byte, localSize)
	if _, err = a.file.ReadAt(header, at); err != nil {
		return nil, "", 0, err
	}
	if string(header[:4]) != localSignature {
		return nil, "", 0, errors.New("no local header")
	}
	text := make([]byte, binary.LittleEndian.Uint16(header[26:]))
	if _, err = a.file.ReadAt(text, at+localSize); err != nil {
		return nil, "", 0, err
	}
	return header, string(text), int(binary.LittleEndian.Uint16(header[28:])), nil
}

// descriptor looks for the data descriptor after a member's data. Its four
// forms are with and without signature, with sizes of 4 and of 8 bytes.
func (a *Archive) descriptor(at int64, entry *zip.File) (used int64, ok bool) {
	le := binary.LittleEndian
	short := le.AppendUint32(nil, entry.CRC32)
	long := slices.Clone(short)
	short = le.AppendUint32(short, uint32(entry.CompressedSize64))
	short = le.AppendUint32(short, uint32(entry.UncompressedSize64))
	long = le.AppendUint64(long, entry.CompressedSize64)
	long = le.AppendUint64(long, entry.UncompressedSize64)
	for _, form := range [][]byte{
		append([]byte(descriptorSignature), long...), append([]byte(descriptorSignature), short...), long, short,
	} {
		got := make([]byte, len(form))
		if _, err := a.file.ReadAt(got, at); err == nil && bytes.Equal(got, form) {
			return int64(len(form)), true
		}
	}
	return 0, false
}

// checkEnd checks that the file ends with the end record of the central
// directory and that nothing stands between the two. It returns the central
// directory's offset, -1 when a problem leaves nothing to follow.
func (a *Archive) checkEnd(reader *zip.Reader) (start int64, err error) {
	le := binary.LittleEndian
	end := make([]byte, endSize)
	at := a.size - endSize
	if at < 0 {
		return 0, errors.New("too short")
	}
	if _, err := a.file.ReadAt(end, at); err != nil {
		return 0, err
	}
	if string(end[:4]) != endSignature || le.Uint16(end[20:]) != 0 {
		a.problems.Add(a.Base, fixLayout, "the zip file has a comment or other bytes after its end")
		return -1, nil
	}
	count, size, offset := uint64(le.Uint16(end[10:])), uint64(le.Uint32(end[12:])), uint64(le.Uint32(end[16:]))
	if count == 0xffff || size == max32 || offset == max32 {
		record := make([]byte, end64Size+locatorSize)
		at -= end64Size + locatorSize
		if at < 0 {
			return 0, errors.New("too short for its zip64 end")
		}
		if _, err := a.file.ReadAt(record, at); err != nil {
			return 0, err
		}
		if string(record[:4]) != end64Signature || string(record[end64Size:end64Size+4]) != locatorSignature {
			return 0, errors.New("no zip64 end of central directory where it belongs")
		}
		count, size, offset = le.Uint64(record[32:]), le.Uint64(record[40:]), le.Uint64(record[48:])
	}
	if count != uint64(len(reader.File)) {
		a.problems.Add(a.Base, fixLayout, "the zip file says %d members and has %d", count, len(reader.File))
	}
	if offset+size != uint64(at) {
		a.problems.Add(a.Base, fixLayout, "the zip file has bytes between its central directory and its end, or before its first member")
		return -1, nil
	}
	return at - int64(size), nil
}
