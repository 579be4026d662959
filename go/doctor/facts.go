package doctor

// Facts are what a machine answered. The zero value of a field means that it
// gave no answer.
type Facts struct {
	// OS is GOOS, windows or linux.
	OS string `json:"os"`
	// Arch is the machine's own architecture, arm64 or amd64, whatever this
	// program was built for.
	Arch string `json:"arch"`
	// Python is the interpreter that "python" or "python3" starts.
	Python Python `json:"python"`
	// Driver is the version of NVIDIA's driver, such as 616.12.
	Driver string `json:"driver,omitempty"`
	// GPUs are NVIDIA's.
	GPUs []GPU `json:"gpus,omitempty"`
	// NVCC is the version that nvcc prints, such as 13.4.
	NVCC string `json:"nvcc,omitempty"`
	// MSVC is the folder of Visual C++ with ARM64 tools; SDK the version of the
	// Windows SDK. Of Windows only.
	MSVC string `json:"msvc,omitempty"`
	SDK  string `json:"sdk,omitempty"`
	// Disk is the free space of the home's file system, Memory the machine's
	// memory, in bytes.
	Disk   uint64 `json:"disk,omitempty"`
	Memory uint64 `json:"memory,omitempty"`
	// LongPaths is Windows's setting LongPathsEnabled, 0 or 1; DeveloperMode
	// the one that lets everybody make symbolic links. Nil: not known.
	LongPaths     *uint64 `json:"long_paths,omitempty"`
	DeveloperMode *uint64 `json:"developer_mode,omitempty"`
	// AutoCRLF is git's core.autocrlf.
	AutoCRLF string `json:"autocrlf,omitempty"`
	// Bazel is what starts Bazel: bazelisk or bazel.
	Bazel string `json:"bazel,omitempty"`
	// Cache is the remote cache's address; CacheError why it does not answer.
	Cache      string `json:"cache,omitempty"`
	CacheError string `json:"cache_error,omitempty"`
	// Hits is what caches did for the last build, if its execution log is known.
	Hits *Hits `json:"hits,omitempty"`
}

// Python is an interpreter.
type Python struct {
	// Path is the program.
	Path string `json:"path,omitempty"`
	// Machine is that of its header: arm64, amd64, or "" when it has none that
	// can be read.
	Machine string `json:"machine,omitempty"`
	// Version is such as 3.12.4.
	Version string `json:"version,omitempty"`
}

// GPU is one GPU.
type GPU struct {
	// Name is the driver's.
	Name string `json:"name"`
	// PCI is the device number, such as 2e12.
	PCI string `json:"pci,omitempty"`
	// Compute is the compute capability, such as 12.1.
	Compute string `json:"compute,omitempty"`
}

// Hits counts the actions of a build that a cache could have had.
type Hits struct {
	// Cached came from a cache, Remote of them from one on another machine; Ran were executed although a cache could have
	// had them.
	Cached int `json:"cached"`
	Remote int `json:"remote"`
	Ran    int `json:"ran"`
}
