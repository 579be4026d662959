package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/pins"
)

const onePin = `{"schema": 1, "pins": [{"name": "zlib", "version": "1.1.33", "kind": "library", "source": {"crate": {"crate": "libz-sys"}},
	"sha256": "9f228ae21c78fa9359ca98d8a5e8e91f30639e438e574133dace62c5b5309e44"}]}`

// workspace returns a repository with the given pins file.
func workspace(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string]string{pins.PinsFile: text, pins.WheelsFile: "", "MODULE.bazel": ""} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// call runs the command in the repository and returns its exit code and what it printed.
func call(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(append([]string{"--root", dir}, args...), &out, &errs)
	return code, out.String(), errs.String()
}

func TestGenerateThenCheck(t *testing.T) {
	dir := workspace(t, onePin)
	file := filepath.Join(dir, filepath.FromSlash(pins.RepositoriesFile))
	if code, _, stderr := call(t, dir, "generate", "--check"); code != exitStale || !strings.Contains(stderr, "crate_file") {
		t.Errorf("generate --check without the file: exit code %d, want %d with the difference; it said:\n%s", code, exitStale, stderr)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("generate --check wrote the file")
	}
	if code, _, stderr := call(t, dir, "generate"); code != 0 {
		t.Fatalf("generate: exit code %d: %s", code, stderr)
	}
	if code, _, stderr := call(t, dir, "generate", "--check"); code != 0 {
		t.Errorf("generate --check after generate: exit code %d: %s", code, stderr)
	}
	if err := os.WriteFile(file, []byte("# by hand\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := call(t, dir, "generate", "--check"); code != exitStale || !strings.Contains(stderr, "# by hand") {
		t.Errorf("generate --check of an edited file: exit code %d, want %d with the difference; it said:\n%s", code, exitStale, stderr)
	}
}

// A file that cannot be replaced stays, and no temporary file does.
func TestReplaceFileLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	// Nothing can be renamed over a folder with something in it.
	if err := os.MkdirAll(filepath.Join(dir, "taken", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(filepath.Join(dir, "taken"), []byte("new")); err == nil {
		t.Error("no error")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 {
		t.Errorf("have %v, want only the folder", entries)
	}
}

func TestExitCodes(t *testing.T) {
	good, bad := workspace(t, onePin), workspace(t, strings.Replace(onePin, "9f22", "", 1))
	for _, c := range []struct {
		name   string
		dir    string
		args   []string
		code   int
		stderr string
	}{
		{"check", good, []string{"check"}, 0, ""},
		{"check of a bad pin", bad, []string{"check"}, exitInvalid, "third_party/pins.json: pin \"zlib\": sha256: 60 hex digits, want 64\n"},
		{"generate from a bad pin", bad, []string{"generate"}, exitInvalid, "third_party/pins.json: pin \"zlib\": sha256: 60 hex digits, want 64\n"},
		{"plan of a bad pin", bad, []string{"plan"}, exitInvalid, "third_party/pins.json: pin \"zlib\": sha256: 60 hex digits, want 64\n"},
		{"no command", good, nil, exitUsage, "want a command; pins --help lists them\n"},
		{"unknown command", good, []string{"chekc"}, exitUsage, "unknown command \"chekc\"; pins --help lists them\n"},
		{"unknown flag", good, []string{"check", "--all"}, exitUsage, "unknown flag: --all\n"},
		{"argument", good, []string{"check", "soxr"}, exitUsage, "pins check takes no arguments, got \"soxr\"\n"},
		{"unknown format", good, []string{"plan", "--format=yaml"}, exitUsage, "--format \"yaml\" is not one of json, markdown, table\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, _, stderr := call(t, c.dir, c.args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if diff := cmp.Diff(c.stderr, stderr); diff != "" {
				t.Errorf("standard error (-want +got):\n%s", diff)
			}
		})
	}
	if code, _, _ := call(t, t.TempDir(), "check"); code != exitIO {
		t.Errorf("check of an empty folder: exit code %d, want %d", code, exitIO)
	}
}

// --help lists every exit code.
func TestHelp(t *testing.T) {
	code, stdout, _ := call(t, t.TempDir(), "--help")
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{"  0  ", "  1  ", "  2  ", "  3  ", "  4  ", "  5  ", "  6  ", "  7  ", "check", "generate", "plan", "outdated", "bump", "watch", "affected", "coverage"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in:\n%s", want, stdout)
		}
	}
}
