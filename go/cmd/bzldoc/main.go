// Command bzldoc writes a page of the reference of rules. See package bzldoc.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/bzldoc"
	"github.com/sparkwheels/sparkwheels/go/stage"
)

const long = `bzldoc writes a Markdown page from docstrings. FILEs are either outputs of Bazel's
rule starlark_doc_extract (*.binaryproto), in the order wanted, or one BUILD file.

Everything that is exported must have a docstring: rules, functions, providers,
attributes, parameters, fields; so must a BUILD file, and a comment above each of
its targets. The error lists what has none.

Exit codes:
  0  done
  1  a docstring is missing, or a FILE is not what it should be
  2  the command line is wrong
  3  reading or writing failed`

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// usage marks an error of the command line.
type usage struct{ error }

// failure marks an error of the file system.
type failure struct{ error }

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stderr io.Writer) int {
	var out, title, command string
	running := false
	cmd := &cobra.Command{
		Use:                   "bzldoc --out PAGE --title TITLE --command COMMAND FILE...",
		Short:                 "Write a page of the reference of rules",
		Long:                  long,
		Args:                  cobra.MinimumNArgs(1),
		SilenceErrors:         true,
		SilenceUsage:          true,
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, files []string) error {
			running = true
			return write(out, title, command, files)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&out, "out", "", "the page to write")
	flags.StringVar(&title, "title", "", "the page's title")
	flags.StringVar(&command, "command", "", "what the page says it is made by")
	for _, name := range []string{"out", "title", "command"} {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // the flag is defined above
		}
	}
	cmd.SetArgs(args)
	cmd.SetOut(stderr)
	cmd.SetErr(stderr)
	err := cmd.Execute()
	switch {
	case err == nil:
		return 0
	case !running || errors.As(err, &usage{}):
		fmt.Fprintf(stderr, "bzldoc: %v (see bzldoc --help)\n", err)
		return 2
	}
	fmt.Fprintf(stderr, "bzldoc: %v\n", err)
	if errors.As(err, &failure{}) {
		return 3
	}
	return 1
}

func write(out, title, command string, files []string) error {
	text, err := page(title, command, files)
	if err != nil {
		return err
	}
	if err := stage.File(out, text); err != nil {
		return failure{err}
	}
	return nil
}

func page(title, command string, files []string) ([]byte, error) {
	var modules []*bzldoc.Module
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, failure{err}
		}
		if !strings.HasSuffix(file, ".binaryproto") {
			if len(files) > 1 {
				return nil, usage{fmt.Errorf("%s: a BUILD file is the only FILE of its page", file)}
			}
			return bzldoc.Targets(title, command, file, data)
		}
		m, err := bzldoc.Decode(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		modules = append(modules, m)
	}
	return bzldoc.Page(title, command, modules)
}
