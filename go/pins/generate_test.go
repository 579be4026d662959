package pins

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bazelbuild/buildtools/build"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files of testdata anew")

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// sample returns testdata/pins.json, which has one pin of each kind of source, as a repository.
func sample(t *testing.T) fstest.MapFS {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "pins.json"))
	if err != nil {
		t.Fatal(err)
	}
	wheels, err := os.ReadFile(filepath.Join("testdata", "wheels.BUILD.bazel"))
	if err != nil {
		t.Fatal(err)
	}
	fsys := withFile(string(text))
	fsys["patches/soxr/0001-static-version.patch"] = &fstest.MapFile{}
	fsys[WheelsFile] = &fstest.MapFile{Data: wheels}
	return fsys
}

func generate(t *testing.T, fsys fstest.MapFS) string {
	t.Helper()
	f, err := Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Generate(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestGenerate(t *testing.T) {
	golden(t, "repositories.bzl.golden", generate(t, sample(t)))
}

// What is written is what buildifier would make of it.
func TestGenerateIsFormatted(t *testing.T) {
	for name, fsys := range map[string]fstest.MapFS{"sample": sample(t), "no pin": repository(), "one pin": repository(soxr)} {
		text := generate(t, fsys)
		parsed, err := build.ParseBzl(RepositoriesFile, []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(string(build.Format(parsed)), text); diff != "" {
			t.Errorf("%s (-buildifier +have):\n%s", name, diff)
		}
	}
}

// What is only for people changes nothing that is generated, so it re-runs no action.
func TestGenerateIgnoresNotes(t *testing.T) {
	fsys := sample(t)
	before := generate(t, fsys)
	text := string(fsys[PinsFile].Data)
	for _, c := range []struct{ old, new string }{
		{`"note": "Not fetched yet."`, `"note": "Fetched | \"quoted\" \n now."`},
		{`"needs a GPU"`, `"needs two GPUs"`},
		{`"upstream ships it"`, `"upstream ships both"`},
		{`"since": "0.2.1"`, `"since": "0.2.0"`},
		{`"not released"`, `"still not released"`},
	} {
		text = change(t, text, c.old, c.new)
	}
	fsys[PinsFile] = &fstest.MapFile{Data: []byte(text)}
	if diff := cmp.Diff(before, generate(t, fsys)); diff != "" {
		t.Errorf("repositories.bzl changed:\n%s", diff)
	}
}

func TestGenerateIgnoresOrder(t *testing.T) {
	if diff := cmp.Diff(generate(t, repository(soxr, zig)), generate(t, repository(zig, soxr))); diff != "" {
		t.Errorf("repositories.bzl depends on the order of the pins:\n%s", diff)
	}
}

// A platform that is blocked is none that BUILD files build for.
func TestGenerateBlocked(t *testing.T) {
	text := generate(t, repository(change(t, soxr, `"build"`, `"blocked": {"win_arm64": "x"}, "build"`)))
	if !strings.Contains(text, "platforms = [],") {
		t.Errorf("no empty list of platforms in:\n%s", text)
	}
}
