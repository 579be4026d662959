package guest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// initName is argv[0] of this program when it is started again to set up the
// namespaces from within and to become the guest's program.
const initName = "sparkwheels-guest-init"

// The descriptors of that process besides its standard ones.
const (
	entryFd  = 3 // the entry, as JSON
	reportFd = 4 // why the entering failed; closed by exec
)

func init() {
	if os.Args[0] != initName {
		return
	}
	runtime.LockOSThread()
	report := os.NewFile(reportFd, "report")
	syscall.CloseOnExec(reportFd)
	err := func() error {
		var e entry
		in := os.NewFile(entryFd, "entry")
		if err := json.NewDecoder(in).Decode(&e); err != nil {
			return err
		}
		in.Close()
		return e.become()
	}()
	if err != nil {
		fmt.Fprint(report, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// probe finds out whether entering can work, by doing so without a root.
func probe(ctx context.Context) error {
	scratch, err := os.MkdirTemp("", "guest-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	_, err = enter(ctx, &entry{Scratch: scratch, Qemu: os.DevNull, Probe: true})
	if failed := (*failedEntry)(nil); errors.As(err, &failed) {
		return &Unavailable{failed.text + " (Linux 6.7 or later and unprivileged user namespaces are needed)"}
	}
	return err
}

// failedEntry is the report of a process that could not enter.
type failedEntry struct{ text string }

func (f *failedEntry) Error() string { return "entering the guest: " + f.text }

// enter starts this program again in new namespaces with the entry and waits.
func enter(ctx context.Context, e *entry) (*Result, error) {
	entryRead, entryWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer entryRead.Close()
	defer entryWrite.Close()
	reportRead, reportWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer reportRead.Close()
	defer reportWrite.Close()

	var output bytes.Buffer
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Args = []string{initName}
	cmd.Env = []string{}
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.ExtraFiles = []*os.File{entryRead, reportWrite}
	// All of the guest dies with its process 1; its output pipe may outlive it
	// by a moment.
	cmd.WaitDelay = 5 * time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	// Pdeathsig is about the thread that started the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); ctx.Err() != nil {
		return nil, ctx.Err()
	} else if err != nil {
		return nil, &failedEntry{"user namespaces: " + err.Error()}
	}
	entryRead.Close()
	reportWrite.Close()
	encodeErr := json.NewEncoder(entryWrite).Encode(e)
	entryWrite.Close()
	report, _ := io.ReadAll(reportRead)
	err = cmd.Wait()
	switch exit := (*exec.ExitError)(nil); {
	case len(report) > 0:
		return nil, &failedEntry{string(report)}
	case ctx.Err() != nil:
	case encodeErr != nil:
		return nil, encodeErr
	case err != nil && !errors.As(err, &exit):
		return nil, err
	}
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	result := &Result{Output: output.String(), ExitCode: status.ExitStatus()}
	if status.Signaled() {
		result.ExitCode = 128 + int(status.Signal())
	}
	return result, nil
}

// become makes the mounts, then turns the process into the guest's program.
// It runs as process 1, and as root, of namespaces that hold nothing else.
func (e *entry) become() error {
	if err := mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return err
	}
	if err := mount("tmpfs", e.Scratch, "tmpfs", 0, ""); err != nil {
		return err
	}
	if e.Qemu != "" {
		if err := e.register(); err != nil {
			return err
		}
	}
	if e.Probe {
		lower := filepath.Join(e.Scratch, "lower")
		if err := os.Mkdir(lower, 0o755); err != nil {
			return err
		}
		return e.overlay(lower, filepath.Join(e.Scratch, "root"))
	}
	root := filepath.Join(e.Scratch, "root")
	if err := e.overlay(e.Root, root); err != nil {
		return err
	}
	// A process in a sandbox may not see all of /proc, and then may not mount
	// it anew; the outer one will do, since it shows more and not less.
	if mount("proc", filepath.Join(root, "proc"), "proc", 0, "") != nil {
		if err := mount("/proc", filepath.Join(root, "proc"), "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
			return err
		}
	}
	if err := mount("/dev", filepath.Join(root, "dev"), "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
		return err
	}
	if err := mount("tmpfs", filepath.Join(root, "tmp"), "tmpfs", 0, ""); err != nil {
		return err
	}
	for _, m := range e.Mounts {
		if err := e.mount(m, filepath.Join(root, m.Target)); err != nil {
			return err
		}
	}
	if err := syscall.Chroot(root); err != nil {
		return fmt.Errorf("chroot: %w", err)
	}
	if err := os.Chdir("/" + e.Dir); err != nil {
		return err
	}
	if err := syscall.Exec(e.Args[0], e.Args, e.Environ); err != nil {
		return fmt.Errorf("%s: %w", e.Args[0], err)
	}
	return nil
}

// register tells the namespace's own binfmt_misc to give arm64 programs to
// qemu: the ELF header with any ABI, type executable or shared, machine 183.
// Flags as in Debian's package: O and C let qemu read the program and keep its
// credentials, P keeps argv[0], and F opens qemu now, so that the root need not
// hold it.
func (e *entry) register() error {
	dir := filepath.Join(e.Scratch, "binfmt")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	if err := mount("binfmt_misc", dir, "binfmt_misc", 0, ""); err != nil {
		return err
	}
	if e.Probe {
		return nil
	}
	const magic = `\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`
	const mask = `\xff\xff\xff\xff\xff\xff\xff\xfc\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`
	rule := ":qemu-aarch64:M::" + magic + ":" + mask + ":" + e.Qemu + ":OCPF"
	if err := os.WriteFile(filepath.Join(dir, "register"), []byte(rule), 0); err != nil {
		return fmt.Errorf("registering %s: %w", e.Qemu, err)
	}
	return nil
}

// mount puts one folder where the guest wants it.
func (e *entry) mount(m Mount, target string) error {
	if m.Writable {
		if err := os.MkdirAll(target, 0o755); err != nil {
			return err
		}
		return mount(m.Source, target, "", syscall.MS_BIND, "")
	}
	return e.overlay(m.Source, target)
}

// overlay shows lower at target; what is changed there stays in memory. The
// kernel refuses a lower folder that others have mounted something in.
func (e *entry) overlay(lower, target string) error {
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	layer, err := os.MkdirTemp(e.Scratch, "layer-")
	if err != nil {
		return err
	}
	upper, work := filepath.Join(layer, "upper"), filepath.Join(layer, "work")
	if err := errors.Join(os.Mkdir(upper, 0o755), os.Mkdir(work, 0o755)); err != nil {
		return err
	}
	// userxattr: what an unprivileged overlay may keep its notes in.
	quote := strings.NewReplacer(`\`, `\\`, `:`, `\:`, `,`, `\,`).Replace
	options := "userxattr,lowerdir=" + quote(lower) + ",upperdir=" + quote(upper) + ",workdir=" + quote(work)
	return mount(lower, target, "overlay", 0, options)
}

// mount is mount(2) with an error that tells what was to be mounted.
func mount(source, target, kind string, flags uintptr, options string) error {
	if err := syscall.Mount(source, target, kind, flags, options); err != nil {
		return fmt.Errorf("mounting %s on %s: %w", source+" "+kind, target, err)
	}
	return nil
}
