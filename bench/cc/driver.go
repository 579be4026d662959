package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// sources are the files of the jobs, relative to the runner's source folder.
const sources = "bench/cc/src/"

// measureDriver times the raw command and the driver for each job.
func measureDriver(target string, runs int) ([]*job, error) {
	workspace := os.Getenv("BUILD_WORKSPACE_DIRECTORY")
	if workspace == "" {
		return nil, fmt.Errorf("start this by `bazel run //bench/cc`")
	}
	data, err := os.ReadFile(os.Getenv("DRIVER_" + target))
	if err != nil {
		return nil, err
	}
	var where struct{ Driver, Zig, Include, Target string }
	if err := json.Unmarshal(data, &where); err != nil {
		return nil, err
	}
	// The runner starts in the runfiles of the main repository.
	runfiles, err := filepath.Abs("..")
	if err != nil {
		return nil, err
	}
	at := func(name string) string { return filepath.Join(runfiles, name) }
	temp, err := os.MkdirTemp("", "bench-cc")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	out := func(name string) string { return filepath.Join(temp, name) }
	driver := func(mode string, args ...string) []string {
		return append([]string{at(where.Driver), "--mode=" + mode, "--zig=" + at(where.Zig),
			"--sysroot=" + filepath.Dir(at(where.Include)), "--target=" + target}, args...)
	}
	var jobs []*job
	for _, j := range []struct {
		job
		command []string
	}{
		{job{name: "compile C, one line", mnemonic: "CppCompile", label: "tiny."},
			driver("cc", "-fPIC", "-c", sources+"tiny.c", "-o", out("tiny.o"))},
		{job{name: "compile C++, many headers", mnemonic: "CppCompile", label: "heavy."},
			driver("c++", "-std=c++17", "-fPIC", "-c", sources+"heavy.cc", "-o", out("heavy.o"))},
		{job{}, driver("c++", "-fPIC", "-c", sources+"plugin.cc", "-o", out("plugin.o"))},
		{job{name: "link a shared library", mnemonic: "CppLink", label: "plugin."},
			driver("c++", "-shared", out("plugin.o"), out("heavy.o"), out("tiny.o"), "-o", out("plugin.dll"))},
	} {
		raw, err := printed(j.command, workspace)
		if err != nil {
			return nil, err
		}
		// In turn, so that a busy moment of the machine meets both.
		var times [2][]time.Duration
		for range runs {
			for i, command := range [][]string{raw, j.command} {
				d, err := timed(command, workspace)
				if err != nil {
					return nil, err
				}
				times[i] = append(times[i], d)
			}
			if j.name == "" {
				break
			}
		}
		if j.name != "" {
			measured := j.job
			measured.raw, measured.driver = median(times[0]), median(times[1])
			jobs = append(jobs, &measured)
		}
	}
	return jobs, nil
}

// printed returns the command that a driver command runs.
func printed(command []string, dir string) ([]string, error) {
	cmd := exec.Command(command[0], append(slices.Clone(command[1:]), "--print-command")...)
	cmd.Dir = dir
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 1 || strings.Contains(lines[0], `"`) {
		return nil, fmt.Errorf("want one command without quotes, got %q", lines)
	}
	return strings.Fields(lines[0]), nil
}

func timed(command []string, dir string) (time.Duration, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, out)
	}
	return time.Since(start), nil
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
