// Command cc measures what the C and C++ toolchain costs against the commands
// that a user would type instead: the bare `zig clang` and lld.
//
// It takes three times of each job and prints them with their ratios:
//
//	raw     the command that the driver runs, run directly
//	driver  the driver (go/ccdriver) that runs it
//	action  the whole Bazel action around the driver, sandbox and all
//
// Run it by `bazel run //bench/cc`; --actions=false leaves the last one out,
// which needs minutes. Exit codes: 0; 1 when something could not be measured.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// job is one kind of command that is measured.
type job struct {
	name string
	// mnemonic and label find the job's actions in Bazel's profile.
	mnemonic, label string
	raw, driver     time.Duration
	action          time.Duration
}

func main() {
	runs := flag.Int("runs", 20, "how often each command runs; the median counts")
	actions := flag.Bool("actions", true, "measure Bazel's actions as well, in a fresh output base")
	targets := flag.String("targets", "win_arm64,linux_aarch64", "the targets to measure, separated by commas")
	flag.Parse()
	if err := bench(strings.Split(*targets, ","), *runs, *actions); err != nil {
		fmt.Fprintln(os.Stderr, "bench/cc:", err)
		os.Exit(1)
	}
}

func bench(targets []string, runs int, actions bool) error {
	fmt.Printf("%s/%s, %d cores, median of %d runs\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runs)
	fmt.Println("| target | job | raw ms | driver ms | driver/raw | action ms | action/raw |")
	fmt.Println("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
	for _, target := range targets {
		jobs, err := measureDriver(target, runs)
		if err != nil {
			return err
		}
		if actions {
			if err := measureActions(target, jobs); err != nil {
				return err
			}
		}
		for _, j := range jobs {
			fmt.Printf("| %s | %s | %s | %s | %.2f | %s | %s |\n", target, j.name, ms(j.raw), ms(j.driver),
				float64(j.driver)/float64(j.raw), ms(j.action), ratio(j.action, j.raw))
		}
	}
	return nil
}

func ms(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", float64(d)/float64(time.Millisecond))
}

func ratio(d, of time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", float64(d)/float64(of))
}
