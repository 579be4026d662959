// Command nvcc runs NVIDIA's nvcc for the CUDA rules.
//
// It is the command line of package nvcc; see there for what it adds and why.
// Called by nvcc itself, it is nvcc's host compiler and front end.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/nvcc"
)

const long = `nvcc runs NVIDIA's nvcc so that nothing of the machine gets into the output.

The arguments after "--" are nvcc's own. An argument @FILE before it stands for
the lines of FILE. What a rule must decide (the host compiler, threads, the
folder of intermediate files) is refused among nvcc's arguments, and a warning
with which nvcc says that it ignores a flag is an error.

Exit codes:
  0  the output is complete
  1  nothing was written: the arguments cannot be honoured, or nvcc failed
  2  the command line is wrong`

func main() {
	if code, ok := nvcc.Main(os.Args, os.Stdin, os.Stdout, os.Stderr); ok {
		os.Exit(code)
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	var o nvcc.Options
	usage := true // until the command line proves to be right
	cmd := &cobra.Command{
		Use:           "nvcc --kind KIND --tools DIR --headers DIR --target TARGET --output FILE [flags] -- NVCC-ARGUMENTS...",
		Short:         "Run NVIDIA's nvcc hermetically",
		Long:          long,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.ArgsLenAtDash() != 0 || len(args) == 0 {
				return errors.New(`nvcc's own arguments are missing; they come after "--"`)
			}
			usage = false
			o.Args = args
			return nvcc.Run(cmd.Context(), o, stderr)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Kind, "kind", "", "what to make: "+strings.Join(nvcc.Kinds(), ", "))
	f.StringVar(&o.Tools, "tools", "", "the tree that \"toolkit tools\" made")
	f.StringVar(&o.Headers, "headers", "", "the tree that \"toolkit headers\" made")
	f.StringVar(&o.Target, "target", "", "win_arm64 or linux_aarch64")
	f.StringVar(&o.Zig, "zig", "", "zig's executable")
	f.StringVar(&o.Sysroot, "sysroot", "", "the target's sysroot")
	f.StringVar(&o.MSVC, "msvc", "", "cl.exe, on Windows")
	f.StringVar(&o.Output, "output", "", "the file to make")
	f.StringVar(&o.UsageFile, "usage", "", "write what the compilation took to `FILE`, JSON")
	for _, name := range []string{"kind", "tools", "headers", "target", "output"} {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // the flag is declared above
		}
	}
	args, err := expand(args)
	if err != nil {
		fmt.Fprintln(stderr, "nvcc:", err)
		return 1
	}
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = cmd.ExecuteContext(ctx)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		// nvcc has said why.
		fmt.Fprintf(stderr, "nvcc: %s was not made: %v\n", o.Output, err)
		return 1
	case usage:
		fmt.Fprintf(stderr, "nvcc: %v\nSee nvcc --help.\n", err)
		return 2
	}
	fmt.Fprintln(stderr, "nvcc:", err)
	return 1
}

// expand replaces @FILE by the lines of FILE, as Bazel writes them.
func expand(args []string) ([]string, error) {
	var out []string
	for i, arg := range args {
		if arg == "--" {
			return append(out, args[i:]...), nil
		}
		name, ok := strings.CutPrefix(arg, "@")
		if !ok {
			out = append(out, arg)
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for _, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
			out = append(out, strings.TrimSuffix(line, "\r"))
		}
	}
	return out, nil
}
