package main

import (
	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/dist"
)

func (t *tool) dist() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "dist --out DIR WHEEL...",
		Short: "Copy wheels to a folder, with SHA256SUMS",
		Long: `dist copies the wheels into a folder, writes SHA256SUMS beside them, and prints a
table. Wheels that an earlier dist put there and that are not among these are
removed; nothing else in the folder is touched.`,
		Args:                  cobra.MinimumNArgs(1),
		DisableFlagsInUseLine: true,
		RunE: t.do(func(args []string) error {
			result, err := dist.Copy(out, args)
			if err != nil {
				return err
			}
			return result.Print(t.stdout)
		}),
	}
	cmd.Flags().StringVar(&out, "out", "", "folder to write to; made where needed")
	return require(cmd, "out")
}
