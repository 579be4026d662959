// Command patch applies patches exactly, or not at all.
//
// It is the command line of package patch; see there for what applies.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/patch"
)

const long = `patch applies unified diffs, as git, diff and quilt write them, exactly or not at all.

A hunk applies where its lines stand, byte for byte, at the line that its
header names: no fuzz, and no offset unless --allow-offset is given, which
takes text that stands elsewhere but at one place only, and says so. Patches
apply in the order of the command line, each to the result of those before it.
When one does not apply, nothing is written.

Honoured: renames, renames with edits, copies, mode changes, new, deleted and
empty files, a missing final newline on either side.
Refused by name: CRLF against LF, binary changes, symbolic links, paths outside
the tree, a new file that exists, a deleted file with other content, hunks
without context, and a patch that changes nothing.

refresh NAME and new NAME work on the patches of a pin of third_party/pins.json.

Exit codes:
  0  every patch applies (and the result is written)
  1  a patch does not apply to this tree, or, of refresh NAME, must be made again by a person
  2  the command line is wrong, or no tree could take the patch: it is malformed,
     binary, leads outside the tree, or changes nothing
  3  reading or writing failed`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// tool holds the flags, which the subcommands share.
type tool struct {
	src, out, refreshed string
	opts                patch.Options
	stderr              io.Writer
	root                string
	running             bool // the command line was right
	stdout              io.Writer
}

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	t := &tool{stdout: stdout, stderr: stderr}
	root := &cobra.Command{
		Use:           "patch",
		Short:         "Apply patches exactly, or not at all",
		Long:          long,
		SilenceErrors: true,
		SilenceUsage:  true,

		DisableSuggestions: true, // a message is one line
		RunE: func(*cobra.Command, []string) error {
			return errors.New("say apply, check, refresh or new")
		},
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.AddCommand(
		t.command("apply --src DIR --out DIR [flags] PATCH...", "Write a copy of a tree with the patches applied", true, true, t.apply),
		t.command("check --src DIR [flags] PATCH...", "Say whether the patches apply; write nothing", false, true, t.check),
		t.refreshCommand(),
		t.newCommand(),
	)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	var apply *patch.ApplyError
	var format *patch.FormatError
	hint, code := "", 3
	switch {
	case !t.running:
		hint, code = " (see patch --help)", 2
	case errors.As(err, new(conflictError)):
		code = 1
	case errors.As(err, &apply):
		code = 1
		if apply.Moved {
			hint = fmt.Sprintf("; accept it with --allow-offset, or write %[1]s with the right line numbers: patch refresh --src TREE --out FOLDER %[1]s", apply.Patch)
		}
	case errors.As(err, &format):
		code = 2
	}
	fmt.Fprintf(stderr, "patch: %v%s\n", err, hint)
	return code
}

// command makes one subcommand with the flags that it needs.
func (t *tool) command(use, short string, writes, offsets bool, do func(patches []string) error) *cobra.Command {
	cmd := &cobra.Command{
		Use:                   use,
		Short:                 short,
		Args:                  cobra.MinimumNArgs(1),
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, patches []string) error {
			if t.opts.Strip < 0 {
				return fmt.Errorf("--strip %d: must not be negative", t.opts.Strip)
			}
			t.running = true
			return do(patches)
		},
	}
	f := cmd.Flags()
	required := []string{"src"}
	f.StringVar(&t.src, "src", "", "tree to patch, `DIR`; it is only read")
	f.IntVar(&t.opts.Strip, "strip", 1, "remove `N` leading components from each name in a patch")
	if writes {
		f.StringVar(&t.out, "out", "", "write to `DIR`; apply wants it new or empty, refresh creates or replaces files in it")
		required = append(required, "out")
	}
	if offsets {
		f.BoolVar(&t.opts.AllowOffset, "allow-offset", false, "apply a hunk whose text stands elsewhere, once, and report it")
		f.StringVar(&t.refreshed, "refreshed-out", "", "write the first patch with wrong line numbers to `FILE`, corrected, whether or not offsets are allowed")
	}
	if !offsets { // refresh takes the name of a pin instead
		required = nil
	}
	for _, name := range required {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // the flag is declared above
		}
	}
	return cmd
}

func (t *tool) apply(patches []string) error {
	return t.report(patches, func() ([]patch.Offset, error) {
		return patch.Apply(t.src, t.out, t.opts, patches...)
	})
}

func (t *tool) check(patches []string) error {
	return t.report(patches, func() ([]patch.Offset, error) {
		return patch.Check(t.src, t.opts, patches...)
	})
}

// report prints the offsets and writes the file of --refreshed-out.
func (t *tool) report(patches []string, do func() ([]patch.Offset, error)) error {
	offsets, err := do()
	for _, o := range offsets {
		fmt.Fprintf(t.stderr, "patch: note: %v\n", o)
	}
	var apply *patch.ApplyError
	moved := len(offsets) > 0 || errors.As(err, &apply) && apply.Moved
	if t.refreshed == "" || !moved {
		return err
	}
	name, werr := patch.WriteFirstRefreshed(t.src, t.refreshed, t.opts, patches...)
	if name != "" {
		fmt.Fprintf(t.stderr, "patch: note: %s with the right line numbers is in %s\n", name, t.refreshed)
	}
	if err == nil {
		return werr
	}
	return err
}

func (t *tool) refresh(patches []string) error {
	return patch.WriteRefreshed(t.src, t.out, t.opts, patches...)
}

// refreshCommand is refresh with a tree and patches, or with the name of a pin.
func (t *tool) refreshCommand() *cobra.Command {
	cmd := t.command("refresh (NAME | --src DIR --out DIR [flags] PATCH...)", "Bring patches to the source as it is now", true, false, t.refresh)
	cmd.Long = refreshLong
	pin := t.pinFlags(cmd)
	f := cmd.Flags()
	since := f.String("since", "HEAD", "git `REVISION` whose pins.json names the source that the patches were made for")
	conflicts := f.String("conflicts", "conflicts", "write files with their conflicts marked to `DIR`, relative to the repository")
	byTree := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if t.src != "" || t.out != "" || len(args) != 1 {
			if t.src == "" || t.out == "" {
				return errors.New("want the name of one pin, or --src, --out and patches")
			}
			return byTree(cmd, args)
		}
		return t.refreshPin(cmd.Context(), pin, args[0], *since, *conflicts)
	}
	return cmd
}
