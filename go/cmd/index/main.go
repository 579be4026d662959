// Command index makes a package index out of wheels, and serves it.
//
// It is the command line of package index.
package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/command"
)

const long = `index makes a static package index that pip and uv install from, and serves one
on this machine.

docs/index.md says how to install from an index in each of its three forms.

Exit codes:
  0  done
  1  the index is refused: a published file would change, a yank names no file,
     a wheel cannot be read
  2  the command line is wrong
  3  reading, writing or listening failed`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{Use: "index", Short: "Make and serve a package index", Long: long}
	root.AddCommand(buildCommand(), serveCommand(stdout))
	return command.Run(root, args, stdout, stderr)
}
