package wheel

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with a wheel.
type Problem struct {
	// Name is the stable name of the kind of finding, where the audit found it.
	Name string `json:"name,omitempty"`
	// Place is the member, or the wheel's file name.
	Place string `json:"place"`
	// What says what is wrong, and Fix what to do.
	What string `json:"what"`
	Fix  string `json:"fix"`

	folders bool
}

// String gives the one line that people see.
func (p Problem) String() string {
	return fmt.Sprintf("%s: %s; %s", oneLine(p.Place), oneLine(p.What), p.Fix)
}

// oneLine makes control characters visible, so that a member's name cannot
// forge a line of the report.
func oneLine(text string) string {
	quoted := fmt.Sprintf("%+q", text)
	if plain := quoted[1 : len(quoted)-1]; plain != text && strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\ufffd' }) {
		return plain
	}
	return text
}

// Problems is an error that holds several problems, one line each.
type Problems []Problem

// Error joins the lines.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// Add appends a problem whose text is formatted.
func (p *Problems) Add(place, fix, what string, args ...any) {
	*p = append(*p, Problem{Place: place, What: fmt.Sprintf(what, args...), Fix: fix})
}

// WithoutFolders leaves out what Repack repairs: entries for folders.
func (p Problems) WithoutFolders() Problems {
	return slices.DeleteFunc(slices.Clone(p), func(problem Problem) bool { return problem.folders })
}

// Err is p as an error, nil when there is no problem.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}
