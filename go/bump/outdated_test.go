package bump

import (
	"testing"

	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/upstream"
)

// A newer wheel of upstream is no news while the set's version is the one that is built here for another platform.
func TestRetiredOnOnePlatform(t *testing.T) {
	sdist := func(version string) upstream.File { return upstream.File{Name: "soxr-" + version + ".tar.gz"} }
	linux := func(version string) upstream.File {
		return upstream.File{Name: "soxr-" + version + "-cp312-abi3-manylinux_2_17_aarch64.whl"}
	}
	pin := func(platforms ...string) *pins.Pin {
		return &pins.Pin{Name: "soxr", Version: "1.1.0", Platforms: platforms,
			Source:  pins.Source{PyPI: &pins.PyPI{Project: "soxr", File: "soxr-1.1.0.tar.gz"}},
			Retired: map[string]*pins.Retirement{"linux_aarch64": {Since: "1.1.0", Use: pins.UpstreamWheel{File: linux("1.1.0").Name}}}}
	}
	ask := &answers{releases: []upstream.Release{
		{Version: "1.1.0", Files: []upstream.File{sdist("1.1.0"), linux("1.1.0")}},
		{Version: "1.2.0", Files: []upstream.File{linux("1.2.0")}},
	}}
	for name, c := range map[string]struct {
		pin  *pins.Pin
		want State
	}{
		"everywhere":    {pin("linux_aarch64"), Newer},
		"on one of two": {pin("linux_aarch64", "win_arm64"), Current},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := Outdated(t.Context(), ask, []*pins.Pin{c.pin})
			if err != nil || len(rows) != 2 || rows[0].State != Current || rows[1].State != c.want || rows[1].Newest != "1.2.0" {
				t.Errorf("got %+v, %v, want the second one %q", rows, err, c.want)
			}
		})
	}
}
