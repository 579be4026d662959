package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/command"
	"github.com/sparkwheels/sparkwheels/go/index"
)

func buildCommand() *cobra.Command {
	var out, listing, merge, base, yanks string
	cmd := &cobra.Command{
		Use:   "build --out DIR [--listing FILE] [--merge DIR] [--base-url URL] [--yanks FILE] [WHEEL]...",
		Short: "Make the site from wheels",
		Long: `build writes the site into a new folder: PEP 503 and PEP 691 pages, one page for
--find-links, METADATA files (PEP 658) and set.json. The same wheels always give
the same bytes.

--merge takes in an index that was published before, and keeps its files; one
whose bytes differ now is refused. --yanks is a JSON object from file name to
reason (PEP 592). With --base-url the wheels are not copied into the site; the
pages point to URL/WHEEL instead.`,
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, wheels []string) error {
			if err := command.Here(); err != nil {
				return err
			}
			list := &index.Listing{}
			if listing != "" {
				var err error
				if list, err = index.ReadListing(listing); err != nil {
					return err
				}
			}
			for _, wheel := range wheels {
				list.Wheels = append(list.Wheels, index.Listed{Wheel: wheel})
			}
			return build(out, list, merge, base, yanks)
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "out", "", "folder to write; it must not exist or be empty")
	f.StringVar(&listing, "listing", "", "wheels with their pins, as wheels/private/index.bzl writes them")
	f.StringVar(&merge, "merge", "", "folder of the index that was published before")
	f.StringVar(&base, "base-url", "", "address of the folder that holds the wheels, if not the site's own files/")
	f.StringVar(&yanks, "yanks", "", "JSON file with the yanked files")
	cmd.MarkFlagRequired("out")
	return cmd
}

func build(out string, list *index.Listing, merge, base, yanks string) error {
	x, set, err := list.Load()
	if err != nil {
		return command.Finding{Err: err}
	}
	if base != "" {
		x.Place(base)
	}
	if merge != "" {
		published, err := index.ReadSite(merge)
		if err != nil {
			return command.Finding{Err: err}
		}
		if err := x.Merge(published); err != nil {
			return command.Finding{Err: err}
		}
	}
	if yanks != "" {
		reasons := map[string]string{}
		data, err := os.ReadFile(yanks)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(data, &reasons); err != nil {
			return fmt.Errorf("%s: %w; it is an object from file name to reason", yanks, err)
		}
		if err := x.Yank(reasons); err != nil {
			return command.Finding{Err: err}
		}
	}
	set.Locate(x)
	return x.Write(out, set)
}
