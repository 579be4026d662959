package fatbin

import (
	"bytes"
	"cmp"
	"debug/elf"
	"debug/pe"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// ErrFormat says that the bytes are of no kind that carries device code.
var ErrFormat = errors.New("neither an ELF, a PE, a COFF nor a .fatbin file")

// Parse lists the device code of a file from its bytes. A file without any has
// no entries, which is no error. The error is [ErrFormat], or it names the
// section and the entry that is broken.
//
// The sections made for device code must hold nothing else. Elsewhere a
// container counts only when it is whole, since four bytes can look like the
// start of one by accident.
func Parse(data []byte) (*Image, error) {
	var image Image
	var regions []region
	var err error
	switch {
	case bytes.HasPrefix(data, []byte(containerMagic)):
		image.Format = "fatbin"
		regions = []region{{data: data, strict: true}}
	case bytes.HasPrefix(data, []byte(elf.ELFMAG)):
		image.Format = "ELF"
		regions, err = elfRegions(data)
	case bytes.HasPrefix(data, []byte("MZ")):
		image.Format = "PE"
		regions, err = peRegions(data)
	case isCOFF(data):
		image.Format = "COFF"
		regions, err = peRegions(data)
	default:
		return nil, ErrFormat
	}
	if err != nil {
		return nil, err
	}
	scan := &scanner{data: data, room: 4 * (len(data)/entryHeader + 1)}
	image.Entries, err = scan.all(regions)
	if err != nil {
		return nil, err
	}
	return &image, nil
}

// isCOFF tells whether data starts like an object file for ARM64 or x64.
func isCOFF(data []byte) bool {
	if len(data) < 20 {
		return false
	}
	machine := binary.LittleEndian.Uint16(data)
	return machine == pe.IMAGE_FILE_MACHINE_ARM64 || machine == pe.IMAGE_FILE_MACHINE_AMD64
}

// scanner finds the containers of one file.
type scanner struct {
	data []byte
	// room is how many entries may still be read: hostile bytes could have the
	// same ones read from a million starts.
	room int
}

// found is a container, or all those of a section, numbered from 1, at its place in the file.
type found struct {
	at      uint64
	entries []Entry
}

// all reads the strict regions, and then looks for containers in the rest of
// the file.
func (s *scanner) all(regions []region) ([]Entry, error) {
	var all []found
	var read []region
	for _, r := range regions {
		// A section that lies over another one is not read twice.
		if !r.strict || slices.ContainsFunc(read, r.overlaps) {
			continue
		}
		entries, err := s.section(r)
		if err != nil {
			return nil, err
		}
		read = append(read, r)
		all = append(all, found{r.at, entries})
	}
	slices.SortFunc(read, func(a, b region) int { return cmp.Compare(a.at, b.at) })
	from := uint64(0)
	for _, r := range append(read, region{at: uint64(len(s.data))}) {
		more, err := s.between(from, r.at, regions)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
		from = r.end()
	}
	slices.SortFunc(all, func(a, b found) int { return cmp.Compare(a.at, b.at) })
	entries := []Entry{}
	count := 0
	for _, one := range all {
		last := 0
		for _, entry := range one.entries {
			if entry.Container != last {
				last, count = entry.Container, count+1
			}
			entry.Container = count
			entries = append(entries, entry)
		}
	}
	return entries, nil
}

// section reads a region that holds containers, and zeros between them.
func (s *scanner) section(r region) ([]Entry, error) {
	var entries []Entry
	count := 0
	for at := uint64(0); at < uint64(len(r.data)); {
		if r.data[at] == 0 {
			at++ // sections and containers are aligned
			continue
		}
		where := fmt.Sprintf("byte %d", at)
		if r.name != "" {
			where = fmt.Sprintf("section %s, byte %d", r.name, at)
		}
		if !bytes.HasPrefix(r.data[at:], []byte(containerMagic)) {
			return nil, fmt.Errorf("%s: no fat binary starts here", where)
		}
		held, used, err := s.container(r.data[at:])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		count++
		label(held, r, count, r.at+at)
		entries = append(entries, held...)
		at += used
	}
	return entries, nil
}

// between looks for whole containers in a part of the file.
func (s *scanner) between(from, to uint64, regions []region) ([]found, error) {
	var all []found
	for at := from; at < to; {
		next := bytes.Index(s.data[at:to], []byte(containerMagic))
		if next < 0 {
			break
		}
		at += uint64(next)
		entries, used, err := s.container(s.data[at:to])
		switch {
		case errors.Is(err, errRoom):
			return nil, err
		case err != nil || len(entries) == 0:
			at++
			continue
		}
		holder := region{}
		for _, r := range regions {
			if r.at <= at && at < r.end() {
				holder = r
			}
		}
		label(entries, holder, 1, at)
		all = append(all, found{at, entries})
		at += used
	}
	return all, nil
}

// label says where the entries of a container at an offset in the file lie.
func label(entries []Entry, r region, container int, offset uint64) {
	for i := range entries {
		entries[i].Offset += offset
		entries[i].Section, entries[i].Container = r.name, container
		entries[i].Loose, entries[i].Relocatable = !r.strict, r.relocatable
	}
}
