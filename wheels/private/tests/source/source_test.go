// Package source_test reads what source_tree has built, and runs its tools on
// input that must fail the build as the rule would run them.
package source_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/google/go-cmp/cmp"
)

var licence = strings.Repeat("/* licence */\n", 40)

// file returns the path of what the BUILD file calls by the variable.
func file(t *testing.T, variable string) string {
	t.Helper()
	path, err := runfiles.Rlocation("_main/" + os.Getenv(variable))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// tree returns a folder's files. Bazel may make links of them to its cache, so
// links to files are read; a link to a folder would be a member's.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestTrees(t *testing.T) {
	const info = "Name: greeter\nVersion: 1.0\n"
	for variable, want := range map[string]map[string]string{
		"UNPATCHED": {
			"PKG-INFO": info, "README": info, "src/old.h": "#pragma once\n",
			"src/greeting.c": licence + "const char *greeting = \"hello\";\nint times = 1;\n",
		},
		"GREETER": {
			"PKG-INFO": info, "README": info, "include/new.h": "#pragma once\n", "CHANGES": "three times\n",
			"src/greeting.c": licence + "const char *greeting = \"HELLO\";\nint times = 3;\n",
		},
		"MOVED": {
			"PKG-INFO": info, "README": info, "src/old.h": "#pragma once\n",
			"src/greeting.c": licence + "const char *greeting = \"HELLO\";\nint times = 1;\n",
		},
	} {
		t.Run(variable, func(t *testing.T) {
			if diff := cmp.Diff(want, tree(t, file(t, variable))); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	moved := file(t, "MOVED_PATCH")
	for _, tc := range []struct {
		name, tool string
		args       []string
		want       string
	}{
		{"member that Windows cannot hold", "UNPACK", []string{"--strip", "1", file(t, "ARCHIVE")},
			"unpack: " + file(t, "ARCHIVE") + `: member "greeter-1.0/tests/a:b": Windows cannot hold ':' in a name`},
		{"moved text, no offset allowed", "PATCH", []string{"apply", "--src", file(t, "UNPATCHED"), "--strip", "1", moved},
			"patch: " + moved + ":7: hunk 1/1 of src/greeting.c: expected at line 1, identical text at line 41; " +
				`line 1 is "/* licence */", the hunk starts with "const char *greeting = \"hello\";"; accept it with --allow-offset, ` +
				"or write " + moved + " with the right line numbers: patch refresh --src TREE --out FOLDER " + moved},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out := t.TempDir() // Bazel, too, makes the folder before the action runs
			cmd := exec.Command(file(t, tc.tool), append(tc.args, "--out", out)...)
			stderr, err := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); err == nil || code != 1 {
				t.Errorf("exit code %d, %v", code, err)
			}
			if diff := cmp.Diff(tc.want+"\n", string(stderr)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if got := tree(t, out); len(got) > 0 {
				t.Errorf("left behind: %v", got)
			}
		})
	}
}
