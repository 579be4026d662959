package cachestat

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Print writes the summary as Markdown, for a terminal and for the job page of CI alike.
func (s *Summary) Print(w io.Writer) error {
	p := &printer{w: w}
	t := s.Total
	looked := t.Hits + t.Ran()
	p.line("**%d of %d actions came from a cache** (%d remote, %d disk); %d ran here, %d on an executor, %d failed.\n",
		t.Hits, looked, t.RemoteHits, t.DiskHits, t.Local, t.Remote, t.Failed)
	p.line("Run time of what ran: %.1f s. Saved by hits: %.1f s%s. Outputs: %s.\n", s.RanSeconds, s.SavedSeconds, untimed(s.Untimed), sizeText(s.Bytes))
	p.line("| action | hits | ran here | on an executor |")
	p.line("| --- | ---: | ---: | ---: |")
	for _, m := range s.Mnemonics() {
		c := s.ByMnemonic[m]
		p.line("| %s | %d | %d | %d |", m, c.Hits, c.Local, c.Remote)
	}
	if len(s.Ran) > 0 {
		p.line("\n| longest that ran | seconds | by |")
		p.line("| --- | ---: | --- |")
		for _, a := range s.Ran[:min(10, len(s.Ran))] {
			p.line("| %s | %.1f | %s |", a.ID, a.Seconds, a.Runner)
		}
	}
	if len(s.Largest) > 0 {
		p.line("\n| largest outputs | size |")
		p.line("| --- | ---: |")
		for _, a := range s.Largest {
			p.line("| %s | %s |", a.Path, sizeText(a.Bytes))
		}
	}
	return p.err
}

func untimed(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d hits do not say how long they took)", n)
}

// inputsShown is how many changes of one action the text shows; JSON has all.
const inputsShown = 5

// PrintMisses writes the misses, grouped by cause, those that cost most first.
func PrintMisses(w io.Writer, misses []Miss) error {
	p := &printer{w: w}
	groups := ByRoot(misses)
	cost := func(cause string) (sum float64) {
		for _, m := range groups[cause] {
			sum += m.Seconds
		}
		return sum
	}
	causes := slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		return cmp.Or(cmp.Compare(cost(b), cost(a)), cmp.Compare(a, b))
	})
	p.line("%d actions ran that no cache had, for %d causes.", len(misses), len(causes))
	for _, cause := range causes {
		p.line("\n%s: %d actions, %.1f s", explain(cause), len(groups[cause]), cost(cause))
		for _, m := range groups[cause] {
			p.line("  %s (%s, %.1f s)", m.ID, m.Label, m.Seconds)
			for _, c := range m.Changes[:min(inputsShown, len(m.Changes))] {
				p.line("    %s", c)
			}
			if n := len(m.Changes) - inputsShown; n > 0 {
				p.line("    and %d more", n)
			}
		}
	}
	return p.err
}

func explain(cause string) string {
	switch cause {
	case Lost:
		return "same key as in the other build, but no result: never uploaded, evicted, damaged, or the server was out of reach"
	case New:
		return "actions that the other build did not have"
	case Never:
		return "actions that may not be cached"
	}
	list := strings.Split(cause, "\n")
	if n := len(list) - inputsShown; n > 0 {
		list = append(list[:inputsShown], fmt.Sprintf("and %d more", n))
	}
	return "because of " + strings.Join(list, ", ")
}

// String is the change in one line.
func (c Change) String() string {
	how := "changed"
	switch {
	case c.Old == "" && c.New != "":
		how = "added"
	case c.New == "" && c.Old != "":
		how = "removed"
	}
	line := c.Kind + " " + c.Name + " " + how
	if how == "changed" && c.Old != "" && c.Kind != "argument" {
		line += ": " + short(c.Old) + " -> " + short(c.New)
	}
	if c.Maker != "" {
		line += ", made by " + c.Maker
	}
	return line
}

// short is enough of a hash to compare by eye.
func short(hash string) string {
	if len(hash) == 64 {
		return hash[:12]
	}
	return hash
}

func sizeText(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1e3)
}

// printer keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}
