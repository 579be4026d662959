package loader

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/guest"
)

// tree is an unpacked wheel with empty files of the given names.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestModules(t *testing.T) {
	got, err := Modules(tree(t, "a/_x.cp312-win_arm64.pyd", "a/__init__.py", "a.libs/z.dll", "plain.pyd"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Module{{"a/_x.cp312-win_arm64.pyd", "PyInit__x"}, {"a.libs/z.dll", ""}, {"plain.pyd", "PyInit_plain"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Modules (-want +got):\n%s", diff)
	}
}

func TestOrdersLoadStubsThenSearchThenModules(t *testing.T) {
	got, err := orders(tree(t, "python312.dll", "python3.dll"), tree(t, "a/x.pyd", "a.libs/z.dll"), []Module{{"a/x.pyd", "PyInit_x"}, {"a.libs/z.dll", ""}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`preload|Z:\stubs\python3.dll|`,
		`preload|Z:\stubs\python312.dll|`,
		`search|Z:\tree\a.libs|`,
		`load|Z:\tree\a\x.pyd|PyInit_x`,
		`load|Z:\tree\a.libs\z.dll|`,
	}
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], "|", "\t")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("orders (-want +got):\n%s", diff)
	}
}

func TestOutcomes(t *testing.T) {
	modules := []Module{{"a.pyd", "PyInit_a"}, {"b.pyd", "PyInit_b"}, {"c.dll", ""}}
	got, err := outcomes(&guest.Result{Output: "noise\r\nloaded 0 1\r\nmodule talks: loaded\nloaded 126 0\r\nloaded 0 0\r\n"}, modules)
	if err != nil {
		t.Fatal(err)
	}
	want := []Outcome{{modules[0], 0, true}, {modules[1], ErrorModNotFound, false}, {modules[2], 0, false}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	texts := []string{"a.pyd: loads", "b.pyd: Windows error 126", "c.dll: loads, but has no "}
	for i, o := range got {
		if o.String() != texts[i] || o.OK() != (i == 0) {
			t.Errorf("%q, OK %v; want %q", o, o.OK(), texts[i])
		}
	}
}

func TestOutcomesOfAHostThatEndsEarly(t *testing.T) {
	modules := []Module{{"a.pyd", "PyInit_a"}, {"b.pyd", "PyInit_b"}}
	for _, c := range []struct {
		result guest.Result
		want   string
	}{
		{guest.Result{Output: "loaded 0 1\n", ExitCode: 5}, "the host ended after a.pyd with exit code 5"},
		{guest.Result{Output: "host: preload x: error 193\n", ExitCode: 1}, "the host ended before the first module with exit code 1: host: preload x"},
		{guest.Result{Output: "loaded 0 1\nloaded 0 1\n", ExitCode: 3}, "the host ended after b.pyd with exit code 3"},
		{guest.Result{Output: "loaded x 1\n"}, `the host printed "loaded x 1"`},
	} {
		if _, err := outcomes(&c.result, modules); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.result.Output, err, c.want)
		}
	}
}
