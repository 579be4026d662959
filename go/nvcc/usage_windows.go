package nvcc

import (
	"os"
	"os/exec"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// meter measures one command. Windows counts what a process and its children
// take in a job object, which also ends them together.
type meter struct {
	began time.Time
	job   windows.Handle
}

func start(cmd *exec.Cmd) (*meter, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, err
	}
	m := &meter{began: time.Now(), job: job}
	cmd.Cancel = func() error { return windows.TerminateJobObject(job, 1) }
	if err := cmd.Start(); err != nil {
		windows.CloseHandle(job)
		return nil, err
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, process)
		windows.CloseHandle(process)
	}
	if err != nil {
		cmd.Process.Kill()
		windows.CloseHandle(job)
		return nil, err
	}
	return m, nil
}

func (m *meter) usage(state *os.ProcessState) Usage {
	defer windows.CloseHandle(m.job)
	u := Usage{CPUSeconds: seconds(state.UserTime() + state.SystemTime()), WallSeconds: seconds(time.Since(m.began))}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	err := windows.QueryInformationJobObject(m.job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)), nil)
	if err == nil {
		u.PeakBytes = int64(limits.PeakProcessMemoryUsed)
	}
	return u
}
