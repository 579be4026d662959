package nvcc

import "time"

// Usage is what a compilation took, as it is written beside the object.
type Usage struct {
	// PeakBytes is the largest resident set of any process of the compilation.
	// nvcc's programs run one after the other, so this is what the action needs.
	PeakBytes int64 `json:"peak_bytes"`
	// CPUSeconds is the processor time of all processes.
	CPUSeconds float64 `json:"cpu_seconds"`
	// WallSeconds is the time that passed.
	WallSeconds float64 `json:"wall_seconds"`
}

func seconds(d time.Duration) float64 { return float64(d.Milliseconds()) / 1000 }
