package doctor

import (
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// nativeArch gives the architecture of Windows itself, which an emulated
// program is not told by its own.
func nativeArch() string {
	var process, native uint16
	if err := windows.IsWow64Process2(windows.CurrentProcess(), &process, &native); err == nil {
		switch native {
		case 0xaa64:
			return "arm64"
		case 0x8664:
			return "amd64"
		}
	}
	return strings.ToLower(os.Getenv("PROCESSOR_ARCHITECTURE"))
}

func registryNumber(key, value string) (uint64, error) {
	k, err := registry.OpenKey(registry.LOCAL_MACHINE, key, registry.QUERY_VALUE|registry.WOW64_64KEY)
	if err != nil {
		return 0, err
	}
	defer k.Close()
	number, _, err := k.GetIntegerValue(value)
	return number, err
}

func freeDisk(folder string) (uint64, error) {
	name, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	return free, err
}

// memoryStatus is MEMORYSTATUSEX of sysinfoapi.h.
type memoryStatus struct {
	length, load                                                                   uint32
	total, available, totalPage, availablePage, totalVirtual, availVirtual, extend uint64
}

func memory() (uint64, error) {
	status := memoryStatus{}
	status.length = uint32(unsafe.Sizeof(status))
	ok, _, err := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx").Call(uintptr(unsafe.Pointer(&status)))
	if ok == 0 {
		return 0, err
	}
	return status.total, nil
}
