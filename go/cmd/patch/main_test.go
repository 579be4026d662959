package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/treetest"
)

const (
	good    = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
	shifted = "--- a/f\n+++ b/f\n@@ -7,2 +7,2 @@\n one\n-two\n+2\n"
	wrong   = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n ONE\n-two\n+2\n"
)

var files = treetest.Tree{
	"src/f":         "one\ntwo\nthree\n",
	"good.patch":    good,
	"shifted.patch": shifted,
	"wrong.patch":   wrong,
	"empty.patch":   "",
}

func TestRun(t *testing.T) {
	for _, tc := range []struct {
		name    string
		args    string // separated by blanks; run in the folder of files
		code    int
		stderr  string
		changes treetest.Tree // files that appear or change
	}{
		{"apply", "apply --src src --out out good.patch", 0, "", treetest.Tree{"out/f": "one\n2\nthree\n"}},
		{"apply, not", "apply --src src --out out wrong.patch", 1,
			`patch: wrong.patch:3: hunk 1/1 of f: does not apply at line 1: line 1 should be "ONE", but is "one"; the hunk's text stands nowhere in the file` + "\n", nil},
		{"apply, second not", "apply --src src --out out good.patch good.patch", 1,
			`patch: good.patch:3: hunk 1/1 of f: does not apply at line 1: line 2 should be "two", but is "2"; the patched text stands at line 1 already: this version may have the change` + "\n", nil},
		{"apply, shifted", "apply --src src --out out shifted.patch", 1,
			`patch: shifted.patch:3: hunk 1/1 of f: expected at line 7, identical text at line 1; line 7 is beyond the end (the file has 3 lines), the hunk starts with "one"` +
				"; accept it with --allow-offset, or write shifted.patch with the right line numbers: patch refresh --src TREE --out FOLDER shifted.patch\n", nil},
		{"apply, shifted, refreshed", "apply --src src --out out --refreshed-out new.patch shifted.patch", 1,
			"patch: note: shifted.patch with the right line numbers is in new.patch\npatch: shifted.patch:3: hunk 1/1 of f: expected at line 7, ",
			treetest.Tree{"new.patch": good}},
		{"apply, shifted, allowed", "apply --src src --out out --allow-offset shifted.patch", 0,
			"patch: note: shifted.patch:3: hunk 1/1 of f: expected at line 7, applied at line 1\n", treetest.Tree{"out/f": "one\n2\nthree\n"}},
		{"apply, malformed", "apply --src src --out out empty.patch", 2,
			"patch: empty.patch: patch touched no file: it holds no unified diff (no hunk, no rename, no mode change)\n", nil},
		{"apply, wrong strip", "apply --src src --out out --strip 0 good.patch", 1,
			"patch: good.patch:1: b/f: patch touched no file: b/f is not in the tree (strip 0), but f is: strip 1?\n", nil},
		{"apply, no such patch", "apply --src src --out out no.patch", 3, "patch: open no.patch: ", nil},
		{"apply, no such tree", "apply --src no --out out good.patch", 3, "patch: ", nil},
		{"apply, output not empty", "apply --src src --out src good.patch", 3, "patch: output folder src is not empty\n", nil},
		{"check", "check --src src good.patch", 0, "", nil},
		{"check, not", "check --src src wrong.patch", 1, "patch: wrong.patch:3: ", nil},
		{"check, shifted, allowed, refreshed", "check --src src --allow-offset --refreshed-out new.patch shifted.patch", 0,
			"patch: note: shifted.patch:3: hunk 1/1 of f: expected at line 7, applied at line 1\npatch: note: shifted.patch with the right line numbers is in new.patch\n",
			treetest.Tree{"new.patch": good}},
		{"refresh", "refresh --src src --out new shifted.patch", 0, "", treetest.Tree{"new/shifted.patch": good}},
		{"refresh in place", "refresh --src src --out . shifted.patch", 0, "", treetest.Tree{"shifted.patch": good}},
		{"refresh, not", "refresh --src src --out . wrong.patch", 1, "patch: wrong.patch:3: ", nil},
		{"no command", "", 2, "patch: say apply, check, refresh or new (see patch --help)\n", nil},
		{"unknown command", "aply", 2, `patch: unknown command "aply" for "patch"`, nil},
		{"no patches", "apply --src src --out out", 2, "patch: requires at least 1 arg(s), only received 0 (see patch --help)\n", nil},
		{"no out", "apply --src src good.patch", 2, `patch: required flag(s) "out" not set (see patch --help)` + "\n", nil},
		{"bad strip", "check --src src --strip -1 good.patch", 2, "patch: --strip -1: must not be negative (see patch --help)\n", nil},
		{"fuzz", "apply --fuzz 2 --src src --out out good.patch", 2, "patch: unknown flag: --fuzz (see patch --help)\n", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Chdir(treetest.Write(t, files))
			var stdout, stderr bytes.Buffer
			if code := run(strings.Fields(tc.args), &stdout, &stderr); code != tc.code {
				t.Errorf("exit code %d, want %d", code, tc.code)
			}
			got := filepath.ToSlash(stderr.String())
			if !strings.HasPrefix(got, tc.stderr) || strings.HasSuffix(tc.stderr, "\n") && got != tc.stderr || tc.stderr == "" && got != "" {
				t.Errorf("stderr: -want +got\n%s", cmp.Diff(tc.stderr, got))
			}
			messages := strings.Count(got, "\n") - strings.Count(got, "patch: note: ")
			if want := min(tc.code, 1); messages != want {
				t.Errorf("%d messages beside notes, want %d: %s", messages, want, got)
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout %q", stdout.String())
			}
			want := treetest.Tree{}
			for _, tree := range []treetest.Tree{files, tc.changes} {
				for name, data := range tree {
					want[name] = data
				}
			}
			if diff := cmp.Diff(want, treetest.Read(t, ".")); diff != "" {
				t.Errorf("files: -want +got\n%s", diff)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	for _, tc := range []struct {
		args []string
		want []string
	}{
		{[]string{"--help"}, []string{"Exit codes:", "  0 ", "  1 ", "  2 ", "  3 ", "apply", "check", "refresh"}},
		{[]string{"apply", "--help"}, []string{"--src", "--out", "--strip", "--allow-offset", "--refreshed-out"}},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(tc.args, &stdout, &stderr); code != 0 || stderr.Len() > 0 {
			t.Fatalf("exit code %d, stderr %q", code, stderr.String())
		}
		for _, want := range tc.want {
			if !strings.Contains(stdout.String(), want) {
				t.Errorf("%v lacks %q", tc.args, want)
			}
		}
	}
}
