package pins

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLearnMemory(t *testing.T) {
	p := &Pin{Name: "flash_attn", MemoryGB: []string{"bwd.cu=6.1", "fwd.cu=3.7"}}
	peaks := map[string]int64{"fwd.cu": 4 << 30, "bwd.cu": 1 << 30, "api.cu": 1<<30 + 1}
	for fresh, want := range map[bool][]string{
		false: {"api.cu=1.1", "bwd.cu=6.1", "fwd.cu=4.0"},
		true:  {"api.cu=1.1", "bwd.cu=1.0", "fwd.cu=4.0"},
	} {
		if diff := cmp.Diff(want, p.LearnMemory(peaks, fresh).List); diff != "" {
			t.Errorf("fresh %v (-want +got):\n%s", fresh, diff)
		}
	}
}

func TestCheckMemory(t *testing.T) {
	for line, good := range map[string]bool{
		"fwd.cu=3.7": true, "fwd.cu=12": true,
		"fwd.cu": false, "fwd.cc=1": false, "a/fwd.cu=1": false, "fwd.cu=-1": false, "fwd.cu=much": false, "=1": false,
	} {
		p, bads := &Pin{MemoryGB: []string{line}}, 0
		p.checkMemory(func(string, string, ...any) { bads++ })
		if good != (bads == 0) {
			t.Errorf("%q: %d problems", line, bads)
		}
	}
	p, bads := &Pin{MemoryGB: []string{"a.cu=1", "a.cu=2"}}, 0
	p.checkMemory(func(string, string, ...any) { bads++ })
	if bads != 1 {
		t.Errorf("a source that is there twice: %d problems", bads)
	}
}
