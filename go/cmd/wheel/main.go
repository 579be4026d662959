// Command wheel assembles, packs, audits, renames, compares and hands out wheels.
//
// It is the command line of the packages wheel, audit, wheeldiff and dist.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/wheel"
)

const long = `wheel assembles, packs, audits, renames, compares and hands out Python wheels.

A wheel goes from the back end, or from assemble, through pack, which makes it
the same on every machine, and audit, which refuses what must not be published.
Every output appears at once and complete, or not at all.

What is wrong with a wheel is told on standard error, one line for each thing:
where it is, what is wrong, and what to do.

Exit codes:
  0  done; for diff: the wheels do not differ
  1  the wheel is refused; for diff: the wheels differ
  2  the command line is wrong
  3  reading or writing failed, or a policy file is wrong`

// errDiffer makes diff exit with 1 and no message.
var errDiffer = errors.New("the wheels differ")

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// tool is what the subcommands share.
type tool struct {
	stdout  io.Writer
	running bool // the command line was right
}

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	t := &tool{stdout: stdout}
	root := &cobra.Command{
		Use:           "wheel",
		Short:         "Assemble, pack, audit, rename, compare and hand out wheels",
		Long:          long,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("say assemble, pack, audit, retag, diff, dist or provenance")
		},
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.AddCommand(t.assemble(), t.pack(), t.audit(), t.retag(), t.diff(), t.dist(), t.provenance())
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	var problems wheel.Problems
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errDiffer):
		return 1
	case !t.running:
		fmt.Fprintf(stderr, "wheel: %v (see wheel --help)\n", err)
		return 2
	case errors.As(err, &problems):
		fmt.Fprintln(stderr, problems.Error())
		return 1
	}
	fmt.Fprintf(stderr, "wheel: %v\n", err)
	return 3
}

// do wraps a subcommand's function: when it is called, the command line was
// right.
func (t *tool) do(f func(args []string) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		t.running = true
		return f(args)
	}
}

// require marks flags that must be given.
func require(cmd *cobra.Command, names ...string) *cobra.Command {
	for _, name := range names {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // the flag is declared by the caller
		}
	}
	return cmd
}
