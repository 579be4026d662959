package coverage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// UV resolves requirements with a uv program.
type UV struct {
	// Program is the path of uv.
	Program string
	// Index is the package index, with its credentials if it has some.
	Index string
	// Set is a folder of wheels to resolve with as well; may be empty.
	Set string
}

// resolved is one line of the resolution.
type resolved struct {
	name, version string
	via           []string
	opaque        bool // its own requirements are not known
}

// resolve returns what the requirement files need on the platform. Nothing is built: uv reads metadata only, and a package
// whose metadata only a build would tell counts as one without requirements.
func (u *UV) resolve(ctx context.Context, platform string, files []string) ([]resolved, error) {
	dir, err := os.MkdirTemp("", "coverage-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	// A Python without setuptools or any other back end, so that no build can begin.
	if _, said, err := u.run(ctx, dir, "venv", "--quiet", "--no-project", "--no-config", "venv"); err != nil {
		return nil, fmt.Errorf("uv venv: %s", said)
	}
	var inputs []string
	for _, file := range files {
		abs, err := filepath.Abs(file)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, abs)
	}
	args := []string{"pip", "compile", "--quiet", "--universal", "--python-version", "3.12", "--python", "venv", "--no-build-isolation",
		"--no-header", "--annotation-style=line", "--no-sources"}
	if u.Set != "" {
		args = append(args, "--find-links", u.Set)
	}
	var opaque []string
	for {
		config := "[project]\nname = \"coverage\"\nversion = \"0\"\nrequires-python = \">=3.12\"\n"
		for _, name := range opaque {
			config += fmt.Sprintf("[[tool.uv.dependency-metadata]]\nname = %q\nrequires-dist = []\n", name)
		}
		if err := os.WriteFile(filepath.Join(dir, "pyproject.toml"), []byte(config), 0o644); err != nil {
			return nil, err
		}
		out, said, err := u.run(ctx, dir, append(args, inputs...)...)
		if err == nil {
			return parse(out, platform, opaque)
		}
		name := unbuilt(said)
		if name == "" || slices.Contains(opaque, name) || ctx.Err() != nil {
			return nil, fmt.Errorf("uv cannot resolve %s: %s", strings.Join(files, ", "), strings.TrimSpace(said))
		}
		opaque = append(opaque, name)
	}
}

func (u *UV) run(ctx context.Context, dir string, args ...string) (out []byte, said string, err error) {
	cmd := exec.CommandContext(ctx, u.Program, append(args, "--no-python-downloads")...)
	cmd.Dir = dir
	// Credentials belong into the environment, where no list of processes shows them.
	cmd.Env = append(os.Environ(), "UV_DEFAULT_INDEX="+u.Index, "UV_NO_PROGRESS=1", "NO_COLOR=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err = cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err.Error(), err
	}
	return out, stderr.String(), err
}

var buildFailure = regexp.MustCompile("(?:build|download and build|prepare|metadata for) `([A-Za-z0-9._-]+)(?:==[^`]*)?`")

// unbuilt names the package that uv would have had to build, or "".
func unbuilt(said string) string {
	if m := buildFailure.FindStringSubmatch(said); m != nil {
		return wheel.NormalizeProject(m[1])
	}
	return ""
}

var requirementLine = regexp.MustCompile(`^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;]+)\s*(?:;\s*([^#]*?))?\s*(?:#\s*via\s*(.*))?$`)

// parse reads uv's lines, name==version ; marker  # via a, b, and drops those that are not for the platform.
func parse(out []byte, platform string, opaque []string) (all []resolved, err error) {
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "--") {
			continue
		}
		m := requirementLine.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("uv printed %q, which is no pinned requirement of an index", line)
		}
		if m[3] != "" {
			wanted, err := holds(m[3], platform)
			if err != nil {
				return nil, err
			}
			if !wanted {
				continue
			}
		}
		r := resolved{name: wheel.NormalizeProject(m[1]), version: m[2]}
		for _, via := range strings.Split(m[4], ",") {
			if via = strings.TrimSpace(via); strings.HasPrefix(via, "-r ") {
				via = filepath.Base(strings.TrimPrefix(via, "-r "))
			}
			if via != "" {
				r.via = append(r.via, via)
			}
		}
		r.opaque = slices.Contains(opaque, r.name)
		all = append(all, r)
	}
	return all, nil
}
