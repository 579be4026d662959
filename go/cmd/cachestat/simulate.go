package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/execlog"
	"github.com/sparkwheels/sparkwheels/go/schedule"
)

// simulation is one row of the answer. Times are in seconds.
type simulation struct {
	Workers  int     `json:"workers"`
	Makespan float64 `json:"makespan_seconds"`
	Work     float64 `json:"work_seconds"`
	Critical float64 `json:"critical_path_seconds"`
	Transfer float64 `json:"transfer_seconds"`
	MovedMB  float64 `json:"moved_mb"`
	Busy     float64 `json:"busy"`
	Blocked  float64 `json:"blocked_by_memory_seconds"`
}

type answer struct {
	Jobs    int          `json:"jobs"`
	Untimed int          `json:"untimed_jobs"`
	Rows    []simulation `json:"workers"`
	// Path is the critical path with seconds.
	Path []string `json:"critical_path"`
	// BumpJobs and BumpMB are what one bump makes anew.
	BumpJobs int     `json:"bump_jobs,omitempty"`
	BumpMB   float64 `json:"bump_mb,omitempty"`
	BumpTime float64 `json:"bump_seconds,omitempty"`
}

func simulateCommand() *cobra.Command {
	var results, extra, bump string
	var workers []int
	var slots int
	var memory, bandwidth float64
	var latency time.Duration
	var peaks map[string]string
	cmd := &cobra.Command{
		Use:   "simulate LOG",
		Short: "How long the build would take on N workers",
		Long: `simulate takes durations, sizes and dependencies of the actions from LOG (times of hits
from --results) and runs them on workers that share one cache. It assumes that the longest
chain goes first, that all workers are as fast as the machine of the log, that commands use
one core, and that the network is the same for all. So it gives a lower bound.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			bytes := map[string]int64{}
			for mnemonic, text := range peaks {
				var gb float64
				if _, err := fmt.Sscanf(text, "%g", &gb); err != nil || gb < 0 {
					return fmt.Errorf("--peak %s=%s: not a number of GB", mnemonic, text)
				}
				bytes[mnemonic] = int64(gb * 1e9)
			}
			log, err := execlog.Open(args[0])
			if err != nil {
				return unreadable(err)
			}
			times, failed := clock(cmd, results)
			plan, untimed, err := schedule.FromLog(log, times, bytes)
			if err != nil {
				return unreadable(err)
			}
			if err := failed(); err != nil {
				return unreadable(err)
			}
			if extra != "" {
				data, err := os.ReadFile(extra)
				if err != nil {
					return unreadable(err)
				}
				if err := plan.Add(data); err != nil {
					return unreadable(fmt.Errorf("%s: %w", extra, err))
				}
			}
			a := answer{Jobs: len(plan.Jobs), Untimed: untimed}
			for _, n := range workers {
				r, err := plan.Simulate(schedule.Farm{Workers: n, Slots: slots, Memory: int64(memory * 1e9), Latency: latency, Bandwidth: bandwidth * 1e6})
				if err != nil {
					return unreadable(err)
				}
				a.Rows = append(a.Rows, simulation{n, r.Makespan.Seconds(), r.Work.Seconds(), r.Critical.Seconds(), r.Transfer.Seconds(), float64(r.Moved) / 1e6, r.Busy, r.Blocked.Seconds()})
				a.Path = nil
				for _, i := range r.Path {
					a.Path = append(a.Path, fmt.Sprintf("%.0f s %s (%s)", plan.Jobs[i].Time.Seconds(), plan.Jobs[i].ID, plan.Jobs[i].Source))
				}
			}
			if bump != "" {
				for _, i := range plan.Closure(func(j schedule.Job) bool { return strings.Contains(j.ID, bump) }) {
					a.BumpJobs++
					a.BumpMB += float64(plan.Jobs[i].Out) / 1e6
					a.BumpTime += plan.Jobs[i].Time.Seconds()
				}
			}
			return output(cmd, a, a.print)
		},
	}
	f := cmd.Flags()
	f.StringVar(&results, "results", "", resultsHelp)
	f.StringVar(&extra, "add", "", "JSON file of jobs that LOG does not have (docs/scale.json)")
	f.StringVar(&bump, "bump", "", "also say what re-runs when the actions change whose name holds this text")
	f.IntSliceVar(&workers, "workers", []int{1, 8, 64}, "numbers of workers")
	f.IntVar(&slots, "slots", 2, "commands at once on a worker")
	f.Float64Var(&memory, "memory", 16, "memory of a worker in GB")
	f.Float64Var(&bandwidth, "bandwidth", 100, "what a worker gets of the cache in MB/s")
	f.DurationVar(&latency, "latency", 2*time.Millisecond, "one round trip to the cache")
	f.StringToStringVar(&peaks, "peak", nil, "peak memory of a mnemonic in GB, as Sysroot=1.5")
	return cmd
}

func (a answer) print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d actions, %d of them without a time\n\n", a.Jobs, a.Untimed)
	fmt.Fprintln(&b, "| workers | makespan s | work s | critical path s | waiting for the cache s | moved MB | slots busy | held by memory s |")
	fmt.Fprintln(&b, "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, r := range a.Rows {
		fmt.Fprintf(&b, "| %d | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f %% | %.0f |\n", r.Workers, r.Makespan, r.Work, r.Critical, r.Transfer, r.MovedMB, 100*r.Busy, r.Blocked)
	}
	fmt.Fprintln(&b, "\nCritical path, what to split next:")
	for _, p := range a.Path {
		fmt.Fprintln(&b, "-", p)
	}
	if a.BumpJobs > 0 {
		fmt.Fprintf(&b, "\nThe bump re-runs %d actions, %.0f s, and adds %.1f MB to the cache.\n", a.BumpJobs, a.BumpTime, a.BumpMB)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
