package schedule

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const s = time.Second

func farm(workers int) Farm {
	return Farm{Workers: workers, Slots: 1, Memory: 8e9, Bandwidth: 1e9}
}

func simulate(t *testing.T, p *Plan, f Farm) *Result {
	t.Helper()
	r, err := p.Simulate(f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// diamond: a, then b and c, then d.
func diamond() *Plan {
	return &Plan{Jobs: []Job{{ID: "a", Time: s, Out: 1e9}, {ID: "b", Time: 4 * s, Needs: []int{0}}, {ID: "c", Time: 2 * s, Needs: []int{0}}, {ID: "d", Time: s, Needs: []int{1, 2}}}}
}

func TestOneWorkerDoesAllWork(t *testing.T) {
	r := simulate(t, diamond(), farm(1))
	if r.Makespan != 8*s || r.Work != 8*s || r.Critical != 6*s || r.Busy != 1 || r.Moved != 0 || !slices.Equal(r.Path, []int{0, 1, 3}) {
		t.Errorf("got %+v", r)
	}
}

// Two workers need the critical path, one second to upload what a made, and one for the worker that lacks it.
func TestTransfersCount(t *testing.T) {
	r := simulate(t, diamond(), farm(2))
	if r.Makespan != 7*s || r.Moved != 2e9 || r.Transfer != 2*s {
		t.Errorf("got %+v", r)
	}
}

func TestMemoryHoldsJobsBack(t *testing.T) {
	p := &Plan{Jobs: []Job{{ID: "a", Time: s, Memory: 5e9}, {ID: "b", Time: s, Memory: 5e9}, {ID: "c", Time: s, Memory: 3e9}}}
	f := farm(1)
	f.Slots = 3
	if r := simulate(t, p, f); r.Makespan != 2*s || r.Blocked != s {
		t.Errorf("got %+v", r)
	}
	f.Memory = 4e9
	if _, err := p.Simulate(f); err == nil || !strings.Contains(err.Error(), "a needs 5.0 GB") {
		t.Errorf("a job that fits nowhere: %v", err)
	}
}

func TestACycleIsAnError(t *testing.T) {
	p := &Plan{Jobs: []Job{{ID: "a", Needs: []int{1}}, {ID: "b", Needs: []int{0}}}}
	if _, err := p.Simulate(farm(1)); err == nil || !strings.Contains(err.Error(), "needs itself") {
		t.Errorf("got %v", err)
	}
}

func TestClosureIsWhatABumpReRuns(t *testing.T) {
	if got := diamond().Closure(func(j Job) bool { return j.ID == "b" }); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("got %v", got)
	}
}

func TestAddedGroups(t *testing.T) {
	p := diamond()
	if err := p.Add([]byte(`[{"name":"cu","count":3,"seconds":2,"memory_gb":4,"source":"elsewhere"},{"name":"link","count":1,"seconds":1,"after":["cu"],"source":"elsewhere"}]`)); err != nil {
		t.Fatal(err)
	}
	if n := len(p.Jobs); n != 8 || !slices.Equal(p.Jobs[7].Needs, []int{4, 5, 6}) || p.Jobs[4].Source != "elsewhere" {
		t.Errorf("%d jobs: %+v", n, p.Jobs)
	}
	for _, bad := range []string{`[{"name":"x","count":1,"seconds":1}]`, `[{"name":"x","count":1,"seconds":1,"source":"s","after":["y"]}]`, `{`} {
		if err := p.Add([]byte(bad)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}
