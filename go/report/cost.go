package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// Cost is what the actions of one target took.
type Cost struct {
	// Actions counts them, Hits those that a cache answered.
	Actions, Hits int
	// Seconds is their wall time together; Memory the most that one was
	// estimated to need, in bytes.
	Seconds float64
	Memory  int64
}

// ReadExecutionLog reads the file of Bazel's --execution_log_json_file and sums
// up the spawns by label. The error names the file.
func ReadExecutionLog(file string) (map[string]Cost, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	costs := map[string]Cost{}
	decoder := json.NewDecoder(bufio.NewReader(f))
	for {
		var spawn struct {
			Label    string `json:"targetLabel"`
			CacheHit bool   `json:"cacheHit"`
			Metrics  struct {
				ExecutionWallTime string `json:"executionWallTime"`
				MemoryEstimate    string `json:"memoryEstimateBytes"`
			} `json:"metrics"`
		}
		if err := decoder.Decode(&spawn); errors.Is(err, io.EOF) {
			return costs, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w; it must be a file of --execution_log_json_file", file, err)
		}
		label := strings.TrimPrefix(strings.TrimPrefix(spawn.Label, "@@"), "@")
		cost := costs[label]
		cost.Actions++
		if spawn.CacheHit {
			cost.Hits++
		}
		// A duration is a number of seconds with an "s".
		if seconds, err := strconv.ParseFloat(strings.TrimSuffix(spawn.Metrics.ExecutionWallTime, "s"), 64); err == nil {
			cost.Seconds += seconds
		}
		if memory, err := strconv.ParseInt(spawn.Metrics.MemoryEstimate, 10, 64); err == nil {
			cost.Memory = max(cost.Memory, memory)
		}
		costs[label] = cost
	}
}
