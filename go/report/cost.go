package report

import (
	"strings"

	"github.com/sparkwheels/sparkwheels/go/execlog"
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

// Costs sums up the actions of a build by label.
func Costs(log *execlog.Log) map[string]Cost {
	costs := map[string]Cost{}
	for _, spawn := range log.Spawns {
		label := strings.TrimLeft(spawn.Label, "@")
		cost := costs[label]
		cost.Actions++
		if spawn.CacheHit {
			cost.Hits++
		}
		cost.Seconds += spawn.Wall.Seconds()
		cost.Memory = max(cost.Memory, spawn.Memory)
		costs[label] = cost
	}
	return costs
}
