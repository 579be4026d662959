package doctor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/archive"
	"github.com/sparkwheels/sparkwheels/go/audit"
	"github.com/sparkwheels/sparkwheels/go/doctor"
	"github.com/sparkwheels/sparkwheels/go/index"
	"github.com/sparkwheels/sparkwheels/go/native"
	"github.com/sparkwheels/sparkwheels/go/pe/petest"
	"github.com/sparkwheels/sparkwheels/go/wheel/wheeltest"
)

const venvWheel = "fast-1.0-cp312-cp312-win_arm64.whl"

// install unpacks a wheel as pip does and gives the environment and its set.
func install(t *testing.T, sm []string, imports ...string) (venv string, set *index.Set) {
	t.Helper()
	image := petest.Module("PyInit__c")
	for _, library := range imports {
		image.Imports = append(image.Imports, petest.Import{DLL: library, Symbols: []string{"f"}})
	}
	path := wheeltest.Wheel{Name: venvWheel, Files: []wheeltest.File{{Name: "fast/_c.cp312-win_arm64.pyd", Data: string(image.Bytes())}, {Name: "fast/__init__.py", Data: "1"}}}.Write(t, t.TempDir())
	file, err := index.FromWheel(path)
	if err != nil {
		t.Fatal(err)
	}
	venv = t.TempDir()
	site := filepath.Join(venv, "Lib", "site-packages")
	if err := os.MkdirAll(filepath.Dir(site), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := archive.Extract(site, archive.Options{Limits: archive.DefaultLimits}, path); err != nil {
		t.Fatal(err)
	}
	// What pip adds to an installation.
	record := filepath.Join(site, "fast-1.0.dist-info", "RECORD")
	data, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	os.Chmod(record, 0o644)
	if err := os.WriteFile(record, append(data, "fast/__pycache__/__init__.cpython-312.pyc,,\n../../Scripts/fast.exe,sha256=x,1\nfast-1.0.dist-info/INSTALLER,,\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	return venv, &index.Set{Schema: index.SetSchema, Wheels: []index.SetWheel{{
		Pin: "fast", Project: "fast", Version: "1.0", Platform: "win_arm64", File: venvWheel, Payload: file.Payload, SM: sm,
	}}}
}

var policies = map[string]*audit.Policy{"win_arm64": {Platform: "win_arm64", Format: native.PE, Libraries: []string{"kernel32.dll", "api-ms-win-*.dll"}}}

func TestVenv(t *testing.T) {
	spark := []doctor.GPU{{Name: "GB10", Compute: "12.1"}}
	for _, test := range []struct {
		name    string
		sm      []string
		imports []string
		change  func(t *testing.T, site string, set *index.Set)
		gpus    []doctor.GPU
		want    string // level, name and a part of the text, of the first that is not OK
	}{
		{name: "good", sm: []string{"sm_121"}, gpus: spark},
		{name: "good, older minor", sm: []string{"sm_120"}, gpus: spark},
		{name: "other GPU", sm: []string{"sm_121"}, gpus: []doctor.GPU{{Name: "H200", Compute: "9.0"}}, want: "problem sm fast has code for sm_121"},
		{name: "newer minor", sm: []string{"sm_121"}, gpus: []doctor.GPU{{Name: "RTX", Compute: "12.0"}}, want: "problem sm fast has code for sm_121"},
		{name: "missing DLL", imports: []string{"cublas64_13.dll"}, want: "problem imports fast/_c.cp312-win_arm64.pyd loads cublas64_13.dll"},
		{name: "DLL of another package", imports: []string{"CUBLAS64_13.dll"}, change: func(t *testing.T, site string, _ *index.Set) {
			write(t, filepath.Join(site, "nvidia", "cublas64_13.dll"), "x")
		}},
		{name: "changed file", change: func(t *testing.T, site string, _ *index.Set) {
			write(t, filepath.Join(site, "fast", "__init__.py"), "2")
		}, want: "problem installed fast 1.0: its files are not those of " + venvWheel},
		{name: "missing file", change: func(t *testing.T, site string, _ *index.Set) {
			os.Remove(filepath.Join(site, "fast", "__init__.py"))
		}, want: "problem installed fast 1.0: its files are not those of"},
		{name: "other version", change: func(_ *testing.T, _ string, set *index.Set) { set.Wheels[0].Version = "1.1" },
			want: "problem installed fast 1.0: has the tags cp312-cp312-win_arm64, and the set has " + venvWheel},
		{name: "other tags", change: func(_ *testing.T, _ string, set *index.Set) {
			set.Wheels[0].File = "fast-1.0-cp312-cp312-manylinux_2_28_aarch64.whl"
		}, want: "problem installed fast 1.0: has the tags"},
		{name: "not installed", change: func(_ *testing.T, _ string, set *index.Set) { set.Wheels[0].Project = "slow" }, want: "note installed no wheel of the set"},
	} {
		t.Run(test.name, func(t *testing.T) {
			venv, set := install(t, test.sm, test.imports...)
			if test.change != nil {
				test.change(t, filepath.Join(venv, "Lib", "site-packages"), set)
			}
			findings, err := doctor.Venv(venv, set, policies, test.gpus)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, finding := range findings {
				if finding.Level != doctor.OK {
					got = string(finding.Level) + " " + finding.Name + " " + finding.What
					break
				}
			}
			if !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if _, err := doctor.Venv(t.TempDir(), &index.Set{}, nil, nil); err == nil || !strings.Contains(err.Error(), "is no virtual environment") {
		t.Errorf("an empty folder: %v", err)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	os.Remove(file)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
