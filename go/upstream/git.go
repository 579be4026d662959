package upstream

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/pins"
)

// tagPrefix is what stands before the version in a tag: v1.0, release-1.0, project-1.0, project_v1.0.
var tagPrefix = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z_]*[-_/])*(?:v|V)?`)

// tags returns a remote's tags that look like versions, and its default branch under the version that pins of untagged
// projects have, 0+git.<8 digits>.
func (c *Client) tags(ctx context.Context, remote string) ([]Release, error) {
	out, err := c.git(ctx, "", "ls-remote", remote, "HEAD", "refs/tags/*")
	if err != nil {
		return nil, &UnreachableError{remote, err}
	}
	commits := map[string]string{}
	var order []string
	for line := range strings.Lines(out) {
		commit, ref, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		// ^{} is the commit that an annotated tag means; it comes after the tag.
		name := strings.TrimSuffix(strings.TrimPrefix(ref, "refs/tags/"), "^{}")
		if _, known := commits[name]; !known {
			order = append(order, name)
		}
		commits[name] = commit
	}
	var all []Release
	for _, name := range order {
		commit := commits[name]
		if name == "HEAD" {
			if len(commit) >= 8 {
				all = append(all, Release{Version: "0+git." + commit[:8], Commit: commit})
			}
			continue
		}
		version := name[len(tagPrefix.FindString(name)):]
		if version != "" && version[0] >= '0' && version[0] <= '9' {
			all = append(all, Release{Version: version, Commit: commit})
		}
	}
	return all, nil
}

// HasCommit tells whether a remote still gives out the commit of a pin; a force-push can make it vanish.
func (c *Client) HasCommit(ctx context.Context, g *pins.Git) error {
	dir, err := os.MkdirTemp("", "commit-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if _, err := c.git(ctx, dir, "init", "--quiet", "--bare"); err != nil {
		return err
	}
	if _, err := c.git(ctx, dir, "fetch", "--quiet", "--depth=1", "--filter=tree:0", "--no-tags", g.Remote, g.Commit); err != nil {
		return &MalformedError{g.Remote, fmt.Sprintf("has no commit %s any more: was it force-pushed away? (%v)", g.Commit, err)}
	}
	return nil
}

// Checkout writes the files of a commit, with its submodules if asked for, into the empty folder dir, without git's own files.
func (c *Client) Checkout(ctx context.Context, g *pins.Git, dir string) error {
	steps := [][]string{
		{"init", "--quiet"},
		{"fetch", "--quiet", "--depth=1", "--no-tags", g.Remote, g.Commit},
		{"checkout", "--quiet", "--detach", "FETCH_HEAD"},
	}
	if g.Submodules {
		steps = append(steps, []string{"remote", "add", "origin", g.Remote}, []string{"submodule", "--quiet", "update", "--init", "--recursive", "--depth=1"})
	}
	for _, step := range steps {
		if _, err := c.git(ctx, dir, step...); err != nil {
			return &UnreachableError{fmt.Sprintf("%s for commit %s", g.Remote, g.Commit), err}
		}
	}
	return removeGit(dir)
}

// git runs git with the user's proxies, credentials and mirrors, but not with hooks, filters or line ends of theirs.
func (c *Client) git(ctx context.Context, dir string, args ...string) (string, error) {
	if c.Log != nil && (args[0] == "fetch" || args[0] == "ls-remote") {
		c.Log("asking git " + strings.Join(args, " "))
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	neutral := []string{"-c", "core.autocrlf=false", "-c", "core.eol=lf", "-c", "core.hooksPath=/dev/null", "-c", "core.attributesFile=/dev/null",
		"-c", "advice.detachedHead=false", "-c", "init.defaultBranch=main"}
	cmd := exec.CommandContext(ctx, "git", append(neutral, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_LFS_SKIP_SMUDGE=1")
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", fmt.Errorf("no answer in %v", c.Timeout)
	case errors.As(err, &exit):
		said := strings.TrimSpace(string(exit.Stderr))
		if i := strings.LastIndex(said, "\n"); i >= 0 {
			said = said[i+1:]
		}
		return "", errors.New("git: " + said)
	}
	return string(out), err
}
