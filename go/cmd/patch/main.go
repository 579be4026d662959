// Command patch applies patches exactly, or not at all, and keeps those of the pins.
//
// It is the command line of packages patch and bump; see there for what applies.
package main

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/cmd/patch/command"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	return command.Run(args, stdout, stderr, func(tool *command.Tool, root *cobra.Command) {
		t := &pinTool{Tool: tool}
		root.AddCommand(t.newCommand())
		for _, cmd := range root.Commands() {
			if cmd.Name() == "refresh" {
				t.extendRefresh(cmd)
			}
		}
		root.Long += "\n\nrefresh NAME and new NAME WHAT work on the patches of a pin of third_party/pins.json; refresh NAME ends\nwith 1 if a patch must be made again by a person."
		root.RunE = func(*cobra.Command, []string) error { return errors.New("say apply, check, refresh or new") }
	})
}
