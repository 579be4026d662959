// Command airgap writes the registry, overrides and bazelrc that let Bazel resolve this workspace's modules where only
// package registries can be reached. ./bazelw runs it; see docs/air-gap.md.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/airgap"
)

const long = `Write the folder that .bazelrc try-imports from (.airgap): a file registry with rules_go and
Gazelle from the Go module proxy, the Go SDK from the same place, hollow entries for modules
that are named but not loaded, and overrides for the modules that the system's Bazel brings.

MODULE.bazel is read, never changed. The folder appears complete or not at all.

Exit codes:
  0  written
  1  something could not be fetched or read; the message says what
  2  wrong flags`

func main() {
	c := airgap.Config{Log: func(f string, a ...any) { fmt.Fprintf(os.Stderr, "airgap: "+f+"\n", a...) }}
	cmd := &cobra.Command{
		Use:           "airgap --workspace DIR --out DIR --cache DIR",
		Short:         "write what Bazel needs without the Bazel Central Registry",
		Long:          long,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	usage := false
	cmd.RunE = func(*cobra.Command, []string) error {
		usage = true
		for _, p := range []*string{&c.Workspace, &c.Out, &c.Cache, &c.DiskCache} {
			abs, err := filepath.Abs(*p)
			if err != nil {
				return err
			}
			*p = abs
		}
		if err := os.MkdirAll(c.Cache, 0o755); err != nil {
			return err
		}
		return airgap.Write(c)
	}
	f := cmd.Flags()
	f.StringVar(&c.Workspace, "workspace", ".", "folder of MODULE.bazel")
	f.StringVar(&c.Out, "out", ".airgap", "folder to write; replaced")
	f.StringVar(&c.Cache, "cache", "", "folder that keeps downloads and the vendored Gazelle (required)")
	f.StringVar(&c.DiskCache, "disk-cache", "", "folder of Bazel's disk cache (required)")
	f.StringSliceVar(&c.SystemModules, "system-modules", []string{"/usr/share/bazel/rules", "/usr/share/bazel/tools"}, "folders of modules that the system's Bazel brings")
	f.StringVar(&c.BazelTools, "bazel-tools", "/usr/share/bazel/embedded_tools/MODULE.bazel", "MODULE.bazel of Bazel's embedded tools")
	f.StringVar(&c.Go, "go", "go", "the go command")
	f.StringVar(&c.Key, "key", "", "text to keep in the file key of the folder, by which a caller knows that it is current")
	for _, name := range []string{"cache", "disk-cache"} {
		cobra.CheckErr(cmd.MarkFlagRequired(name))
	}
	if err := cmd.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "airgap:", err)
		if !usage {
			os.Exit(2)
		}
		os.Exit(1)
	}
}
