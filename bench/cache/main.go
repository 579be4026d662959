// Command cache measures what a cache between machines buys, against the loop that people run today over the same sources:
//
//	cold       nothing built yet, sources fetched; once with our tools to be made, too, and once with the tools there
//	no-op      the same again
//	second     another machine: ours takes everything from the cache, the loop has none
//	bump       one of the wheels in another version
//	one line   one line of a C++ source of one wheel changed, ours by one more patch
//
// Ours is `bazel build` of the wheels for win_arm64, in a clone of this checkout with output bases and caches of its own; the
// cache between the machines is an HTTP server on the loopback interface. The loop is build.py's: `pip wheel` of every source
// in turn, for this machine's own architecture since that is all it can do, with gcc behind ccache and pip's own cache warm.
//
// Run it by `go run ./bench/cache` at the root of a checkout: `./bazelw run` may start it where the machine's own compiler is
// not to be seen. It needs git, pip, gcc and ccache on PATH, and the package index of the machine's pip.
// Exit codes: 0; 1 when something could not be measured.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"
)

// The wheels of the comparison: small ones, in C and C++, by setuptools and scikit-build-core.
var (
	projects = []string{"miniaudio==1.71", "pyworld==0.3.5", "simsimd==6.5.16", "soxr==1.1.0"}
	targets  = []string{"//wheels:miniaudio.win_arm64", "//wheels:pyworld.win_arm64", "//wheels:simsimd.win_arm64.own", "//wheels:soxr.win_arm64"}
)

const (
	bumped    = 2 // index of projects
	bumpedTo  = "6.5.15"
	changed   = 1
	changedIn = "lib/World/src/common.cpp"
	line      = "// one line more\n"
)

func main() {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	base, err := os.MkdirTemp("", "bench-cache-")
	if err == nil {
		done := make(chan error, 1)
		go func() { done <- bench(base) }()
		select {
		case err = <-done:
		case <-interrupted:
			err = errors.New("interrupted")
		}
		err = errors.Join(err, clean(base))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/cache:", err)
		os.Exit(1)
	}
}

func bench(base string) error {
	for _, program := range []string{"git", "gcc", "ccache", "python3"} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("%s is not on PATH: install it first", program)
		}
	}
	ours, err := newBazel(base)
	if err != nil {
		return err
	}
	defer ours.close()
	theirs, err := newLoop(ours)
	if err != nil {
		return err
	}
	fmt.Printf("%d wheels; seconds, and ours as a part of theirs\n\n| | ours s | pip wheel and ccache s | ratio |\n| --- | ---: | ---: | ---: |\n", len(targets))
	var cold time.Duration // theirs: what a step is held against that they do not have
	add := func(what string, a, b func() error) error {
		fmt.Fprintln(os.Stderr, "bench/cache:", what)
		took := [2]time.Duration{1: cold}
		for i, run := range []func() error{a, b} {
			if run == nil {
				continue
			}
			began := time.Now()
			if err := run(); err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			took[i] = time.Since(began)
		}
		if cold == 0 {
			cold = took[1]
		}
		fmt.Printf("| %s | %.1f | %.1f | %.2f |\n", what, took[0].Seconds(), took[1].Seconds(), took[0].Seconds()/took[1].Seconds())
		return nil
	}
	for _, step := range []func() error{
		func() error { return add("cold, tools too", ours.on("one"), theirs.run) },
		func() error { return add("no-op", ours.on("one"), theirs.run) },
		theirs.forget,
		func() error { return add("second machine", ours.on("two"), theirs.run) },
		func() error { return add("cold, tools there", ours.wheelsOnly("three"), nil) },
		ours.bump, theirs.bump,
		func() error { return add("bump of one wheel", ours.on("one"), theirs.run) },
		ours.change, theirs.change,
		func() error { return add("one line of one wheel", ours.on("one"), theirs.run) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// clean removes the folder; Bazel's output trees are read-only.
func clean(base string) error {
	err := filepath.WalkDir(base, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return err
	})
	return errors.Join(err, os.RemoveAll(base))
}
