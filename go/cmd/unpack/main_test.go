package main

import (
	"archive/zip"
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/treetest"
)

func zipOf(t *testing.T, members map[string]string) string {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for name, data := range members {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(treetest.Write(t, treetest.Tree{"a.whl": buf.String()}), "a.whl")
}

func TestRun(t *testing.T) {
	good := zipOf(t, map[string]string{"p/a.py": "a", "p/b.txt": "b", "p/c/d.py": "d"})
	evil := zipOf(t, map[string]string{"../evil": "x"})
	for _, tc := range []struct {
		name   string
		args   []string // OUT stands for a new folder
		code   int
		stderr string
		want   treetest.Tree
	}{
		{"plain", []string{"--out", "OUT", good}, 0, "", treetest.Tree{"p/a.py": "a", "p/b.txt": "b", "p/c/d.py": "d"}},
		{"all flags", []string{"--out", "OUT", "--strip", "1", "--include", "**/*.py", "--include", "*.txt", "--exclude", "c/**", good}, 0, "", treetest.Tree{"a.py": "a", "b.txt": "b"}},
		{"refused", []string{"--out", "OUT", good, evil}, 1, "unpack: " + evil + `: member "../evil": ".." component leads out of its folder` + "\n", nil},
		{"limit", []string{"--out", "OUT", "--max-members", "2", good}, 1, "more than 2 members", nil},
		{"missing", []string{"--out", "OUT", "no-such.whl"}, 1, "unpack: open no-such.whl:", nil},
		{"no out", []string{good}, 2, `required flag(s) "out" not set (see unpack --help)`, nil},
		{"no file", []string{"--out", "OUT"}, 2, "requires at least 1 arg", nil},
		{"unknown flag", []string{"--force", good}, 2, "unknown flag: --force (see unpack --help)", nil},
		{"bad strip", []string{"--out", "OUT", "--strip", "-1", good}, 2, "--strip -1: must not be negative", nil},
		{"bad pattern", []string{"--out", "OUT", "--include", "[", good}, 1, `pattern "[" is malformed`, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			args := strings.Split(strings.ReplaceAll(strings.Join(tc.args, "\n"), "OUT", out), "\n")
			var stdout, stderr bytes.Buffer
			if code := run(args, &stdout, &stderr); code != tc.code {
				t.Errorf("exit code %d, want %d", code, tc.code)
			}
			if !strings.Contains(stderr.String(), tc.stderr) || (tc.code != 0) != (strings.Count(stderr.String(), "\n") == 1) {
				t.Errorf("stderr %q, want one message with %q", stderr.String(), tc.stderr)
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout %q", stdout.String())
			}
			if diff := cmp.Diff(tc.want, treetest.Read(t, out)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestHelpNamesExitCodes(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run([]string{"--help"}, &stdout, &stderr); code != 0 || stderr.Len() > 0 {
		t.Fatalf("exit code %d, stderr %q", code, stderr.String())
	}
	for _, want := range []string{"Exit codes:", "  0 ", "  1 ", "  2 ", "--max-ratio"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("help lacks %q", want)
		}
	}
}
