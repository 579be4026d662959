package airgap

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMain lets the test binary stand in for the go command: with FAKE_GO_ZIPS set it answers `mod download` from the
// zips of that folder and `mod vendor` with one vendored file.
func TestMain(m *testing.M) {
	zips := os.Getenv("FAKE_GO_ZIPS")
	if zips == "" {
		os.Exit(m.Run())
	}
	switch strings.Join(os.Args[1:3], " ") {
	case "mod download":
		file := filepath.Join(zips, strings.ReplaceAll(os.Args[4], "/", "!")+".zip")
		if _, err := os.Stat(file); err != nil {
			fmt.Printf(`{"Error": "unknown module %s"}`, os.Args[4])
			os.Exit(1)
		}
		json.NewEncoder(os.Stdout).Encode(map[string]string{"Zip": file})
	case "mod vendor":
		os.MkdirAll("vendor/x", 0o755)
		os.WriteFile("vendor/x/x.go", []byte("package x\n"), 0o644)
	}
}

const (
	rulesGoModule = `module(
    name = "rules_go",
    compatibility_level = 0,
)

bazel_dep(name = "protobuf", version = "29.0")
bazel_dep(name = "gazelle", version = "0.36.0")
bazel_dep(name = "only_for_tests", version = "1", dev_dependency = True)

go_sdk = use_extension("//go:extensions.bzl", "go_sdk")
go_sdk.from_file(
    name = "go_default_sdk",
    go_mod = "//:go.mod",
)
register_toolchains("@go_toolchains//:all")
`
	gazelleModule = `module(name = "gazelle", version = "")

bazel_dep(name = "rules_go", version = "0.50.1")
`
)

// fixture is a workspace that names rules_go, gazelle, an overridden module and one that is to be had nowhere.
func fixture(t *testing.T) Config {
	t.Helper()
	d := t.TempDir()
	put := func(name, text string) string {
		p := filepath.Join(d, filepath.FromSlash(name))
		if err := writeFile(p, text); err != nil {
			t.Fatal(err)
		}
		return p
	}
	put("ws/MODULE.bazel", `module(name = "ws")
bazel_dep(name = "rules_go", version = "0.60.0")
bazel_dep(name = "gazelle", version = "0.42.0")
bazel_dep(name = "bazel_lib", version = "3.7.2")
`)
	put("sys/lib/MODULE.bazel", `module(name = "bazel_lib", version = "3.7.2")
IS_RELEASE = True
bazel_dep(name = "zstd", version = "1.5")
bazel_dep(name = "rules_go", version = "9.9.9", dev_dependency = IS_RELEASE)
`)
	put("sys/unused/MODULE.bazel", `module(name = "unused")`)
	tools := put("tools/MODULE.bazel", `module(name = "bazel_tools")
bazel_dep(name = "zlib", version = "1.3.1.bcr.3")
`)
	zips := filepath.Join(d, "zips")
	putZip(t, zips, "github.com/bazelbuild/rules_go@v0.60.0", map[string]string{"MODULE.bazel": rulesGoModule, "go.mod": "module x\n\ngo 1.1.0\n\ntoolchain go1.2.3\n"})
	putZip(t, zips, "github.com/bazelbuild/bazel-gazelle@v0.42.0", map[string]string{"MODULE.bazel": gazelleModule, "cmd/main.go": "package main\n"})
	putZip(t, zips, "golang.org/toolchain@v0.0.1-go1.2.3."+runtime.GOOS+"-"+runtime.GOARCH, map[string]string{"bin/go": "go"})
	t.Setenv("FAKE_GO_ZIPS", zips)
	cache := filepath.Join(d, "cache")
	if err := os.Mkdir(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	// The go command runs in other folders, and Bazel starts tests by a relative path.
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Workspace: filepath.Join(d, "ws"), Out: filepath.Join(d, "ws", ".airgap"), Cache: cache, DiskCache: filepath.Join(d, "disk"), Key: "k1",
		SystemModules: []string{filepath.Join(d, "sys")}, BazelTools: tools,
		Go: self, Log: t.Logf,
	}
}

func putZip(t *testing.T, dir, prefix string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, strings.ReplaceAll(prefix, "/", "!")+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for name, text := range files {
		w, err := z.Create(prefix + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

func list(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(dir, p)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(out)
	return out
}

func TestWriteRegistry(t *testing.T) {
	c := fixture(t)
	if err := Write(c); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"bazel_registry.json",
		"modules/gazelle/0.36.0/MODULE.bazel", "modules/gazelle/0.36.0/source.json",
		"modules/gazelle/0.42.0/MODULE.bazel", "modules/gazelle/0.42.0/source.json",
		"modules/protobuf/29.0/MODULE.bazel", "modules/protobuf/29.0/source.json",
		"modules/rules_go/0.50.1/MODULE.bazel", "modules/rules_go/0.50.1/source.json",
		"modules/rules_go/0.60.0/MODULE.bazel", "modules/rules_go/0.60.0/source.json",
		"modules/zlib/1.3.1.bcr.3/MODULE.bazel", "modules/zlib/1.3.1.bcr.3/source.json",
		"modules/zstd/1.5/MODULE.bazel", "modules/zstd/1.5/source.json",
	}
	if d := cmp.Diff(want, list(t, filepath.Join(c.Out, "registry"))); d != "" {
		t.Errorf("registry (-want +got):\n%s", d)
	}
	for _, f := range []string{"key", "airgap.bazelrc", "hollow/zstd/1.5/BUILD.bazel", "sandbox/bin/sh"} {
		if _, err := os.Stat(filepath.Join(c.Out, f)); err != nil {
			t.Error(err)
		}
	}
}

func TestEveryVersionOfAGoModuleHasOneSource(t *testing.T) {
	c := fixture(t)
	if err := Write(c); err != nil {
		t.Fatal(err)
	}
	read := func(v string) (a archive) {
		b, err := os.ReadFile(filepath.Join(c.Out, "registry/modules/gazelle", v, "source.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	if d := cmp.Diff(read("0.36.0"), read("0.42.0")); d != "" {
		t.Errorf("sources differ:\n%s", d)
	}
	if a := read("0.42.0"); !strings.HasSuffix(a.URL, "bazel-gazelle-v0.42.0-vendored.tar") || a.StripPrefix != "module" {
		t.Errorf("gazelle's source is not the vendored tar: %+v", a)
	}
}

func TestModuleFileOfRulesGo(t *testing.T) {
	c := fixture(t)
	if err := Write(c); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(c.Out, "registry/modules/rules_go/0.50.1/MODULE.bazel"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`version = "0.50.1"`, "go_sdk.download(", `name = "go_default_sdk"`, `version = "1.2.3"`,
		"golang.org/toolchain@v0.0.1-go1.2.3.", `register_toolchains("@go_toolchains//:all")`,
	} {
		if !strings.Contains(string(b), want) {
			t.Errorf("MODULE.bazel lacks %q:\n%s", want, b)
		}
	}
	if strings.Contains(string(b), "from_file") {
		t.Errorf("the SDK from Go's own site is still there:\n%s", b)
	}
}

func TestBazelrcNamesOnlyOverridesOfTheGraph(t *testing.T) {
	c := fixture(t)
	if err := Write(c); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(c.Out, "airgap.bazelrc"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "--override_module=bazel_lib=" + filepath.Join(c.SystemModules[0], "lib"); !strings.Contains(string(b), want) {
		t.Errorf("no %s in\n%s", want, b)
	}
	if strings.Contains(string(b), "unused") {
		t.Errorf("an override for a module that nothing depends on makes Bazel fail:\n%s", b)
	}
}

func TestFailureLeavesWhatWasThere(t *testing.T) {
	c := fixture(t)
	if err := Write(c); err != nil {
		t.Fatal(err)
	}
	before := list(t, c.Out)
	sdk := "golang.org/toolchain@v0.0.1-go1.2.3." + runtime.GOOS + "-" + runtime.GOARCH
	if err := os.Remove(filepath.Join(os.Getenv("FAKE_GO_ZIPS"), strings.ReplaceAll(sdk, "/", "!")+".zip")); err != nil {
		t.Fatal(err)
	}
	c.Key = "k2"
	err := Write(c)
	if err == nil || !strings.Contains(err.Error(), sdk) {
		t.Fatalf("error %v, want one that names the module", err)
	}
	if d := cmp.Diff(before, list(t, c.Out)); d != "" {
		t.Errorf("the old folder changed:\n%s", d)
	}
	if d := cmp.Diff([]string{".airgap", "MODULE.bazel"}, names(t, c.Workspace)); d != "" {
		t.Errorf("something was left beside it:\n%s", d)
	}
}

func TestWriteReplacesTheFolder(t *testing.T) {
	c := fixture(t)
	for _, f := range []string{c.Out + "/stale", c.Out + "-123/interrupted"} {
		if err := writeFile(f, ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(c); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(c.Out, "stale")); err == nil {
		t.Error("a file of the old folder is still there")
	}
	if d := cmp.Diff([]string{".airgap", "MODULE.bazel"}, names(t, c.Workspace)); d != "" {
		t.Errorf("what an interrupted call left is still there:\n%s", d)
	}
	b, _ := os.ReadFile(filepath.Join(c.Out, "key"))
	if string(b) != "k1\n" {
		t.Errorf("key is %q", b)
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}
