package doctor_test

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/doctor"
	"github.com/sparkwheels/sparkwheels/go/pe/petest"
)

// windows is a Probe that answers as a Windows machine. Commands maps a command
// line to what it prints.
func windows(commands map[string]string, change func(*doctor.Probe)) *doctor.Probe {
	unknown := errors.New("not there")
	probe := &doctor.Probe{
		OS: "windows", Arch: func() string { return "arm64" },
		LookPath: func(name string) (string, error) {
			if name == "python" || name == "bazelisk" {
				return `C:\bin\` + name + ".exe", nil
			}
			return "", unknown
		},
		Run: func(_ context.Context, name string, args ...string) (string, error) {
			if out, ok := commands[strings.Join(append([]string{name}, args...), " ")]; ok {
				return out, nil
			}
			return "", unknown
		},
		ReadFile: func(string) ([]byte, error) { return petest.Image{Machine: petest.ARM64}.Bytes(), nil },
		Glob: func(pattern string) []string {
			if strings.HasSuffix(pattern, `lib\arm64`) && strings.HasPrefix(pattern, `C:\Program Files\`) {
				return []string{`C:\Program Files\Microsoft Visual Studio\2022\BuildTools\VC\Tools\MSVC\14.44\lib\arm64`}
			}
			if strings.Contains(pattern, "Windows Kits") {
				return []string{`C:\Program Files (x86)\Windows Kits\10\Lib\10.0.26100.0\um\arm64`}
			}
			return nil
		},
		Registry: func(string, string) (uint64, error) { return 1, nil },
		Disk:     func() (uint64, error) { return 100 << 30, nil },
		Memory:   func() (uint64, error) { return 128 << 30, nil },
		Reach:    func(context.Context, string) error { return nil },
	}
	if change != nil {
		change(probe)
	}
	return probe
}

const smi = "nvidia-smi --query-gpu=driver_version,name,compute_cap,pci.device_id --format=csv,noheader"

func good() map[string]string {
	return map[string]string{
		`C:\bin\python.exe --version`:    "Python 3.12.8\r\n",
		smi:                              "616.12, NVIDIA RTX Spark, 12.1, 0x2E0310DE\r\n",
		"git config --get core.autocrlf": "input\n",
		"nvcc --version":                 "Cuda compilation tools, release 13.4, V13.4.92\n",
	}
}

func levels(findings []doctor.Finding) map[string]doctor.Level {
	all := map[string]doctor.Level{}
	for _, finding := range findings {
		all[finding.Name] = finding.Level
	}
	return all
}

func TestGoodWindows(t *testing.T) {
	facts := doctor.Gather(t.Context(), windows(good(), nil), "http://cache")
	one := uint64(1)
	want := &doctor.Facts{
		OS: "windows", Arch: "arm64", Python: doctor.Python{Path: `C:\bin\python.exe`, Machine: "arm64", Version: "3.12.8"},
		Driver: "616.12", GPUs: []doctor.GPU{{Name: "NVIDIA RTX Spark", PCI: "2e03", Compute: "12.1"}}, NVCC: "13.4",
		MSVC: `C:\Program Files\Microsoft Visual Studio\2022\BuildTools\VC\Tools\MSVC\14.44`, SDK: "10.0.26100.0",
		Disk: 100 << 30, Memory: 128 << 30, LongPaths: &one, DeveloperMode: &one, AutoCRLF: "input", Bazel: `C:\bin\bazelisk.exe`, Cache: "http://cache",
	}
	if diff := cmp.Diff(want, facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	for _, finding := range doctor.Judge(facts, 8<<30) {
		if finding.Level != doctor.OK {
			t.Errorf("%s", finding)
		}
	}
}

func TestWhatIsWrong(t *testing.T) {
	fails := errors.New("refused")
	for _, test := range []struct {
		name     string
		commands func(map[string]string)
		probe    func(*doctor.Probe)
		finding  string
		level    doctor.Level
		part     string
	}{
		{"x64 Python", nil, func(p *doctor.Probe) {
			p.ReadFile = func(string) ([]byte, error) { return petest.Image{Machine: petest.X64}.Bytes(), nil }
		}, "python", doctor.Problem, "not an ARM64 program and runs by emulation"},
		{"no Python", nil, func(p *doctor.Probe) { p.LookPath = func(string) (string, error) { return "", fails } }, "python", doctor.Problem, "no python or python3 on PATH"},
		{"unreadable Python", nil, func(p *doctor.Probe) { p.ReadFile = func(string) ([]byte, error) { return nil, fs.ErrPermission } }, "python", doctor.OK, "Python 3.12.8 at"},
		{"other Python", func(c map[string]string) { c[`C:\bin\python.exe --version`] = "Python 3.14.0" }, nil, "python", doctor.Note, "3.14.0"},
		{"x64 machine", nil, func(p *doctor.Probe) { p.Arch = func() string { return "amd64" } }, "machine", doctor.Note, "windows on amd64"},
		{"old driver", func(c map[string]string) { c[smi] = "581.42, GPU, 12.1, 0x2E1210DE" }, nil, "driver", doctor.Problem, "CUDA 13.4 needs 616 or later"},
		{"no driver", func(c map[string]string) { delete(c, smi) }, nil, "driver", doctor.Note, "does not answer"},
		{"other GPU", func(c map[string]string) { c[smi] = "616.12, H200, 9.0, 0x233510DE" }, nil, "gpu", doctor.Note, "H200, compute capability 9.0"},
		{"no compute capability", func(c map[string]string) { c[smi] = "616.12, X, [N/A], 0x2E1210DE" }, nil, "gpu", doctor.Note, "GB10"},
		{"no MSVC", nil, func(p *doctor.Probe) { p.Glob = func(string) []string { return nil } }, "msvc", doctor.Note, "VC.Tools.ARM64"},
		{"no long paths", nil, func(p *doctor.Probe) { p.Registry = func(string, string) (uint64, error) { return 0, nil } }, "long-paths", doctor.Problem, "reg add"},
		{"no setting", nil, func(p *doctor.Probe) { p.Registry = func(string, string) (uint64, error) { return 0, fails } }, "symlinks", doctor.Problem, "the setting is not there"},
		{"full disk", nil, func(p *doctor.Probe) { p.Disk = func() (uint64, error) { return 3 << 30, nil } }, "disk", doctor.Note, "3 GiB free"},
		{"little memory", nil, func(p *doctor.Probe) { p.Memory = func() (uint64, error) { return 4 << 30, nil } }, "memory", doctor.Problem, "needs 8 GiB"},
		{"CRLF", func(c map[string]string) { c["git config --get core.autocrlf"] = "true\n" }, nil, "autocrlf", doctor.Problem, "git config --global"},
		{"cache that is down", nil, func(p *doctor.Probe) { p.Reach = func(context.Context, string) error { return fails } }, "cache", doctor.Problem, "http://cache: refused"},
	} {
		t.Run(test.name, func(t *testing.T) {
			commands := good()
			if test.commands != nil {
				test.commands(commands)
			}
			findings := doctor.Judge(doctor.Gather(t.Context(), windows(commands, test.probe), "http://cache"), 8<<30)
			at := slices.IndexFunc(findings, func(f doctor.Finding) bool { return f.Name == test.finding })
			if at < 0 {
				t.Fatalf("no finding %s: %v", test.finding, findings)
			}
			if finding := findings[at]; finding.Level != test.level || !strings.Contains(finding.String(), test.part) {
				t.Errorf("got %s, want %s with %q", finding, test.level, test.part)
			}
			for _, finding := range findings {
				if !slices.Contains(doctor.Names(), finding.Name) {
					t.Errorf("the name %s is not among Names", finding.Name)
				}
				if finding.Level == doctor.Problem && (finding.Why == "" || finding.Fix == "") {
					t.Errorf("a problem without why or fix: %s", finding)
				}
			}
		})
	}
}

func TestLinuxHasNoWindowsFindings(t *testing.T) {
	facts := doctor.Gather(t.Context(), windows(good(), func(p *doctor.Probe) { p.OS = "linux" }), "")
	got := levels(doctor.Judge(facts, 0))
	for _, name := range []string{"msvc", "long-paths", "symlinks", "cache"} {
		if _, there := got[name]; there {
			t.Errorf("there is a finding %s", name)
		}
	}
	facts.Driver = "570.1"
	if got := levels(doctor.Judge(facts, 0)); got["driver"] != doctor.Problem {
		t.Errorf("driver 570 is %s", got["driver"])
	}
}

// TestHits judges what caches did for a build.
func TestHits(t *testing.T) {
	for _, test := range []struct {
		cache string
		hits  doctor.Hits
		want  doctor.Level
	}{
		{"", doctor.Hits{}, doctor.OK},
		{"", doctor.Hits{Cached: 9, Ran: 1}, doctor.OK},
		{"", doctor.Hits{Cached: 1, Ran: 9}, doctor.Note},
		{"http://cache", doctor.Hits{Cached: 5, Ran: 5}, doctor.Problem},
		{"http://cache", doctor.Hits{Cached: 10}, doctor.OK},
		{"http://cache", doctor.Hits{Cached: 9, Remote: 9, Ran: 1}, doctor.OK},
	} {
		findings := doctor.Judge(&doctor.Facts{Cache: test.cache, Hits: &test.hits}, 0)
		i := slices.IndexFunc(findings, func(f doctor.Finding) bool { return f.Name == "cache-hits" })
		if i < 0 || findings[i].Level != test.want {
			t.Errorf("%q, %+v: %v, wanted %v", test.cache, test.hits, findings, test.want)
		}
	}
}
