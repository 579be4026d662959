package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/bump"
	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/upstream"
)

// newsError is what outdated, watch and coverage return when there is something to do; it was printed already.
type newsError struct{}

func (newsError) Error() string { return "" }

// askError is what keeps a command from an answer of upstream.
type askError struct{ error }

// Unwrap returns the reason.
func (e askError) Unwrap() error { return e.error }

// asking adds the flags of commands that ask upstream, and makes their client.
func asking(cmd *cobra.Command) func() *upstream.Client {
	timeout := cmd.Flags().Duration("timeout", time.Minute, "how long one question may take, retries included")
	quiet := cmd.Flags().BoolP("quiet", "q", false, "do not show on standard error what is being asked")
	return func() *upstream.Client {
		client := upstream.NewClient(*timeout)
		if !*quiet {
			client.Log = func(line string) { fmt.Fprintln(cmd.ErrOrStderr(), "pins: "+line) }
		}
		return client
	}
}

func outdatedCommand(root func() (string, error)) *cobra.Command {
	format := "table"
	cmd := &cobra.Command{
		Use:   "outdated [NAME...]",
		Short: "Print what is newer upstream than what is pinned",
		Long: `outdated asks upstream for every pin, or for those named: the index of the machine's pip, git remotes, the registry of the
machine's cargo (or CRATES_INDEX_URL), NVIDIA's manifests (or NVIDIA_REDIST_URL). Versions are compared by PEP 440; a
pre-release counts only for a pin that is one; what was yanked, has no file like the pinned one or refuses our Python does
not count, and the note says so. A file whose hash changed under its name and a tag that was moved are failures.
The exit code is 6 if anything is newer, 5 if anything could not be asked. Formats: table, json.`,
	}
	client := asking(cmd)
	cmd.Flags().StringVar(&format, "format", format, "table or json")
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		if format != "table" && format != "json" {
			return usageError{fmt.Errorf("--format %q is not one of json, table", format)}
		}
		all, err := loadPins(root, names)
		if err != nil {
			return err
		}
		rows, failed := bump.Outdated(cmd.Context(), client(), all)
		text := bump.Table(rows)
		if format == "json" {
			data, err := json.MarshalIndent(rows, "", "  ")
			if err != nil {
				return err
			}
			text = string(data) + "\n"
		}
		if _, err := fmt.Fprint(cmd.OutOrStdout(), text); err != nil {
			return err
		}
		switch {
		case failed != nil:
			return askError{failed}
		case slices.ContainsFunc(rows, func(r bump.Row) bool { return r.State == bump.Newer }):
			return newsError{}
		}
		return nil
	}
	return cmd
}

// loadPins returns the pins with the given names, or all.
func loadPins(root func() (string, error), names []string) ([]*pins.Pin, error) {
	dir, err := root()
	if err != nil {
		return nil, err
	}
	f, err := pins.Load(os.DirFS(dir))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return f.Pins, nil
	}
	var out []*pins.Pin
	for _, name := range names {
		i := slices.IndexFunc(f.Pins, func(p *pins.Pin) bool { return p.Name == name })
		if i < 0 {
			return nil, usageError{fmt.Errorf("no pin is named %q", name)}
		}
		out = append(out, f.Pins[i])
	}
	return out, nil
}

func bumpCommand(root func() (string, error)) *cobra.Command {
	b := &bump.Bump{}
	cmd := &cobra.Command{
		Use:   "bump NAME[@VERSION]...",
		Short: "Move pins to a newer version",
		Long: `bump finds the newest version that fits, or the one that is named; fetches and hashes what the pins will name; tries the
patches on the new source in a scratch copy; and changes third_party/pins.json in place, with its order and layout, and
third_party/repositories.bzl. Pins that move together do: files of one project, the components of a toolkit, what is
"built_for" another pin. The report says for each patch: applies, applies at an offset, already upstream, merged anew, or
conflicts, with the place and both texts; "patch refresh NAME" then writes what can be written.
Both files change at the end, or none does; conflicts (exit code 7) leave them as they were unless --with-conflicts is given.`,
	}
	client := asking(cmd)
	cmd.Flags().BoolVar(&b.Check, "check", false, "report, change nothing")
	cmd.Flags().BoolVar(&b.WithConflicts, "with-conflicts", false, "write the pins although a patch must be made again")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		wanted := map[string]string{}
		for _, arg := range args {
			name, version, at := strings.Cut(arg, "@")
			if at && version == "" {
				return usageError{fmt.Errorf("%q: want NAME@VERSION", arg)}
			}
			wanted[name] = version
		}
		if len(wanted) == 0 {
			return usageError{errors.New("want the name of a pin: pins bump NAME[@VERSION]")}
		}
		if b.Root, err = root(); err != nil {
			return err
		}
		names := make([]string, 0, len(wanted))
		for name := range wanted {
			names = append(names, name)
		}
		if _, err := loadPins(root, names); err != nil {
			return err
		}
		c := client()
		b.Ask = c
		if b.Store, err = bump.NewStore(c); err != nil {
			return err
		}
		report, err := b.Run(cmd.Context(), wanted)
		if report != nil && (err == nil || len(report.Patches) > 0) {
			if _, err := fmt.Fprint(cmd.OutOrStdout(), report.Text()); err != nil {
				return err
			}
		}
		if bump.NoAnswer(err) {
			return askError{err}
		}
		return err
	}
	return cmd
}

func watchCommand(root func() (string, error)) *cobra.Command {
	format := "markdown"
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Print which wheels upstream ships by now",
		Long: `watch asks the package index about every wheel of the mission: the newest version, the newest that has a wheel for our Python
on each wanted platform, and since when. A wheel can be retired where that version is not older than ours; the end says what
would become unnecessary with it, chain by chain. Formats: markdown, json. The exit code is 6 if a wheel can be retired.`,
		Args: noArgs,
	}
	client := asking(cmd)
	cmd.Flags().StringVar(&format, "format", format, "markdown or json")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		write, ok := map[string]func(*bump.Watch) (string, error){"json": (*bump.Watch).JSON, "markdown": (*bump.Watch).Markdown}[format]
		if !ok {
			return usageError{fmt.Errorf("--format %q is not one of json, markdown", format)}
		}
		all, err := loadPins(root, nil)
		if err != nil {
			return err
		}
		watch, failed := bump.Look(cmd.Context(), client(), all, time.Now())
		text, err := write(watch)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprint(cmd.OutOrStdout(), text); err != nil {
			return err
		}
		switch {
		case failed != nil:
			return askError{failed}
		case watch.News():
			return newsError{}
		}
		return nil
	}
	return cmd
}
