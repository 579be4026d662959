// Command sysroot makes a target's C and C++ sysroot from zig's distribution.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/sysroot"
)

func main() {
	root := &cobra.Command{
		Use:   "sysroot",
		Short: "Make the C and C++ sysroot of a target from zig's distribution",
		Long: `Make the C and C++ sysroot of a target from zig's distribution.

Exit codes: 0 the sysroot was made; 1 it was not, and standard error says why;
2 the command line is wrong.`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(makeCommand())
	if err := root.ExecuteContext(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "sysroot:", err)
		if _, ok := err.(failure); ok {
			os.Exit(1)
		}
		os.Exit(2)
	}
}

// failure is an error of the work, as opposed to one of the command line.
type failure struct{ error }

func makeCommand() *cobra.Command {
	var o sysroot.Options
	cmd := &cobra.Command{
		Use:   "make --zig ZIG --zig-lib FOLDER --target TARGET --out FOLDER",
		Short: "Make one sysroot; takes some minutes, since zig builds the runtimes",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := sysroot.Make(cmd.Context(), o); err != nil {
				return failure{err}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Zig, "zig", "", "zig's executable")
	f.StringVar(&o.ZigLib, "zig-lib", "", "zig's library folder (holds std, libc, libcxx)")
	f.StringVar(&o.Target, "target", "", "one of "+strings.Join(sysroot.Targets(), ", "))
	f.StringVar(&o.Out, "out", "", "the folder to make; must be absent or empty")
	for _, name := range []string{"zig", "zig-lib", "target", "out"} {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err)
		}
	}
	return cmd
}
