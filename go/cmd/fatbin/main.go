// Command fatbin lists the device code that CUDA binaries carry. See package
// fatbin.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/command"
	"github.com/sparkwheels/sparkwheels/go/fatbin"
)

const long = `fatbin lists the device code in CUDA binaries: what GPU it is for, whether it is
machine code (cubin), PTX or NVVM, whether it is compressed, relocatable or made
for debugging, and how large it is. It needs no part of the CUDA toolkit.

A FILE is an ELF or PE image (.so, .dll, .pyd), an object file (.o, .obj) or a
bare .fatbin. A file without device code is listed with no entries.

Exit codes:
  0  done
  1  a FILE is broken, or of no kind that carries device code
  2  the command line is wrong
  3  a FILE cannot be read, or the list cannot be written`

func main() {
	command.Main(func(args []string) int { return run(args, os.Stdout, os.Stderr) })
}

// errBroken is what a file's contents are to blame for.
var errBroken = errors.New("")

// listing is one file in the JSON.
type listing struct {
	File string `json:"file"`
	*fatbin.Image
}

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	running, asJSON := false, false
	root := &cobra.Command{
		Use:               "fatbin",
		Short:             "List the device code in CUDA binaries",
		Long:              long,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		RunE:              func(*cobra.Command, []string) error { return errors.New("say list") },
	}
	list := &cobra.Command{
		Use:                   "list [--json] FILE...",
		Short:                 "List what each FILE carries",
		Long:                  long,
		Args:                  cobra.MinimumNArgs(1),
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, files []string) error {
			running = true
			return listFiles(stdout, files, asJSON)
		},
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print one JSON document, an array with an element for each FILE")
	root.AddCommand(list)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	switch {
	case err == nil:
		return 0
	case !running:
		fmt.Fprintf(stderr, "fatbin: %v (see fatbin --help)\n", err)
		return 2
	}
	fmt.Fprintf(stderr, "fatbin: %v\n", err)
	if errors.Is(err, errBroken) {
		return 1
	}
	return 3
}

// listFiles reads all files before it prints anything.
func listFiles(stdout io.Writer, files []string, asJSON bool) error {
	var all []listing
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		image, err := fatbin.Parse(data)
		if err != nil {
			return fmt.Errorf("%s: %w%w", file, err, errBroken)
		}
		all = append(all, listing{file, image})
	}
	if asJSON {
		encoder := json.NewEncoder(stdout)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(all)
	}
	var out strings.Builder
	for _, one := range all {
		codes := "no device code"
		if len(one.Entries) > 0 {
			codes = strings.Join(one.Codes(), " ")
			if codes == "" {
				codes = "relocatable device code only"
			}
		}
		fmt.Fprintf(&out, "%s (%s): %s\n", one.File, one.Format, codes)
		for _, entry := range one.Entries {
			fmt.Fprintf(&out, "  %s\n", line(entry))
		}
	}
	_, err := io.WriteString(stdout, out.String())
	return err
}

// line describes an entry: code, kind, section, sizes, and what is unusual.
func line(entry fatbin.Entry) string {
	words := []string{fmt.Sprintf("%-13s", entry.Code), fmt.Sprintf("%9d bytes", entry.Size)}
	if entry.Compression != "" {
		stored := fmt.Sprintf("%s, %d stored", entry.Compression, entry.Stored)
		if entry.Concatenated {
			stored = entry.Compression + ", together with others"
		}
		words = append(words, stored)
	}
	if entry.Relocatable {
		words = append(words, "relocatable")
	}
	if entry.Debug {
		words = append(words, "debug")
	}
	if entry.Section != "" {
		words = append(words, "in "+entry.Section)
	}
	if entry.Name != "" {
		words = append(words, "from "+entry.Name)
	}
	return strings.Join(words, "  ")
}
