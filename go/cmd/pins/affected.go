package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/affected"
)

func affectedCommand(root func() (string, error)) *cobra.Command {
	var since string
	var bazel, flags []string
	cmd := &cobra.Command{
		Use:   "affected --since REVISION [PATTERN...]",
		Short: "Print the targets that a change since a git revision touches",
		Long: `affected analyses the patterns (default: //wheels:all) in this checkout, with what is not committed, and in a worktree of the
revision, and prints the targets whose actions, or whose inputs' actions, have another key: another command, or other contents
of a file that they read. Nothing is built. The worktree and its Bazel are kept in the user's cache folder, so that the next
time is quick. An empty answer means that everything would come from a cache:

    ./bazelw build $(./bazelw run //go/cmd/pins -- affected --since origin/main)`,
	}
	cmd.Flags().StringVar(&since, "since", "", "git `REVISION` to compare with (required)")
	cmd.Flags().StringArrayVar(&bazel, "bazel", nil, "`COMMAND` that starts Bazel, repeated for its arguments (default: ./bazelw, or bazel on PATH on Windows)")
	cmd.Flags().StringArrayVar(&flags, "flag", nil, "`FLAG` for both analyses, such as --config=own; repeatable")
	cmd.RunE = func(cmd *cobra.Command, patterns []string) error {
		if since == "" {
			return usageError{errors.New("want --since REVISION")}
		}
		if len(patterns) == 0 {
			patterns = []string{"//wheels:all"}
		}
		if len(bazel) == 0 {
			bazel = []string{"./bazelw"}
			if runtime.GOOS == "windows" {
				bazel = []string{"bazel"}
			}
		}
		dir, err := root()
		if err != nil {
			return err
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return err
		}
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		other := filepath.Join(cache, "sparkwheels", "affected", fmt.Sprintf("%x", sha256.Sum256([]byte(dir)))[:12])
		ctx := cmd.Context()
		commit, err := affected.Worktree(ctx, dir, other, since)
		if err != nil {
			return usageError{err}
		}
		stderr := cmd.ErrOrStderr()
		fmt.Fprintf(stderr, "pins: analysing %s as of %s\n", since, commit[:12])
		before, err := (&affected.Checkout{Dir: other, Bazel: bazel, Flags: flags, Stderr: stderr}).Keys(ctx, patterns)
		if err != nil {
			return err
		}
		fmt.Fprintln(stderr, "pins: analysing this checkout")
		here := &affected.Checkout{Dir: dir, Bazel: bazel, Flags: flags, Stderr: stderr}
		after, err := here.Keys(ctx, patterns)
		if err != nil {
			return err
		}
		wanted, err := here.Targets(ctx, patterns)
		if err != nil {
			return err
		}
		var labels []string
		for _, label := range affected.Between(before, after) {
			if _, there := after[label]; there { // what is gone cannot be built
				labels = append(labels, label)
			}
		}
		gathering, err := here.Gathering(ctx, patterns, labels)
		if err != nil {
			return err
		}
		for _, label := range wanted {
			if slices.Contains(labels, label) || slices.Contains(gathering, label) {
				if _, err := fmt.Fprintln(cmd.OutOrStdout(), label); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return cmd
}
