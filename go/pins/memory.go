package pins

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// memoryLine is one value of the key memory_gb.
var memoryLine = regexp.MustCompile(`^([^=/\\]+\.cu)=(\d+(?:\.\d+)?)$`)

// checkMemory reports values of memory_gb that say nothing of a source.
func (p *Pin) checkMemory(bad func(key, format string, args ...any)) {
	seen := map[string]bool{}
	for _, line := range p.MemoryGB {
		found := memoryLine.FindStringSubmatch(line)
		switch {
		case found == nil:
			bad("memory_gb", "%q is not SOURCE.cu=GIB, such as fwd.cu=3.7", line)
		case seen[found[1]]:
			bad("memory_gb", "%s is there twice", found[1])
		default:
			seen[found[1]] = true
		}
	}
}

// Memory gives the GiB of each source that memory_gb names, as text.
func (p *Pin) Memory() map[string]string {
	memory := map[string]string{}
	for _, line := range p.MemoryGB {
		if source, gib, ok := strings.Cut(line, "="); ok {
			memory[source] = gib
		}
	}
	return memory
}

// LearnMemory gives the edit that records measured peaks.
//
// peaks maps a source's file name to the most bytes that compiling it took. A source that memory_gb has already keeps the
// larger figure unless fresh says that the old ones are to go. Figures are rounded up to tenths of a GiB.
func (p *Pin) LearnMemory(peaks map[string]int64, fresh bool) Edit {
	memory := map[string]string{}
	if !fresh {
		memory = p.Memory()
	}
	for source, bytes := range peaks {
		gib := fmt.Sprintf("%.1f", math.Ceil(float64(bytes)/(1<<30)*10)/10)
		if old, ok := memory[source]; !ok || less(old, gib) {
			memory[source] = gib
		}
	}
	lines := make([]string, 0, len(memory))
	for _, source := range slices.Sorted(maps.Keys(memory)) {
		lines = append(lines, source+"="+memory[source])
	}
	return Edit{Pin: p.Name, Path: []string{"memory_gb"}, List: lines}
}

// less compares decimal numbers.
func less(a, b string) bool {
	var x, y float64
	fmt.Sscan(a, &x)
	fmt.Sscan(b, &y)
	return x < y
}
