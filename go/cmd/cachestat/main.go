// Command cachestat tells what a cache did for a build, why actions ran all the same, and what more machines would buy.
// See packages cachestat and schedule.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/command"
)

const long = `cachestat reads the execution log of a build and says what came from a cache, what
ran, and why. Any of Bazel's three formats will do; --config=log writes execution.log at
the root of the workspace:

  ./bazelw build --config=log --config=cache //wheels:all
  ./bazelw run //go/cmd/cachestat -- summary execution.log

Actions that Bazel found in its own output base are in no log: use a fresh one, or
"bazel clean", to see what a cache does. Relative paths count from where you are.

Exit codes:
  0  done
  1  check: the build is against the rules
  2  the command line is wrong
  3  a log, a cache or an output could not be read or written`

// failure is an error with its exit code.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return f.err.Error() }

func main() {
	command.Main(func(args []string) int { return run(args, os.Stdout, os.Stderr) })
}

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use: "cachestat", Short: "What a cache did for a build", Long: long,
		SilenceErrors: true, SilenceUsage: true,
	}
	root.PersistentFlags().Bool("json", false, "write JSON instead of text")
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(summaryCommand(), whyCommand(), checkCommand(), simulateCommand())
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	if err == nil {
		return 0
	}
	fmt.Fprintln(stderr, "cachestat:", err)
	if f := (*failure)(nil); errors.As(err, &f) {
		return f.code
	}
	return 2
}

// output writes v as JSON or calls text.
func output(cmd *cobra.Command, v any, text func(io.Writer) error) error {
	asJSON, err := cmd.Flags().GetBool("json")
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		err = enc.Encode(v)
	} else {
		err = text(w)
	}
	return unreadable(err)
}

func unreadable(err error) error {
	if err == nil {
		return nil
	}
	return &failure{3, err}
}
