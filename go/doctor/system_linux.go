package doctor

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
)

func nativeArch() string {
	var name syscall.Utsname
	if err := syscall.Uname(&name); err != nil {
		return runtime.GOARCH
	}
	var machine strings.Builder
	for _, c := range name.Machine {
		if c == 0 {
			break
		}
		machine.WriteByte(byte(c))
	}
	switch machine.String() {
	case "aarch64":
		return "arm64"
	case "x86_64":
		return "amd64"
	}
	return machine.String()
}

func registryNumber(string, string) (uint64, error) { return 0, errors.ErrUnsupported }

func freeDisk(folder string) (uint64, error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return 0, err
	}
	return stat.Bavail * uint64(stat.Bsize), nil
}

func memory() (uint64, error) {
	file, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, err
	}
	defer file.Close()
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		var kib uint64
		if _, err := fmt.Sscanf(scanner.Text(), "MemTotal: %d kB", &kib); err == nil {
			return kib << 10, nil
		}
	}
	return 0, errors.New("/proc/meminfo has no MemTotal")
}
