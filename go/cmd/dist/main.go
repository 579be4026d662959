// Command dist is what `bazel run //wheels:dist -- [DIR]` starts: it copies the
// wheels in its runfiles to a folder, with SHA256SUMS. See package dist.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/dist"
)

const long = `dist copies the wheels that Bazel built to DIR, writes SHA256SUMS beside them, and
prints a table. DIR is the folder dist at the root of the workspace when it is
not given; a relative DIR counts from where you are.

Wheels that an earlier run put there and that are not built any more are
removed; nothing else in the folder is touched.

Exit codes:
  0  done
  2  the command line is wrong, or it was not started by bazel run
  3  reading or writing failed`

// Environment variables: the first is set by the rule (wheels/private/dist.bzl),
// the others by bazel run.
const (
	listVariable      = "SPARKWHEELS_DIST_LIST"
	workspaceVariable = "BUILD_WORKSPACE_DIRECTORY"
	workingVariable   = "BUILD_WORKING_DIRECTORY"
)

func main() { os.Exit(run(os.Args[1:], os.Getenv, os.Stdout, os.Stderr)) }

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	running := false
	cmd := &cobra.Command{
		Use:                   "dist [DIR]",
		Short:                 "Copy the wheels that Bazel built to a folder",
		Long:                  long,
		Args:                  cobra.MaximumNArgs(1),
		SilenceErrors:         true,
		SilenceUsage:          true,
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, args []string) error {
			folder, list, err := surroundings(args, getenv)
			if err != nil {
				return err
			}
			running = true
			wheels, err := readList(list)
			if err != nil {
				return err
			}
			result, err := dist.Copy(folder, wheels)
			if err != nil {
				return err
			}
			fmt.Fprintf(stdout, "%s\n", folder)
			return result.Print(stdout)
		},
	}
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	err := cmd.Execute()
	switch {
	case err == nil:
		return 0
	case !running:
		fmt.Fprintf(stderr, "dist: %v (see dist --help)\n", err)
		return 2
	}
	fmt.Fprintf(stderr, "dist: %v\n", err)
	return 3
}

// surroundings gives the folder to write to and the runfile that lists the
// wheels.
func surroundings(args []string, getenv func(string) string) (folder, list string, err error) {
	list, workspace := getenv(listVariable), getenv(workspaceVariable)
	if list == "" || workspace == "" {
		return "", "", errors.New("start it with bazel run //wheels:dist")
	}
	if len(args) == 0 {
		return filepath.Join(workspace, "dist"), list, nil
	}
	if filepath.IsAbs(args[0]) {
		return args[0], list, nil
	}
	return filepath.Join(getenv(workingVariable), args[0]), list, nil
}

// readList gives the paths of the wheels: one runfile's name on each line.
func readList(list string) ([]string, error) {
	files, err := runfiles.New()
	if err != nil {
		return nil, err
	}
	path, err := files.Rlocation(list)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var wheels []string
	for line := range bytes.Lines(data) {
		name := strings.TrimSpace(string(line))
		if name == "" {
			continue
		}
		wheel, err := files.Rlocation(name)
		if err != nil {
			return nil, err
		}
		wheels = append(wheels, wheel)
	}
	return wheels, nil
}
