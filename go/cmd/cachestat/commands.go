package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/cachestat"
	"github.com/sparkwheels/sparkwheels/go/execlog"
)

const resultsHelp = "where cached results say how long actions took: the folder of --disk_cache, or the http(s) URL of a cache"

func summaryCommand() *cobra.Command {
	var results string
	var largest int
	cmd := &cobra.Command{
		Use:   "summary LOG",
		Short: "Hits and misses, time saved, largest outputs",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			log, err := execlog.Open(args[0])
			if err != nil {
				return unreadable(err)
			}
			s, err := summarize(cmd, log, results, largest)
			if err != nil {
				return err
			}
			return output(cmd, s, s.Print)
		},
	}
	cmd.Flags().StringVar(&results, "results", "", resultsHelp)
	cmd.Flags().IntVar(&largest, "largest", 10, "how many of the largest outputs to name")
	return cmd
}

func summarize(cmd *cobra.Command, log *execlog.Log, results string, largest int) (*cachestat.Summary, error) {
	times, failed := clock(cmd, results)
	s := cachestat.Summarize(log, times, largest)
	return s, unreadable(failed())
}

func clock(cmd *cobra.Command, results string) (cachestat.Clock, func() error) {
	if results == "" {
		return nil, func() error { return nil }
	}
	return cachestat.Results(cmd.Context(), results)
}

func whyCommand() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "why LOG BEFORE",
		Short: "Why each action of LOG ran, compared with the log BEFORE",
		Long: `why names, for every action of LOG that ran, what differs from the same action of BEFORE:
inputs with their hashes, arguments, environment, platform; and where the difference
comes from in the end, since one changed source file re-runs a whole chain. BEFORE is your
last build's log, or the log of another machine whose results you expected to get.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			now, err := execlog.Open(args[0])
			if err != nil {
				return unreadable(err)
			}
			before, err := execlog.Open(args[1])
			if err != nil {
				return unreadable(err)
			}
			misses, err := cachestat.Explain(now, before, all)
			if err != nil {
				return unreadable(err)
			}
			return output(cmd, misses, func(w io.Writer) error { return cachestat.PrintMisses(w, misses) })
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "explain hits with another key as well")
	return cmd
}

func checkCommand() *cobra.Command {
	var rules cachestat.Rules
	cmd := &cobra.Command{
		Use:   "check LOG",
		Short: "Fail if the cache or the executor was not used as it should have been",
		Long: `check ends with 1 and says why if the build executed what a cache should have given. Bazel
itself ends with 0 when a cache cannot be reached, and builds here without a word.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			log, err := execlog.Open(args[0])
			if err != nil {
				return unreadable(err)
			}
			s := cachestat.Summarize(log, nil, 0)
			bad := s.Check(rules)
			if len(bad) > 0 {
				return &failure{1, errors.New(args[0] + ": " + strings.Join(bad, "; "))}
			}
			return output(cmd, s.Total, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%d hits, %d ran here, %d on an executor\n", s.Total.Hits, s.Total.Local, s.Total.Remote)
				return err
			})
		},
	}
	f := cmd.Flags()
	f.IntVar(&rules.MaxRan, "max-ran", 0, "how many cacheable actions may have been executed")
	f.BoolVar(&rules.NoLocal, "no-local", false, "nothing may have run on this machine, for builds on an executor")
	f.BoolVar(&rules.RemoteOnly, "remote-only", false, "hits of the local disk cache are failures too")
	f.StringSliceVar(&rules.Allow, "allow", nil, "mnemonics that may have been executed")
	return cmd
}
