// Package sysroot makes the folder that C and C++ actions compile and link
// against: the headers, C runtime, libc++, libunwind and compiler-rt of one
// target, taken from zig's distribution.
//
// zig builds these runtimes from source into a cache the first time that it
// links something. Inside a sandboxed action the cache is always cold, so every
// link would cost minutes. [Make] pays for that once: it links one tiny library
// and one tiny program with a private cache, reads from zig's verbose output
// which runtime files the linker was given, copies those, and drops the cache.
// Everything afterwards uses plain clang and lld (package ccdriver).
//
// The result depends on the zig distribution and the target only: no path, time
// or host enters it, so two machines make the same bytes.
package sysroot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// Options says what to make and from what.
type Options struct {
	// Zig is the zig executable.
	Zig string
	// ZigLib is zig's library folder, the one that holds std, libc and libcxx.
	ZigLib string
	// Target is one of the names in Targets.
	Target string
	// Out is the folder to make. It must be absent, or hold at most the empty
	// folders include and lib, as Bazel makes them for an action.
	Out string
}

// maker is the work of one Make call.
type maker struct {
	Options
	ctx context.Context
	// work is a scratch folder; it holds zig's cache and vanishes afterwards.
	work string
}

// targets maps a target's name to what makes its sysroot in the folder out.
var targets = map[string]func(m *maker, out string) error{
	"win_arm64":     makeWindows,
	"linux_aarch64": makeLinux,
}

// Targets lists the names that Options.Target may have.
func Targets() []string {
	var names []string
	for name := range targets {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Make makes the sysroot in Options.Out.
//
// The halves of Out, include and lib, appear only when both are complete. The error names the command that
// failed, with its output, or the file that zig's distribution lacks.
func Make(ctx context.Context, o Options) (err error) {
	make, ok := targets[o.Target]
	if !ok {
		return fmt.Errorf("unknown target %q: it must be one of %s", o.Target, strings.Join(Targets(), ", "))
	}
	for _, p := range []*string{&o.Zig, &o.ZigLib, &o.Out} {
		if *p, err = filepath.Abs(*p); err != nil {
			return err
		}
	}
	if err := checkOut(o.Out); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(o.ZigLib, "std")); err != nil {
		return fmt.Errorf("%s: not zig's library folder: %w", o.ZigLib, err)
	}
	work, err := os.MkdirTemp("", "sysroot")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	// Beside Out, so that the rename at the end stays on one volume.
	tmp := o.Out + ".tmp"
	if err := os.RemoveAll(tmp); err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := os.MkdirAll(filepath.Join(tmp, "lib"), 0o755); err != nil {
		return err
	}
	if err := make(&maker{Options: o, ctx: ctx, work: work}, tmp); err != nil {
		return fmt.Errorf("%s: %w", o.Target, err)
	}
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return err
	}
	for _, half := range halves {
		to := filepath.Join(o.Out, half)
		if err := os.Remove(to); err != nil && !os.IsNotExist(err) {
			return err
		}
		if err := os.Rename(filepath.Join(tmp, half), to); err != nil {
			return err
		}
	}
	return nil
}

// halves are the two folders of a sysroot.
var halves = []string{"include", "lib"}

// checkOut refuses a folder that holds anything but empty halves.
func checkOut(out string) error {
	entries, err := os.ReadDir(out)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		inside, err := os.ReadDir(filepath.Join(out, entry.Name()))
		if err != nil || len(inside) > 0 || !slices.Contains(halves, entry.Name()) {
			return fmt.Errorf("%s: the folder is not empty: it holds %s", out, entry.Name())
		}
	}
	return nil
}
