// Command pins checks third_party/pins.json, generates third_party/repositories.bzl from it, prints the plan of wheels, and
// holds it against upstream. Its work is done by packages pins, bump, coverage and affected; `pins --help` lists the exit codes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/bump"
	"github.com/sparkwheels/sparkwheels/go/pins"
)

// The exit codes, as --help lists them.
const (
	exitInvalid = 1
	exitUsage   = 2
	exitIO      = 3
	exitStale   = 4
	exitAsk     = 5
	exitNews    = 6
	exitPatch   = 7
)

const long = `pins works on third_party/pins.json, which pins everything that comes from outside this repository.

Exit codes:
  0  done
  1  the pins are invalid: each problem stands on a line of its own on standard error
  2  the command line is wrong
  3  a file could not be read or written
  4  generate --check: third_party/repositories.bzl is not what the pins give
  5  upstream could not be asked (no network, no answer in time), or its answer makes no sense
  6  there is news: outdated has something newer, watch something to retire, coverage something missing
  7  bump: a patch does not fit the new source`

// usageError marks errors of the command line.
type usageError struct{ error }

// staleError is what generate --check returns: the difference between what is and what should be.
type staleError struct{ diff string }

func (e staleError) Error() string {
	return fmt.Sprintf("%s is stale: run \"./bazelw run //go/cmd/pins -- generate\"\n%s", pins.RepositoriesFile, e.diff)
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run executes the command line and returns its exit code.
func run(args []string, stdout, stderr io.Writer) int {
	cmd := newCommand()
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	// Ctrl-C ends what is asked and fetched, and nothing half done stays.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	if text := err.Error(); text != "" {
		fmt.Fprintln(stderr, text)
	}
	var problems pins.Problems
	switch {
	case errors.As(err, &problems):
		return exitInvalid
	case errors.As(err, new(staleError)):
		return exitStale
	case errors.As(err, new(usageError)):
		return exitUsage
	case errors.As(err, new(newsError)):
		return exitNews
	case errors.As(err, new(askError)):
		return exitAsk
	case errors.As(err, new(*bump.PatchError)):
		return exitPatch
	}
	return exitIO
}

func newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "pins",
		Short:         "Check, publish and plan the pins of third_party/pins.json",
		Long:          long,
		Args:          cobra.ArbitraryArgs, // unknown commands are reported below, with their exit code
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("unknown command %q; pins --help lists them", args[0])}
			}
			return usageError{errors.New("want a command; pins --help lists them")}
		},
	}
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root := cmd.PersistentFlags().String("root", "", "root of the repository (default: the one around the working directory)")
	open := func() (string, error) { return findRoot(*root) }
	cmd.AddCommand(checkCommand(open), generateCommand(open), planCommand(open), outdatedCommand(open), bumpCommand(open), watchCommand(open), affectedCommand(open), coverageCommand(open), learnCommand(open))
	return cmd
}

// noArgs is cobra.NoArgs with an error that run maps to exitUsage.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("pins %s takes no arguments, got %q", cmd.Name(), args[0])}
	}
	return nil
}

// findRoot is pins.Root with an error that run maps to exitUsage.
func findRoot(given string) (string, error) {
	dir, err := pins.Root(given)
	if err != nil {
		return "", usageError{err}
	}
	return dir, nil
}

// fromCaller returns a path of the command line as seen from where `bazel run` was called, which starts programs elsewhere.
func fromCaller(path string) string {
	if dir := os.Getenv("BUILD_WORKING_DIRECTORY"); dir != "" && !filepath.IsAbs(path) {
		return filepath.Join(dir, path)
	}
	return path
}
