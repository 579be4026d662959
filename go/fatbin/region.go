package fatbin

import (
	"bytes"
	"debug/elf"
	"debug/pe"
	"errors"
	"fmt"
	"slices"
)

// The sections that are made for device code. A PE image has room for eight
// letters; an object file has the whole name.
var (
	loadableNames    = []string{".nv_fatbin", ".nv_fatb"}
	relocatableNames = []string{"__nv_relfatbin", "__nv_rel"}
)

// emCUDA is the machine of a cubin, the GPU's own ELF image.
const emCUDA = 190

// region is a section's part of the file.
type region struct {
	name string
	// at is where data lies in the file.
	at   uint64
	data []byte
	// strict regions hold containers and nothing else.
	strict, relocatable bool
}

func (r region) end() uint64 { return r.at + uint64(len(r.data)) }

func (r region) overlaps(other region) bool { return r.at < other.end() && other.at < r.end() }

// newRegion cuts a section out of the file. Only a section made for device code
// must be there to its end.
func newRegion(file []byte, name string, at, size uint64) (region, error) {
	r := region{name: name, at: min(at, uint64(len(file)))}
	r.data = file[r.at : r.at+min(size, uint64(len(file))-r.at)]
	r.relocatable = slices.Contains(relocatableNames, name)
	r.strict = r.relocatable || slices.Contains(loadableNames, name)
	if r.strict && uint64(len(r.data)) != size {
		return r, fmt.Errorf("section %s runs past the end of the file", name)
	}
	return r, nil
}

func elfRegions(data []byte) ([]region, error) {
	file, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("ELF headers: %w", err)
	}
	defer file.Close()
	if file.Machine == emCUDA {
		return nil, errors.New("this is a cubin, an image for the GPU alone, and no file that carries one")
	}
	var regions []region
	for _, section := range file.Sections {
		if section.Type == elf.SHT_NOBITS {
			continue
		}
		r, err := newRegion(data, section.Name, section.Offset, section.FileSize)
		if err != nil {
			return nil, err
		}
		regions = append(regions, r)
	}
	return regions, nil
}

// peRegions serves images and object files alike.
func peRegions(data []byte) ([]region, error) {
	file, err := pe.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("PE headers: %w", err)
	}
	defer file.Close()
	var regions []region
	for _, section := range file.Sections {
		size := uint64(section.Size)
		if section.VirtualSize != 0 {
			size = min(size, uint64(section.VirtualSize)) // the rest is padding
		}
		if section.Offset == 0 {
			continue // nothing of it is in the file
		}
		r, err := newRegion(data, section.Name, uint64(section.Offset), size)
		if err != nil {
			return nil, err
		}
		regions = append(regions, r)
	}
	return regions, nil
}
