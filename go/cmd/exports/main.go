// Command exports holds what a DLL exports against its module definition file.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/command"
	"github.com/sparkwheels/sparkwheels/go/pe"
	"github.com/sparkwheels/sparkwheels/go/stage"
)

const long = `exports compares the names that a DLL exports with those of a module definition
file. A linker adds what sources declare with dllexport and, where a file says
nothing, everything; callers that look a name up find a missing one at run time
only.

Exit codes:
  0  both have the same names
  1  they differ; the message lists the names
  2  the command line is wrong
  3  a file cannot be read or written`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	var def, image, stamp string
	cmd := &cobra.Command{
		Use:   "exports --def FILE --image FILE [--stamp FILE]",
		Short: "Compare a DLL's exports with its .def file",
		Long:  long,
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return check(def, image, stamp) },
	}
	f := cmd.Flags()
	f.StringVar(&def, "def", "", "the module definition file")
	f.StringVar(&image, "image", "", "the DLL")
	f.StringVar(&stamp, "stamp", "", "an empty file to write when both agree, for Bazel")
	for _, flag := range []string{"def", "image"} {
		if err := cmd.MarkFlagRequired(flag); err != nil {
			panic(err) // the flag is declared above
		}
	}
	return command.Run(cmd, args, stdout, stderr)
}

func check(defFile, imageFile, stamp string) error {
	f, err := os.Open(defFile)
	if err != nil {
		return err
	}
	defer f.Close()
	definition, err := pe.ParseDefinition(f)
	if err != nil {
		return fmt.Errorf("%s: %w", defFile, err)
	}
	data, err := os.ReadFile(imageFile)
	if err != nil {
		return err
	}
	image, err := pe.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", imageFile, err)
	}
	more, fewer := definition.Compare(image)
	var differences []error
	if more != nil {
		differences = append(differences, fmt.Errorf("%s exports %s, which %s does not name", imageFile, strings.Join(more, ", "), defFile))
	}
	if fewer != nil {
		differences = append(differences, fmt.Errorf("%s does not export %s, which %s names", imageFile, strings.Join(fewer, ", "), defFile))
	}
	if differences != nil {
		return command.Finding{Err: errors.Join(differences...)}
	}
	if stamp == "" {
		return nil
	}
	return stage.File(stamp, nil)
}
