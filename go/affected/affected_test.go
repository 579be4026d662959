package affected

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// graph has two wheels that share a tool: tool.go -> tool, tool + a.patch -> a.whl, tool + b.patch -> b.whl.
const graph = `{
 "pathFragments": [{"id": 1, "label": "bin"}, {"id": 2, "label": "tool", "parentId": 1}, {"id": 3, "label": "a.whl", "parentId": 1}, {"id": 4, "label": "b.whl", "parentId": 1},
  {"id": 5, "label": "tool.go"}, {"id": 6, "label": "a.patch"}, {"id": 7, "label": "external"}, {"id": 8, "label": "b", "parentId": 7}],
 "artifacts": [{"id": 2, "pathFragmentId": 2}, {"id": 3, "pathFragmentId": 3}, {"id": 4, "pathFragmentId": 4}, {"id": 5, "pathFragmentId": 5}, {"id": 6, "pathFragmentId": 6}, {"id": 8, "pathFragmentId": 8}],
 "targets": [{"id": 1, "label": "//:tool"}, {"id": 2, "label": "//:a"}, {"id": 3, "label": "//:b"}],
 "depSetOfFiles": [{"id": 1, "directArtifactIds": [5]}, {"id": 2, "directArtifactIds": [2]}, {"id": 3, "directArtifactIds": [6], "transitiveDepSetIds": [2]}, {"id": 4, "directArtifactIds": [8], "transitiveDepSetIds": [2]}],
 "actions": [{"targetId": 1, "actionKey": "t", "mnemonic": "Go", "inputDepSetIds": [1], "outputIds": [2]},
  {"targetId": 2, "actionKey": "a", "mnemonic": "Wheel", "inputDepSetIds": [3], "outputIds": [3]},
  {"targetId": 3, "actionKey": "b", "mnemonic": "Wheel", "inputDepSetIds": [4], "outputIds": [4]}]
}`

func keys(t *testing.T, text string, files map[string]string) map[string]string {
	t.Helper()
	g, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	out, err := g.Keys(func(name string) (string, error) { return files[name], nil })
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestBetween(t *testing.T) {
	files := map[string]string{"tool.go": "1", "a.patch": "1", "external/b": "1"}
	before := keys(t, graph, files)
	for name, c := range map[string]struct {
		file  string // that changes
		graph string
		want  []string
	}{
		"nothing":          {"", graph, nil},
		"a patch":          {"a.patch", graph, []string{"//:a"}},
		"a pin":            {"external/b", graph, []string{"//:b"}},
		"the tool":         {"tool.go", graph, []string{"//:a", "//:b", "//:tool"}},
		"a command":        {"", strings.Replace(graph, `"actionKey": "b"`, `"actionKey": "bb"`, 1), []string{"//:b"}},
		"a target renamed": {"", strings.Replace(graph, `//:a`, `//:c`, 1), []string{"//:a", "//:c"}},
	} {
		t.Run(name, func(t *testing.T) {
			now := map[string]string{"tool.go": "1", "a.patch": "1", "external/b": "1"}
			if c.file != "" {
				now[c.file] = "2"
			}
			if diff := cmp.Diff(c.want, Between(before, keys(t, c.graph, now))); diff != "" {
				t.Errorf("affected (-want +got):\n%s", diff)
			}
		})
	}
}

// Actions that lay out runfiles have the workspace's path in their keys, which says nothing.
func TestBookkeeping(t *testing.T) {
	links := strings.Replace(graph, `"Go"`, `"SymlinkTree"`, 1)
	elsewhere := strings.Replace(links, `"actionKey": "t"`, `"actionKey": "tt"`, 1)
	if diff := Between(keys(t, links, nil), keys(t, elsewhere, nil)); diff != nil {
		t.Errorf("affected: %v", diff)
	}
}

func TestReadBad(t *testing.T) {
	for _, text := range []string{"", "<html>", `{"actions": []}`} {
		if _, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("no error for %q", text)
		}
	}
}

func TestDisk(t *testing.T) {
	ws, external := t.TempDir(), t.TempDir()
	for _, file := range []string{filepath.Join(ws, "a"), filepath.Join(external, "r", "d", "x")} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("1"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	digest := Disk(ws, external)
	sums := map[string]string{}
	for _, name := range []string{"a", "external/r/d/x", "external/r/d", "gone"} {
		sum, err := digest(name)
		if err != nil {
			t.Fatal(err)
		}
		sums[name] = sum
	}
	if sums["a"] == "" || sums["a"] != sums["external/r/d/x"] || sums["external/r/d"] == "" || sums["external/r/d"] == sums["a"] || sums["gone"] != "" {
		t.Errorf("sums %v", sums)
	}
	if err := os.WriteFile(filepath.Join(external, "r", "d", "x"), []byte("2"), 0o644); err != nil {
		t.Fatal(err)
	}
	if sum, err := digest("external/r/d"); err != nil || sum == sums["external/r/d"] {
		t.Errorf("a changed file in a folder: %s, %v", sum, err)
	}
}

func TestGathering(t *testing.T) {
	target := func(name, class string, inputs ...string) (q queryTarget) {
		q.Rule.Name, q.Rule.RuleClass, q.Rule.RuleInput = name, class, inputs
		return q
	}
	targets := []queryTarget{
		target("//:all_wheels", "filegroup", "//:a"), target("//:a", "wheel", "//:a.win"), target("//:a.win", "alias", "//:a.win.own"),
		target("//:b", "wheel", "//:b.win"), target("//:test", "go_test", "//:a.win.own"),
	}
	if diff := cmp.Diff([]string{"//:a", "//:a.win", "//:all_wheels"}, gathering(targets, map[string]bool{"//:a.win.own": true})); diff != "" {
		t.Errorf("gathering (-want +got):\n%s", diff)
	}
}
