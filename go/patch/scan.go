package patch

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/treepath"
)

// section is the part of a patch file that changes one target file.
type section struct {
	line  int      // of the patch file, where the header starts
	git   bool     // headed by "diff --git"
	crlf  bool     // a header line ended in CRLF
	bin   bool     // the change is a binary one
	text  []string // lines with their ends; headers as [gitdiff] wants them
	hunks []int    // line of the patch file of each hunk header
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// scanner cuts a patch file into sections. The parser that we use skips what
// it does not understand, as git does, so that a miscounted hunk or a header
// without hunks goes by in silence; the scanner exists to refuse those, to
// know the line of each hunk, and to undo CRLF in headers.
type scanner struct {
	lines []string
	at    int
	strip int
	found []*section
}

func scan(text string, strip int) ([]*section, error) {
	s := &scanner{lines: strings.SplitAfter(text, "\n"), strip: strip}
	if last := len(s.lines) - 1; s.lines[last] == "" {
		s.lines = s.lines[:last]
	}
	for s.at < len(s.lines) {
		if err := s.next(); err != nil {
			return nil, &FormatError{Line: s.at + 1, Problem: err.Error()}
		}
	}
	return s.found, nil
}

// next takes one line outside of hunks, or a whole section.
func (s *scanner) next() error {
	line := s.peek(0)
	switch {
	case strings.HasPrefix(line, "diff --git "):
		return s.section(true)
	case strings.HasPrefix(line, "--- ") && strings.HasPrefix(s.peek(1), "+++ "):
		if !strings.HasPrefix(s.peek(2), "@@ -") {
			return fmt.Errorf("patch touched no file: the header of %s is followed by no hunk", strings.TrimSpace(s.peek(1)[4:]))
		}
		return s.section(false)
	case strings.HasPrefix(line, "@@ -"):
		return errors.New("hunk without a file header before it")
	case strings.HasPrefix(line, "diff --cc "), strings.HasPrefix(line, "diff --combined "):
		return errors.New("combined diff of a merge; make one against a single parent")
	case isBinaryNote(line):
		return fmt.Errorf("%s: binary files cannot be patched", line)
	}
	s.at++
	return nil
}

func isBinaryNote(line string) bool {
	return strings.HasPrefix(line, "Binary files ") && strings.HasSuffix(line, " differ")
}

// peek returns a coming line without its end, "" beyond the last one.
func (s *scanner) peek(n int) string {
	if s.at+n >= len(s.lines) {
		return ""
	}
	return strings.TrimRight(s.lines[s.at+n], "\r\n")
}

func (s *scanner) section(git bool) error {
	sec := &section{line: s.at + 1, git: git}
	s.found = append(s.found, sec)
	for first := true; s.at < len(s.lines); first = false {
		line := s.peek(0)
		switch {
		case strings.HasPrefix(line, "@@ -"):
			return s.hunks(sec)
		case !first && !isHeader(line, git), !git && len(sec.text) == 2:
			return nil
		}
		if line == "GIT binary patch" || isBinaryNote(line) {
			sec.bin = true
			return s.skipBinary()
		}
		if err := checkHeaderName(line); err != nil {
			return err
		}
		sec.crlf = sec.crlf || strings.HasSuffix(s.lines[s.at], "\r\n")
		if git && s.strip == 0 {
			line = addComponent(line)
		}
		sec.text = append(sec.text, line+"\n")
		s.at++
	}
	return nil
}

// skipBinary skips the data of a binary change, which is refused by name later.
func (s *scanner) skipBinary() error {
	for s.at < len(s.lines) && !strings.HasPrefix(s.peek(0), "diff --git ") {
		s.at++
	}
	return nil
}

var headerPrefixes = []string{
	"--- ", "+++ ", "old mode ", "new mode ", "deleted file mode ", "new file mode ", "copy from ", "copy to ",
	"rename old ", "rename new ", "rename from ", "rename to ", "similarity index ", "dissimilarity index ", "index ",
	"GIT binary patch", "Binary files ",
}

func isHeader(line string, git bool) bool {
	for i, p := range headerPrefixes {
		if strings.HasPrefix(line, p) {
			return git || i < 2
		}
	}
	return false
}

// checkHeaderName refuses names that lead out of the tree, before stripping a
// component can hide it.
func checkHeaderName(line string) error {
	for _, p := range []string{"--- ", "+++ ", "rename from ", "rename to ", "copy from ", "copy to "} {
		name, ok := strings.CutPrefix(line, p)
		if !ok {
			continue
		}
		if p[0] == '-' || p[0] == '+' {
			name, _, _ = strings.Cut(name, "\t") // a time stamp follows
		}
		if strings.HasPrefix(name, `"`) {
			unquoted, err := strconv.Unquote(name)
			if err != nil {
				return fmt.Errorf("malformed name %s", name)
			}
			name = unquoted
		}
		if name == "/dev/null" {
			continue
		}
		if _, err := treepath.Clean(name); err != nil {
			return fmt.Errorf("%q is outside the tree: %w", name, err)
		}
	}
	return nil
}

// addComponent puts one component before each name of a git header line,
// because the parser always strips one.
func addComponent(line string) string {
	const extra = "a/"
	add := func(name string) string {
		if quoted, ok := strings.CutPrefix(name, `"`); ok {
			return `"` + extra + quoted
		}
		return extra + name
	}
	for _, p := range []string{"--- ", "+++ "} {
		if name, ok := strings.CutPrefix(line, p); ok && !strings.HasPrefix(name, "/dev/null") {
			return p + add(name)
		}
	}
	const git = "diff --git "
	names, ok := strings.CutPrefix(line, git)
	if half := len(names) / 2; ok && len(names)%2 == 1 && names[half] == ' ' {
		return git + add(names[:half]) + " " + add(names[half+1:])
	}
	return line
}

// hunks takes all hunks of a section, counting their lines.
func (s *scanner) hunks(sec *section) error {
	for s.at < len(s.lines) && strings.HasPrefix(s.peek(0), "@@ -") {
		m := hunkHeader.FindStringSubmatch(s.peek(0))
		if m == nil {
			return fmt.Errorf("malformed hunk header %q", s.peek(0))
		}
		sec.hunks = append(sec.hunks, s.at+1)
		sec.crlf = sec.crlf || strings.HasSuffix(s.lines[s.at], "\r\n")
		sec.text = append(sec.text, s.peek(0)+"\n")
		s.at++
		if err := s.body(sec, count(m[2]), count(m[4])); err != nil {
			return fmt.Errorf("hunk %d: %w", len(sec.hunks), err)
		}
	}
	return nil
}

func count(digits string) int {
	if digits == "" {
		return 1
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return -1 // too long a number: no body can match it
	}
	return n
}

// body takes the lines that a hunk header announces: old ones of the file as
// it was, new ones of the file as it will be.
func (s *scanner) body(sec *section, before, after int) error {
	for before > 0 || after > 0 || strings.HasPrefix(s.peek(0), `\ `) {
		if s.at >= len(s.lines) {
			return fmt.Errorf("the file ends where %d old and %d new lines are still to come", before, after)
		}
		line := s.lines[s.at]
		if line == "\r\n" {
			line = " \r\n" // an empty context line that lost its blank
		}
		switch line[0] {
		case ' ', '\n':
			before, after = before-1, after-1
		case '-':
			before--
		case '+':
			after--
		case '\\':
			s.unterminate(sec)
		default:
			return fmt.Errorf("line starts with %q where %d old and %d new lines are still to come", line[0], before, after)
		}
		if before < 0 || after < 0 {
			return errMiscount
		}
		if line[0] != '\\' && !strings.HasSuffix(line, "\n") {
			return errors.New("the patch file lacks its own final newline, so its last line may be cut off")
		}
		sec.text = append(sec.text, line)
		s.at++
	}
	return s.trailing()
}

// unterminate drops the CR that stands before "\ No newline at end of file"
// in a patch with CRLF ends, where that marker has one too: the line that it
// is about has no end at all.
func (s *scanner) unterminate(sec *section) {
	if !strings.HasSuffix(s.lines[s.at], "\r\n") {
		return
	}
	last := &sec.text[len(sec.text)-1]
	if cut, ok := strings.CutSuffix(*last, "\r\n"); ok {
		*last = cut + "\n"
	}
}

// trailing refuses lines that look like a hunk's but belong to none: the
// header above counts too few. "-- " is the signature of git format-patch.
func (s *scanner) trailing() error {
	n := 0
	for s.at+n < len(s.lines) && s.peek(n) == "" {
		n++
	}
	line := s.peek(n)
	if line == "" || line == "-- " || line == "--" || strings.HasPrefix(line, "--- ") && strings.HasPrefix(s.peek(n+1), "+++ ") {
		return nil
	}
	if strings.ContainsRune(" +-", rune(line[0])) {
		return errMiscount
	}
	return nil
}

var errMiscount = errors.New("its header counts fewer lines than it has")
