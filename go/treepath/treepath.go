// Package treepath says which file names a source tree may hold.
//
// A tree that one machine unpacks or patches is an input of actions on other
// machines, Windows among them. A name is therefore judged by what every one
// of them can hold, not by what this one can: [Clean] refuses a name that
// leaves its tree, [Portable] one that Windows cannot hold, and a [Set] two
// names that only a case-sensitive file system keeps apart.
//
// Names are always slash-separated and relative to the root of their tree.
package treepath

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxLen is the longest name, in UTF-16 units relative to the tree's root,
// that [Portable] accepts: Windows' MAX_PATH.
const MaxLen = 260

// Clean returns name in canonical form ("./a//b/" becomes "a/b"; the root
// itself is "."). It refuses what [Relative] refuses, and a ".." component:
// whatever could address something outside the tree on any operating system.
func Clean(name string) (string, error) {
	if err := Relative(name); err != nil {
		return "", err
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "", errors.New(`".." component leads out of its folder`)
		}
	}
	return path.Clean(name), nil
}

// Relative refuses a name that some operating system would not take as
// relative to a folder: an empty or absolute one, one with a drive letter, a
// backslash or a NUL byte. It allows "..", which the target of a link needs.
func Relative(name string) error {
	switch {
	case name == "":
		return errors.New("empty name")
	case strings.ContainsRune(name, 0):
		return errors.New("name holds a NUL byte")
	case strings.HasPrefix(name, "/"):
		return errors.New("absolute path")
	case strings.Contains(name, `\`):
		return errors.New("name holds a backslash, which Windows takes for a separator")
	case hasDrive(name):
		return errors.New("name starts with a drive letter")
	}
	return nil
}

func hasDrive(name string) bool {
	return len(name) >= 2 && name[1] == ':' &&
		('a' <= name[0]|0x20 && name[0]|0x20 <= 'z')
}

// Portable reports why Windows could not hold the cleaned name: a character
// or a trailing dot or space that it forbids, a device name such as NUL, text
// that is not UTF-8, or more than [MaxLen] units. Spec: Microsoft, "Naming
// Files, Paths, and Namespaces".
func Portable(name string) error {
	if !utf8.ValidString(name) {
		return errors.New("name is not UTF-8")
	}
	for part := range strings.SplitSeq(name, "/") {
		if err := portablePart(part); err != nil {
			return err
		}
	}
	if n := len(utf16.Encode([]rune(name))); n > MaxLen {
		return fmt.Errorf("path of %d characters, Windows holds %d", n, MaxLen)
	}
	return nil
}

func portablePart(part string) error {
	for _, r := range part {
		if r < 0x20 || strings.ContainsRune(`<>:"|?*`, r) {
			return fmt.Errorf("Windows cannot hold %q in a name", r)
		}
	}
	if part != "." && strings.TrimRight(part, ". ") != part {
		return errors.New("Windows drops a trailing dot or space of a name")
	}
	stem, _, _ := strings.Cut(part, ".")
	if stem = strings.ToUpper(strings.TrimRight(stem, " ")); isDevice(stem) {
		return fmt.Errorf("%s is a device on Windows", stem)
	}
	return nil
}

func isDevice(stem string) bool {
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	for _, port := range []string{"COM", "LPT"} {
		if rest, ok := strings.CutPrefix(stem, port); ok && utf8.RuneCountInString(rest) == 1 {
			return strings.Contains("0123456789¹²³", rest)
		}
	}
	return false
}

// Strip removes the first n components of a cleaned name. It returns "" when
// nothing remains.
func Strip(name string, n int) string {
	for ; n > 0; n-- {
		_, rest, ok := strings.Cut(name, "/")
		if !ok {
			return ""
		}
		name = rest
	}
	return name
}
