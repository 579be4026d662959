package patch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// mismatch is why a hunk's lines do not stand where they should.
type mismatch struct {
	problem string
	moved   bool // they stand elsewhere, once
	to      int  // where, counted from 0
}

// locate finds the lines of the hunk's old side in the file, at or below the
// line from. It returns their line, counted from 0, and a mismatch when that
// is not where the hunk's header says.
func locate(lines []string, h *gitdiff.TextFragment, from int) (int, *mismatch) {
	old := oldSide(h)
	want := max(int(h.OldPosition)-1, 0)
	if len(old) == 0 { // creates the content of an empty file
		if len(lines) > 0 {
			return 0, &mismatch{problem: "expected an empty file, but it starts with " + quote(lines, 0)}
		}
		return 0, nil
	}
	if want >= from && standsAt(lines, old, want) {
		return want, atEnd(lines, h, want+len(old))
	}
	places := find(lines, old, from)
	if len(places) != 1 {
		return 0, explain(lines, h, old, want, places)
	}
	to := places[0]
	if m := atEnd(lines, h, to+len(old)); m != nil {
		return 0, m
	}
	return to, &mismatch{
		problem: fmt.Sprintf("expected at line %d, identical text at line %d; line %d is %s, the hunk starts with %s",
			want+1, to+1, want+1, quote(lines, want), quote(old, 0)),
		moved: true,
		to:    to,
	}
}

func standsAt(lines, text []string, at int) bool {
	return at+len(text) <= len(lines) && slices.Equal(lines[at:at+len(text)], text)
}

// atEnd refuses a hunk that ends the file at a line that is not its last.
func atEnd(lines []string, h *gitdiff.TextFragment, end int) *mismatch {
	if end >= len(lines) {
		return nil
	}
	after := newSide(h)
	switch {
	case len(after) == 0 && h.NewPosition == 0:
		return &mismatch{problem: fmt.Sprintf("should leave nothing of the file, but the patch does not know line %d: %s", end+1, quote(lines, end))}
	case len(after) > 0 && !strings.HasSuffix(after[len(after)-1], "\n"):
		return &mismatch{problem: fmt.Sprintf("final newline differs: the patch ends the file here, but line %d follows: %s", end+1, quote(lines, end))}
	}
	return nil
}

// find returns every line, from the given one on, where text stands.
func find(lines, text []string, from int) (places []int) {
	for at := from; at+len(text) <= len(lines); at++ {
		if standsAt(lines, text, at) {
			places = append(places, at)
		}
	}
	return places
}

// explain says what is wrong with a hunk that stands nowhere, or at several
// places.
func explain(lines []string, h *gitdiff.TextFragment, old []string, want int, places []int) *mismatch {
	bad := func(format string, args ...any) *mismatch {
		return &mismatch{problem: fmt.Sprintf(format, args...)}
	}
	if len(places) > 1 {
		return bad("expected at line %d, identical text at lines %s: which one is meant cannot be told", want+1, list(places))
	}
	if at, ok := near(mapped(lines, dropCR), mapped(old, dropCR), want); ok {
		return bad("line endings differ: the patch has %s, the file has %s (line %d); convert the one that is wrong (git: core.autocrlf=false)",
			ends(old), ends(lines[at:at+len(old)]), at+1)
	}
	if at, ok := near(mapped(lines, dropEnd), mapped(old, dropEnd), want); ok {
		last := at + len(old) - 1
		return bad("final newline differs: the patch has line %d %s, the file %s it", last+1,
			with(old[len(old)-1]), has(lines[last]))
	}
	first := firstDifference(lines, old, want)
	text := fmt.Sprintf("does not apply at line %d: line %d should be %s, but is %s; ",
		want+1, want+first+1, quote(old, first), quote(lines, want+first))
	if at, ok := near(lines, newSide(h), want); ok && h.NewLines > 0 {
		return bad("%sthe patched text stands at line %d already: this version may have the change", text, at+1)
	}
	if now := find(lines, old[first:first+1], 0); len(now) > 0 && strings.TrimSpace(old[first]) != "" {
		return bad("%sthe hunk's text stands nowhere, that line alone at %s", text, list(now))
	}
	return bad("%sthe hunk's text stands nowhere in the file", text)
}

// near finds text at the wanted line, else at its first place.
func near(lines, text []string, want int) (int, bool) {
	if standsAt(lines, text, want) {
		return want, true
	}
	if places := find(lines, text, 0); len(places) > 0 {
		return places[0], true
	}
	return 0, false
}

func firstDifference(lines, old []string, at int) int {
	for i := range old {
		if at+i >= len(lines) || lines[at+i] != old[i] {
			return i
		}
	}
	return 0 // all stand there, but the hunk before it reaches beyond
}

// list names up to four lines.
func list(places []int) string {
	var s []string
	for i, at := range places {
		if i == 4 {
			s = append(s, "…")
			break
		}
		s = append(s, fmt.Sprint(at+1))
	}
	return strings.Join(s, ", ")
}

// quote shows one line, shortened, or that there is none.
func quote(lines []string, at int) string {
	const most = 100
	if at >= len(lines) {
		return fmt.Sprintf("beyond the end (the file has %d lines)", len(lines))
	}
	text := []rune(strings.TrimSuffix(lines[at], "\n"))
	if len(text) > most {
		return fmt.Sprintf("%q…", string(text[:most]))
	}
	return fmt.Sprintf("%q", string(text))
}

func mapped(lines []string, f func(string) string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = f(l)
	}
	return out
}

func dropCR(line string) string {
	if text, ok := strings.CutSuffix(line, "\r\n"); ok {
		return text + "\n"
	}
	return line
}

func dropEnd(line string) string { return strings.TrimRight(line, "\r\n") }

// ends names the line ends of text.
func ends(text []string) string {
	crlf := 0
	for _, l := range text {
		if strings.HasSuffix(l, "\r\n") {
			crlf++
		}
	}
	switch crlf {
	case 0:
		return "LF"
	case len(text):
		return "CRLF"
	}
	return "both CRLF and LF"
}

func with(line string) string {
	if strings.HasSuffix(line, "\n") {
		return "with one"
	}
	return "without one"
}

func has(line string) string {
	if strings.HasSuffix(line, "\n") {
		return "has"
	}
	return "lacks"
}
