package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/bump"
	"github.com/sparkwheels/sparkwheels/go/cmd/patch/command"
	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/rebase"
	"github.com/sparkwheels/sparkwheels/go/upstream"
)

const refreshLong = `refresh NAME brings the patches of a pin to the source that it names now, as after "pins bump":
a patch whose text only moved gets the new line numbers; one that upstream has by now is dropped, from the pin too; the rest
are merged by three ways with the source that the pin named in --since, and written anew where nothing overlaps. Where it
does, the patch stays, the place and both texts are printed, and the file with the conflict marked is left in --conflicts.
Nothing is applied with fuzz.

refresh --src DIR --out DIR PATCH... writes the patches to --out with the line numbers that their hunks have in --src.`

// pinTool adds the commands that work on a pin.
type pinTool struct {
	*command.Tool
	root string
}

// extendRefresh lets refresh take the name of a pin instead of a tree and patches.
func (t *pinTool) extendRefresh(cmd *cobra.Command) {
	cmd.Use, cmd.Short, cmd.Long = "refresh (NAME | --src DIR --out DIR [flags] PATCH...)", "Bring patches to the source as it is now", refreshLong
	open := t.pinFlags(cmd)
	f := cmd.Flags()
	since := f.String("since", "HEAD", "git `REVISION` whose pins.json names the source that the patches were made for")
	conflicts := f.String("conflicts", "conflicts", "write files with their conflicts marked to `DIR`, relative to the repository")
	for _, name := range []string{"src", "out"} {
		delete(f.Lookup(name).Annotations, cobra.BashCompOneRequiredFlag)
	}
	byTree := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		src, out := f.Lookup("src").Value.String(), f.Lookup("out").Value.String()
		switch {
		case src != "" && out != "":
			return byTree(cmd, args)
		case src != "" || out != "" || len(args) != 1:
			return errors.New("want the name of one pin, or --src, --out and patches")
		}
		return t.refreshPin(cmd.Context(), open, args[0], *since, *conflicts)
	}
}

// pinFlags adds the flags of the commands that work on a pin, and makes what fetches its source.
func (t *pinTool) pinFlags(cmd *cobra.Command) func() (*bump.Store, error) {
	f := cmd.Flags()
	f.StringVar(&t.root, "root", "", "root of the repository (default: the one around the working directory)")
	timeout := f.Duration("timeout", 5*time.Minute, "how long one question or download may take, retries included")
	return func() (store *bump.Store, err error) {
		if t.root, err = pins.Root(t.root); err != nil {
			return nil, err
		}
		t.Running = true
		client := upstream.NewClient(*timeout)
		client.Log = func(line string) { fmt.Fprintln(t.Stderr, "patch: "+line) }
		return bump.NewStore(client)
	}
}

func (t *pinTool) refreshPin(ctx context.Context, open func() (*bump.Store, error), name, since, conflicts string) error {
	store, err := open()
	if err != nil {
		return err
	}
	if !filepath.IsAbs(conflicts) {
		conflicts = filepath.Join(t.root, conflicts)
	}
	results, err := bump.Refresh(ctx, store, t.root, name, since, conflicts)
	if err != nil {
		return err
	}
	said := map[rebase.State]string{
		rebase.Moved: "moved; written with new line numbers", rebase.Merged: "merged; written anew, read it",
		rebase.Upstream: "upstream has it; dropped", rebase.Conflict: "conflicts; stays as it is",
	}
	var stuck []string
	for _, r := range results {
		text := said[r.State]
		if text == "" {
			text = string(r.State)
		}
		fmt.Fprintf(t.Stdout, "%s: %s\n", filepath.Base(r.Patch), text)
		for _, d := range r.Details {
			fmt.Fprintf(t.Stdout, "  %s\n", d)
		}
		for _, target := range slices.Sorted(maps.Keys(r.Files)) {
			fmt.Fprintf(t.Stdout, "  both texts are marked in %s\n", filepath.Join(conflicts, filepath.Base(r.Patch), filepath.FromSlash(target)))
		}
		if r.State == rebase.Conflict {
			stuck = append(stuck, filepath.Base(r.Patch))
		}
	}
	if stuck != nil {
		return command.ConflictError{Patches: stuck}
	}
	return nil
}

func (t *pinTool) newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new NAME WHAT [flags] [-- COMMAND [ARGUMENT...]]",
		Short: "Record a change of a pin's source as its next patch",
		Long: `new makes a scratch copy of the source of the pin NAME with its patches applied, and runs a shell, or COMMAND, in it. When
that ends well, what was changed becomes patches/NAME/NNNN-WHAT.patch with the next number and a header, the pin names it, and
third_party/repositories.bzl is generated. Nothing changes when the shell ends with an error ("exit 1") or nothing was edited.`,
		Args:                  cobra.MinimumNArgs(2),
		DisableFlagsInUseLine: true,
	}
	open := t.pinFlags(cmd)
	subject := cmd.Flags().String("subject", "", "first line of the header, `TEXT` (default: WHAT)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		line := args[2:]
		if dash := cmd.ArgsLenAtDash(); len(line) > 0 && dash != 2 {
			return errors.New("want NAME WHAT [-- COMMAND]")
		}
		store, err := open()
		if err != nil {
			return err
		}
		file, err := bump.NewPatch(cmd.Context(), store, t.root, args[0], args[1], *subject, func(dir string) error { return t.edit(cmd.Context(), dir, line) })
		if err != nil {
			return err
		}
		if file == "" {
			fmt.Fprintln(t.Stdout, "nothing was changed, so there is no patch")
			return nil
		}
		fmt.Fprintf(t.Stdout, "%s: written and named in %s; now say why in its header\n", file, pins.PinsFile)
		return nil
	}
	return cmd
}

// edit runs a command, or the user's shell, in the folder.
func (t *pinTool) edit(ctx context.Context, dir string, line []string) error {
	if len(line) == 0 {
		shell := os.Getenv("SHELL")
		if runtime.GOOS == "windows" {
			shell = os.Getenv("ComSpec")
		}
		if shell == "" {
			shell = "sh"
		}
		line = []string{shell}
		fmt.Fprintf(t.Stderr, "patch: change what you want in %s; exit records it, \"exit 1\" drops it\n", dir)
	}
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, os.Stdin, t.Stdout, t.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w; nothing was recorded", line[0], err)
	}
	return nil
}
