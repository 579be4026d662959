package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/execlog"
	"github.com/sparkwheels/sparkwheels/go/index"
	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/report"
)

func input() *report.Input {
	wheel := func(pin, version, platform, origin, sum string, size int64) index.SetWheel {
		return index.SetWheel{Pin: pin, Project: pin, Version: version, Platform: platform, Origin: origin, File: pin + ".whl",
			URL: "files/" + pin + "%2B.whl", SHA256: strings.Repeat(sum, 64), Size: size, SM: []string{"sm_121"}}
	}
	return &report.Input{
		Base: "index/",
		Set: &index.Set{PinsSHA256: "feed", Wheels: []index.SetWheel{
			wheel("fast", "2.0", "win_arm64", index.Built, "a", 3<<20), wheel("same", "1", "win_arm64", index.Upstream, "b", 5<<10), wheel("new", "1", "win_arm64", index.Built, "c", 2<<30)}},
		Plan:     &pins.Plan{Wheels: []pins.Line{{Wheel: "fast", Platform: "win_arm64", State: pins.Built}, {Wheel: "slow", Version: "3", Platform: "linux_aarch64", State: pins.Skipped, Why: "needs <MSVC>"}}},
		Pins:     []*pins.Pin{{Name: "fast", Patches: []string{"0001-fix.patch"}}},
		Costs:    map[string]report.Cost{"//wheels:fast.win_arm64": {Actions: 3, Hits: 1, Seconds: 61.4, Memory: 1 << 30}},
		Previous: &index.Set{Wheels: []index.SetWheel{wheel("fast", "1.0", "win_arm64", index.Built, "d", 1), wheel("same", "1", "win_arm64", index.Upstream, "b", 5<<10), wheel("gone", "1", "win_arm64", index.Built, "e", 1)}},
	}
}

func TestRender(t *testing.T) {
	page, err := report.Render(input())
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for _, want := range []string{
		"<p>2 wheels built here, 1 from upstream, 1 not there; 2.0 GiB together. 3 actions, of which a cache answered 1.</p>",
		`<a href="index/files/fast%2B.whl">fast</a><br><code title="` + strings.Repeat("a", 64) + `">aaaaaaaaaaaa</code>`,
		`<a href="https://github.com/sparkwheels/sparkwheels/blob/main/patches/fast/0001-fix.patch">0001-fix.patch</a>`,
		`data-sort="3145728">3.0 MiB`, "sm_121", ">61 s<", ">1.0 GiB<", "1.0 → 2.0", `<td data-label="Change">new</td>`,
		"needs &lt;MSVC&gt;", "No longer in the set: gone.whl.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	// Self-contained: nothing is loaded, from the network or from beside it.
	for _, bad := range []string{"<link", "<img", "src=", "@import", "url("} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	again, err := report.Render(input())
	if diff := cmp.Diff(text, string(again)); diff != "" || err != nil {
		t.Errorf("two pages of one input differ: %v\n%s", err, diff)
	}
	plain := input()
	plain.Costs, plain.Previous = nil, nil
	if page, err = report.Render(plain); err != nil || strings.Contains(string(page), "Build time") || strings.Contains(string(page), "Change") {
		t.Errorf("columns without contents: %v", err)
	}
}

func TestCosts(t *testing.T) {
	got := report.Costs(&execlog.Log{Spawns: []*execlog.Spawn{
		{Label: "@@//wheels:fast.win_arm64", Wall: 1500 * time.Millisecond, Memory: 1000},
		{Label: "//wheels:fast.win_arm64", CacheHit: true, Wall: 2 * time.Second, Memory: 500},
		{Label: "//other"},
	}})
	want := map[string]report.Cost{"//wheels:fast.win_arm64": {Actions: 2, Hits: 1, Seconds: 3.5, Memory: 1000}, "//other": {Actions: 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("costs (-want +got):\n%s", diff)
	}
}
