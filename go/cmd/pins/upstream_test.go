package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/bump"
	"github.com/sparkwheels/sparkwheels/go/pins"
)

const onePyPI = `{"schema": 1, "pins": [{"name": "wheel", "version": "0.47.0", "kind": "backend", "source": {"pypi": {"project": "wheel", "file": "wheel-0.47.0-py3-none-any.whl"}},
	"sha256": "9f228ae21c78fa9359ca98d8a5e8e91f30639e438e574133dace62c5b5309e44"}]}`

// index serves one project's page, and is what pip is configured for.
func index(t *testing.T, page string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(page)) }))
	t.Cleanup(s.Close)
	t.Setenv("PIP_INDEX_URL", s.URL+"/simple")
}

func TestOutdatedExitCodes(t *testing.T) {
	dir := workspace(t, onePyPI)
	file := func(version string) string {
		return `{"filename": "wheel-` + version + `-py3-none-any.whl", "url": "/f", "hashes": {"sha256": "9f228ae21c78fa9359ca98d8a5e8e91f30639e438e574133dace62c5b5309e44"}}`
	}
	for name, c := range map[string]struct {
		page  string
		code  int
		state bump.State
	}{
		"nothing new":     {`{"files": [` + file("0.47.0") + `]}`, 0, bump.Current},
		"something newer": {`{"files": [` + file("0.47.0") + "," + file("0.48.0") + `]}`, exitNews, bump.Newer},
		"no listing":      {`<html>log in</html>`, exitAsk, bump.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			index(t, c.page)
			code, stdout, stderr := call(t, dir, "outdated", "--format", "json")
			var rows []bump.Row
			if err := json.Unmarshal([]byte(stdout), &rows); err != nil {
				t.Fatalf("%v in %q; it said %s", err, stdout, stderr)
			}
			if code != c.code || len(rows) != 1 || rows[0].State != c.state {
				t.Errorf("exit code %d, want %d; rows %+v; it said %s", code, c.code, rows, stderr)
			}
		})
	}
}

// Without a network each command says so, in its own exit code, and changes nothing.
func TestOffline(t *testing.T) {
	t.Setenv("PIP_INDEX_URL", "http://127.0.0.1:1/simple")
	t.Setenv("SPARKWHEELS_CACHE", t.TempDir())
	dir := workspace(t, onePyPI)
	file := filepath.Join(dir, filepath.FromSlash(pins.PinsFile))
	for _, args := range [][]string{{"outdated"}, {"bump", "wheel"}} {
		code, _, stderr := call(t, dir, append(args, "--timeout", "5s")...)
		if code != exitAsk || !strings.Contains(stderr, "could not ask http://127.0.0.1:1/simple/wheel/: ") {
			t.Errorf("%v: exit code %d, want %d; it said %s", args, code, exitAsk, stderr)
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != onePyPI {
			t.Errorf("%v changed pins.json: %v", args, err)
		}
	}
}

func TestUpstreamUsage(t *testing.T) {
	dir := workspace(t, onePyPI)
	for _, c := range []struct {
		args   []string
		stderr string
	}{
		{[]string{"outdated", "soxr"}, `no pin is named "soxr"`},
		{[]string{"outdated", "--format", "yaml"}, `--format "yaml" is not one of json, table`},
		{[]string{"bump"}, "want the name of a pin: pins bump NAME[@VERSION]"},
		{[]string{"bump", "soxr"}, `no pin is named "soxr"`},
		{[]string{"bump", "wheel@"}, `"wheel@": want NAME@VERSION`},
		{[]string{"watch", "soxr"}, `pins watch takes no arguments, got "soxr"`},
		{[]string{"watch", "--format", "table"}, `--format "table" is not one of json, markdown`},
		{[]string{"affected"}, "want --since REVISION"},
		{[]string{"coverage"}, "want a file of requirements: pins coverage requirements.txt"},
		{[]string{"coverage", "--platform", "macos", "x"}, `--platform "macos" is not one of linux_aarch64, win_arm64`},
		{[]string{"coverage", filepath.Join(dir, "gone.txt")}, "gone.txt"},
	} {
		code, _, stderr := call(t, dir, c.args...)
		if code != exitUsage || !strings.Contains(stderr, c.stderr) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit code %d; it said %s", c.args, code, stderr)
		}
	}
}

// TestCoverageFromCaller names files and the set relative to where `bazel run` was called.
func TestCoverageFromCaller(t *testing.T) {
	dir, caller := workspace(t, onePyPI), t.TempDir()
	if err := os.WriteFile(filepath.Join(caller, "requirements.txt"), []byte("wheel\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("BUILD_WORKING_DIRECTORY", caller)
	// A set that is not there is told before anything is asked.
	code, _, stderr := call(t, dir, "coverage", "requirements.txt", "--set", "dist", "--uv", "none")
	if want := filepath.Join(caller, "dist"); code != exitIO || !strings.Contains(stderr, want) {
		t.Errorf("exit code %d, %s; want %d and %s", code, stderr, exitIO, want)
	}
}
