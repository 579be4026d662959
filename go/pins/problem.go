package pins

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with the pins, and where.
type Problem struct {
	// File is the file at fault, relative to the root of the repository.
	File string
	// Pin is the name of the pin at fault; empty if the file as a whole is.
	Pin string
	// Key is the key at fault, such as "sha256" or "source.pypi.file"; may be empty.
	Key string
	// Text says what is wrong and what is wanted.
	Text string
}

// String formats the problem as one line: `FILE: pin "NAME": KEY: TEXT`.
func (p Problem) String() string {
	parts := []string{p.File}
	if p.Pin != "" {
		parts = append(parts, fmt.Sprintf("pin %q", p.Pin))
	}
	if p.Key != "" {
		parts = append(parts, p.Key)
	}
	return strings.Join(append(parts, p.Text), ": ")
}

// Problems is an error made of everything that is wrong, so that a person can mend it in one go.
type Problems []Problem

// Error returns one line for each problem.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// err sorts the problems, drops repetitions and returns nil if there are none.
func (ps Problems) err() error {
	if len(ps) == 0 {
		return nil
	}
	slices.SortFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Pin, b.Pin), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Text, b.Text))
	})
	return slices.Compact(ps)
}

// add appends a problem of a pin in PinsFile.
func (ps *Problems) add(pin, key, format string, args ...any) {
	*ps = append(*ps, Problem{File: PinsFile, Pin: pin, Key: key, Text: fmt.Sprintf(format, args...)})
}
