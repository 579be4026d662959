// Package ar reads the static archives that LLVM's tools write (Unix "ar"
// format as used for both ELF and COFF objects, in its GNU variant).
//
// [Read] returns the members in file order with their full names; the symbol
// table and the long-name table are consumed, not returned. The format is
// described in ar(5) and, for the COFF flavour, in Microsoft's "PE Format",
// section "Archive (Library) File Format".
package ar

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

const (
	magic      = "!<arch>\n"
	thinMagic  = "!<thin>\n"
	headerSize = 60
)

// Member is one file inside an archive.
type Member struct {
	// Name is the name as stored, with directories if the writer stored them.
	Name string
	// Data aliases the buffer given to Read.
	Data []byte
}

// Read parses an archive that is wholly in memory.
//
// It fails for thin archives, whose members lie elsewhere, and for any header
// that points outside the data.
func Read(data []byte) ([]Member, error) {
	if bytes.HasPrefix(data, []byte(thinMagic)) {
		return nil, fmt.Errorf("a thin archive holds no members of its own")
	}
	if !bytes.HasPrefix(data, []byte(magic)) {
		return nil, fmt.Errorf("not an ar archive: it does not start with %q", magic)
	}
	var (
		members []Member
		long    []byte
	)
	for at := len(magic); at+headerSize <= len(data); {
		header := data[at : at+headerSize]
		size, err := strconv.Atoi(strings.TrimSpace(string(header[48:58])))
		if err != nil || size < 0 || size > len(data)-at-headerSize {
			return nil, fmt.Errorf("archive header at byte %d has the size field %q", at, header[48:58])
		}
		body := data[at+headerSize : at+headerSize+size]
		at += headerSize + size + size%2
		switch name := strings.TrimRight(string(header[:16]), " "); {
		case name == "//":
			long = body
		case name == "/" || name == "/SYM64/" || name == "/<ECSYMBOLS>/" || name == "/<XFGHASHMAP>/":
			// Symbol tables: whoever writes the archive again makes new ones.
		case strings.HasPrefix(name, "/"):
			offset, err := strconv.Atoi(name[1:])
			if err != nil || offset < 0 || offset >= len(long) {
				return nil, fmt.Errorf("archive member %q is not in the table of long names", name)
			}
			end := bytes.IndexAny(long[offset:], "\x00\n")
			if end < 0 {
				end = len(long) - offset
			}
			members = append(members, Member{strings.TrimSuffix(string(long[offset:offset+end]), "/"), body})
		default:
			members = append(members, Member{strings.TrimSuffix(name, "/"), body})
		}
	}
	return members, nil
}
