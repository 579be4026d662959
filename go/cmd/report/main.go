// Command report writes the HTML page about a set.
package main

import (
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/command"
	"github.com/sparkwheels/sparkwheels/go/execlog"
	"github.com/sparkwheels/sparkwheels/go/index"
	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/report"
	"github.com/sparkwheels/sparkwheels/go/stage"
)

const long = `report writes one HTML page about a set: each wheel and platform with its state,
size, GPU code and patches. With --execution-log, a file that Bazel wrote with
--execution_log_compact_file, also build times, memory and cache hits; with
--previous, another set.json, also what changed.

Exit codes:
  0  written
  2  the command line is wrong
  3  an input cannot be read, or the page not written`

func main() {
	command.Main(func(args []string) int { return run(args, os.Stdout, os.Stderr) })
}

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	var site, root, out, base, log, previous string
	cmd := &cobra.Command{
		Use: "report --site DIR --out FILE [--root DIR] [--base URL] [--execution-log FILE] [--previous set.json]", Short: "Write the page about a set", Long: long,
		Args: cobra.NoArgs, DisableFlagsInUseLine: true,
		RunE: func(*cobra.Command, []string) error {
			input := &report.Input{Base: base}
			var err error
			if input.Set, err = index.ReadSet(filepath.Join(site, "set.json")); err != nil {
				return err
			}
			if input.Plan, err = pins.NewPlan(os.DirFS(root)); err != nil {
				return err
			}
			file, err := pins.Load(os.DirFS(root))
			if err != nil {
				return err
			}
			input.Pins = file.Pins
			if log != "" {
				actions, err := execlog.Open(log)
				if err != nil {
					return err
				}
				input.Costs = report.Costs(actions)
			}
			if previous != "" {
				if input.Previous, err = index.ReadSet(previous); err != nil {
					return err
				}
			}
			page, err := report.Render(input)
			if err != nil {
				return err
			}
			return stage.File(out, page)
		},
	}
	f := cmd.Flags()
	f.StringVar(&site, "site", "", "folder of the index, whose set.json the page is about")
	f.StringVar(&root, "root", ".", "root of the repository, for pins and plan")
	f.StringVar(&out, "out", "", "page to write")
	f.StringVar(&base, "base", "", "address of the index as seen from the page, such as index/")
	f.StringVar(&log, "execution-log", "", "Bazel's execution log, in any of its formats")
	f.StringVar(&previous, "previous", "", "set.json of the set to compare with")
	cmd.MarkFlagRequired("site")
	cmd.MarkFlagRequired("out")
	return command.Run(cmd, args, stdout, stderr)
}
