package affected

import (
	"archive/tar"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
)

// A source tree that unpack makes, and what is made of it.
const rules = `
def _impl(ctx):
    tree = ctx.actions.declare_directory("tree")
    args = ctx.actions.args()
    args.add_all("--out", [tree], expand_directories = False)
    args.add("--strip", 1)
    args.add(ctx.file.src)
    ctx.actions.run(executable = ctx.file.unpack, arguments = [args], inputs = [ctx.file.src], outputs = [tree])
    out = ctx.actions.declare_file("out.txt")
    ctx.actions.run_shell(command = 'cat "$1/version" > "$2"', arguments = [tree.path, out.path], inputs = [tree], outputs = [out])
    return DefaultInfo(files = depset([out]))

after_unpack = rule(_impl, attrs = {
    "src": attr.label(allow_single_file = True),
    "unpack": attr.label(allow_single_file = True),
})
`

// TestSameSize bumps a source by a change that leaves every size as it was: what is made of the tree must be made again.
// Bazel does not see it where the tool gives its files a constant time.
func TestSameSize(t *testing.T) {
	unpack, err := runfiles.Rlocation(os.Getenv("UNPACK"))
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(unpack)
	if err != nil {
		t.Fatal(err)
	}
	ws := t.TempDir()
	command, expunge := start(t)
	t.Cleanup(func() { expunge(ws) })
	for name, text := range map[string]string{
		"MODULE.bazel": module(t), ".bazelrc": "common --lockfile_mode=off\n" + airGap(t), "rules.bzl": rules, "unpack": string(program),
		"BUILD.bazel": "load(\":rules.bzl\", \"after_unpack\")\n\nafter_unpack(\n    name = \"out\",\n    src = \"a.tar.gz\",\n    unpack = \"unpack\",\n)\n",
	} {
		if err := os.WriteFile(filepath.Join(ws, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// A hit in a disk cache would bring files with times of their own.
	build := append(slices.Clone(command[1:]), "build", "--disk_cache=", "//:out")
	for _, version := range []string{"1.71\n", "1.70\n", "1.71\n"} {
		sdist(t, filepath.Join(ws, "a.tar.gz"), version)
		cmd := exec.CommandContext(t.Context(), command[0], build...)
		cmd.Dir = ws
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		got, err := os.ReadFile(filepath.Join(ws, "bazel-bin", "out.txt"))
		if err != nil || string(got) != version {
			t.Errorf("of version %q there is %q, %v", version, got, err)
		}
	}
}

// sdist writes an archive with one file.
func sdist(t *testing.T, name, text string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	compressor := gzip.NewWriter(f)
	archive := tar.NewWriter(compressor)
	if err := archive.WriteHeader(&tar.Header{Name: "a-1/version", Size: int64(len(text)), Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	if _, err := archive.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := compressor.Close(); err != nil {
		t.Fatal(err)
	}
}
