// Package doctor tells whether a machine can use the wheels, and build them.
//
// Gather asks the machine, through a Probe, and writes the answers into Facts,
// which are plain data; Judge makes Findings of them. A test gives Judge the
// Facts of a Windows machine on Linux, and Gather a Probe that answers as one.
// Venv looks at what is installed in one environment.
package doctor

import (
	"fmt"
	"strings"
)

// Level says how bad a finding is.
type Level string

// The levels of findings.
const (
	// OK is what is as it should be.
	OK Level = "ok"
	// Note is what is worth knowing and needs no action.
	Note Level = "note"
	// Problem is what keeps wheels from being used or built.
	Problem Level = "problem"
)

// Finding is one answer.
type Finding struct {
	// Name is the stable name of the check; docs/doctor.md lists them.
	Name string `json:"name"`
	// Level says how bad it is.
	Level Level `json:"level"`
	// What was found.
	What string `json:"what"`
	// Why it matters; "" for what is as it should be.
	Why string `json:"why,omitempty"`
	// Fix is one command, or one thing to do.
	Fix string `json:"fix,omitempty"`
}

// String gives the lines that people read.
func (f Finding) String() string {
	mark := map[Level]string{OK: "ok     ", Note: "note   ", Problem: "PROBLEM"}[f.Level]
	lines := []string{fmt.Sprintf("%s %s: %s", mark, f.Name, f.What)}
	if f.Why != "" {
		lines = append(lines, "        why: "+f.Why)
	}
	if f.Fix != "" {
		lines = append(lines, "        fix: "+f.Fix)
	}
	return strings.Join(lines, "\n")
}

// Problems counts the findings of that level.
func Problems(findings []Finding) int {
	count := 0
	for _, finding := range findings {
		if finding.Level == Problem {
			count++
		}
	}
	return count
}
