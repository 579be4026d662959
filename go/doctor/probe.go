package doctor

import (
	"bytes"
	"context"
	"debug/elf"
	"debug/pe"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// Probe is how Gather asks the machine. Every function may fail; the fact is
// then not known.
type Probe struct {
	OS string
	// Arch gives the machine's own architecture.
	Arch func() string
	// LookPath finds a program on PATH; Run gives what one prints.
	LookPath func(name string) (string, error)
	Run      func(ctx context.Context, name string, args ...string) (string, error)
	// ReadFile reads a file, Glob finds some.
	ReadFile func(name string) ([]byte, error)
	Glob     func(pattern string) []string
	// Registry gives a number below HKEY_LOCAL_MACHINE.
	Registry func(key, value string) (uint64, error)
	// Disk gives the free space where the home is, Memory all memory, in bytes.
	Disk, Memory func() (uint64, error)
	// Reach tells whether an address answers.
	Reach func(ctx context.Context, url string) error
}

// System is the Probe of the machine that this program runs on.
func System() *Probe {
	return &Probe{
		OS: runtime.GOOS, Arch: nativeArch,
		LookPath: exec.LookPath,
		Run: func(ctx context.Context, name string, args ...string) (string, error) {
			ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
			defer cancel()
			out, err := exec.CommandContext(ctx, name, args...).Output()
			return string(out), err
		},
		ReadFile: os.ReadFile,
		Glob: func(pattern string) []string {
			found, _ := filepath.Glob(pattern) // the patterns are constants
			return found
		},
		Registry: registryNumber,
		Disk: func() (uint64, error) {
			home, err := os.UserHomeDir()
			if err != nil {
				return 0, err
			}
			return freeDisk(home)
		},
		Memory: memory,
		Reach: func(ctx context.Context, url string) error {
			ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			request, err := http.NewRequestWithContext(ctx, http.MethodHead, url, nil)
			if err != nil {
				return err
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				return err
			}
			return response.Body.Close()
		},
	}
}

var (
	pythonVersion = regexp.MustCompile(`Python (\d+\.\d+\.\d+)`)
	nvccVersion   = regexp.MustCompile(`release (\d+\.\d+)`)
	pciDevice     = regexp.MustCompile(`0x([0-9A-Fa-f]{4})10DE`)
)

// Gather asks the machine everything. cache is the remote cache's address, ""
// for none.
func Gather(ctx context.Context, probe *Probe, cache string) *Facts {
	facts := &Facts{OS: probe.OS, Arch: probe.Arch(), Cache: cache}
	for _, name := range []string{"python", "python3"} {
		if path, err := probe.LookPath(name); err == nil {
			facts.Python = pythonAt(ctx, probe, path)
			break
		}
	}
	probe.gatherGPUs(ctx, facts)
	if out, err := probe.Run(ctx, "nvcc", "--version"); err == nil {
		facts.NVCC = first(nvccVersion, out)
	}
	if probe.OS == "windows" {
		probe.gatherWindows(facts)
	}
	facts.Disk, _ = probe.Disk()
	facts.Memory, _ = probe.Memory()
	if out, err := probe.Run(ctx, "git", "config", "--get", "core.autocrlf"); err == nil {
		facts.AutoCRLF = strings.TrimSpace(out)
	}
	for _, name := range []string{"bazelisk", "bazel"} {
		if path, err := probe.LookPath(name); err == nil {
			facts.Bazel = path
			break
		}
	}
	if cache != "" {
		if err := probe.Reach(ctx, cache); err != nil {
			facts.CacheError = err.Error()
		}
	}
	return facts
}

func pythonAt(ctx context.Context, probe *Probe, path string) Python {
	python := Python{Path: path}
	if data, err := probe.ReadFile(path); err == nil {
		python.Machine = machineOf(data)
	}
	if out, err := probe.Run(ctx, path, "--version"); err == nil {
		python.Version = first(pythonVersion, out)
	}
	return python
}

// machineOf reads a program's header, so that an x64 Python on ARM64 Windows is
// known for what it is although it runs.
func machineOf(data []byte) string {
	if file, err := pe.NewFile(bytes.NewReader(data)); err == nil {
		switch file.Machine {
		case pe.IMAGE_FILE_MACHINE_ARM64:
			return "arm64"
		case pe.IMAGE_FILE_MACHINE_AMD64:
			return "amd64"
		case pe.IMAGE_FILE_MACHINE_I386:
			return "386"
		}
	}
	if file, err := elf.NewFile(bytes.NewReader(data)); err == nil {
		switch file.Machine {
		case elf.EM_AARCH64:
			return "arm64"
		case elf.EM_X86_64:
			return "amd64"
		}
	}
	return ""
}

func (p *Probe) gatherGPUs(ctx context.Context, facts *Facts) {
	out, err := p.Run(ctx, "nvidia-smi", "--query-gpu=driver_version,name,compute_cap,pci.device_id", "--format=csv,noheader")
	if err != nil {
		return
	}
	for line := range strings.Lines(out) {
		fields := strings.Split(strings.TrimSpace(line), ", ")
		if len(fields) != 4 {
			continue
		}
		facts.Driver = fields[0]
		facts.GPUs = append(facts.GPUs, GPU{Name: fields[1], Compute: fields[2], PCI: strings.ToLower(first(pciDevice, fields[3]))})
	}
}

func (p *Probe) gatherWindows(facts *Facts) {
	number := func(key, value string) *uint64 {
		if n, err := p.Registry(key, value); err == nil {
			return &n
		}
		return nil
	}
	facts.LongPaths = number(`SYSTEM\CurrentControlSet\Control\FileSystem`, "LongPathsEnabled")
	facts.DeveloperMode = number(`SOFTWARE\Microsoft\Windows\CurrentVersion\AppModelUnlock`, "AllowDevelopmentWithoutDevLicense")
	for _, root := range []string{`C:\Program Files\Microsoft Visual Studio`, `C:\Program Files (x86)\Microsoft Visual Studio`} {
		if found := p.Glob(root + `\*\*\VC\Tools\MSVC\*\lib\arm64`); len(found) > 0 {
			facts.MSVC = strings.TrimSuffix(found[len(found)-1], `\lib\arm64`)
		}
	}
	if found := p.Glob(`C:\Program Files (x86)\Windows Kits\10\Lib\*\um\arm64`); len(found) > 0 {
		parts := strings.Split(found[len(found)-1], `\`)
		facts.SDK = parts[len(parts)-3]
	}
}

func first(form *regexp.Regexp, text string) string {
	if match := form.FindStringSubmatch(text); match != nil {
		return match[1]
	}
	return ""
}
