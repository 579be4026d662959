// Package command is the command line of package patch, for two programs: //go/cmd/patch for people, which adds what works
// on pins, and //go/cmd/patch/action for the build, which depends on nothing else, so that no wheel's action changes with
// the tools of a maintainer.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

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

Exit codes:
  0  every patch applies (and the result is written)
  1  a patch does not apply to this tree, or, of refresh NAME, must be made again by a person
  2  the command line is wrong, or no tree could take the patch: it is malformed,
     binary, leads outside the tree, or changes nothing
  3  reading or writing failed`

// Tool holds the flags, which the subcommands share.
type Tool struct {
	// Stdout and Stderr are the program's.
	Stdout, Stderr io.Writer
	// Running says that the command line was right: errors are of the work from here on.
	Running bool

	src, out, refreshed string
	opts                patch.Options
}

// ConflictError is what a command returns when a person must make patches again; the places were printed.
type ConflictError struct{ Patches []string }

func (e ConflictError) Error() string {
	return "to be made again by hand: " + strings.Join(e.Patches, ", ")
}

// Run is main with its surroundings as arguments; it returns the exit code. extend, if not nil, adds to the commands.
func Run(args []string, stdout, stderr io.Writer, extend func(*Tool, *cobra.Command)) int {
	t := &Tool{Stdout: stdout, Stderr: stderr}
	root := &cobra.Command{
		Use:           "patch",
		Short:         "Apply patches exactly, or not at all",
		Long:          long,
		SilenceErrors: true,
		SilenceUsage:  true,

		DisableSuggestions: true, // a message is one line
		RunE: func(*cobra.Command, []string) error {
			return errors.New("say apply, check or refresh")
		},
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.AddCommand(
		t.command("apply --src DIR --out DIR [flags] PATCH...", "Write a copy of a tree with the patches applied", true, true, t.apply),
		t.command("check --src DIR [flags] PATCH...", "Say whether the patches apply; write nothing", false, true, t.check),
		t.command("refresh --src DIR --out DIR [flags] PATCH...", "Write the patches to DIR with the line numbers that their hunks have in the tree", true, false, t.refresh),
	)
	if extend != nil {
		extend(t, root)
	}
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
	case !t.Running:
		hint, code = " (see patch --help)", 2
	case errors.As(err, new(ConflictError)):
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
func (t *Tool) command(use, short string, writes, offsets bool, do func(patches []string) error) *cobra.Command {
	cmd := &cobra.Command{
		Use:                   use,
		Short:                 short,
		Args:                  cobra.MinimumNArgs(1),
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, patches []string) error {
			if t.opts.Strip < 0 {
				return fmt.Errorf("--strip %d: must not be negative", t.opts.Strip)
			}
			t.Running = true
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
	for _, name := range required {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // the flag is declared above
		}
	}
	return cmd
}

func (t *Tool) apply(patches []string) error {
	return t.report(patches, func() ([]patch.Offset, error) {
		return patch.Apply(t.src, t.out, t.opts, patches...)
	})
}

func (t *Tool) check(patches []string) error {
	return t.report(patches, func() ([]patch.Offset, error) {
		return patch.Check(t.src, t.opts, patches...)
	})
}

// report prints the offsets and writes the file of --refreshed-out.
func (t *Tool) report(patches []string, do func() ([]patch.Offset, error)) error {
	offsets, err := do()
	for _, o := range offsets {
		fmt.Fprintf(t.Stderr, "patch: note: %v\n", o)
	}
	var apply *patch.ApplyError
	moved := len(offsets) > 0 || errors.As(err, &apply) && apply.Moved
	if t.refreshed == "" || !moved {
		return err
	}
	name, werr := patch.WriteFirstRefreshed(t.src, t.refreshed, t.opts, patches...)
	if name != "" {
		fmt.Fprintf(t.Stderr, "patch: note: %s with the right line numbers is in %s\n", name, t.refreshed)
	}
	if err == nil {
		return werr
	}
	return err
}

func (t *Tool) refresh(patches []string) error {
	return patch.WriteRefreshed(t.src, t.out, t.opts, patches...)
}
