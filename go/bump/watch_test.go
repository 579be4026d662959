package bump

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/pins"
)

var update = flag.Bool("update", false, "write the golden files of testdata anew")

// The pages of testdata are what the index said on 2026-12-01, cut to the last versions.
func TestWatch(t *testing.T) {
	s := newServer(t)
	for _, name := range []string{"llvmlite", "numba", "pyworld", "soxr"} {
		data, err := os.ReadFile(filepath.Join("testdata", "pages", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		s.put("/simple/"+name+"/", string(data))
	}
	wheel := func(name, version string, platforms ...string) *pins.Pin {
		return &pins.Pin{Name: name, Version: version, Kind: pins.Wheel, Platforms: platforms, Patches: []string{"0001-x.patch"},
			Source: pins.Source{PyPI: &pins.PyPI{Project: name, File: name + "-" + version + ".tar.gz"}}, RetireWhen: "upstream publishes it"}
	}
	llvm := &pins.Pin{Name: "llvm", Version: "20.1.8", Kind: pins.Library, Requires: []string{"ninja"}}
	ninja := &pins.Pin{Name: "ninja", Version: "1.13.2", Kind: pins.Backend}
	llvmlite, numba := wheel("llvmlite", "0.50.0", "win_arm64"), wheel("numba", "0.68.1", "linux_aarch64", "win_arm64")
	llvmlite.Requires, numba.BuiltFor = []string{"llvm"}, map[string]string{"llvmlite": "0.50.0"}
	soxr, pyworld, private := wheel("soxr", "1.1.0", "linux_aarch64", "win_arm64"), wheel("pyworld", "0.3.5", "win_arm64"), wheel("private", "1.0", "win_arm64")
	pyworld.Requires = []string{"ninja"}
	watch, err := Look(t.Context(), s.client(t, 0), []*pins.Pin{llvm, llvmlite, ninja, numba, private, pyworld, soxr}, time.Date(2026, 12, 1, 1, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	// A wheel whose project the index does not have is not shipped, and that is no failure.
	for i := range watch.Wheels {
		if l := &watch.Wheels[i]; l.Wheel == "private" && l.Problem != "" {
			l.Problem = "the index has no project private"
		}
	}
	if !watch.News() {
		t.Error("no news, but numba can be retired")
	}
	for name, write := range map[string]func() (string, error){"watch.md.golden": watch.Markdown, "watch.json.golden": watch.JSON} {
		got, err := write()
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}
