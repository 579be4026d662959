// Command cuda measures how well Bazel fills a machine with compilations that
// differ in memory: `bazel run //bench/cuda`.
//
// The compilations are those of flash-attn for one architecture, with the
// seconds and the memory that were measured for its kinds of sources; they only
// wait, a hundred times shorter, so the result does not depend on the machine.
// Three makespans, for a machine of 8 cores and 16 GB:
//
//	bound   what no schedule can beat: the larger of memory x time over the
//	        memory and time over the cores
//	ours    one action per source that says what it takes (memory_gb)
//	fixed   as many jobs as the largest compilation allows, which is what
//	        MAX_JOBS in setup.py or -j is set to
//
// Exit codes: 0; 1 when something could not be measured, or the memory was exceeded.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"time"
)

const (
	cores  = 8
	memory = 16384 // megabytes
)

// compile is what one pretended compilation wrote.
type compile struct{ Began, Ended, Megabytes int64 }

func main() {
	if err := bench(); err != nil {
		fmt.Fprintln(os.Stderr, "bench/cuda:", err)
		os.Exit(1)
	}
}

func bench() error {
	ours, err := build("ours", "--jobs="+fmt.Sprint(cores))
	if err != nil {
		return err
	}
	var largest, area, total, longest int64
	for _, c := range ours {
		largest = max(largest, c.Megabytes)
		longest = max(longest, c.Ended-c.Began)
		area += c.Megabytes * (c.Ended - c.Began)
		total += c.Ended - c.Began
	}
	fixed, err := build("fixed", fmt.Sprintf("--jobs=%d", memory/largest))
	if err != nil {
		return err
	}
	bound := max(area/memory, total/cores, longest)
	fmt.Printf("%d compilations, %d cores, %d MB\n\n", len(ours), cores, memory)
	fmt.Println("| schedule | makespan s | of the bound | most memory at once, MB |")
	fmt.Println("| --- | ---: | ---: | ---: |")
	fmt.Printf("| bound | %.1f | 1.00 | %d |\n", seconds(bound), memory)
	for _, s := range []struct {
		name string
		runs []compile
	}{{"one action per source, memory_gb", ours}, {fmt.Sprintf("%d jobs", memory/largest), fixed}} {
		span, peak := schedule(s.runs)
		fmt.Printf("| %s | %.1f | %.2f | %d |\n", s.name, seconds(span), float64(span)/float64(bound), peak)
		if peak > memory {
			return fmt.Errorf("%s: %d MB at once, of %d", s.name, peak, memory)
		}
	}
	return nil
}

func seconds(milliseconds int64) float64 { return float64(milliseconds) / 1000 }

// build runs the compilations of a target and returns what they wrote.
func build(target string, jobs string) ([]compile, error) {
	workspace := os.Getenv("BUILD_WORKSPACE_DIRECTORY")
	if workspace == "" {
		return nil, fmt.Errorf("run it by ./bazelw run //bench/cuda")
	}
	cmd := exec.Command(filepath.Join(workspace, "bazelw"), "build", jobs,
		fmt.Sprintf("--local_resources=cpu=%d", cores), fmt.Sprintf("--local_resources=memory=%d", memory),
		"--show_result=0", fmt.Sprintf("--//bench/cuda:run=%d", time.Now().UnixNano()), "//bench/cuda:"+target)
	cmd.Dir, cmd.Stderr = workspace, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("bazel build //bench/cuda:%s: %w", target, err)
	}
	files, err := filepath.Glob(filepath.Join(workspace, "bazel-bin", "bench", "cuda", target, "*.json"))
	if err != nil {
		return nil, err
	}
	var runs []compile
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var c compile
		if err := json.Unmarshal(data, &c); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		runs = append(runs, c)
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("//bench/cuda:%s made nothing", target)
	}
	return runs, nil
}

// schedule is the time from the first begin to the last end, and the most
// memory of compilations that ran at the same time.
func schedule(runs []compile) (span, peak int64) {
	type change struct{ at, megabytes int64 }
	var changes []change
	first, last := runs[0].Began, runs[0].Ended
	for _, c := range runs {
		first, last = min(first, c.Began), max(last, c.Ended)
		changes = append(changes, change{c.Began, c.Megabytes}, change{c.Ended, -c.Megabytes})
	}
	sort.Slice(changes, func(i, j int) bool {
		a, b := changes[i], changes[j]
		return a.at < b.at || a.at == b.at && a.megabytes < b.megabytes
	})
	var now int64
	for _, c := range changes {
		now += c.megabytes
		peak = max(peak, now)
	}
	return last - first, peak
}
