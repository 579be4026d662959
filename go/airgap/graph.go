package airgap

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"

	"github.com/bazelbuild/buildtools/build"
)

// moduleVersion is a node of the graph as Bazel asks a registry for it.
type moduleVersion struct{ name, version string }

// graph is every module version that Bazel's resolution can ask a registry for, and the modules that overrides serve.
type graph struct {
	// overrides maps a module name to the folder that serves it, whatever version is asked for.
	overrides map[string]string
	// wanted are the requests, overridden ones included.
	wanted map[moduleVersion]bool
	// root are the newest versions that go modules must have: the ones the workspace itself names.
	root map[string]string
}

// loadGraph follows bazel_dep from the workspace and from Bazel's embedded tools. Modules that come from the Go proxy
// are fetched on the way, because their own MODULE.bazel adds edges.
func loadGraph(c Config) (*graph, error) {
	g := &graph{overrides: map[string]string{}, wanted: map[moduleVersion]bool{}, root: map[string]string{}}
	for _, dir := range c.SystemModules {
		files, err := filepath.Glob(filepath.Join(dir, "*", "MODULE.bazel"))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			m, err := parseModule(f, nil)
			if err != nil {
				return nil, err
			}
			g.overrides[m.name] = filepath.Dir(f)
		}
	}
	rootFile := filepath.Join(c.Workspace, "MODULE.bazel")
	m, err := parseModule(rootFile, nil)
	if err != nil {
		return nil, err
	}
	for _, d := range m.deps {
		g.root[d.name] = d.version
	}
	queue := append([]dep{}, m.deps...)
	tools, err := parseModule(c.BazelTools, nil)
	if err != nil {
		return nil, err
	}
	queue = append(queue, tools.deps...)
	for len(queue) > 0 {
		d := queue[0]
		queue = queue[1:]
		key := moduleVersion{d.name, d.version}
		if g.wanted[key] {
			continue
		}
		g.wanted[key] = true
		next, err := g.depsOf(c, key)
		if err != nil {
			return nil, err
		}
		for _, n := range next {
			if !n.dev {
				queue = append(queue, n)
			}
		}
	}
	return g, nil
}

func (g *graph) depsOf(c Config, m moduleVersion) ([]dep, error) {
	if dir, ok := g.overrides[m.name]; ok {
		f, err := parseModule(filepath.Join(dir, "MODULE.bazel"), nil)
		if err != nil {
			return nil, err
		}
		return f.deps, nil
	}
	gm, ok := goModules[m.name]
	if !ok {
		return nil, nil
	}
	version, ok := g.root[m.name]
	if !ok {
		return nil, fmt.Errorf("MODULE.bazel has no bazel_dep on %s, but a module that it depends on needs %s", m.name, m.version)
	}
	dl, err := gm.download(c, version)
	if err != nil {
		return nil, err
	}
	data, err := dl.read("MODULE.bazel")
	if err != nil {
		return nil, err
	}
	f, err := parseModule(gm.path+"@v"+version+"/MODULE.bazel", data)
	if err != nil {
		return nil, err
	}
	return f.deps, nil
}

// fromRegistry lists, sorted, the requests that no override answers.
func (g *graph) fromRegistry() []moduleVersion {
	var out []moduleVersion
	for m := range g.wanted {
		if _, ok := g.overrides[m.name]; !ok {
			out = append(out, m)
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].name != out[j].name {
			return out[i].name < out[j].name
		}
		return out[i].version < out[j].version
	})
	return out
}

// usedOverrides lists, sorted, the overridden modules that the graph reaches.
func (g *graph) usedOverrides() []string {
	seen := map[string]bool{}
	var out []string
	for m := range g.wanted {
		if _, ok := g.overrides[m.name]; ok && !seen[m.name] {
			seen[m.name] = true
			out = append(out, m.name)
		}
	}
	sort.Strings(out)
	return out
}

// dep is one bazel_dep.
type dep struct {
	name, version string
	dev           bool
}

// moduleFile is what the graph needs of a MODULE.bazel.
type moduleFile struct {
	name string
	deps []dep
}

// parseModule reads a MODULE.bazel; data nil means the file on disk. A dev_dependency that is a top-level name counts
// as the value assigned to it (bazel_lib writes IS_RELEASE).
func parseModule(path string, data []byte) (*moduleFile, error) {
	if data == nil {
		var err error
		if data, err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	f, err := build.ParseModule(path, data)
	if err != nil {
		return nil, err
	}
	truth := map[string]bool{"True": true}
	for _, s := range f.Stmt {
		if a, ok := s.(*build.AssignExpr); ok {
			lhs, lok := a.LHS.(*build.Ident)
			rhs, rok := a.RHS.(*build.Ident)
			if lok && rok && rhs.Name == "True" {
				truth[lhs.Name] = true
			}
		}
	}
	m := &moduleFile{}
	for _, r := range f.Rules("module") {
		m.name = r.AttrString("name")
	}
	for _, r := range f.Rules("bazel_dep") {
		d := dep{name: r.AttrString("name"), version: r.AttrString("version")}
		if id, ok := r.Attr("dev_dependency").(*build.Ident); ok {
			d.dev = truth[id.Name]
		}
		m.deps = append(m.deps, d)
	}
	return m, nil
}
