package pe

import (
	"encoding/binary"
	"errors"
	"unicode/utf16"
)

const (
	resourceVersion = 16  // RT_VERSION
	maxResources    = 256 // languages of the version resource, and ids before it
)

// readVersion finds the version resource's leaves, one for each language, and
// collects their strings.
func readVersion(s *space, image *Image) error {
	dir := s.directory(dirResource)
	if dir.VirtualAddress == 0 {
		return nil
	}
	// The tree has three levels: type, id, language.
	types, err := resourceChildren(s, dir.VirtualAddress, 0)
	if err != nil {
		return err
	}
	for _, kind := range types {
		if kind.id != resourceVersion || !kind.dir {
			continue
		}
		ids, err := resourceChildren(s, dir.VirtualAddress, kind.offset)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if !id.dir {
				continue
			}
			languages, err := resourceChildren(s, dir.VirtualAddress, id.offset)
			if err != nil {
				return err
			}
			for _, language := range languages {
				if language.dir {
					continue
				}
				if err := readVersionLeaf(s, image, language.offset); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// resource is an entry of a resource directory. offset counts from the tree's
// root for a directory, and is the address of the data entry for a leaf.
type resource struct {
	id     uint32
	offset uint32
	dir    bool
}

func resourceChildren(s *space, root, offset uint32) ([]resource, error) {
	at, err := add(root, uint64(offset))
	if err != nil {
		return nil, err
	}
	head, err := s.bytes(at, 16)
	if err != nil {
		return nil, err
	}
	count := int(binary.LittleEndian.Uint16(head[12:])) + int(binary.LittleEndian.Uint16(head[14:]))
	var children []resource
	for i := range min(count, maxResources) {
		entryAt, err := add(at, 16+uint64(i)*8)
		if err != nil {
			return nil, err
		}
		entry, err := s.bytes(entryAt, 8)
		if err != nil {
			return nil, err
		}
		child := resource{id: binary.LittleEndian.Uint32(entry)}
		value := binary.LittleEndian.Uint32(entry[4:])
		child.dir = value&(1<<31) != 0
		child.offset = value &^ (1 << 31)
		if !child.dir {
			if child.offset, err = add(root, uint64(child.offset)); err != nil {
				return nil, err
			}
		}
		children = append(children, child)
	}
	return children, nil
}

func readVersionLeaf(s *space, image *Image, at uint32) error {
	entry, err := s.bytes(at, 16)
	if err != nil {
		return err
	}
	data, err := s.bytes(binary.LittleEndian.Uint32(entry), binary.LittleEndian.Uint32(entry[4:]))
	if err != nil {
		return err
	}
	if image.Version == nil {
		image.Version = map[string]string{}
	}
	return readBlocks(data, 0, func(key, value string) {
		if _, seen := image.Version[key]; !seen {
			image.Version[key] = value
		}
	})
}

// readBlocks walks VS_VERSIONINFO: blocks of (length, value length, type, key,
// value, children), each aligned to 4 bytes. Strings are at depth 3, below
// VS_VERSION_INFO, StringFileInfo and a StringTable.
func readBlocks(data []byte, depth int, found func(key, value string)) error {
	for len(data) >= 6 {
		length := int(binary.LittleEndian.Uint16(data))
		valueLength := int(binary.LittleEndian.Uint16(data[2:]))
		if length == 0 {
			return nil // padding at the end
		}
		if length < 6 || length > len(data) {
			return errors.New("a block of the version information has an impossible length")
		}
		block := data[:length]
		key, used, ok := utf16z(block[6:])
		if !ok {
			return errors.New("a key of the version information has no end")
		}
		at := min(align4(6+used), length)
		switch {
		case depth == 3:
			value, _, _ := utf16z(block[at:])
			found(key, value)
		case depth == 1 && key != "StringFileInfo":
		default:
			if err := readBlocks(block[min(align4(at+valueLength), length):], depth+1, found); err != nil {
				return err
			}
		}
		data = data[min(align4(length), len(data)):]
	}
	return nil
}

func align4(n int) int { return (n + 3) &^ 3 }

// utf16z decodes UTF-16 up to its NUL. used counts the bytes with the NUL; ok
// is false when there is none, and the text is then all that there is.
func utf16z(data []byte) (text string, used int, ok bool) {
	var units []uint16
	for ; used+2 <= len(data); used += 2 {
		unit := binary.LittleEndian.Uint16(data[used:])
		if unit == 0 {
			return string(utf16.Decode(units)), used + 2, true
		}
		units = append(units, unit)
	}
	return string(utf16.Decode(units)), used, false
}
