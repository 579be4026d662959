package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const name = "fast-1.0-py3-none-any.whl"

// call runs the command as bazel run would, with one wheel in the runfiles.
func call(t *testing.T, workspace string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	tree := t.TempDir()
	for file, text := range map[string]string{"wheels/list.txt": "_main/wheels/" + name + "\n", "wheels/" + name: "a wheel"} {
		file = filepath.Join(tree, "_main", file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("RUNFILES_DIR", tree)
	t.Setenv("RUNFILES_MANIFEST_FILE", "")
	environment := map[string]string{listVariable: "_main/wheels/list.txt", workspaceVariable: workspace, workingVariable: filepath.Join(workspace, "sub")}
	var out, err bytes.Buffer
	code = run(args, func(key string) string { return environment[key] }, &out, &err)
	return code, out.String(), err.String()
}

func TestFolders(t *testing.T) {
	elsewhere := t.TempDir()
	for _, test := range []struct {
		args []string
		want func(workspace string) string
	}{
		{nil, func(workspace string) string { return filepath.Join(workspace, "dist") }},
		{[]string{"out"}, func(workspace string) string { return filepath.Join(workspace, "sub", "out") }},
		{[]string{elsewhere}, func(string) string { return elsewhere }},
	} {
		workspace := t.TempDir()
		// Twice: the second run replaces what the first one wrote.
		for range 2 {
			code, stdout, stderr := call(t, workspace, test.args...)
			if code != 0 || !strings.HasPrefix(stdout, test.want(workspace)+"\n") {
				t.Fatalf("dist %v: %d %q %q", test.args, code, stdout, stderr)
			}
		}
		var got []string
		entries, err := os.ReadDir(test.want(workspace))
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			got = append(got, entry.Name())
		}
		if diff := cmp.Diff([]string{"SHA256SUMS", name}, got); diff != "" {
			t.Errorf("dist %v (-want +got):\n%s", test.args, diff)
		}
	}
}

func TestErrors(t *testing.T) {
	if code, _, stderr := call(t, "", "x"); code != 2 || stderr != "dist: start it with bazel run //wheels:dist (see dist --help)\n" {
		t.Errorf("without bazel run: %d %q", code, stderr)
	}
	if code, _, stderr := call(t, t.TempDir(), "x", "y"); code != 2 || strings.Count(stderr, "\n") != 1 {
		t.Errorf("with two folders: %d %q", code, stderr)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := call(t, t.TempDir(), file); code != 3 || strings.Count(stderr, "\n") != 1 {
		t.Errorf("into a file: %d %q", code, stderr)
	}
	if code, stdout, _ := call(t, t.TempDir(), "--help"); code != 0 || !strings.Contains(stdout, "Exit codes:") {
		t.Errorf("--help: %d %q", code, stdout)
	}
}
