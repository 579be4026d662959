package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// measureActions builds the jobs' targets in a fresh output base, one action at
// a time, and takes the time of each action from Bazel's profile. What the
// actions need beside their sources comes from the disk cache.
func measureActions(target string, jobs []*job) error {
	workspace := os.Getenv("BUILD_WORKSPACE_DIRECTORY")
	base, err := os.MkdirTemp("", "bench-cc-base")
	if err != nil {
		return err
	}
	profile := filepath.Join(base, "profile.gz")
	startup := []string{"--output_base=" + filepath.Join(base, "base"), "--max_idle_secs=30"}
	bazel := func(args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(workspace, "bazelw"), append(startup, args...)...)
		cmd.Dir = workspace
		return cmd
	}
	defer func() {
		_ = bazel("shutdown").Run()
		// Bazel leaves read-only folders.
		_ = filepath.WalkDir(base, func(name string, d os.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				_ = os.Chmod(name, 0o755)
			}
			return nil
		})
		_ = os.RemoveAll(base)
	}()
	if out, err := bazel("build", "--jobs=1", "--symlink_prefix=/", "--profile="+profile, "--noslim_profile",
		"--experimental_profile_include_target_label", "//bench/cc:actions."+target).CombinedOutput(); err != nil {
		return fmt.Errorf("bazel build: %w\n%s", err, out)
	}
	events, err := readProfile(profile)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		var times []time.Duration
		for _, e := range events {
			if e.Category == "action processing" && e.Args.Mnemonic == j.mnemonic && strings.Contains(e.Args.Target, ":"+j.label) {
				times = append(times, time.Duration(e.Microseconds)*time.Microsecond)
			}
		}
		if len(times) == 0 {
			return fmt.Errorf("the profile holds no %s action of //bench/cc:%s*", j.mnemonic, j.label)
		}
		j.action = median(times)
	}
	return nil
}

// event is one entry of Bazel's JSON profile.
type event struct {
	Category     string `json:"cat"`
	Name         string `json:"name"`
	Microseconds int64  `json:"dur"`
	Args         struct {
		Target   string `json:"target"`
		Mnemonic string `json:"mnemonic"`
	} `json:"args"`
}

func readProfile(name string) ([]event, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var trace struct {
		TraceEvents []json.RawMessage `json:"traceEvents"`
	}
	if err := json.NewDecoder(unzipped).Decode(&trace); err != nil {
		return nil, err
	}
	var events []event
	for _, raw := range trace.TraceEvents {
		var e event
		// Counters and metadata have arguments of other types; they are not actions.
		if json.Unmarshal(raw, &e) == nil {
			events = append(events, e)
		}
	}
	return events, nil
}
