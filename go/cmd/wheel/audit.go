package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/audit"
	"github.com/sparkwheels/sparkwheels/go/stage"
)

func (t *tool) audit() *cobra.Command {
	var platform, policyFile, report, in, out string
	var options audit.Options
	cmd := &cobra.Command{
		Use:   "audit --policy POLICY.json --in WHEEL [--report REPORT.json] [--out WHEEL] [flags]",
		Short: "Refuse a wheel that must not be published",
		Long: `audit checks a wheel against the policy of its platform: file name, METADATA and
WHEEL agree; RECORD is true and complete; the zip file is clean; every native
member has the platform's machine, loads only what the platform or the wheel
has, and remembers no folder of the build; every extension module has its
PyInit_ function and the right suffix; the glibc floor is the tag's; device code
is there for each GPU that --sm names; nothing inside is NVIDIA's or
Microsoft's. docs/audit.md explains each message.

Everything that is wrong is told together. The report and the copy of the wheel
are written only when nothing is.`,
		Args:                  cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE: t.do(func([]string) error {
			policy, err := audit.ReadPolicy(policyFile)
			if err != nil {
				return err
			}
			if platform != "" && platform != policy.Platform {
				return fmt.Errorf("policy %s is for %s and not for %s", policyFile, policy.Platform, platform)
			}
			seen, problems, err := audit.Run(in, policy, options)
			if err = errors.Join(err, problems.Err()); err != nil {
				return err
			}
			return writeAudited(in, out, report, seen)
		}),
	}
	f := cmd.Flags()
	f.StringVar(&platform, "platform", "", "platform that the policy must be for")
	f.StringVar(&policyFile, "policy", "", "policy file, such as wheels/policy/win_arm64.json")
	f.StringVar(&in, "in", "", "wheel to check")
	f.StringVar(&report, "report", "", "JSON file to write with what was seen")
	f.StringVar(&out, "out", "", "copy of the wheel to write when it passes")
	f.StringArrayVar(&options.Imports, "allow-import", nil, "library that another package brings, * as wildcard; repeatable")
	f.StringArrayVar(&options.Libraries, "library-member", nil, "member that looks like an extension module and is none, * as wildcard; repeatable")
	f.StringArrayVar(&options.Paths, "allow-path", nil, "member that may hold build paths as plain text, * as wildcard; repeatable")
	f.StringArrayVar(&options.Device, "sm", nil, "device code that every native member must hold, such as sm_121 or compute_121; repeatable")
	f.StringArrayVar(&options.HostMembers, "host-member", nil, "native member that holds no device code, * as wildcard; repeatable")
	f.BoolVar(&options.Upstream, "upstream", false, "the wheel is upstream's own: do not judge what only matters of wheels that are built here")
	return require(cmd, "policy", "in")
}

// writeAudited writes the report and the copy, or neither.
func writeAudited(in, out, report string, seen *audit.Report) (err error) {
	if report != "" {
		if err := stage.File(report, seen.JSON()); err != nil {
			return err
		}
		defer func() {
			if err != nil {
				err = errors.Join(err, os.Remove(report))
			}
		}()
	}
	if out == "" {
		return nil
	}
	source, err := os.Open(in)
	if err != nil {
		return err
	}
	defer source.Close()
	return stage.Stream(out, func(w io.Writer) error {
		_, err := io.Copy(w, source)
		return err
	})
}
