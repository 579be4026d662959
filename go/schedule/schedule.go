// Package schedule computes how long a build would take on other machines than the one it was measured on.
//
// The primary type is Plan: jobs with durations, memory and dependencies, from an execution log (FromLog) and from a file of
// jobs that were measured or reported elsewhere (Plan.Add). Simulate runs it on workers with a memory budget each and a
// cache of given latency and bandwidth. It is a list scheduler that starts the job with the longest chain behind it first, as
// good remote executors do; Bazel itself has no such order, so the result is a lower bound of what a farm would do.
package schedule

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"
	"time"
)

// Job is one action.
type Job struct {
	ID string
	// Time is how long the command runs on one core of the machine that it was measured on.
	Time time.Duration
	// Memory is its peak in bytes, 0 if small.
	Memory int64
	// Out is the size of its outputs in bytes.
	Out int64
	// Reads are the sources and tools that it reads and no job makes, as indices of Plan.Sources.
	Reads []int32
	// Needs are the jobs whose outputs it reads, as indices of Plan.Jobs.
	Needs []int
	// Source says where Time comes from: "measured", or what an added job's file says.
	Source string
}

// Plan is a build.
type Plan struct {
	Jobs []Job
	// Sources are the sizes in bytes of the files that no job makes.
	Sources []int64
}

// Farm is what the plan runs on.
type Farm struct {
	// Workers are machines with Slots jobs at once and Memory bytes each.
	Workers, Slots int
	Memory         int64
	// Latency is one round trip to the cache, Bandwidth what one worker gets of it in bytes per second.
	Latency   time.Duration
	Bandwidth float64
}

// Result is what Simulate found.
type Result struct {
	// Makespan is when the last job ends, Work the sum of all run times, Critical the longest chain, transfers aside.
	Makespan time.Duration
	Work     time.Duration
	Critical time.Duration
	// Path is that chain, first job first, as indices of Plan.Jobs.
	Path []int
	// Transfer is the time that workers waited for the cache, Moved the bytes that went over the network.
	Transfer time.Duration
	Moved    int64
	// Busy is the share of all slots' time that commands ran.
	Busy float64
	// Blocked is for how long a free slot existed but no memory for a job that was ready.
	Blocked time.Duration
}

// Simulate returns the schedule's figures. A job that needs more memory than a worker has is an error, as is a cycle.
func (p *Plan) Simulate(f Farm) (*Result, error) {
	if f.Workers < 1 || f.Slots < 1 || f.Bandwidth <= 0 || f.Memory <= 0 {
		return nil, fmt.Errorf("a farm needs at least one worker, one slot, some memory and some bandwidth")
	}
	rank, err := p.ranks()
	if err != nil {
		return nil, err
	}
	r := &Result{}
	for i, j := range p.Jobs {
		if j.Memory > f.Memory {
			return nil, fmt.Errorf("%s needs %.1f GB of memory, a worker has %.1f", j.ID, float64(j.Memory)/1e9, float64(f.Memory)/1e9)
		}
		r.Work += j.Time
		if rank[i] > r.Critical {
			r.Critical = rank[i]
			r.Path = []int{i}
		}
	}
	p.follow(r, rank)
	s := newState(p, f, rank)
	for s.step(r) {
	}
	r.Makespan = s.now
	if r.Makespan > 0 {
		r.Busy = r.Work.Seconds() / (r.Makespan.Seconds() * float64(f.Workers*f.Slots))
	}
	return r, nil
}

// ranks is the longest chain from the start of each job to the end of the build.
func (p *Plan) ranks() ([]time.Duration, error) {
	users := p.users()
	rank, state := make([]time.Duration, len(p.Jobs)), make([]int, len(p.Jobs))
	var visit func(i int) error
	visit = func(i int) error {
		switch state[i] {
		case 1:
			return fmt.Errorf("%s needs itself", p.Jobs[i].ID)
		case 2:
			return nil
		}
		state[i] = 1
		for _, u := range users[i] {
			if err := visit(u); err != nil {
				return err
			}
			rank[i] = max(rank[i], rank[u])
		}
		rank[i] += p.Jobs[i].Time
		state[i] = 2
		return nil
	}
	for i := range p.Jobs {
		if err := visit(i); err != nil {
			return nil, err
		}
	}
	return rank, nil
}

func (p *Plan) users() [][]int {
	users := make([][]int, len(p.Jobs))
	for i, j := range p.Jobs {
		for _, n := range j.Needs {
			users[n] = append(users[n], i)
		}
	}
	return users
}

// follow completes r.Path from its first job.
func (p *Plan) follow(r *Result, rank []time.Duration) {
	if len(r.Path) == 0 {
		return
	}
	users := p.users()
	for at := r.Path[0]; len(users[at]) > 0; {
		at = slices.MaxFunc(users[at], func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
		r.Path = append(r.Path, at)
	}
}

// Closure is the jobs that a change of the ones that match re-runs: they and all that need them.
func (p *Plan) Closure(match func(Job) bool) []int {
	users, seen := p.users(), make([]bool, len(p.Jobs))
	var out []int
	var visit func(i int)
	visit = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		out = append(out, i)
		for _, u := range users[i] {
			visit(u)
		}
	}
	for i, j := range p.Jobs {
		if match(j) {
			visit(i)
		}
	}
	slices.Sort(out)
	return out
}

// state is a simulation at a moment.
type state struct {
	plan    *Plan
	farm    Farm
	rank    []time.Duration
	now     time.Duration
	missing []int
	users   [][]int
	ready   []int
	running ends
	slots   []int
	memory  []int64
	// has tells the jobs whose outputs a worker holds, read the sources.
	has, read [][]bool
}

func newState(p *Plan, f Farm, rank []time.Duration) *state {
	s := &state{plan: p, farm: f, rank: rank, users: p.users(), missing: make([]int, len(p.Jobs)),
		slots: make([]int, f.Workers), memory: make([]int64, f.Workers), has: make([][]bool, f.Workers), read: make([][]bool, f.Workers)}
	for w := range f.Workers {
		s.slots[w], s.memory[w], s.has[w] = f.Slots, f.Memory, make([]bool, len(p.Jobs))
		s.read[w] = make([]bool, len(p.Sources))
	}
	for i, j := range p.Jobs {
		if s.missing[i] = len(j.Needs); len(j.Needs) == 0 {
			s.ready = append(s.ready, i)
		}
	}
	return s
}

// step starts what can start and goes on to the next end; false when all is done.
func (s *state) step(r *Result) bool {
	slices.SortStableFunc(s.ready, func(a, b int) int { return cmp.Compare(s.rank[b], s.rank[a]) })
	waiting := s.ready[:0]
	for _, i := range s.ready {
		if w := s.place(i); w >= 0 {
			s.start(r, i, w)
		} else {
			waiting = append(waiting, i)
		}
	}
	s.ready = waiting
	if len(s.running) == 0 {
		return false
	}
	before := s.now
	e := heap.Pop(&s.running).(end)
	if len(s.ready) > 0 && slices.Max(s.slots) > 0 {
		r.Blocked += e.at - before
	}
	s.now = e.at
	s.slots[e.worker]++
	s.memory[e.worker] += s.plan.Jobs[e.job].Memory
	for _, u := range s.users[e.job] {
		if s.missing[u]--; s.missing[u] == 0 {
			s.ready = append(s.ready, u)
		}
	}
	return true
}

// place is the worker with room for the job that has to fetch least; -1 if none has room.
func (s *state) place(i int) int {
	best, least := -1, int64(0)
	for w := range s.slots {
		if s.slots[w] == 0 || s.memory[w] < s.plan.Jobs[i].Memory {
			continue
		}
		if n := s.fetch(i, w); best < 0 || n < least {
			best, least = w, n
		}
	}
	return best
}

// fetch is how many bytes worker w lacks for job i. A single worker holds its sources already.
func (s *state) fetch(i, w int) int64 {
	var n int64
	for _, need := range s.plan.Jobs[i].Needs {
		if !s.has[w][need] {
			n += s.plan.Jobs[need].Out
		}
	}
	if s.farm.Workers > 1 {
		for _, r := range s.plan.Jobs[i].Reads {
			if !s.read[w][r] {
				n += s.plan.Sources[r]
			}
		}
	}
	return n
}

func (s *state) start(r *Result, i, w int) {
	j := s.plan.Jobs[i]
	in := s.fetch(i, w)
	moved := in
	if s.farm.Workers > 1 {
		moved += j.Out
	}
	var transfer time.Duration
	if moved > 0 {
		transfer = 2*s.farm.Latency + time.Duration(float64(moved)/s.farm.Bandwidth*float64(time.Second))
	}
	for _, need := range j.Needs {
		s.has[w][need] = true
	}
	for _, source := range j.Reads {
		s.read[w][source] = true
	}
	s.has[w][i] = true
	s.slots[w]--
	s.memory[w] -= j.Memory
	r.Transfer += transfer
	r.Moved += moved
	heap.Push(&s.running, end{s.now + transfer + j.Time, i, w})
}

// end is when a job ends; ends is a heap of them.
type end struct {
	at          time.Duration
	job, worker int
}

type ends []end

func (e ends) Len() int { return len(e) }
func (e ends) Less(a, b int) bool {
	return e[a].at < e[b].at || e[a].at == e[b].at && e[a].job < e[b].job
}
func (e ends) Swap(a, b int) { e[a], e[b] = e[b], e[a] }
func (e *ends) Push(x any)   { *e = append(*e, x.(end)) }
func (e *ends) Pop() any {
	old := *e
	last := old[len(old)-1]
	*e = old[:len(old)-1]
	return last
}
