// Command toolkit lays NVIDIA's CUDA toolkit out for actions.
//
// It is the command line of package toolkit.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/toolkit"
)

const long = `toolkit lays components of NVIDIA's CUDA toolkit out as trees for actions.

A component is a wheel of the Python index or one of NVIDIA's redistributable
archives; the result is the same.

Exit codes:
  0  the tree is complete
  1  a component is missing or is not what it should be, or reading or writing
     failed; nothing was written
  2  the command line is wrong`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// failure is an error of the work, as opposed to one of the command line.
type failure struct{ error }

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{Use: "toolkit", Short: "Lay the CUDA toolkit out for actions", Long: long, SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(toolsCommand(), headersCommand(), componentCommand())
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch err := root.ExecuteContext(ctx).(type) {
	case nil:
		return 0
	case failure:
		fmt.Fprintln(stderr, "toolkit:", err)
		return 1
	default:
		fmt.Fprintf(stderr, "toolkit: %v\nSee toolkit --help.\n", err)
		return 2
	}
}

func toolsCommand() *cobra.Command {
	var o toolkit.ToolsOptions
	cmd := &cobra.Command{
		Use:   "tools --nvcc FILE --nvvm FILE --out DIR",
		Short: "Make the tree of programs for the machine that compiles",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return fail(toolkit.Tools(o)) },
	}
	f := cmd.Flags()
	f.StringVar(&o.NVCC, "nvcc", "", "the component with nvcc, cudafe++, ptxas and fatbinary")
	f.StringVar(&o.NVVM, "nvvm", "", "the component with cicc")
	f.StringVar(&o.Out, "out", "", "the folder to make; must be absent or empty")
	require(cmd, "out")
	return cmd
}

func headersCommand() *cobra.Command {
	var o toolkit.HeadersOptions
	cmd := &cobra.Command{
		Use:   "headers --crt FILE --cudart FILE --cccl FILE [--sysroot DIR] --target TARGET --out DIR",
		Short: "Make the tree of headers for the machine that the code is for",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return fail(toolkit.Headers(o)) },
	}
	f := cmd.Flags()
	f.StringVar(&o.CRT, "crt", "", "the component with crt/host_runtime.h")
	f.StringVar(&o.CUDART, "cudart", "", "the component with cuda_runtime.h")
	f.StringVar(&o.CCCL, "cccl", "", "the component with cuda/std")
	f.StringVar(&o.Sysroot, "sysroot", "", "the target's sysroot; Visual C++ has none")
	f.StringVar(&o.Target, "target", "", "one of "+strings.Join(toolkit.Targets(), ", "))
	f.StringVar(&o.Out, "out", "", "the folder to make; must be absent or empty")
	require(cmd, "target", "out")
	return cmd
}

func componentCommand() *cobra.Command {
	var o toolkit.ComponentOptions
	cmd := &cobra.Command{
		Use:   "component --package FILE --zig ZIG [--library NAME=OUT]... [--headers DIR]",
		Short: "Make what a compilation and a link need of an optional component, such as cuBLAS",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fail(toolkit.Component(cmd.Context(), o))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Package, "package", "", "the component, for the target")
	f.StringToStringVar(&o.Libraries, "library", nil, "a shared library in the component, and the import library or stub to make of it")
	f.StringVar(&o.Headers, "headers", "", "the folder for the headers; must be absent or empty")
	f.StringVar(&o.Zig, "zig", "", "zig's executable")
	require(cmd, "package", "zig")
	return cmd
}

func fail(err error) error {
	if err != nil {
		return failure{err}
	}
	return nil
}

func require(cmd *cobra.Command, flags ...string) {
	for _, name := range flags {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // the flag is declared above
		}
	}
}
