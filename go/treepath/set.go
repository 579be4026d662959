package treepath

import (
	"fmt"
	"path"
	"strings"
)

// Kind says what a name in a [Set] stands for.
type Kind int

const (
	// File is a name with bytes of its own.
	File Kind = iota
	// Dir is a folder; adding a File adds each of its parents as Dir.
	Dir
)

func (k Kind) String() string {
	if k == Dir {
		return "folder"
	}
	return "file"
}

// Set holds the names of one tree and refuses those that cannot stand beside
// each other on a file system that ignores case. The zero value is empty.
type Set struct {
	byFold map[string]entry
}

type entry struct {
	name string
	kind Kind
}

// Add records a cleaned name and its parent folders. It fails, and records
// nothing, when a name that is already there differs only by case or is of
// the other kind. Adding the same name and kind again is no error; known
// reports that it was there.
func (s *Set) Add(name string, kind Kind) (known bool, err error) {
	if name == "." {
		return true, nil
	}
	if s.byFold == nil {
		s.byFold = map[string]entry{}
	}
	var fresh []entry
	for k, n := kind, name; n != "."; k, n = Dir, path.Dir(n) {
		old, ok := s.byFold[fold(n)]
		switch {
		case !ok:
			fresh = append(fresh, entry{n, k})
			continue
		case old.name != n:
			return false, fmt.Errorf("differs only by case from %s %q", old.kind, old.name)
		case old.kind != k:
			return false, fmt.Errorf("needs %q as a %s, which is already a %s", n, k, old.kind)
		}
		known = n == name
		break // its parents were checked when it was added
	}
	for _, e := range fresh {
		s.byFold[fold(e.name)] = e
	}
	return known, nil
}

// Kind returns what name stands for, if the set holds exactly that name.
func (s *Set) Kind(name string) (Kind, bool) {
	if name == "." {
		return Dir, true
	}
	e, ok := s.byFold[fold(name)]
	return e.kind, ok && e.name == name
}

// fold maps names that NTFS or APFS would take for one onto one string.
func fold(name string) string { return strings.ToLower(strings.ToUpper(name)) }
