// Package command runs a cobra command the way all of this project's programs
// run: one message on standard error, and the exit codes that --help lists.
package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// The exit codes that every program shares.
const (
	// OK is success.
	OK = 0
	// Found is for a finding: what the program looked at is not in order.
	Found = 1
	// Usage is a wrong command line.
	Usage = 2
	// Failed is for reading, writing or talking to somebody that failed.
	Failed = 3
)

// Finding is an error that ends the program with Found.
type Finding struct{ Err error }

// Error gives the message.
func (f Finding) Error() string { return f.Err.Error() }

// Unwrap gives the error within.
func (f Finding) Unwrap() error { return f.Err }

// Quiet is a Finding without a message: everything was said already.
var Quiet = Finding{errors.New("")}

// Run runs the command with its subcommands and returns the exit code. A
// command without a RunE of its own asks for one of its subcommands. What is
// wrong with flags and arguments is told with Usage, whatever a RunE returns
// with Found for a Finding and Failed for any other error.
func Run(root *cobra.Command, args []string, stdout, stderr io.Writer) int {
	running := false
	wrap(root, &running)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	if err == nil {
		return OK
	}
	var finding Finding
	isFinding := errors.As(err, &finding)
	if err.Error() != "" {
		hint := ""
		if !running {
			hint = fmt.Sprintf(" (see %s --help)", root.Name())
		}
		fmt.Fprintf(stderr, "%s: %v%s\n", root.Name(), err, hint)
	}
	switch {
	case !running:
		return Usage
	case isFinding:
		return Found
	}
	return Failed
}

// wrap notes when a RunE is reached, which is when the command line was right.
func wrap(cmd *cobra.Command, running *bool) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			*running = true
			return run(cmd, args)
		}
	} else {
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("there is no command %q", args[0])
			}
			return errors.New("say which command")
		}
	}
	for _, sub := range cmd.Commands() {
		wrap(sub, running)
	}
}
