// Command audit checks any wheel for win_arm64 or linux_aarch64, ours or not,
// against the rules of package audit.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/audit"
	"github.com/sparkwheels/sparkwheels/go/command"
	"github.com/sparkwheels/sparkwheels/go/wheel"
	rules "github.com/sparkwheels/sparkwheels/wheels/policy"
)

const long = `audit checks wheels and prints one line for each finding:

  WHEEL: [NAME] MEMBER: what is wrong; what to do

NAME is stable; docs/audit.md explains each. Nothing is run and nothing is
written. The policy of a wheel's platform is built in: it follows from the
platform tag.

Exit codes:
  0  nothing was found
  1  something was found
  2  the command line is wrong
  3  a wheel cannot be read, or is for another platform`

func main() {
	command.Main(func(args []string) int { return run(args, os.Stdout, os.Stderr) })
}

// found is a wheel's part of the JSON output.
type found struct {
	Wheel    string         `json:"wheel"`
	Policy   string         `json:"policy"`
	Findings wheel.Problems `json:"findings"`
}

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	// What a foreign wheel's GPU code should be is not known here.
	options := audit.Options{AnyDevice: true}
	var ignore []string
	var asJSON bool
	root := &cobra.Command{
		Use: "audit [flags] WHEEL...", Short: "Check any wheel", Long: long,
		Args: cobra.MinimumNArgs(1), DisableFlagsInUseLine: true,
		PreRunE: func(*cobra.Command, []string) error {
			for _, rule := range ignore {
				if !slices.Contains(audit.Rules, rule) {
					return fmt.Errorf("--ignore %s: there is no such finding; docs/audit.md lists them", rule)
				}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, files []string) error {
			all := []found{}
			count := 0
			for _, file := range files {
				one, err := check(file, options, ignore)
				if err != nil {
					return err
				}
				all = append(all, *one)
				count += len(one.Findings)
				if asJSON {
					continue
				}
				for _, finding := range one.Findings {
					fmt.Fprintf(stdout, "%s: [%s] %s\n", one.Wheel, finding.Name, finding)
				}
				if len(one.Findings) == 0 {
					fmt.Fprintf(stdout, "%s: nothing found\n", one.Wheel)
				}
			}
			if asJSON {
				encoder := json.NewEncoder(stdout)
				encoder.SetEscapeHTML(false)
				encoder.SetIndent("", "  ")
				if err := encoder.Encode(all); err != nil {
					return err
				}
			}
			if count > 0 {
				return command.Quiet
			}
			return nil
		},
	}
	f := root.Flags()
	f.BoolVar(&asJSON, "json", false, "print JSON")
	f.StringSliceVar(&ignore, "ignore", nil, "names of findings to leave out; repeatable")
	f.Int64Var(&options.SizeLimit, "size-limit", 100<<20, "most bytes that the index takes, 0 for no limit")
	f.StringArrayVar(&options.Imports, "allow-import", nil, "library that another package brings, * as wildcard; repeatable")
	return command.Run(root, args, stdout, stderr)
}

// check audits one wheel by the policy of its platform tag.
func check(file string, options audit.Options, ignore []string) (*found, error) {
	policy, err := policyOf(filepath.Base(file))
	if err != nil {
		return nil, err
	}
	_, problems, err := audit.Run(file, policy, options)
	if err != nil {
		return nil, err
	}
	problems = slices.DeleteFunc(problems, func(p wheel.Problem) bool { return slices.Contains(ignore, p.Name) })
	return &found{Wheel: filepath.Base(file), Policy: policy.Platform, Findings: append(wheel.Problems{}, problems...)}, nil
}

// policyOf picks the policy by the platform tag. A wheel for another glibc than
// ours is judged by what its own tag promises.
func policyOf(base string) (*audit.Policy, error) {
	name, err := wheel.ParseName(base)
	if err != nil {
		return nil, err
	}
	platform := "win_arm64"
	for _, tag := range name.Platform {
		switch {
		case tag == "win_arm64", tag == wheel.AnyPlatform:
		case strings.HasSuffix(tag, "_aarch64") && strings.Contains(tag, "linux"):
			platform = "linux_aarch64"
		default:
			return nil, fmt.Errorf("%s: is for %s, and there are rules for win_arm64 and linux_aarch64 only", base, tag)
		}
	}
	data, err := rules.Files.ReadFile(platform + ".json")
	if err != nil {
		return nil, err
	}
	policy, err := audit.ParsePolicy(platform, data)
	if err != nil {
		return nil, err
	}
	for _, tag := range name.Platform {
		if wheel.ManylinuxGlibc(tag) != "" && !slices.Contains(policy.Tags, tag) {
			policy.Tags = append(policy.Tags, tag)
		}
	}
	return policy, nil
}
