//go:build unix

package nvcc

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// meter measures one command.
type meter struct{ began time.Time }

// start starts the command in a process group of its own, which is what ends
// when the command's context does: nvcc would leave its children behind.
func start(cmd *exec.Cmd) (*meter, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	m := &meter{began: time.Now()}
	return m, cmd.Start()
}

func (m *meter) usage(state *os.ProcessState) Usage {
	u := Usage{CPUSeconds: seconds(state.UserTime() + state.SystemTime()), WallSeconds: seconds(time.Since(m.began))}
	if r, ok := state.SysUsage().(*syscall.Rusage); ok {
		u.PeakBytes = int64(r.Maxrss)
		if runtime.GOOS != "darwin" { // kilobytes everywhere else
			u.PeakBytes *= 1024
		}
	}
	return u
}
