package doctor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/elf"
)

// What CUDA 13.4 needs, as its release notes have it.
const (
	driverWindows = "616"
	driverLinux   = "580"
)

// spark are the PCI device numbers of GB10 and N1X, and their architecture.
var spark = map[string]string{"2e12": "GB10", "2e03": "N1X"}

const (
	gib = 1 << 30
	// diskNeeded is what a build of all wheels takes with Bazel's root.
	diskNeeded = 20 * gib
)

// Judge makes findings of facts, in the order in which to mend them. memory is
// what the plan's largest compile needs, in bytes.
func Judge(facts *Facts, memory uint64) []Finding {
	var all []Finding
	add := func(finding Finding) { all = append(all, finding) }
	add(judgeMachine(facts))
	add(judgePython(facts))
	add(judgeDriver(facts))
	for _, gpu := range facts.GPUs {
		add(judgeGPU(gpu))
	}
	add(judgeToolkit(facts))
	if facts.OS == "windows" {
		add(judgeMSVC(facts))
		add(judgeSetting("long-paths", facts.LongPaths, "paths over 260 characters",
			"Bazel's output paths are longer than Windows allows by default",
			`reg add HKLM\SYSTEM\CurrentControlSet\Control\FileSystem /v LongPathsEnabled /t REG_DWORD /d 1 /f`))
		add(judgeSetting("symlinks", facts.DeveloperMode, "symbolic links without being administrator (Developer Mode)",
			"Bazel's sandbox and runfiles are links",
			`reg add HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\AppModelUnlock /v AllowDevelopmentWithoutDevLicense /t REG_DWORD /d 1 /f`))
	}
	add(judgeDisk(facts))
	add(judgeMemory(facts, memory))
	add(judgeGit(facts))
	add(judgeBazel(facts))
	if facts.Cache != "" {
		add(judgeCache(facts))
	}
	if facts.Hits != nil {
		add(judgeHits(facts))
	}
	return all
}

func judgeMachine(facts *Facts) Finding {
	what := facts.OS + " on " + facts.Arch
	if facts.Arch == "arm64" && (facts.OS == "windows" || facts.OS == "linux") {
		return Finding{Name: "machine", Level: OK, What: what}
	}
	return Finding{Name: "machine", Level: Note, What: what,
		Why: "the wheels are for Windows and Linux on ARM64; this machine can build them and not run them"}
}

func judgePython(facts *Facts) Finding {
	python := facts.Python
	install := map[string]string{"windows": "winget install Python.Python.3.12 --architecture arm64", "linux": "uv python install 3.12"}[facts.OS]
	const name = "python"
	what := "Python " + python.Version
	if python.Machine != "" {
		what += " for " + python.Machine
	}
	what += " at " + python.Path
	switch {
	case python.Path == "":
		return Finding{name, Problem, "no python or python3 on PATH", "wheels are installed with it", install}
	case python.Machine != "" && facts.Arch == "arm64" && python.Machine != "arm64":
		return Finding{name, Problem, what + ": it is not an ARM64 program and runs by emulation",
			"it installs win_amd64 wheels, and no ARM64 module loads into it", install}
	case !strings.HasPrefix(python.Version, "3.12."):
		return Finding{name, Note, what, "the wheels are for CPython 3.12, those with the tag abi3 for later ones too", install}
	}
	return Finding{Name: name, Level: OK, What: what}
}

func judgeDriver(facts *Facts) Finding {
	const name = "driver"
	need := driverLinux
	if facts.OS == "windows" {
		need = driverWindows
	}
	update := map[string]string{"windows": "download the Game Ready or Studio driver from nvidia.com/drivers", "linux": "sudo apt install nvidia-open"}[facts.OS]
	switch {
	case facts.Driver == "":
		return Finding{name, Note, "NVIDIA's driver does not answer", "CUDA wheels need it; the others do not", update}
	case elf.CompareNumbers(facts.Driver, need) < 0:
		return Finding{name, Problem, "driver " + facts.Driver, "CUDA 13.4 needs " + need + " or later", update}
	}
	return Finding{Name: name, Level: OK, What: "driver " + facts.Driver}
}

func judgeGPU(gpu GPU) Finding {
	const name = "gpu"
	what := gpu.Name
	if known := spark[strings.ToLower(gpu.PCI)]; known != "" {
		what += " (" + known + ")"
		if gpu.Compute == "" {
			gpu.Compute = "12.1"
		}
	}
	if gpu.Compute != "" {
		what += ", compute capability " + gpu.Compute
	}
	if gpu.Compute == "12.1" {
		return Finding{Name: name, Level: OK, What: what}
	}
	return Finding{name, Note, what, "the CUDA wheels hold code for sm_121; doctor --venv says which of the installed ones fit", ""}
}

func judgeToolkit(facts *Facts) Finding {
	if facts.NVCC == "" {
		return Finding{Name: "toolkit", Level: OK, What: "no CUDA toolkit on PATH, and none is needed: builds fetch their own"}
	}
	return Finding{Name: "toolkit", Level: OK, What: "CUDA toolkit " + facts.NVCC}
}

func judgeMSVC(facts *Facts) Finding {
	const (
		name = "msvc"
		why  = "wheels that link torch's C++ API need Visual C++ for ARM64; the others do not"
		fix  = `winget install Microsoft.VisualStudio.2022.BuildTools --override "--quiet --wait --add Microsoft.VisualStudio.Workload.VCTools --add Microsoft.VisualStudio.Component.VC.Tools.ARM64 --add Microsoft.VisualStudio.Component.Windows11SDK.26100"`
	)
	switch {
	case facts.MSVC == "":
		return Finding{name, Note, "no Visual C++ with ARM64 tools", why, fix}
	case facts.SDK == "":
		return Finding{name, Note, "Visual C++ at " + facts.MSVC + ", but no Windows SDK", why, fix}
	}
	return Finding{Name: name, Level: OK, What: "Visual C++ at " + facts.MSVC + ", Windows SDK " + facts.SDK}
}

func judgeSetting(name string, value *uint64, what, why, fix string) Finding {
	switch {
	case value == nil:
		return Finding{name, Problem, what + ": not allowed, the setting is not there", why, fix}
	case *value == 0:
		return Finding{name, Problem, what + ": not allowed", why, fix}
	}
	return Finding{Name: name, Level: OK, What: what + ": allowed"}
}

func judgeDisk(facts *Facts) Finding {
	const name = "disk"
	what := fmt.Sprintf("%.0f GiB free", float64(facts.Disk)/gib)
	switch {
	case facts.Disk == 0:
		return Finding{Name: name, Level: Note, What: "free space is not known"}
	case facts.Disk < diskNeeded:
		return Finding{name, Note, what, "a build of all wheels with its caches takes up to 20 GiB; installing needs less", "./bazelw clean --expunge"}
	}
	return Finding{Name: name, Level: OK, What: what}
}

func judgeMemory(facts *Facts, need uint64) Finding {
	const name = "memory"
	what := fmt.Sprintf("%.0f GiB of memory", float64(facts.Memory)/gib)
	switch {
	case facts.Memory == 0:
		return Finding{Name: name, Level: Note, What: "memory is not known"}
	case facts.Memory < need:
		return Finding{name, Problem, what, fmt.Sprintf("the largest compile of the plan needs %.0f GiB", float64(need)/gib), "build with --remote_cache of a machine that has more"}
	}
	return Finding{Name: name, Level: OK, What: what}
}

func judgeGit(facts *Facts) Finding {
	if strings.EqualFold(facts.AutoCRLF, "true") {
		return Finding{"autocrlf", Problem, "git's core.autocrlf is true", "git turns sources into CRLF, and patches for them no longer apply", "git config --global core.autocrlf input"}
	}
	return Finding{Name: "autocrlf", Level: OK, What: "git keeps line endings"}
}

func judgeBazel(facts *Facts) Finding {
	switch {
	case facts.Bazel != "":
		return Finding{Name: "bazel", Level: OK, What: facts.Bazel}
	case facts.OS == "windows":
		return Finding{"bazel", Note, "neither bazelisk nor bazel on PATH", "building needs it; installing wheels does not", "winget install Bazel.Bazelisk"}
	}
	return Finding{Name: "bazel", Level: OK, What: "neither bazelisk nor bazel on PATH: ./bazelw makes one on Debian"}
}

func judgeCache(facts *Facts) Finding {
	if facts.CacheError != "" {
		return Finding{"cache", Problem, facts.Cache + ": " + facts.CacheError, "Bazel warns, builds everything here and succeeds, so that nobody notices", "correct --remote_cache in user.bazelrc"}
	}
	return Finding{Name: "cache", Level: OK, What: facts.Cache + " answers"}
}

func judgeHits(facts *Facts) Finding {
	const name, look = "cache-hits", "./bazelw run //go/cmd/cachestat -- why EXECUTION-LOG EARLIER-LOG"
	h := facts.Hits
	all := h.Cached + h.Ran
	if all == 0 {
		return Finding{Name: name, Level: OK, What: "the last build had nothing that a cache could have had"}
	}
	what := fmt.Sprintf("%d of %d actions of the last build came from a cache, %d of them from another machine", h.Cached, all, h.Remote)
	switch {
	case facts.Cache != "" && h.Remote == 0 && h.Ran > 0:
		return Finding{name, Problem, what, "nothing came from the remote cache: it is empty, out of reach, or every key differs", look}
	case h.Cached < all/2:
		return Finding{name, Note, what, "more than half ran here", look}
	}
	return Finding{Name: name, Level: OK, What: what}
}

// Names lists the names that Judge and Venv use, sorted.
func Names() []string {
	names := []string{"machine", "python", "driver", "gpu", "toolkit", "msvc", "long-paths", "symlinks", "disk", "memory", "autocrlf", "bazel", "cache", "cache-hits", "installed", "imports", "sm", "msvc-kernels"}
	slices.Sort(names)
	return names
}
