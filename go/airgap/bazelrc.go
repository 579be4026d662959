package airgap

import (
	"fmt"
	"path/filepath"
	"strings"
)

// bazelrc is the text that the workspace's .bazelrc try-imports, after its own sandbox mounts: of two mounts with one
// target the later counts.
func bazelrc(c Config, g *graph, mounts [][2]string) string {
	var b strings.Builder
	fmt.Fprintln(&b, "# Written by go/cmd/airgap (./bazelw runs it when its inputs change). Delete the folder to write it anew.")
	fmt.Fprintf(&b, "common --registry=%s\n", fileURL(filepath.Join(c.Out, "registry")))
	for _, name := range g.usedOverrides() {
		fmt.Fprintf(&b, "common --override_module=%s=%s\n", name, g.overrides[name])
	}
	for _, m := range mounts {
		fmt.Fprintf(&b, "build --sandbox_add_mount_pair=%s:%s\n", m[1], m[0])
	}
	fmt.Fprintf(&b, "build --disk_cache=%s\n", c.DiskCache)
	// Debian's system bazelrc turns this on, which leaves every failed sandbox on the disk.
	fmt.Fprintln(&b, "build --nosandbox_debug")
	return b.String()
}
