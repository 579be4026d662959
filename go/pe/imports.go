package pe

import (
	"encoding/binary"
	"fmt"
)

// thunks bounds the symbols of all imports together: each has a slot of four
// bytes at least in the file.
func (s *space) thunks() int { return len(s.data) / 4 }

// Import is one DLL that the loader must find.
type Import struct {
	// DLL is the name as the image spells it.
	DLL string
	// Symbols are the imported names; "#7" stands for ordinal 7.
	Symbols []string
	// Delay is set when the DLL is loaded at the first call only.
	Delay bool
}

// readImports reads the import directory (20-byte descriptors up to a zero one).
func readImports(s *space, image *Image) error {
	dir := s.directory(dirImport)
	if dir.VirtualAddress == 0 {
		return nil
	}
	left := s.thunks()
	for i := uint64(0); ; i++ {
		at, err := add(dir.VirtualAddress, i*20)
		if err != nil {
			return err
		}
		d, err := s.bytes(at, 20)
		if err != nil {
			return err
		}
		names := binary.LittleEndian.Uint32(d[0:])
		dll := binary.LittleEndian.Uint32(d[12:])
		addresses := binary.LittleEndian.Uint32(d[16:])
		// The loader stops at the first entry without a name.
		if dll == 0 || addresses == 0 {
			return nil
		}
		if names == 0 {
			names = addresses
		}
		if err := readImport(s, image, dll, names, 0, false, &left); err != nil {
			return err
		}
	}
}

// readDelayImports reads the delay-load directory (32-byte descriptors, whose
// attribute bit 0 says whether addresses are relative).
func readDelayImports(s *space, image *Image) error {
	dir := s.directory(dirDelayImport)
	if dir.VirtualAddress == 0 {
		return nil
	}
	left := s.thunks()
	for i := uint64(0); ; i++ {
		at, err := add(dir.VirtualAddress, i*32)
		if err != nil {
			return err
		}
		d, err := s.bytes(at, 32)
		if err != nil {
			return err
		}
		dll := binary.LittleEndian.Uint32(d[4:])
		names := binary.LittleEndian.Uint32(d[16:])
		if dll == 0 {
			return nil
		}
		base := uint64(0)
		if binary.LittleEndian.Uint32(d[0:])&1 == 0 {
			base = s.base
			dll, names = uint32(uint64(dll)-base), uint32(uint64(names)-base)
		}
		if err := readImport(s, image, dll, names, base, true, &left); err != nil {
			return err
		}
	}
}

// readImport reads one DLL's name and its name table. base is what the table's
// entries count from. left is how many symbols may still come.
func readImport(s *space, image *Image, dll, names uint32, base uint64, delay bool, left *int) error {
	name, err := s.name(dll)
	if err != nil {
		return err
	}
	entry := Import{DLL: name, Delay: delay}
	size, ordinal := uint64(4), uint64(1)<<31
	if s.is64 {
		size, ordinal = 8, 1<<63
	}
	for i := uint64(0); ; i++ {
		if *left--; *left < 0 {
			return fmt.Errorf("more imported symbols than %d bytes can hold", len(s.data))
		}
		at, err := add(names, i*size)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		b, err := s.bytes(at, uint32(size))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		thunk := uint64(binary.LittleEndian.Uint32(b))
		if s.is64 {
			thunk = binary.LittleEndian.Uint64(b)
		}
		if thunk == 0 {
			break
		}
		if thunk&ordinal != 0 {
			entry.Symbols = append(entry.Symbols, fmt.Sprintf("#%d", thunk&0xffff))
			continue
		}
		hint, err := add(0, thunk-base)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if hint, err = add(hint, 2); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		symbol, err := s.name(hint)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		entry.Symbols = append(entry.Symbols, symbol)
	}
	image.Imports = append(image.Imports, entry)
	return nil
}
