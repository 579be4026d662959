package airgap

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/bazelbuild/buildtools/build"
)

// registry is an index registry of Bazel modules in a folder
// (https://bazel.build/external/registry#index_registry).
type registry struct {
	config Config
	// dir is where the registry is made, final where it will stand.
	dir, final string
	archives   map[string]archive
}

// archive is the source of a module in the form of source.json.
type archive struct {
	Type        string `json:"type,omitempty"`
	URL         string `json:"url,omitempty"`
	Integrity   string `json:"integrity,omitempty"`
	StripPrefix string `json:"strip_prefix,omitempty"`
	Path        string `json:"path,omitempty"`
}

// add makes the entry of one module version.
func (r *registry) add(m moduleVersion) error {
	if gm, ok := goModules[m.name]; ok {
		return r.addGo(m, gm)
	}
	return r.addHollow(m)
}

// addGo makes an entry whose source is a Go module zip. Older versions that dependencies ask for get the same source
// as the workspace's: only the newest is ever used, but Bazel reads every MODULE.bazel of the graph.
func (r *registry) addGo(m moduleVersion, gm goModule) error {
	root, err := parseModule(filepath.Join(r.config.Workspace, "MODULE.bazel"), nil)
	if err != nil {
		return err
	}
	version := ""
	for _, d := range root.deps {
		if d.name == m.name {
			version = d.version
		}
	}
	dl, err := gm.download(r.config, version)
	if err != nil {
		return err
	}
	data, err := dl.read("MODULE.bazel")
	if err != nil {
		return err
	}
	text, err := setVersion(data, m.version)
	if err != nil {
		return err
	}
	if gm.edit != nil {
		if text, err = gm.edit(r.config, dl, text); err != nil {
			return err
		}
	}
	src, err := r.source(gm, dl)
	if err != nil {
		return err
	}
	return r.write(m, text, src)
}

func (r *registry) source(gm goModule, dl *download) (archive, error) {
	if a, ok := r.archives[dl.prefix()]; ok {
		return a, nil
	}
	file, prefix := dl.zip, dl.prefix()
	if gm.vendor {
		var err error
		if file, err = vendored(r.config, dl); err != nil {
			return archive{}, err
		}
		prefix = "module"
	}
	sri, err := integrity(file)
	if err != nil {
		return archive{}, err
	}
	a := archive{Type: "archive", URL: fileURL(file), Integrity: sri, StripPrefix: prefix}
	if r.archives == nil {
		r.archives = map[string]archive{}
	}
	r.archives[dl.prefix()] = a
	return a, nil
}

// addHollow makes an entry for a module that is named somewhere in the graph and loaded nowhere.
func (r *registry) addHollow(m moduleVersion) error {
	text := fmt.Sprintf("module(name = %q, version = %q)\n", m.name, m.version)
	dir := filepath.Join(r.dir, "hollow", m.name, m.version)
	if err := writeFile(filepath.Join(dir, "MODULE.bazel"), text); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, "BUILD.bazel"), "# Hollow: no rule of this workspace loads "+m.name+".\n"); err != nil {
		return err
	}
	return r.write(m, text, archive{Type: "local_path", Path: filepath.Join(r.final, "hollow", m.name, m.version)})
}

func (r *registry) write(m moduleVersion, module string, src archive) error {
	dir := filepath.Join(r.dir, "registry", "modules", m.name, m.version)
	if err := writeFile(filepath.Join(dir, "MODULE.bazel"), module); err != nil {
		return err
	}
	data, err := json.MarshalIndent(src, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "source.json"), string(data)+"\n")
}

func (r *registry) finish() error {
	return writeFile(filepath.Join(r.dir, "registry", "bazel_registry.json"), "{}\n")
}

// setVersion writes a version into module(), as the Publish to BCR app does for releases.
func setVersion(data []byte, version string) (string, error) {
	f, err := build.ParseModule("MODULE.bazel", data)
	if err != nil {
		return "", err
	}
	for _, r := range f.Rules("module") {
		r.SetAttr("version", &build.StringExpr{Value: version})
	}
	return string(build.FormatWithoutRewriting(f)), nil
}

func writeFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

func fileURL(path string) string {
	p := filepath.ToSlash(path)
	if p[0] != '/' {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}
