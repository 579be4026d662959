package patch

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// Series is a tree in memory to which patches are added one at a time, for
// tools that ask how each of them fares. A patch that does not apply leaves the
// tree as it was.
type Series struct{ tree *tree }

// OpenSeries lists the tree src, which is only read.
func OpenSeries(src string) (*Series, error) {
	t, err := openTree(src)
	return &Series{t}, err
}

// Add applies the patch, called name in errors, and returns its offsets and
// its text with the line numbers that its hunks have here.
func (s *Series) Add(name string, text []byte, opts Options) (offsets []Offset, refreshed []byte, err error) {
	p, err := Parse(name, text, opts.Strip)
	if err != nil {
		return nil, nil, err
	}
	before := maps.Clone(s.tree.files)
	offsets, err = s.tree.apply(p, opts)
	if err != nil {
		s.tree.files = before
		return nil, nil, err
	}
	return offsets, p.refreshed(), nil
}

// File returns a file of the tree as the patches so far have made it; ok is
// false where there is none.
func (s *Series) File(name string) (data []byte, ok bool, err error) {
	c, ok := s.tree.files[name]
	if !ok {
		return nil, false, nil
	}
	data, err = c.bytes()
	return data, true, err
}

// Holds reports whether the tree has all that the patch would do already: what
// each hunk makes stands there and what it replaces does not, each new file is
// there with the same bytes, each deleted one is gone. A patch that renames or
// copies is never held.
func (s *Series) Holds(text []byte, opts Options) (bool, error) {
	p, err := Parse("patch", text, opts.Strip)
	if err != nil {
		return false, err
	}
	for _, c := range p.changes {
		data, there, err := s.File(c.target())
		if err != nil {
			return false, err
		}
		lines := splitLines(data)
		switch f := c.file; {
		case f.IsRename || f.IsCopy || len(f.TextFragments) == 0:
			return false, nil
		case f.IsDelete:
			if there {
				return false, nil
			}
		case !there:
			return false, nil
		case f.IsNew:
			if !slices.Equal(lines, newSide(f.TextFragments[0])) {
				return false, nil
			}
		case !holdsHunks(lines, f.TextFragments):
			return false, nil
		}
	}
	return true, nil
}

func holdsHunks(lines []string, hunks []*gitdiff.TextFragment) bool {
	from := 0
	for _, h := range hunks {
		made := find(lines, newSide(h), from)
		if len(made) == 0 || len(find(lines, oldSide(h), 0)) > 0 {
			return false
		}
		from = made[0] + int(h.NewLines)
	}
	return true
}

// Changed lists the files that the patch changes without creating, deleting or
// renaming any; it is an error if it does one of these.
func Changed(text []byte, opts Options) ([]string, error) {
	p, err := Parse("patch", text, opts.Strip)
	if err != nil {
		return nil, err
	}
	for _, c := range p.changes {
		if f := c.file; f.IsNew || f.IsDelete || f.IsRename || f.IsCopy {
			return nil, fmt.Errorf("%s is created, deleted or renamed, which cannot be merged", c.target())
		}
	}
	return p.Targets(), nil
}

// Header returns what stands before the first diff: the words for people.
func Header(text []byte) string {
	lines := strings.SplitAfter(string(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "diff ") || strings.HasPrefix(line, "--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ ") {
			return strings.Join(lines[:i], "")
		}
	}
	return ""
}
