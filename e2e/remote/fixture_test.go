//go:build linux

package remote

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/machine"
)

// actions is how many actions the small workspace has: seven in a chain.
const actions = 7

// rules is the small workspace's BUILD file and rule: each action adds 200 kB to a copy of what the one before it made.
const rules = `
def _link_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.run_shell(
        outputs = [out],
        inputs = ctx.files.before,
        command = "{ cat %s /dev/null; i=0; while [ $i -lt 2000 ]; do echo %s 0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123; i=$((i+1)); done; } > %s; sleep %s" % (
            " ".join([f.path for f in ctx.files.before]), ctx.label.name, out.path, ctx.attr.seconds),
        mnemonic = "Link",
    )
    return [DefaultInfo(files = depset([out]))]

link = rule(implementation = _link_impl, attrs = {"before": attr.label_list(allow_files = True), "seconds": attr.string(default = "0")})
`

// newFixture is a machine with a workspace of seven actions and the project's own remote.bazelrc. Faults are tested on
// it because they are about servers, not about what is built.
func newFixture(t *testing.T, seconds string) *client {
	t.Helper()
	base, err := os.MkdirTemp("/tmp", "fixture-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	ws := filepath.Join(base, "ws")
	root := sourceRoot(t)
	for _, name := range []string{"remote.bazelrc", ".bazelversion"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(ws, name), string(data))
	}
	// The same modules as the project's, so that the same registry and overrides fit.
	data, err := os.ReadFile(filepath.Join(root, "MODULE.bazel"))
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(line, "bazel_dep(") || strings.HasPrefix(line, "module(") {
			text += line + "\n"
		}
	}
	write(t, filepath.Join(ws, "MODULE.bazel"), text)
	write(t, filepath.Join(ws, "airgap.bazelrc"), airgap(t))
	write(t, filepath.Join(ws, ".bazelrc"), "common --lockfile_mode=off\nbuild --incompatible_strict_action_env\n"+
		"import %workspace%/remote.bazelrc\nimport %workspace%/airgap.bazelrc\nbuild --disk_cache=\n")
	write(t, filepath.Join(ws, "link.bzl"), rules)
	build := "load(\":link.bzl\", \"link\")\n\npackage(default_visibility = [\"//visibility:public\"])\n\n"
	for i, name := range strings.Split("abcdefg", "") {
		before := `"source.txt"`
		if i > 0 {
			before = `":` + string(name[0]-1) + `"`
		}
		build += `link(name = "` + name + `", before = [` + before + `], seconds = "` + seconds + "\")\n"
	}
	write(t, filepath.Join(ws, "BUILD.bazel"), build)
	write(t, filepath.Join(ws, "source.txt"), "source\n")
	spec := machine.Spec{Host: "fixture", User: 4713, Network: airgap(t) == "",
		Env: append(machine.Environment(), "PATH=/usr/bin:/bin", "HOME="+base, "USER=fixture")}
	return newClient(t, spec, ws, filepath.Join(base, "out"))
}

// output is the content of what target made.
func (c *client) output(name string) string {
	c.t.Helper()
	data, err := os.ReadFile(filepath.Join(c.ws, "bazel-bin", name+".txt"))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(data)
}
