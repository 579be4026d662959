package pe

import (
	"encoding/binary"
	"fmt"
)

// maxExports bounds the export table: ordinals have 16 bits.
const maxExports = 1 << 16

// Export is one entry of the export table.
type Export struct {
	// Name is "" for what is exported by ordinal only.
	Name string
	// Ordinal counts from the table's own base.
	Ordinal uint32
	// Forwarder is "DLL.Symbol" when the entry lives in another DLL.
	Forwarder string
}

// readExports reads the export directory: 40 bytes, then three parallel tables.
func readExports(s *space, image *Image) error {
	dir := s.directory(dirExport)
	if dir.VirtualAddress == 0 || dir.Size == 0 {
		return nil
	}
	d, err := s.bytes(dir.VirtualAddress, 40)
	if err != nil {
		return err
	}
	field := func(at int) uint32 { return binary.LittleEndian.Uint32(d[at:]) }
	base, functions, names := field(16), field(20), field(24)
	if functions > maxExports || names > maxExports {
		return fmt.Errorf("%d functions and %d names are more than ordinals can tell apart", functions, names)
	}
	if rva := field(12); rva != 0 {
		if image.ExportName, err = s.name(rva); err != nil {
			return err
		}
	}
	var addresses []byte
	if functions > 0 {
		if addresses, err = s.bytes(field(28), functions*4); err != nil {
			return err
		}
	}
	entry := func(index uint32, name string) (Export, error) {
		export := Export{Name: name, Ordinal: base + index}
		address := binary.LittleEndian.Uint32(addresses[index*4:])
		// An address inside the export directory is a forwarder's text.
		if address >= dir.VirtualAddress && uint64(address) < uint64(dir.VirtualAddress)+uint64(dir.Size) {
			var err error
			if export.Forwarder, err = s.name(address); err != nil {
				return export, err
			}
		}
		return export, nil
	}
	named := map[uint32]bool{}
	for i := range names {
		at, err := add(field(32), uint64(i)*4)
		if err != nil {
			return err
		}
		rva, err := s.u32(at)
		if err != nil {
			return err
		}
		name, err := s.name(rva)
		if err != nil {
			return err
		}
		if at, err = add(field(36), uint64(i)*2); err != nil {
			return err
		}
		index, err := s.u16(at)
		if err != nil {
			return err
		}
		if uint32(index) >= functions {
			return fmt.Errorf("%s has number %d of %d functions", name, index, functions)
		}
		export, err := entry(uint32(index), name)
		if err != nil {
			return err
		}
		named[uint32(index)] = true
		image.Exports = append(image.Exports, export)
	}
	for i := range functions {
		if named[i] || binary.LittleEndian.Uint32(addresses[i*4:]) == 0 {
			continue
		}
		export, err := entry(i, "")
		if err != nil {
			return err
		}
		image.Exports = append(image.Exports, export)
	}
	return nil
}

// HasExport tells whether a name is exported.
func (i *Image) HasExport(name string) bool {
	for _, export := range i.Exports {
		if export.Name == name {
			return true
		}
	}
	return false
}
