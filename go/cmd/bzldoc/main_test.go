package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// message is a ModuleInfo of a file without exports.
func message(file, doc string) string {
	data := protowire.AppendString(protowire.AppendTag(nil, 6, protowire.BytesType), file)
	return string(protowire.AppendString(protowire.AppendTag(data, 5, protowire.BytesType), doc))
}

func TestRun(t *testing.T) {
	const build = "\"\"\"Machines.\"\"\"\n"
	for name, c := range map[string]struct {
		files   map[string]string
		args    []string
		code    int
		message string
		page    string
	}{
		"modules": {
			files: map[string]string{"a.binaryproto": message("//a:a.bzl", "One."), "b.binaryproto": message("//b:b.bzl", "Two.")},
			args:  []string{"b.binaryproto", "a.binaryproto"},
			page: "<!-- Generated from docstrings by \"make\"; do not edit. -->\n\n# Title\n" +
				"\n## `//b:b.bzl`\n\nTwo.\n\n## `//a:a.bzl`\n\nOne.\n",
		},
		"BUILD file": {
			files: map[string]string{"BUILD.bazel": build},
			args:  []string{"BUILD.bazel"},
			page: "<!-- Generated from docstrings by \"make\"; do not edit. -->\n\n# Title\n\nMachines.\n" +
				"\n| target | kind | attributes | |\n| --- | --- | --- | --- |\n",
		},
		"no docstring": {
			files:   map[string]string{"a.binaryproto": message("//a:a.bzl", "")},
			args:    []string{"a.binaryproto"},
			code:    1,
			message: "no docstring: //a:a.bzl",
		},
		"no message": {
			files:   map[string]string{"a.binaryproto": "<html>"},
			args:    []string{"a.binaryproto"},
			code:    1,
			message: "a.binaryproto: this is no stardoc_output.ModuleInfo",
		},
		"two BUILD files": {
			files:   map[string]string{"BUILD.bazel": build, "BUILD": build},
			args:    []string{"BUILD.bazel", "BUILD"},
			code:    2,
			message: "BUILD.bazel: a BUILD file is the only FILE of its page (see bzldoc --help)",
		},
		"no FILE":      {code: 2, message: "see bzldoc --help"},
		"missing FILE": {args: []string{"absent.binaryproto"}, code: 3, message: "absent.binaryproto"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for file, text := range c.files {
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			var stderr bytes.Buffer
			out := filepath.Join(t.TempDir(), "page.md")
			code := run(append([]string{"--out", out, "--title", "Title", "--command", "make"}, c.args...), &stderr)
			if code != c.code || !strings.Contains(stderr.String(), c.message) || (c.message == "") != (stderr.Len() == 0) {
				t.Errorf("code %d, want %d; stderr: %s", code, c.code, stderr.String())
			}
			got, err := os.ReadFile(out)
			if (err == nil) != (c.page != "") || string(got) != c.page {
				t.Errorf("page, error %v:\n%s", err, got)
			}
		})
	}
}

func TestFlagsAreRequired(t *testing.T) {
	var stderr bytes.Buffer
	if code := run([]string{"--out", "x", "a.binaryproto"}, &stderr); code != 2 || !strings.Contains(stderr.String(), `"command", "title"`) {
		t.Errorf("code %d: %s", code, stderr.String())
	}
}
