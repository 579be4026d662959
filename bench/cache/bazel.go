package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/pins"
)

// bazel is our side: a clone of the checkout, output bases of several machines, and a cache between them.
type bazel struct {
	base, ws string
	cache    *server
}

func newBazel(base string) (*bazel, error) {
	root := os.Getenv("BUILD_WORKSPACE_DIRECTORY")
	if root == "" {
		root = "."
	}
	if _, err := os.Stat(filepath.Join(root, "bazelw")); err != nil {
		return nil, fmt.Errorf("start it at the root of the checkout: %w", err)
	}
	b := &bazel{base: base, ws: filepath.Join(base, "ws")}
	if err := run("", nil, "git", "clone", "--quiet", "--local", root, b.ws); err != nil {
		return nil, err
	}
	var err error
	if b.cache, err = serve(filepath.Join(base, "cache")); err != nil {
		return nil, err
	}
	// Sources are there on both sides before the clock starts.
	return b, errors.Join(b.build("one", "--nobuild"), b.build("two", "--nobuild"), b.build("three", "--nobuild"))
}

// on builds on a machine.
func (b *bazel) on(machine string) func() error { return func() error { return b.build(machine) } }

// wheelsOnly builds on a machine that gets all but the wheels' own actions from the cache.
func (b *bazel) wheelsOnly(machine string) func() error {
	return func() error {
		return b.build(machine, "--modify_execution_info=^(Source|Pep517|Wheel).*=+no-cache")
	}
}

func (b *bazel) build(machine string, flags ...string) error {
	args := append([]string{"--output_base=" + filepath.Join(b.base, machine), "build", "--disk_cache=", "--config=cache-write", "--remote_cache=" + b.cache.url, "--noshow_progress"}, flags...)
	return run(b.ws, nil, "./bazelw", append(args, targets...)...)
}

func (b *bazel) pins(args ...string) error {
	return run(b.ws, nil, "./bazelw", append([]string{"--output_base=" + filepath.Join(b.base, "one"), "run", "--noshow_progress", "//go/cmd/pins", "--", "--root=" + b.ws}, args...)...)
}

func (b *bazel) bump() error {
	return errors.Join(b.pins("bump", name(bumped)+"@"+bumpedTo), b.build("one", "--nobuild"))
}

// sdist is the source of a project that is fetched, such as "soxr==1.1.0".
func (b *bazel) sdist(project string) (string, error) {
	name, version, _ := strings.Cut(project, "==")
	pattern := filepath.Join(b.base, "one", "external", "*~"+name, name+"-"+version+".tar.gz")
	found, err := filepath.Glob(pattern)
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("%d files are %s", len(found), pattern)
	}
	if err != nil {
		return "", err
	}
	return found[0], nil
}

// change adds a patch that puts a comment before the first line of a source.
func (b *bazel) change() error {
	sdist, err := b.sdist(projects[changed])
	if err != nil {
		return err
	}
	source, err := exec.Command("tar", "-xOzf", sdist, strings.TrimSuffix(filepath.Base(sdist), ".tar.gz")+"/"+changedIn).Output()
	if err != nil {
		return fmt.Errorf("%s of %s: %w", changedIn, sdist, err)
	}
	all, err := pins.Load(os.DirFS(b.ws))
	if err != nil {
		return err
	}
	const patch = "0099-one-line.patch"
	i := slices.IndexFunc(all.Pins, func(p *pins.Pin) bool { return p.Name == name(changed) })
	file := filepath.Join(b.ws, filepath.FromSlash(pins.PinsFile))
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if data, err = pins.Apply(data, []pins.Edit{{Pin: name(changed), Path: []string{"patches"}, List: append(all.Pins[i].Patches, patch)}}); err != nil {
		return err
	}
	lines := strings.SplitAfter(string(source), "\n")[:3]
	text := fmt.Sprintf("One line more, to see what it costs.\n\n--- a/%[1]s\n+++ b/%[1]s\n@@ -1,3 +1,4 @@\n+%[2]s %[3]s", changedIn, line, strings.Join(lines, " "))
	return errors.Join(os.WriteFile(file, data, 0o644), os.WriteFile(filepath.Join(b.ws, "patches", name(changed), patch), []byte(text), 0o644), b.pins("generate"))
}

// close stops the servers.
func (b *bazel) close() {
	for _, machine := range []string{"one", "two", "three"} {
		// Nothing is lost if one does not stop: it does after its idle time.
		_ = run(b.ws, nil, "./bazelw", "--output_base="+filepath.Join(b.base, machine), "shutdown")
	}
	b.cache.close()
}

// run runs a program in dir; what it says is shown if it fails.
func run(dir string, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
