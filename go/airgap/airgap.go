// Package airgap writes what Bazel needs where the Bazel Central Registry cannot be reached but package registries can:
// a file registry, module overrides, the few files that sandboxes may see, and one bazelrc.
//
// The primary type is Config. Its life: cmd/airgap fills it from flags, Write walks the module graph from the
// workspace's MODULE.bazel (package-local type graph), fetches rules_go, Gazelle and the Go SDK as Go modules, lays a
// registry folder in which every module of the graph has an entry, and last writes the bazelrc that the workspace's
// .bazelrc try-imports. MODULE.bazel itself is never changed: the same file serves the Bazel Central Registry.
//
// Where a module comes from:
//
//   - the folders in Config.SystemModules (on Debian: /usr/share/bazel/{rules,tools}), by --override_module;
//   - the Go module proxy, for rules_go and Gazelle;
//   - nowhere: a module that the graph names but that no rule of this workspace loads (zlib, protobuf, …) becomes a
//     hollow module: an empty repository of the version asked for.
package airgap

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Config says what to write and where. All paths are absolute.
type Config struct {
	// Workspace is the folder of MODULE.bazel.
	Workspace string
	// Out is the folder to write, replaced as a whole.
	Out string
	// Cache keeps what is expensive to make again: Go modules and the vendored Gazelle.
	Cache string
	// DiskCache is the folder of Bazel's disk cache. .bazelrc says ~, which Java resolves by the password database
	// and not by HOME.
	DiskCache string
	// SystemModules are folders whose subfolders hold a module each (a MODULE.bazel inside).
	SystemModules []string
	// BazelTools is the MODULE.bazel of Bazel's embedded tools, an implicit dependency of every module.
	BazelTools string
	// Go is the go command.
	Go string
	// Key is kept in the file Out/key, for the caller to tell whether Out is current.
	Key string
	// Log receives one line a step.
	Log func(format string, args ...any)
}

// goModules are the Bazel modules that the Go module proxy has, by module name.
var goModules = map[string]goModule{
	"rules_go": {path: "github.com/bazelbuild/rules_go", edit: useGoSDK},
	"gazelle":  {path: "github.com/bazelbuild/bazel-gazelle", vendor: true},
}

// Write makes Config.Out. The folder appears complete or not at all: it is made beside its place and renamed.
func Write(c Config) error {
	g, err := loadGraph(c)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.Out), 0o755); err != nil {
		return err
	}
	pattern := filepath.Base(c.Out) + "-*"
	// What an interrupted call left; ./bazelw lets one call run at a time.
	old, err := filepath.Glob(filepath.Join(filepath.Dir(c.Out), pattern))
	if err != nil {
		return err
	}
	for _, dir := range old {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	tmp, err := os.MkdirTemp(filepath.Dir(c.Out), pattern)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	r := &registry{config: c, dir: tmp, final: c.Out}
	for _, m := range g.fromRegistry() {
		if err := r.add(m); err != nil {
			return fmt.Errorf("module %s %s: %w", m.name, m.version, err)
		}
	}
	if err := r.finish(); err != nil {
		return err
	}
	if err := writeSandbox(filepath.Join(tmp, "sandbox")); err != nil {
		return err
	}
	shown := mounts(filepath.Join(c.Out, "sandbox", "bin"), filepath.Join(c.Out, "sandbox", "lib"))
	if err := os.WriteFile(filepath.Join(tmp, "airgap.bazelrc"), []byte(bazelrc(c, g, shown)), 0o644); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(tmp, "key"), c.Key+"\n"); err != nil {
		return err
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	return replace(tmp, c.Out)
}

// replace puts the folder src where dst is, with dst gone for no longer than a rename takes.
func replace(src, dst string) error {
	old := src + ".old"
	if err := os.Rename(dst, old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Rename(src, dst); err != nil {
		return err
	}
	return os.RemoveAll(old)
}

// sdkPlatform names this machine as rules_go and the toolchain modules of the Go proxy do.
func sdkPlatform() string { return runtime.GOOS + "_" + runtime.GOARCH }
