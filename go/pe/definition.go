package pe

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Definition is what a module definition file (*.def) says about exports.
//
// The format is that of Microsoft's "Module-Definition (.Def) Files".
type Definition struct {
	// Library is the DLL's name, or "".
	Library string
	// Exports are the names that users of the DLL look up, in file order.
	// Functions that are exported by ordinal only (NONAME) are not among them.
	Exports []string
}

// ParseDefinition reads a module definition file. The error names the line.
func ParseDefinition(r io.Reader) (*Definition, error) {
	d := &Definition{}
	seen := map[string]bool{}
	exports := false
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		line, _, _ := strings.Cut(lines.Text(), ";")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		switch strings.ToUpper(words[0]) {
		case "LIBRARY":
			if exports = false; len(words) > 1 {
				d.Library = strings.Trim(words[1], `"`)
			}
			continue
		case "EXPORTS":
			exports, words = true, words[1:]
		case "NAME", "DESCRIPTION", "HEAPSIZE", "SECTIONS", "STACKSIZE", "STUB", "VERSION":
			exports = false
			continue
		default:
			if !exports {
				return nil, fmt.Errorf("line %d: %q is neither a statement nor below EXPORTS", number, words[0])
			}
		}
		if len(words) == 0 {
			continue
		}
		name, byOrdinal, err := definedExport(words)
		switch {
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", number, err)
		case seen[name]:
			return nil, fmt.Errorf("line %d: %s is exported twice", number, name)
		}
		if seen[name] = true; !byOrdinal {
			d.Exports = append(d.Exports, name)
		}
	}
	return d, lines.Err()
}

// definedExport reads NAME[=INTERNAL] [@ORDINAL [NONAME]] [PRIVATE] [DATA],
// with spaces around the equals sign or not.
func definedExport(words []string) (name string, byOrdinal bool, err error) {
	text := strings.Join(words, " ")
	for _, spaced := range []string{" =", "= "} {
		text = strings.ReplaceAll(text, spaced, "=")
	}
	words = strings.Fields(text)
	name, _, _ = strings.Cut(words[0], "=")
	if name = strings.Trim(name, `"`); name == "" {
		return "", false, fmt.Errorf("%q names no export", text)
	}
	for _, word := range words[1:] {
		switch {
		case strings.HasPrefix(word, "@"):
		case strings.EqualFold(word, "NONAME"):
			byOrdinal = true
		case strings.EqualFold(word, "PRIVATE"), strings.EqualFold(word, "DATA"):
		default:
			return "", false, fmt.Errorf("%s: %q is no attribute of an export", name, word)
		}
	}
	return name, byOrdinal, nil
}

// Compare gives the names that the image exports and the definition does not,
// and the other way round, each in its file's order.
func (d *Definition) Compare(image *Image) (more, fewer []string) {
	defined, exported := map[string]bool{}, map[string]bool{}
	for _, name := range d.Exports {
		defined[name] = true
	}
	for _, export := range image.Exports {
		if export.Name == "" {
			continue
		}
		if exported[export.Name] = true; !defined[export.Name] {
			more = append(more, export.Name)
		}
	}
	for _, name := range d.Exports {
		if !exported[name] {
			fewer = append(fewer, name)
		}
	}
	return more, fewer
}
