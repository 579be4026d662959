package schedule

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sparkwheels/sparkwheels/go/cachestat"
	"github.com/sparkwheels/sparkwheels/go/execlog"
)

// Measured is the Source of jobs from a log.
const Measured = "measured"

// FromLog takes the actions of a log, with times of hits from the cache's results (nil: none). It returns how many
// actions have no time, which then count as 0. memory is in bytes, by mnemonic, where the log has no estimate.
func FromLog(log *execlog.Log, times cachestat.Clock, memory map[string]int64) (*Plan, int, error) {
	p, makers, untimed := &Plan{}, map[string]int{}, 0
	for i, s := range log.Spawns {
		d, ok := cachestat.Duration(s, times)
		if !ok {
			untimed++
		}
		mem := s.Memory
		if mem == 0 {
			mem = memory[s.Mnemonic]
		}
		p.Jobs = append(p.Jobs, Job{ID: s.ID(), Time: d, Memory: mem, Out: s.OutputBytes(), Source: Measured})
		for path := range s.Outputs {
			makers[path] = i
		}
	}
	sources := map[string]int32{}
	for i, s := range log.Spawns {
		inputs, err := s.Inputs()
		if err != nil {
			return nil, 0, err
		}
		needs := map[int]bool{}
		for path, f := range inputs {
			if m, ok := makers[log.Link(path)]; ok && m != i {
				needs[m] = true
			} else if !ok {
				n, known := sources[f.Hash]
				if !known {
					n = int32(len(p.Sources))
					sources[f.Hash] = n
					p.Sources = append(p.Sources, f.Size)
				}
				p.Jobs[i].Reads = append(p.Jobs[i].Reads, n)
			}
		}
		p.Jobs[i].Needs = slices.Sorted(maps.Keys(needs))
	}
	return p, untimed, nil
}

// Group is jobs alike that were not built here.
type Group struct {
	// Name of the group, and Count of jobs in it.
	Name  string `json:"name"`
	Count int    `json:"count"`
	// Seconds on one core and MemoryGB of each.
	Seconds  float64 `json:"seconds"`
	MemoryGB float64 `json:"memory_gb"`
	// OutMB is the size of what each makes.
	OutMB float64 `json:"out_mb"`
	// After are names of groups that must be finished first.
	After []string `json:"after"`
	// Source says where Seconds comes from. It must be set.
	Source string `json:"source"`
}

// Add appends the groups in the JSON list.
func (p *Plan) Add(list []byte) error {
	var groups []Group
	if err := json.Unmarshal(list, &groups); err != nil {
		return err
	}
	members := map[string][]int{}
	for _, g := range groups {
		if g.Name == "" || g.Count < 1 || g.Seconds <= 0 || g.Source == "" {
			return fmt.Errorf("group %q: name, count, seconds and source must be set", g.Name)
		}
		if members[g.Name] != nil {
			return fmt.Errorf("group %q is there twice", g.Name)
		}
		var needs []int
		for _, a := range g.After {
			if members[a] == nil {
				return fmt.Errorf("group %q comes after %q, which is not before it in the file", g.Name, a)
			}
			needs = append(needs, members[a]...)
		}
		for i := range g.Count {
			members[g.Name] = append(members[g.Name], len(p.Jobs))
			p.Jobs = append(p.Jobs, Job{ID: fmt.Sprintf("%s %d/%d", g.Name, i+1, g.Count), Needs: needs, Source: g.Source,
				Time: time.Duration(g.Seconds * float64(time.Second)), Memory: int64(g.MemoryGB * 1e9), Out: int64(g.OutMB * 1e6)})
		}
	}
	return nil
}
