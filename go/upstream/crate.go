package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// crate returns the versions of a crate: all that a sparse index lists (CRATES_INDEX_URL), or the newest that the machine's
// cargo knows from the registry that it is configured for.
func (c *Client) crate(ctx context.Context, name string) ([]Release, error) {
	if address := c.Env("CRATES_INDEX_URL"); address != "" {
		return c.sparse(ctx, strings.TrimRight(strings.TrimPrefix(address, "sparse+"), "/"), name)
	}
	return c.cargo(ctx, name)
}

// sparse reads one crate's file of a sparse index: https://doc.rust-lang.org/cargo/reference/registry-index.html
func (c *Client) sparse(ctx context.Context, base, name string) ([]Release, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, &UnaskableError{"CRATES_INDEX_URL is no address"}
	}
	login := u.User
	u.User = nil
	lower := strings.ToLower(name)
	folder := map[int]string{1: "1", 2: "2", 3: "3/" + lower[:1]}[len(lower)]
	if folder == "" {
		folder = lower[:2] + "/" + lower[2:4]
	}
	address := u.String() + "/" + folder + "/" + lower
	body, _, err := c.get(ctx, address, "", login)
	if errors.Is(err, errNotFound) {
		return nil, &MalformedError{address, "the registry has no crate " + name}
	}
	if err != nil {
		return nil, err
	}
	var all []Release
	for _, line := range bytes.Split(bytes.TrimSpace(body), []byte("\n")) {
		var entry struct {
			Vers, Cksum string
			Yanked      bool
		}
		if err := json.Unmarshal(line, &entry); err != nil || entry.Vers == "" {
			return nil, &MalformedError{address, "is no file of a crate index: each line should be JSON with vers and cksum"}
		}
		all = append(all, Release{Version: entry.Vers, SHA256: entry.Cksum, Yanked: entry.Yanked})
	}
	return all, nil
}

var (
	lockVersion  = regexp.MustCompile(`(?m)^version = "([^"]+)"`)
	lockChecksum = regexp.MustCompile(`(?m)^checksum = "([0-9a-f]{64})"`)
)

// cargo lets cargo resolve the crate, with its own mirrors and credentials, and reads the lock file that it writes.
func (c *Client) cargo(ctx context.Context, name string) ([]Release, error) {
	if _, err := exec.LookPath("cargo"); err != nil {
		return nil, &UnaskableError{"there is no cargo to ask for its registry: put cargo on PATH, or set CRATES_INDEX_URL to a sparse index"}
	}
	if c.Log != nil {
		c.Log("asking cargo for " + name)
	}
	dir, err := os.MkdirTemp("", "crate-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	// Edition 2015 has the resolver that does not hold back versions for the sake of the machine's rustc.
	manifest := fmt.Sprintf("[package]\nname = \"ask\"\nversion = \"0.0.0\"\nedition = \"2015\"\n[lib]\npath = \"lib.rs\"\n[dependencies]\n%s = \"*\"\n", name)
	for file, text := range map[string]string{"Cargo.toml": manifest, "lib.rs": ""} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "cargo", "generate-lockfile", "--quiet")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, &UnreachableError{"cargo's registry for " + name, errors.New(lastLine(string(out), err))}
	}
	lock, err := os.ReadFile(filepath.Join(dir, "Cargo.lock"))
	if err != nil {
		return nil, err
	}
	for _, part := range strings.Split(strings.ReplaceAll(string(lock), "\r\n", "\n"), "[[package]]") {
		if !strings.Contains(part, "\nname = \""+name+"\"\n") {
			continue
		}
		version, sum := lockVersion.FindStringSubmatch(part), lockChecksum.FindStringSubmatch(part)
		if version != nil && sum != nil {
			return []Release{{Version: version[1], SHA256: sum[1]}}, nil
		}
	}
	return nil, &MalformedError{"Cargo.lock of " + name, "cargo did not write the crate's version and checksum into it"}
}

func lastLine(said string, err error) string {
	said = strings.TrimSpace(said)
	if said == "" {
		return err.Error()
	}
	return said[strings.LastIndex(said, "\n")+1:]
}
