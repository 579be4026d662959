// Package guest runs arm64 Linux programs on this machine, whatever its own
// processor is, and leaves no trace of them.
//
// Its primary type is [Guest]: an arm64 Debian root and, on other processors,
// the qemu that runs its programs. Its life: [Open] has the script debroot make
// both in the user's cache folder, once; [Guest.Run] then enters the root in
// user, mount and process namespaces of its own, where qemu is registered with
// that namespace's own binfmt_misc (Linux 6.7 or later) and every folder is
// copy-on-write, so that runs can neither see nor disturb each other or the
// machine. Root rights are not needed.
//
// Where a machine cannot do this, the error is an [Unavailable] with the reason.
package guest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Unavailable is why this machine can run no guest. It says nothing about what
// was to be run.
type Unavailable struct{ Reason string }

func (u *Unavailable) Error() string { return "no arm64 Linux programs can run here: " + u.Reason }

// Options says how to make the root.
type Options struct {
	// Debroot is the path of third_party/debian/debroot.
	Debroot string
	// Packages is the path of the list of packages that the root holds.
	Packages string
	// Suites are Debian suites for the root, the first that will do.
	Suites []string
	// Cache is the folder to keep roots in; "" means [DefaultCache].
	Cache string
	// Log gets debroot's progress.
	Log io.Writer
}

// qemuSuites are where qemu comes from; it is static, so it need not fit the
// machine's own release.
var qemuSuites = []string{"forky", "sid"}

// Guest is an arm64 root and the means to run its programs.
type Guest struct {
	root, qemu string
}

// Open finds the guest in the cache folder, or makes it, which takes a minute
// and a gigabyte and a half. Several processes may do so at once.
func Open(ctx context.Context, opts Options) (*Guest, error) {
	if err := probe(ctx); err != nil {
		return nil, err
	}
	cache := opts.Cache
	if cache == "" {
		var err error
		if cache, err = DefaultCache(); err != nil {
			return nil, err
		}
	}
	roots := filepath.Join(cache, "roots")
	g := &Guest{root: filepath.Join(roots, "guest-arm64")}
	if runtime.GOARCH != "arm64" {
		dir := filepath.Join(roots, "qemu-"+runtime.GOARCH)
		g.qemu = filepath.Join(dir, "usr/bin/qemu-aarch64")
		if err := opts.debroot(ctx, qemuSuites, runtime.GOARCH, dir, "--keep", "usr/bin/qemu-aarch64", "qemu-user"); err != nil {
			return nil, err
		}
	}
	if err := opts.debroot(ctx, opts.Suites, "arm64", g.root, "--packages", opts.Packages); err != nil {
		return nil, err
	}
	return g, nil
}

// Root is the folder of the arm64 root; it must not be changed.
func (g *Guest) Root() string { return g.root }

// DefaultCache is the folder that ./bazelw uses too: SPARKWHEELS_CACHE, else
// sparkwheels in the user's cache folder. Bazel starts tests without HOME, so
// the user database is asked last.
func DefaultCache() (string, error) {
	if dir := os.Getenv("SPARKWHEELS_CACHE"); dir != "" {
		return dir, nil
	}
	if dir, err := os.UserCacheDir(); err == nil {
		return filepath.Join(dir, "sparkwheels"), nil
	}
	u, err := user.Current()
	if err != nil {
		return "", fmt.Errorf("no cache folder: set SPARKWHEELS_CACHE: %w", err)
	}
	return filepath.Join(u.HomeDir, ".cache", "sparkwheels"), nil
}

// debrootUnable is debroot's exit code where the machine has no apt, no mirror
// or no keys.
const debrootUnable = 3

// debroot makes one root, or finds that it is there.
func (o *Options) debroot(ctx context.Context, suites []string, arch, dest string, more ...string) error {
	args := append([]string{"--suite", strings.Join(suites, ","), "--arch", arch, "--dest", dest}, more...)
	cmd := exec.CommandContext(ctx, o.Debroot, args...)
	var tail lastLine
	cmd.Stderr = &tail
	if o.Log != nil {
		cmd.Stderr = io.MultiWriter(o.Log, &tail)
	}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == debrootUnable:
		return &Unavailable{tail.String()}
	case err != nil:
		return fmt.Errorf("making %s: %w: %s", dest, err, tail.String())
	}
	return nil
}

// lastLine keeps the end of what is written to it.
type lastLine struct{ text []byte }

func (l *lastLine) Write(p []byte) (int, error) {
	l.text = append(l.text, p...)
	if n := len(l.text); n > 4096 {
		l.text = l.text[n-4096:]
	}
	return len(p), nil
}

func (l *lastLine) String() string {
	text := strings.TrimSpace(string(l.text))
	return text[strings.LastIndex(text, "\n")+1:]
}

// Mount makes a folder of this machine visible in the guest.
type Mount struct {
	// Source is the folder here, Target the absolute path there.
	Source, Target string
	// Writable lets the guest change Source; otherwise its changes are lost
	// when the run ends.
	Writable bool
}

// Command is one program to run in the guest.
type Command struct {
	// Args holds the program's path in the guest and its arguments.
	Args []string
	// Env is added to PATH, HOME, LANG and QEMU_CPU, the whole environment.
	Env []string
	// Dir is the folder to start in; "" means /.
	Dir string
	// Mounts come on top of the root, in this order.
	Mounts []Mount
	// Timeout is how long one attempt may take; it must be set.
	Timeout time.Duration
}

// cpu is what qemu pretends to be. With its default, which has pointer
// authentication and more, Wine never gets past its first start.
const cpu = "cortex-a57"

// environ is the guest's whole environment; later values win.
func (c *Command) environ() []string {
	return append([]string{
		"PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME=/tmp", "LANG=C.UTF-8", "QEMU_CPU=" + cpu,
	}, c.Env...)
}

// Result is how a program ended.
type Result struct {
	// Output is what it wrote to its standard output and error.
	Output string
	// ExitCode is its exit status, or 128 and the signal that killed it.
	ExitCode int
}

// Run runs the program and everything it starts to its end. A program that
// runs out of time is killed and gets a second chance, since qemu hangs once in
// some forty runs of Wine; the second time is an error with its output. That a
// program fails is no error.
func (g *Guest) Run(ctx context.Context, c Command) (*Result, error) {
	result, err := g.attempt(ctx, c)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		result, err = g.attempt(ctx, c)
	}
	return result, err
}

// attempt is one try; when c.Timeout is over the error is DeadlineExceeded.
func (g *Guest) attempt(ctx context.Context, c Command) (*Result, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	scratch, err := os.MkdirTemp("", "guest-")
	if err != nil {
		return nil, err
	}
	// Only mount points of the namespace that is gone by then lie in it.
	defer os.RemoveAll(scratch)
	result, err := enter(ctx, &entry{Root: g.root, Qemu: g.qemu, Scratch: scratch, Command: c, Environ: c.environ()})
	if err == nil && ctx.Err() != nil {
		return nil, fmt.Errorf("%s: %w after %s: %s", strings.Join(c.Args, " "), ctx.Err(), c.Timeout, result.Output)
	}
	return result, err
}

// entry is what the process that enters the guest must know.
type entry struct {
	Command
	Root, Qemu string
	// Scratch is an empty folder to mount things in.
	Scratch string
	Environ []string
	// Probe ends the process once the namespaces are there.
	Probe bool
}
