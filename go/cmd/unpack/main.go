// Command unpack extracts archives that nobody has to trust.
//
// It is the command line of package archive; see there for what is refused.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/archive"
)

const long = `unpack extracts one or more archives into one new folder.

Archives are recognised by their content: tar (plain, gzip, xz, bzip2; so
.tar.gz, .tgz, .crate, .tar.xz, .tar.bz2) and zip (so .whl, .jar).

The result holds files and folders only: symbolic and hard links become copies
of what they lead to. Files keep whether they are executable and are otherwise
0644; times are those of writing.

Refused, each with one message that names the archive and the member, and with
nothing left behind: names that are absolute, hold "..", a drive letter or a
backslash; links that lead out of the archive or nowhere; names that differ
only by case, or that Windows cannot hold; paths beyond 260 characters; a
member that is there twice with different bytes; devices and fifos; and more
bytes, members or expansion than the limits allow.

With several archives the folder holds their union. A file that two of them
hold must have the same bytes in both.

Patterns are those of doublestar ("**/*.py", "src/{a,b}/**"), matched against
the name after --strip. "tests/**" covers the folder tests and all below it.

Exit codes:
  0  the folder is complete
  1  an archive was refused, or reading or writing failed; nothing was written
  2  the command line is wrong`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	var out string
	opts := archive.Options{Limits: archive.DefaultLimits}
	usage := true // until the command line proves to be right
	cmd := &cobra.Command{
		Use:           "unpack --out DIR [flags] FILE...",
		Short:         "Extract archives defensively into one new folder",
		Long:          long,
		Args:          cobra.MinimumNArgs(1),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(_ *cobra.Command, files []string) error {
			if opts.Strip < 0 {
				return fmt.Errorf("--strip %d: must not be negative", opts.Strip)
			}
			usage = false
			return archive.Extract(out, opts, files...)
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "out", "", "create the folder `DIR`; it must not exist or be empty")
	f.IntVar(&opts.Strip, "strip", 0, "remove `N` leading components from each name")
	f.StringArrayVar(&opts.Include, "include", nil, "extract only what matches `GLOB`; can be repeated")
	f.StringArrayVar(&opts.Exclude, "exclude", nil, "leave out what matches `GLOB`; can be repeated")
	f.Int64Var(&opts.Limits.Bytes, "max-bytes", opts.Limits.Bytes, "most bytes in all, 0 for no limit")
	f.Int64Var(&opts.Limits.Members, "max-members", opts.Limits.Members, "most members in all, 0 for no limit")
	f.Int64Var(&opts.Limits.Ratio, "max-ratio", opts.Limits.Ratio, "most bytes out of one byte of archive, 0 for no limit")
	if err := cmd.MarkFlagRequired("out"); err != nil {
		panic(err) // the flag is declared above
	}
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	switch err := cmd.Execute(); {
	case err == nil:
		return 0
	case usage:
		fmt.Fprintf(stderr, "unpack: %v (see unpack --help)\n", err)
		return 2
	default:
		fmt.Fprintf(stderr, "unpack: %v\n", err)
		return 1
	}
}
