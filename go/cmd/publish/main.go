// Command publish puts a built index into a release and points its pages there.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/command"
	"github.com/sparkwheels/sparkwheels/go/index"
	"github.com/sparkwheels/sparkwheels/go/publish"
)

const long = `publish uploads the wheels of an index, which index build or //wheels:index made,
as assets of a release, writes the site that points at them, and downloads every
wheel again to compare. Without --yes it looks, says what it would do, and
changes nothing.

Wheels that upstream publishes are left out: the set names them with their
digests, and installers find them on the package index.

A published file never changes: an asset with the same bytes is kept, one with
others is refused. A wheel over 2 GiB is refused, and the others go on. Ctrl-C
leaves whole assets; the next run goes on from there.

The token is read from GITHUB_TOKEN. docs/publish.md has an example.

Exit codes:
  0  done, or nothing that would be refused
  1  a file was refused or did not arrive; the message names each
  2  the command line is wrong
  3  the server or the disk failed`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	command.Main(func(args []string) int { return run(ctx, args, os.Stdout, os.Stderr) })
}

// run is main with its surroundings as arguments; it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var site, merge, out, repository, api, tag string
	var yes bool
	root := &cobra.Command{
		Use: "publish --site DIR --repository OWNER/NAME --tag TAG [--merge DIR] [--out DIR] [--yes]", Short: "Publish an index as a release", Long: long,
		Args: cobra.NoArgs, DisableFlagsInUseLine: true,
		PreRunE: func(*cobra.Command, []string) error {
			if yes && out == "" {
				return errors.New("--yes needs --out: the folder for the pages that point at the release")
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error {
			x, err := index.ReadSite(site)
			if err != nil {
				return err
			}
			set, err := index.ReadSet(site + "/set.json")
			if err != nil {
				return err
			}
			for i, one := range set.Wheels {
				if one.Origin == index.Upstream {
					x.Drop(one.File)
					set.Wheels[i].URL = ""
				}
			}
			if merge != "" {
				published, err := index.ReadSite(merge)
				if err != nil {
					return err
				}
				if err := x.Merge(published); err != nil {
					return command.Finding{Err: err}
				}
			}
			p := &publish.Publisher{Releases: publish.NewGitHub(api, repository, os.Getenv("GITHUB_TOKEN")), Tag: tag, DryRun: !yes, Log: stdout}
			refused := p.Upload(ctx, x)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if some := (*publish.Refused)(nil); refused != nil && !errors.As(refused, &some) {
				return refused // without the server there are no pages to write
			}
			if !yes {
				fmt.Fprintln(stdout, "nothing was changed; --yes publishes")
				return finding(refused)
			}
			x.DropUnplaced()
			set.Locate(x)
			if err := x.Write(out, set); err != nil {
				return errors.Join(refused, err)
			}
			return finding(errors.Join(refused, p.Verify(ctx, out)))
		},
	}
	f := root.Flags()
	f.StringVar(&site, "site", "", "folder of the index")
	f.StringVar(&merge, "merge", "", "folder of the pages that were published before")
	f.StringVar(&out, "out", "", "folder to write the pages to")
	f.StringVar(&repository, "repository", "", "repository of the release")
	f.StringVar(&tag, "tag", "", "tag of the release")
	f.StringVar(&api, "api", "https://api.github.com", "address of the server's API")
	f.BoolVar(&yes, "yes", false, "really publish")
	for _, name := range []string{"site", "repository", "tag"} {
		root.MarkFlagRequired(name)
	}
	return command.Run(root, args, stdout, stderr)
}

func finding(err error) error {
	if err == nil {
		return nil
	}
	return command.Finding{Err: err}
}
