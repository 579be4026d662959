package machine

import (
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
	"unsafe"
)

// argv[0] of this program when it is started again: as process 1 of a machine, which makes its mounts, and by that one as
// the machine's own user, which runs programs.
const (
	initName  = "sparkwheels-machine-init"
	agentName = "sparkwheels-machine-agent"
)

// The descriptors of these processes besides their standard ones.
const (
	requestFd = 3
	answerFd  = 4
)

func init() {
	var role func() error
	switch os.Args[0] {
	case initName:
		role = becomeInit
	case agentName:
		role = becomeAgent
	default:
		return
	}
	runtime.LockOSThread()
	if err := role(); err != nil {
		_ = json.NewEncoder(os.NewFile(answerFd, "answers")).Encode(answer{Err: err.Error()})
		os.Exit(1)
	}
	os.Exit(0)
}

// Start makes a machine. An Unavailable error says that this one does not allow it.
func Start(spec Spec) (*Machine, error) {
	requests, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, answers, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{initName}
	cmd.Env = []string{}
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	cmd.ExtraFiles = []*os.File{requests, answers}
	flags := uintptr(syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS)
	if !spec.Network {
		flags |= syscall.CLONE_NEWNET
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  flags,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	err = cmd.Start()
	requests.Close()
	answers.Close()
	if err != nil {
		return nil, &Unavailable{"user namespaces: " + err.Error()}
	}
	m := &Machine{spec: spec, in: in, out: json.NewDecoder(out)}
	m.close = func() error {
		in.Close()
		err := cmd.Process.Kill()
		_ = cmd.Wait()
		out.Close()
		return err
	}
	if err := json.NewEncoder(in).Encode(spec); err != nil {
		return nil, errors.Join(err, m.close())
	}
	var a answer
	if err := m.out.Decode(&a); err != nil || a.Err != "" {
		_ = m.close()
		return nil, &Unavailable{fmt.Sprint(a.Err, err)}
	}
	return m, nil
}

// becomeInit runs as process 1 and as root of the new namespaces.
func becomeInit() error {
	requests := os.NewFile(requestFd, "requests")
	spec, err := readSpec(requests)
	if err != nil {
		return err
	}
	if err := syscall.Sethostname([]byte(spec.Host)); err != nil {
		return fmt.Errorf("host name: %w", err)
	}
	if !spec.Network {
		if err := loopback(); err != nil {
			return fmt.Errorf("loopback: %w", err)
		}
	}
	if err := mounts(spec); err != nil {
		return err
	}
	if err := shiftClock(spec.Uptime); err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	agent := exec.Command("/proc/self/exe")
	agent.Args = []string{agentName}
	agent.Env = []string{}
	agent.Stdout, agent.Stderr = os.Stderr, os.Stderr
	agent.ExtraFiles = []*os.File{requests, os.NewFile(answerFd, "answers")}
	agent.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: spec.User, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: spec.User, Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	if err := agent.Start(); err != nil {
		return fmt.Errorf("becoming user %d: %w", spec.User, err)
	}
	// Process 1 also buries what others leave behind.
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || pid == agent.Process.Pid {
			return nil
		}
	}
}

// readSpec reads one line and nothing after it, which is the agent's.
func readSpec(r io.Reader) (*Spec, error) {
	var line []byte
	for one := make([]byte, 1); ; {
		if _, err := io.ReadFull(r, one); err != nil {
			return nil, err
		}
		if one[0] == '\n' {
			break
		}
		line = append(line, one[0])
	}
	spec := &Spec{}
	return spec, json.Unmarshal(line, spec)
}

// loopback brings up lo, the only interface of a new network namespace.
func loopback() error {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	// struct ifreq of netdevice(7): the name and, here, the flags.
	request := struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}{flags: syscall.IFF_UP | syscall.IFF_RUNNING}
	copy(request.name[:], "lo")
	if _, _, no := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request))); no != 0 {
		return no
	}
	return nil
}

func mounts(spec *Spec) error {
	if err := mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return err
	}
	if err := mount("proc", "/proc", "proc", 0, ""); err != nil {
		return err
	}
	if err := mount("tmpfs", spec.Scratch, "tmpfs", 0, ""); err != nil {
		return err
	}
	for i, o := range spec.Overlays {
		upper, work := filepath.Join(spec.Scratch, fmt.Sprint("upper", i)), filepath.Join(spec.Scratch, fmt.Sprint("work", i))
		if err := errors.Join(os.Mkdir(upper, 0o755), os.Mkdir(work, 0o755)); err != nil {
			return err
		}
		quote := strings.NewReplacer(`\`, `\\`, `:`, `\:`, `,`, `\,`).Replace
		// userxattr: what an unprivileged overlay may keep its notes in.
		options := "userxattr,lowerdir=" + quote(o.Lower) + ",upperdir=" + quote(upper) + ",workdir=" + quote(work)
		if err := mount(o.Lower, o.Target, "overlay", 0, options); err != nil {
			return err
		}
	}
	return nil
}

// shiftClock gives children a time namespace whose boot was earlier. The time of day is the kernel's, for all alike.
func shiftClock(seconds int) error {
	if seconds == 0 {
		return nil
	}
	const newTime = 0x80 // CLONE_NEWTIME, since Linux 5.6
	if err := syscall.Unshare(newTime); err != nil {
		return err
	}
	return os.WriteFile("/proc/self/timens_offsets", fmt.Appendf(nil, "monotonic %d 0\nboottime %d 0\n", seconds, seconds), 0)
}

func mount(source, target, kind string, flags uintptr, options string) error {
	if err := syscall.Mount(source, target, kind, flags, options); err != nil {
		return fmt.Errorf("mounting %s %s on %s: %w", source, kind, target, err)
	}
	return nil
}
