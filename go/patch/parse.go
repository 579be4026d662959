package patch

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/sparkwheels/sparkwheels/go/treepath"
)

// Patch is one parsed patch file.
type Patch struct {
	name    string
	text    string
	changes []*change
}

// change is what a patch does to one file.
type change struct {
	*section
	file     *gitdiff.File
	old, new string // names in the tree; "" where there is none
	at       []int  // line where each hunk was found, counted from 0
}

// Targets lists the files that the patch changes, creates or deletes, in its
// order and as they are called afterwards.
func (p *Patch) Targets() []string {
	var names []string
	for _, c := range p.changes {
		names = append(names, c.target())
	}
	return names
}

func (c *change) target() string {
	if c.new != "" {
		return c.new
	}
	return c.old
}

// Parse reads a patch. Every error is a [FormatError] that calls it name.
func Parse(name string, text []byte, strip int) (*Patch, error) {
	fail := func(line int, err error) error { return &FormatError{name, line, err.Error()} }
	sections, err := scan(string(text), strip)
	if err != nil {
		var e *FormatError
		if errors.As(err, &e) {
			e.Patch = name
		}
		return nil, err
	}
	if len(sections) == 0 {
		return nil, fail(0, errors.New("patch touched no file: it holds no unified diff (no hunk, no rename, no mode change)"))
	}
	p := &Patch{name: name, text: string(text)}
	for _, s := range sections {
		c, err := parseSection(s, strip)
		if err != nil {
			return nil, fail(s.line, err)
		}
		p.changes = append(p.changes, c)
	}
	return p, nil
}

// parserPlace is where the parser says that it is, in the section that it was
// given and not in the file.
var parserPlace = regexp.MustCompile(`^gitdiff: line \d+: `)

func parseSection(s *section, strip int) (*change, error) {
	files, _, err := gitdiff.Parse(strings.NewReader(strings.Join(s.text, "")))
	if err != nil {
		problem := parserPlace.ReplaceAllString(err.Error(), "")
		if s.git && strip == 0 && len(s.hunks) == 0 {
			problem += " (is strip 0 right?)"
		}
		return nil, errors.New(problem)
	}
	if len(files) != 1 || len(files[0].TextFragments) != len(s.hunks) {
		return nil, errors.New("header and hunks do not belong together")
	}
	c := &change{section: s, file: files[0]}
	if err := c.names(strip); err != nil {
		return nil, err
	}
	if f := c.file; c.old != "" && c.new != "" && c.old != c.new && !f.IsRename && !f.IsCopy {
		return nil, fmt.Errorf("patch touched no file: %s and %s are two files, but the patch renames none; strip %d is too low", c.old, c.new, strip)
	}
	return c, c.validate()
}

// names fills in old and new from what the parser made of the header.
func (c *change) names(strip int) (err error) {
	f := c.file
	f.IsNew = f.IsNew || f.OldName == "/dev/null"
	f.IsDelete = f.IsDelete || f.NewName == "/dev/null"
	if c.git {
		strip = max(strip-1, 0) // the parser took one
	}
	if !f.IsNew {
		if c.old, err = stripName(f.OldName, strip); err != nil {
			return err
		}
	}
	if !f.IsDelete {
		c.new, err = stripName(f.NewName, strip)
	}
	return err
}

func stripName(name string, strip int) (string, error) {
	clean, err := treepath.Clean(name)
	if err != nil {
		return "", fmt.Errorf("%q is outside the tree: %w", name, err)
	}
	stripped := treepath.Strip(clean, strip)
	if stripped == "" || stripped == "." {
		return "", fmt.Errorf("patch touched no file: the strip level leaves nothing of %q", name)
	}
	return stripped, nil
}

func (c *change) validate() error {
	f := c.file
	switch {
	case c.bin:
		return fmt.Errorf("%s: binary files cannot be patched", c.target())
	case f.IsNew && f.IsDelete:
		return fmt.Errorf("%s: is created and deleted at once", c.target())
	}
	for _, mode := range []fs.FileMode{f.OldMode, f.NewMode} {
		if kind := mode & 0o170000; mode != 0 && kind != 0o100000 {
			return fmt.Errorf("%s: mode %o is not a plain file's; links and submodules cannot be patched", c.target(), mode)
		}
	}
	if len(f.TextFragments) == 0 && !f.IsNew && !f.IsDelete && !f.IsRename && !f.IsCopy && (f.NewMode == 0 || f.OldMode == f.NewMode) {
		return fmt.Errorf("patch touched no file: %s has neither hunks nor a new name or mode", c.target())
	}
	if c.new != "" && c.new != c.old {
		if err := treepath.Portable(c.new); err != nil {
			return fmt.Errorf("%s: %w", c.new, err)
		}
	}
	if f.IsNew && c.crlf && len(c.hunks) > 0 {
		return fmt.Errorf("hunk 1/%d of %s: line endings differ: the patch itself has CRLF, so the new file would have too; save the patch with LF (git: core.autocrlf=false)", len(c.hunks), c.new)
	}
	return c.validateHunks()
}

func (c *change) validateHunks() error {
	end := int64(0)
	for i, h := range c.file.TextFragments {
		fail := func(problem string) error {
			return fmt.Errorf("hunk %d/%d of %s: %s", i+1, len(c.hunks), c.target(), problem)
		}
		switch {
		case h.Validate() != nil:
			return fail(h.Validate().Error())
		case h.OldLines == 0 && h.OldPosition > 0:
			return fail("it inserts without any context, so its place cannot be checked; make the patch with context (git diff -U3)")
		case h.NewLines == 0 && h.NewPosition == 0 && !c.file.IsDelete && !c.git:
			return fail("it does not say whether the file is emptied or deleted; make the patch with git diff")
		case h.OldPosition < end:
			return fail("it overlaps the hunk before it, or is out of order")
		case unterminatedInside(h):
			return fail(`"\ No newline at end of file" stands before more lines`)
		}
		end = h.OldPosition + h.OldLines
	}
	return nil
}

// unterminatedInside reports a line without newline that is not the last of
// its side.
func unterminatedInside(h *gitdiff.TextFragment) bool {
	for _, side := range [][]string{oldSide(h), newSide(h)} {
		for i, line := range side {
			if i < len(side)-1 && !strings.HasSuffix(line, "\n") {
				return true
			}
		}
	}
	return false
}

func oldSide(h *gitdiff.TextFragment) (lines []string) {
	for _, l := range h.Lines {
		if l.Old() {
			lines = append(lines, l.Line)
		}
	}
	return lines
}

func newSide(h *gitdiff.TextFragment) (lines []string) {
	for _, l := range h.Lines {
		if l.New() {
			lines = append(lines, l.Line)
		}
	}
	return lines
}

// refreshed is the patch's text with each hunk's line numbers as found.
func (p *Patch) refreshed() []byte {
	lines := strings.SplitAfter(p.text, "\n")
	for _, c := range p.changes {
		grown := int64(0) // lines that the hunks before have added
		for i, h := range c.file.TextFragments {
			before := int64(c.at[i]) + 1
			after := before + grown
			if h.OldLines == 0 {
				before--
			}
			if h.NewLines == 0 {
				after--
			}
			grown += h.NewLines - h.OldLines
			line := &lines[c.hunks[i]-1]
			m := hunkHeader.FindStringSubmatchIndex(*line)
			rest := (*line)[m[1]:]
			*line = fmt.Sprintf("@@ -%d%s +%d%s @@%s", before, part(*line, m, 2), after, part(*line, m, 4), rest)
		}
	}
	return []byte(strings.Join(lines, ""))
}

// part returns ",N", the count of a hunk header, as it was written.
func part(line string, m []int, group int) string {
	if m[2*group] < 0 {
		return ""
	}
	return "," + line[m[2*group]:m[2*group+1]]
}
