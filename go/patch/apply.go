package patch

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// session is the application of one patch to a tree.
type session struct {
	*tree
	patch   *Patch
	opts    Options
	before  map[string]*content // the files before this patch
	leaving map[string]bool     // names that this patch renames or deletes
	written map[string]bool     // names that this patch has created or changed
	fresh   []string            // names that did not exist before
	offsets []Offset
}

// apply changes the tree as the patch says. After an error the tree is of no
// further use; nothing on disk has changed.
func (t *tree) apply(p *Patch, opts Options) ([]Offset, error) {
	s := &session{tree: t, patch: p, opts: opts, before: maps.Clone(t.files),
		leaving: map[string]bool{}, written: map[string]bool{}}
	for _, c := range p.changes {
		if c.file.IsRename || c.file.IsDelete {
			s.leaving[c.old] = true
		}
	}
	for _, c := range p.changes {
		if err := s.change(c); err != nil {
			return nil, err
		}
	}
	if len(s.fresh) > 0 {
		if name, err := t.clash(s.fresh); err != nil {
			return nil, &ApplyError{Patch: p.name, Target: name, Problem: err.Error()}
		}
	}
	return s.offsets, nil
}

func (s *session) change(c *change) error {
	fail := func(format string, args ...any) error {
		return &ApplyError{Patch: s.patch.name, Line: c.line, Target: c.target(), Problem: fmt.Sprintf(format, args...)}
	}
	moves := c.file.IsRename || c.file.IsCopy
	if c.file.IsNew || moves && c.old != c.new {
		if s.occupied(c.new) {
			return fail("already exists, and the patch would create it")
		}
		s.fresh = append(s.fresh, c.new)
	}
	from := &content{}
	if !c.file.IsNew {
		files := s.files
		if moves { // git: renames and copies see the files before the patch
			files = s.before
		}
		var ok bool
		if from, ok = files[c.old]; !ok {
			return fail("%s", s.missing(c))
		}
	}
	data, err := from.bytes()
	if err != nil {
		return err
	}
	if data, err = s.hunks(c, data); err != nil {
		return err
	}
	if (c.file.IsDelete || c.file.IsRename) && !s.written[c.old] {
		delete(s.files, c.old)
	}
	if c.file.IsDelete {
		if len(data) > 0 {
			return fail("is to be deleted, but the patch does not know what it holds, such as %s", quote(splitLines(data), 0))
		}
		delete(s.written, c.old)
		return nil
	}
	exec := from.exec
	if c.file.NewMode != 0 {
		exec = isExecutable(c.file.NewMode)
	}
	s.files[c.new] = &content{data: data, exec: exec}
	s.written[c.new] = true
	return nil
}

// occupied reports whether a file of that name stands in the way of one that
// the patch creates: it is there, and the patch does not take it away.
func (s *session) occupied(name string) bool {
	_, ok := s.files[name]
	return ok && (s.written[name] || !s.leaving[name])
}

// missing says that the file to change is not there, and which strip level
// would find it.
func (s *session) missing(c *change) string {
	text := fmt.Sprintf("patch touched no file: %s is not in the tree (strip %d)", c.old, s.opts.Strip)
	if rest := c.old; strings.Contains(rest, "/") {
		for n := 1; ; n++ {
			_, after, ok := strings.Cut(rest, "/")
			if !ok {
				break
			}
			if rest = after; s.before[rest] != nil {
				return fmt.Sprintf("%s, but %s is: strip %d?", text, rest, s.opts.Strip+n)
			}
		}
	}
	var longer []string
	for name := range s.before {
		if strings.HasSuffix(name, "/"+c.old) {
			longer = append(longer, name)
		}
	}
	if len(longer) > 0 {
		slices.Sort(longer)
		return fmt.Sprintf("%s, but %s is: a lower strip, or a tree that starts at %s?", text, longer[0],
			path.Clean(strings.TrimSuffix(longer[0], c.old)))
	}
	return text
}

// hunks returns data with the change's hunks applied.
func (s *session) hunks(c *change, data []byte) ([]byte, error) {
	lines := splitLines(data)
	c.at = make([]int, len(c.hunks))
	var placed []*gitdiff.TextFragment
	from := 0
	for i, h := range c.file.TextFragments {
		at, m := locate(lines, h, from)
		if m != nil && (!m.moved || !s.opts.AllowOffset) {
			return nil, &ApplyError{Patch: s.patch.name, Line: c.section.hunks[i], Target: c.target(),
				Hunk: i + 1, Hunks: len(c.hunks), Problem: m.problem, Moved: m.moved}
		}
		if m != nil {
			s.offsets = append(s.offsets, Offset{s.patch.name, c.section.hunks[i], c.target(),
				i + 1, len(c.hunks), int(h.OldPosition), at + 1})
		}
		c.at[i] = at
		moved := *h
		if h.OldLines > 0 {
			moved.OldPosition = int64(at) + 1
		}
		placed = append(placed, &moved)
		from = at + int(h.OldLines)
	}
	f := *c.file
	f.TextFragments = placed
	var out bytes.Buffer
	if err := gitdiff.Apply(&out, bytes.NewReader(data), &f); err != nil {
		var at *gitdiff.ApplyError
		n := 1
		if errors.As(err, &at) {
			n = max(at.Fragment, 1)
		}
		return nil, &ApplyError{Patch: s.patch.name, Line: c.line, Target: c.target(),
			Hunk: n, Hunks: len(c.hunks), Problem: err.Error()}
	}
	return out.Bytes(), nil
}

// splitLines cuts data after each newline.
func splitLines(data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	lines := strings.SplitAfter(string(data), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	return lines
}
