package fetch

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sparkwheels/sparkwheels/go/pins"
)

// workspace is a Bazel workspace that holds the project's own repository rules and pins of its own.
type workspace struct {
	dir, output, home string
	bazel             []string
}

// gitOverlay is a BUILD file that has a macro of this repository declare the files.
const gitOverlay = `load("@sparkwheels//third_party/tree:files.bzl", "files")

files(["unix.txt", "sub/inner.txt"])
`

// newWorkspace writes a workspace whose pins.json is the given text, and starts no Bazel yet.
func newWorkspace(t *testing.T, pinsFile string) *workspace {
	t.Helper()
	root := sourceRoot(t)
	base := t.TempDir()
	w := &workspace{dir: filepath.Join(base, "ws"), output: filepath.Join(base, "out"), home: filepath.Join(base, "home")}
	for _, dir := range []string{"third_party/rules", "third_party/ziglang", "third_party/tool", "third_party/tree", "patches"} {
		if err := os.MkdirAll(filepath.Join(w.dir, filepath.FromSlash(dir)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(w.home, 0o755); err != nil {
		t.Fatal(err)
	}
	var rules []string
	for _, pattern := range []string{"*.bzl", "*.py"} {
		found, err := filepath.Glob(filepath.Join(root, "third_party", "rules", pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("no %s of repository rules in %s: %v", pattern, root, err)
		}
		rules = append(rules, found...)
	}
	for _, rule := range append(rules, filepath.Join(root, "third_party", "extensions.bzl")) {
		name, err := filepath.Rel(root, rule)
		if err != nil {
			t.Fatal(err)
		}
		w.write(t, name, read(t, rule))
	}
	for _, name := range []string{"BUILD.bazel", "third_party/BUILD.bazel", "third_party/rules/BUILD.bazel"} {
		w.write(t, name, "")
	}
	w.write(t, "third_party/tool/BUILD.bazel", "exports_files([\"overlay.BUILD.bazel\"])\n")
	w.write(t, "third_party/tool/overlay.BUILD.bazel", "exports_files([\"bin/tool\"])\n")
	w.write(t, "third_party/tree/BUILD.bazel", "exports_files([\"overlay.BUILD.bazel\"])\n")
	w.write(t, "third_party/tree/overlay.BUILD.bazel", gitOverlay)
	w.write(t, "third_party/tree/files.bzl", "def files(names):\n    native.exports_files(names)\n")
	w.write(t, ".bazelrc", "common --lockfile_mode=off\n"+airGap(t, root))
	w.write(t, pins.PinsFile, pinsFile)
	f, err := pins.Load(os.DirFS(w.dir))
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, "MODULE.bazel", moduleFile(t, root, f))
	text, err := pins.Generate(f)
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, pins.RepositoriesFile, string(text))
	w.bazel = bazel(t, root)
	t.Cleanup(func() {
		if out, err := w.command(context.Background(), "shutdown").CombinedOutput(); err != nil {
			t.Errorf("bazel shutdown: %v\n%s", err, out)
		}
	})
	return w
}

// build builds targets and returns Bazel's exit code and what it said.
func (w *workspace) build(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	out, err := w.command(ctx, append([]string{"build", "--color=no", "--curses=no", "--show_progress=false"}, args...)...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v: %v", w.bazel, err)
	} else if exit != nil {
		code = exit.ExitCode()
	}
	return code, string(out)
}

// external returns the folder of a pin's repository.
func (w *workspace) external(t *testing.T, pin string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(w.output, "external", "*[~+]"+pin))
	if err != nil || len(found) != 1 {
		t.Fatalf("folders of %s: %v, %v", pin, found, err)
	}
	return found[0]
}

// forget makes Bazel forget all that it fetched, without its cache.
func (w *workspace) forget(t *testing.T) {
	t.Helper()
	if out, err := w.command(context.Background(), "clean", "--expunge").CombinedOutput(); err != nil {
		t.Fatalf("bazel clean: %v\n%s", err, out)
	}
}

// command returns Bazel's command line in the workspace; a server of its own, so that tests do not wait for each other.
func (w *workspace) command(ctx context.Context, args ...string) *exec.Cmd {
	line := append(append([]string{}, w.bazel...), "--nohome_rc", "--output_base="+w.output, "--host_jvm_args=-Xmx512m", "--max_idle_secs=60")
	cmd := exec.CommandContext(ctx, line[0], append(line[1:], args...)...)
	cmd.Dir = w.dir
	return cmd
}

func (w *workspace) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// sourceRoot returns the root of the checkout. Runfiles are links into it; the air-gap configuration, which git ignores, is
// found only there.
func sourceRoot(t *testing.T) string {
	t.Helper()
	module, err := filepath.EvalSymlinks(filepath.Join("..", "..", "MODULE.bazel"))
	if err == nil {
		module, err = filepath.Abs(module)
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(module)
}

// moduleFile returns a MODULE.bazel with the project's dependencies, which the air-gap configuration overrides by name, and the unpacked pins.
func moduleFile(t *testing.T, root string, f *pins.File) string {
	t.Helper()
	use := `use_repo(pins, "pins"`
	for _, pin := range f.Pins {
		if pin.Unpack {
			use += `, "` + pin.Name + `"`
		}
	}
	lines := []string{`module(name = "sparkwheels")`, `pins = use_extension("//third_party:extensions.bzl", "pins")`, use + ")"}
	for _, line := range strings.Split(read(t, filepath.Join(root, "MODULE.bazel")), "\n") {
		if strings.HasPrefix(line, "bazel_dep(") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// airGap returns the air-gap configuration where ./bazelw has written one.
func airGap(t *testing.T, root string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, ".airgap", "airgap.bazelrc"))
	if errors.Is(err, os.ErrNotExist) {
		return ""
	} else if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// bazel returns the command that starts Bazel: the one on PATH inside ./bazelw's root, else ./bazelw.
func bazel(t *testing.T, root string) []string {
	t.Helper()
	if _, err := exec.LookPath("bazel"); err == nil {
		return []string{"bazel"}
	}
	bazelw := filepath.Join(root, "bazelw")
	if _, err := os.Stat(bazelw); err != nil {
		t.Fatal("no bazel on PATH and no ./bazelw: there is nothing to run the repository rules with; run this test by ./bazelw")
	}
	return []string{bazelw}
}
