package affected

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Checkout is a checkout with the Bazel that works on it.
type Checkout struct {
	// Dir is the root of the workspace.
	Dir string
	// Bazel is the command line that starts Bazel there, such as ["./bazelw"].
	Bazel []string
	// Flags are added to each command that analyses, such as --config=own.
	Flags []string
	// Stderr gets what Bazel says.
	Stderr io.Writer
}

// Keys analyses the patterns and returns the keys of all targets that they need.
func (c *Checkout) Keys(ctx context.Context, patterns []string) (map[string]string, error) {
	base, err := c.run(ctx, "info", "output_base")
	if err != nil {
		return nil, err
	}
	out, err := c.run(ctx, append([]string{"aquery", "--output=jsonproto", "--noinclude_commandline", "--keep_going"},
		append(slices.Clone(c.Flags), "deps(set("+strings.Join(patterns, " ")+"))")...)...)
	if err != nil {
		return nil, err
	}
	g, err := Read(bytes.NewReader(out))
	if err != nil {
		return nil, err
	}
	return g.Keys(Disk(c.Dir, filepath.Join(strings.TrimSpace(string(base)), "external")))
}

// Targets returns the labels that patterns stand for.
func (c *Checkout) Targets(ctx context.Context, patterns []string) ([]string, error) {
	out, err := c.run(ctx, "query", "--keep_going", "--output=label", "set("+strings.Join(patterns, " ")+")")
	return lines(out), err
}

// gatherers are the rules without an action of their own that hand on what others make.
var gatherers = []string{"alias", "filegroup", "test_suite", "wheel"}

// Gathering returns those targets of the patterns that have no action of their own but hand on what the given ones make:
// aliases, groups, wheels for all platforms.
func (c *Checkout) Gathering(ctx context.Context, patterns, labels []string) ([]string, error) {
	// Not rdeps(), which loads all that the patterns need, such as tools of tests that only the network has.
	out, err := c.run(ctx, "query", "--keep_going", "--output=streamed_jsonproto", "set("+strings.Join(patterns, " ")+")")
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, label := range labels {
		found[label] = true
	}
	var targets []queryTarget
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var t queryTarget
		if err := decoder.Decode(&t); err != nil {
			return nil, fmt.Errorf("bazel query --output=streamed_jsonproto: %w", err)
		}
		targets = append(targets, t)
	}
	return gathering(targets, found), nil
}

// queryTarget is what query says of a target, as far as it is used.
type queryTarget struct {
	Rule struct {
		Name      string   `json:"name"`
		RuleClass string   `json:"ruleClass"`
		RuleInput []string `json:"ruleInput"`
	} `json:"rule"`
}

// gathering adds to found, until nothing is new: an alias in a wheel in a group.
func gathering(targets []queryTarget, found map[string]bool) (out []string) {
	for grown := true; grown; {
		grown = false
		for _, t := range targets {
			r := t.Rule
			if !found[r.Name] && slices.Contains(gatherers, r.RuleClass) && slices.ContainsFunc(r.RuleInput, func(input string) bool { return found[input] }) {
				found[r.Name], grown = true, true
				out = append(out, r.Name)
			}
		}
	}
	slices.Sort(out)
	return out
}

func lines(text []byte) (out []string) {
	scanner := bufio.NewScanner(bytes.NewReader(text))
	for scanner.Scan() {
		if line := strings.TrimSpace(scanner.Text()); line != "" {
			out = append(out, line)
		}
	}
	return out
}

func (c *Checkout) run(ctx context.Context, args ...string) ([]byte, error) {
	line := append(slices.Clone(c.Bazel), args...)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Dir, cmd.Stderr = c.Dir, c.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", strings.Join(line[:min(len(line), len(c.Bazel)+1)], " "), c.Dir, err)
	}
	return out, nil
}

// Worktree makes dir a git worktree of the repository at root with the revision checked out, or moves it there if it is one
// already: its Bazel then knows most of what it needs. It returns the commit.
func Worktree(ctx context.Context, root, dir, revision string) (commit string, err error) {
	git := func(dir string, args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.autocrlf=false", "-c", "advice.detachedHead=false"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(exit.Stderr)))
		}
		return strings.TrimSpace(string(out)), err
	}
	if commit, err = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}"); err != nil {
		return "", fmt.Errorf("%q is no revision of this repository", revision)
	}
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
		_, err = git(dir, "checkout", "--quiet", "--force", "--detach", commit)
		return commit, err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	if _, err := git(root, "worktree", "prune"); err != nil {
		return "", err
	}
	_, err = git(root, "worktree", "add", "--quiet", "--force", "--detach", dir, commit)
	return commit, err
}
