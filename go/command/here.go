package command

import (
	"fmt"
	"os"
)

// Main is the main function of a program that takes paths: run gets the
// arguments and returns the exit code, which ends the program. Relative paths
// start where the user called from: `bazel run` starts a program among its
// runfiles, and says in BUILD_WORKING_DIRECTORY where it was called itself.
func Main(run func(args []string) int) {
	if err := Here(); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", os.Args[0], err)
		os.Exit(Failed)
	}
	os.Exit(run(os.Args[1:]))
}

// Here goes to the folder that `bazel run` was called in. Without Bazel it does
// nothing.
func Here() error {
	if dir := os.Getenv("BUILD_WORKING_DIRECTORY"); dir != "" {
		return os.Chdir(dir)
	}
	return nil
}
