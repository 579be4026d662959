package pins

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestPlan(t *testing.T) {
	plan, err := NewPlan(sample(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(*Plan) (string, error){
		"plan.txt.golden":  (*Plan).Table,
		"plan.md.golden":   (*Plan).Markdown,
		"plan.json.golden": (*Plan).JSON,
	} {
		text, err := write(plan)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name, text)
	}
}

// The order is that of requirements first, whatever the names are.
func TestPlanOrder(t *testing.T) {
	tool := func(name string, requires ...string) *Pin { return &Pin{Name: name, Kind: Tool, Requires: requires} }
	sorted, cycle := order([]*Pin{tool("a", "c", "d"), tool("b"), tool("c", "e"), tool("d", "e"), tool("e")})
	if cycle != nil {
		t.Fatalf("cycle %v", cycle)
	}
	var names []string
	for _, p := range sorted {
		names = append(names, p.Name)
	}
	if diff := cmp.Diff([]string{"e", "c", "d", "a", "b"}, names); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// The pins and wheels/BUILD.bazel cannot say different things.
func TestPlanDisagrees(t *testing.T) {
	const target = "pep517_wheel(name = \"soxr\")\n"
	unknown := change(t, change(t, soxr, `{"pypi": {"project": "soxr", "file": "soxr-1.1.0.tar.gz"}}`, `{"unknown": "not released"}`), goodHash, "")
	for name, c := range map[string]struct {
		pins  []string
		build string
		want  string
	}{
		"no target, no reason": {[]string{soxr}, "",
			PinsFile + `: pin "soxr": blocked.win_arm64: missing: wheels/BUILD.bazel has no target for this wheel, so the plan needs a reason`},
		"target and reason against it": {[]string{change(t, soxr, `"build"`, `"blocked": {"win_arm64": "x"}, "build"`)}, target,
			PinsFile + `: pin "soxr": blocked: all platforms are blocked, but wheels/BUILD.bazel has a target for this wheel`},
		"target without pin": {nil, target,
			`wheels/BUILD.bazel: target "soxr": no pin of kind "wheel" has this name`},
		"target without source": {[]string{unknown}, target,
			PinsFile + `: pin "soxr": source.unknown: wheels/BUILD.bazel has a target for a wheel without a source`},
		"hours without full": {[]string{change(t, soxr, `"build"`, `"cost": "hours", "build"`)}, target,
			PinsFile + `: pin "soxr": cost: is "hours", but the target in wheels/BUILD.bazel says full = false: a wheel of hours is built with --config=full`},
		"full without hours": {[]string{soxr}, "pep517_wheel(name = \"soxr\", full = True)\n",
			PinsFile + `: pin "soxr": cost: is "minutes", but the target in wheels/BUILD.bazel says full = true: a wheel of hours is built with --config=full`},
		"never run without target": {[]string{change(t, soxr, `"build"`, `"never_run": {"win_arm64": "x"}, "build"`)}, "",
			PinsFile + `: pin "soxr": blocked.win_arm64: missing: wheels/BUILD.bazel has no target for this wheel, so the plan needs a reason
` + PinsFile + `: pin "soxr": never_run: wheels/BUILD.bazel has no target for this wheel that could run`},
		"requires what has no source": {[]string{change(t, unknown, `"soxr"`, `"torch"`), change(t, soxr, `"build"`, `"requires": ["torch"], "build"`)}, target,
			PinsFile + `: pin "soxr": requires: wheels/BUILD.bazel has a target for this wheel, but "torch" has no source`},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := repository(c.pins...)
			fsys[WheelsFile] = &fstest.MapFile{Data: []byte(c.build)}
			_, err := NewPlan(fsys)
			var problems Problems
			if !errors.As(err, &problems) {
				t.Fatalf("got error %v, want Problems", err)
			}
			if diff := cmp.Diff(c.want, problems.Error()); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// A target may be for --config=full, and of any of the rules for wheels.
func TestPlanStates(t *testing.T) {
	for _, c := range []struct{ target, keys, want string }{
		{`pep517_wheel(name = "soxr")`, "", "built here"},
		{`pep517_wheel(name = "soxr", full = False)`, "", "built here"},
		{`native_wheel(name = "soxr", metadata = "//:x")`, "", "built here"},
		{`native_wheel(name = "soxr", full = True)`, `"cost": "hours", `, "built here with --config=full"},
		{`native_wheel(name = "soxr")`, `"never_run": {"win_arm64": "no network"}, `, "never run: no network"},
	} {
		fsys := repository(change(t, soxr, `"build"`, c.keys+`"build"`))
		fsys[WheelsFile] = &fstest.MapFile{Data: []byte(c.target)}
		plan, err := NewPlan(fsys)
		if err != nil {
			t.Errorf("%s: %v", c.target, err)
			continue
		}
		if got := plan.Wheels[0].status(); got != c.want {
			t.Errorf("%s: %q, want %q", c.target, got, c.want)
		}
	}
}

func TestPlanUnreadableBuildFile(t *testing.T) {
	fsys := repository(zig)
	fsys[WheelsFile] = &fstest.MapFile{Data: []byte("pep517_wheel(")}
	if _, err := NewPlan(fsys); err == nil || !strings.HasPrefix(err.Error(), WheelsFile+": ") {
		t.Errorf("got error %v, want one that names %s", err, WheelsFile)
	}
}
