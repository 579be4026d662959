package bzldoc

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
)

var update = flag.Bool("update", false, "write the golden files anew")

const command = "./bazelw run //docs/rules:update"

// sample has one of everything.
func sample() *Module {
	return &Module{
		File: "@@_main//a:defs.bzl",
		Doc:  "Things.\n\n    thing(name = \"a<b\")\n\nA file redist_<n>.json, or `<n>`.",
		Functions: []Function{
			{
				Name: "second",
				Doc:  "Comes second.",
				Parameters: []Parameter{
					{Name: "ctx", Doc: "the context", Mandatory: true},
					{Name: "tree", Doc: "a tree", Mandatory: true, Role: 3},
					{Name: "rest", Doc: "files", Role: roleVarargs},
					{Name: "mode", Doc: "a|b,\n  whatever.\n\n  Second paragraph.", Default: `"a|b"`, Role: 3},
					{Name: "kwargs", Doc: "the rest", Role: roleKwargs},
				},
				Return: Return{Doc: "a File."},
			},
			{
				Name: "first",
				Doc:  "Comes first.",
				Parameters: []Parameter{
					{Name: "args", Doc: "as Bazel 7 has it"},
					{Name: "last", Doc: "after the star", Default: "None"},
					{Name: "kwargs", Doc: "as Bazel 7 has it"},
				},
			},
		},
		Rules: []Rule{{
			Name:     "thing",
			Doc:      "A thing.",
			Provides: ProviderGroup{Names: []string{"ThingInfo"}},
			Attributes: []Attribute{
				{Name: "name", Doc: "A unique name for this target.", Type: typeName, Mandatory: true},
				{Name: "deps", Doc: "What it needs.", Type: 7, Default: "[]", Requires: []ProviderGroup{
					{Names: []string{"ThingInfo", "OtherInfo"}},
					{Names: []string{"LastInfo"}},
				}},
				{Name: "half", Doc: "Which half.", Type: 4, Mandatory: true},
			},
		}},
		RepositoryRules: []RepositoryRule{{
			Name: "thing_file",
			Doc:  "A file.",
			Attributes: []Attribute{
				{Name: "name", Type: typeName, Mandatory: true},
				{Name: "sha256", Doc: "Its hash.", Type: 4, Default: `""`},
				{Name: "repo_mapping", Doc: "Bazel's.", Type: 10},
			},
		}},
		Extensions: []Extension{{
			Name: "things",
			Doc:  "All of them.",
			Tags: []TagClass{{Name: "one", Doc: "One more.", Attributes: []Attribute{{Name: "count", Doc: "How many.", Type: 2, Default: "1"}}}},
		}},
		Providers: []Provider{{Name: "ThingInfo", Doc: "Of a thing.", Fields: []Field{{Name: "tree", Doc: "File: the tree."}}}},
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got), `go test ./go/bzldoc -update` writes it anew:\n%s", name, diff)
	}
}

func TestPage(t *testing.T) {
	got, err := Page("All things", command, []*Module{sample()})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "page.md", got)
}

func TestTargets(t *testing.T) {
	data, err := os.ReadFile("testdata/targets.BUILD.bazel")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Targets("Machines", command, "machines/BUILD.bazel", data)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "targets.md", got)
}

func TestDecode(t *testing.T) {
	want := sample()
	data := encode(t, reflect.ValueOf(want).Elem())
	// A field of a later Bazel version, of each wire type.
	data = protowire.AppendVarint(protowire.AppendTag(data, 1000, protowire.VarintType), 7)
	data = protowire.AppendString(protowire.AppendTag(data, 1001, protowire.BytesType), "new")
	data = protowire.AppendFixed32(protowire.AppendTag(data, 1002, protowire.Fixed32Type), 7)
	data = protowire.AppendFixed64(protowire.AppendTag(data, 1003, protowire.Fixed64Type), 7)
	got, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDecodeRefuses(t *testing.T) {
	whole := encode(t, reflect.ValueOf(sample()).Elem())
	for name, data := range map[string][]byte{
		"empty":           nil,
		"text":            []byte("<html>"),
		"cut off":         whole[:len(whole)-1],
		"other wire type": protowire.AppendVarint(protowire.AppendTag(whole, 6, protowire.VarintType), 1),
		"no file":         protowire.AppendString(protowire.AppendTag(nil, 5, protowire.BytesType), "doc"),
	} {
		if m, err := Decode(data); err == nil {
			t.Errorf("%s: decoded to %+v", name, m)
		}
	}
}

func TestDocstringsAreRequired(t *testing.T) {
	m := sample()
	m.Doc = ""
	m.Functions[0].Doc = " \n"
	m.Functions[0].Parameters[1].Doc = ""
	m.Rules[0].Doc = ""
	m.Rules[0].Attributes[1].Doc = ""
	m.RepositoryRules[0].Attributes[1].Doc = ""
	m.Extensions[0].Doc = ""
	m.Extensions[0].Tags[0].Doc = ""
	m.Extensions[0].Tags[0].Attributes[0].Doc = ""
	m.Providers[0].Doc = ""
	m.Providers[0].Fields[0].Doc = ""
	_, err := Page("All things", command, []*Module{m})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"//a:defs.bzl;",
		"//a:defs.bzl: second;",
		"//a:defs.bzl: second, parameter tree;",
		"//a:defs.bzl: thing;",
		"//a:defs.bzl: thing, attribute deps;",
		"//a:defs.bzl: thing_file, attribute sha256;",
		"//a:defs.bzl: things;",
		"//a:defs.bzl: things.one;",
		"//a:defs.bzl: things.one, attribute count;",
		"//a:defs.bzl: ThingInfo;",
		"//a:defs.bzl: ThingInfo, field tree",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in: %v", want, err)
		}
	}
}

func TestTargetsRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no docstring": "# About\nplatform(name = \"a\")\n",
		"no comment":   "\"\"\"About\"\"\"\nplatform(name = \"a\")\n",
		"no Starlark":  "\"\"\"About\"\"\"\nplatform(name = \n",
	} {
		if page, err := Targets("Machines", command, "machines/BUILD.bazel", []byte(text)); err == nil || !strings.Contains(err.Error(), "machines/BUILD.bazel") {
			t.Errorf("%s: %v, not an error that names the file; page:\n%s", name, err, page)
		}
	}
}
