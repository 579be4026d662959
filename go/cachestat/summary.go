// Package cachestat tells what a cache did for a build: hits, misses and their causes, time saved, largest outputs.
//
// It reads Bazel's execution logs ([execlog.Log]). Summarize gives a Summary of one build; Explain gives, for every action
// that ran, the Miss with what differs from the last build of the same action; Summary.Check is the verdict for CI.
package cachestat

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sparkwheels/sparkwheels/go/execlog"
)

// Count is how many actions went which way. Ran = Local + Remote.
type Count struct {
	// Hits came from a cache; RemoteHits of them from one on another machine, DiskHits from this machine's folder.
	Hits       int `json:"hits"`
	RemoteHits int `json:"remote_hits"`
	DiskHits   int `json:"disk_hits"`
	// Local ran on this machine, Remote on an executor; Uncacheable are those of them that no cache may hold.
	Local       int `json:"local"`
	Remote      int `json:"remote"`
	Uncacheable int `json:"uncacheable"`
	// Failed ended with an error.
	Failed int `json:"failed"`
}

// Ran is how many were executed.
func (c Count) Ran() int { return c.Local + c.Remote }

func (c *Count) add(s *execlog.Spawn) {
	switch {
	case s.CacheHit:
		c.Hits++
		if strings.HasPrefix(s.Runner, "remote") {
			c.RemoteHits++
		} else {
			c.DiskHits++
		}
	case s.Local():
		c.Local++
	default:
		c.Remote++
	}
	if s.Ran() && !s.Cacheable {
		c.Uncacheable++
	}
	if s.ExitCode != 0 || s.Status != "" {
		c.Failed++
	}
}

// Artefact is a file or folder that an action made.
type Artefact struct {
	Path  string `json:"path"`
	Label string `json:"label"`
	Bytes int64  `json:"bytes"`
}

// Action is one action of the build with its time.
type Action struct {
	ID      string  `json:"id"`
	Label   string  `json:"label"`
	Runner  string  `json:"runner"`
	Seconds float64 `json:"seconds"`
	// Cacheable: a cache could have had the result.
	Cacheable bool `json:"cacheable"`
}

// Summary is what a cache did for one build.
type Summary struct {
	Total      Count            `json:"total"`
	ByMnemonic map[string]Count `json:"by_mnemonic"`
	// RanSeconds is the run time of what was executed, SavedSeconds of what was not because of hits. Untimed hits are
	// those whose cached result does not say how long it took.
	RanSeconds   float64 `json:"ran_seconds"`
	SavedSeconds float64 `json:"saved_seconds"`
	Untimed      int     `json:"untimed_hits"`
	// Ran are the executed actions, longest first; Largest the largest outputs.
	Ran     []Action   `json:"ran"`
	Largest []Artefact `json:"largest"`
	Bytes   int64      `json:"output_bytes"`
}

// Clock tells how long the command of an action took when its result was made.
type Clock func(key string) (time.Duration, bool)

// Summarize counts. times may be nil; largest is how many artefacts to keep.
func Summarize(log *execlog.Log, times Clock, largest int) *Summary {
	s := &Summary{ByMnemonic: map[string]Count{}}
	for _, a := range log.Spawns {
		s.Total.add(a)
		c := s.ByMnemonic[a.Mnemonic]
		c.add(a)
		s.ByMnemonic[a.Mnemonic] = c
		s.Bytes += a.OutputBytes()
		for _, out := range a.Declared {
			if n := size(a, out); n > 0 {
				s.Largest = append(s.Largest, Artefact{out, a.Label, n})
			}
		}
		if a.Ran() {
			s.RanSeconds += a.Wall.Seconds()
			s.Ran = append(s.Ran, Action{a.ID(), a.Label, a.Runner, a.Wall.Seconds(), a.Cacheable})
			continue
		}
		if d, ok := Duration(a, times); ok {
			s.SavedSeconds += d.Seconds()
		} else {
			s.Untimed++
		}
	}
	slices.SortStableFunc(s.Ran, func(a, b Action) int { return cmp.Compare(b.Seconds, a.Seconds) })
	slices.SortStableFunc(s.Largest, func(a, b Artefact) int { return cmp.Compare(b.Bytes, a.Bytes) })
	s.Largest = s.Largest[:min(largest, len(s.Largest))]
	return s
}

// Duration is how long the action's command takes: as measured, or as its cached result says.
func Duration(a *execlog.Spawn, times Clock) (time.Duration, bool) {
	if a.Wall > 0 {
		return a.Wall, true
	}
	if times == nil || a.Key == "" {
		return 0, false
	}
	return times(a.Key)
}

func size(a *execlog.Spawn, out string) int64 {
	if f, ok := a.Outputs[out]; ok {
		return f.Size
	}
	var n int64
	for p, f := range a.Outputs {
		if strings.HasPrefix(p, out+"/") {
			n += f.Size
		}
	}
	return n
}

// Rules are what Check demands of a build.
type Rules struct {
	// MaxRan is how many cacheable actions may have been executed.
	MaxRan int
	// NoLocal forbids that anything ran on this machine, as in a build on an executor.
	NoLocal bool
	// RemoteOnly makes hits of the local disk cache count as failures: the server is what is tested.
	RemoteOnly bool
	// Allow are mnemonics that may run.
	Allow []string
}

// Check returns what in the build is against the rules, one sentence each. A build that did nothing at all proves nothing
// about a cache, so that is against them too. Bazel itself ends with success in all of these cases.
func (s *Summary) Check(r Rules) []string {
	var bad []string
	if s.Total.Hits+s.Total.Ran() == 0 {
		return []string{"the log has no action: nothing was looked up in a cache (build from a clean output base)"}
	}
	ran := 0
	var first []string
	for _, a := range s.Ran {
		mnemonic, _, _ := strings.Cut(a.ID, " ")
		if !a.Cacheable || slices.Contains(r.Allow, mnemonic) {
			continue
		}
		ran++
		if len(first) < 3 {
			first = append(first, a.ID)
		}
	}
	if !r.NoLocal && ran > r.MaxRan {
		bad = append(bad, fmt.Sprintf("%d cacheable actions were executed instead of taken from the cache, %d may be: %s", ran, r.MaxRan, strings.Join(first, ", ")))
	}
	if r.NoLocal && s.Total.Local > 0 {
		bad = append(bad, fmt.Sprintf("%d actions ran on this machine instead of the executor", s.Total.Local))
	}
	if r.RemoteOnly && s.Total.DiskHits > 0 {
		bad = append(bad, fmt.Sprintf("%d actions came from the local disk cache, so they say nothing about the server", s.Total.DiskHits))
	}
	if s.Total.Failed > 0 {
		bad = append(bad, fmt.Sprintf("%d actions failed", s.Total.Failed))
	}
	return bad
}

// Mnemonics are the kinds of action, in alphabetical order.
func (s *Summary) Mnemonics() []string { return slices.Sorted(maps.Keys(s.ByMnemonic)) }
