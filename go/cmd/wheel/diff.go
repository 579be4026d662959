package main

import (
	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/wheeldiff"
)

func (t *tool) diff() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff [--json] A.whl B.whl",
		Short: "Tell how two wheels of one project differ",
		Long: `diff compares tags, METADATA fields, members, and for native members the machine,
the imports and the exports. Their other bytes are not compared, so that a wheel
of ours can be held against upstream's.`,
		Args:                  cobra.ExactArgs(2),
		DisableFlagsInUseLine: true,
		RunE: t.do(func(args []string) error {
			diff, err := wheeldiff.Compare(args[0], args[1])
			if err != nil {
				return err
			}
			if asJSON {
				if _, err := t.stdout.Write(diff.JSON()); err != nil {
					return err
				}
			} else {
				diff.Print(t.stdout)
			}
			if !diff.Empty() {
				return errDiffer
			}
			return nil
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
