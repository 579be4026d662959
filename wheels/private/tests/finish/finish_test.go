package finish_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
)

const (
	folder = "_main/wheels/private/tests/finish/"
	name   = "fast-1.0+cu134-cp312-cp312-win_arm64.whl"
)

func read(t *testing.T, runfile string) string {
	t.Helper()
	path, err := runfiles.Rlocation(runfile)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestReport(t *testing.T) {
	report := read(t, folder+strings.TrimSuffix(name, ".whl")+".audit.json")
	for _, want := range []string{`"wheel": "` + name + `"`, `"policy": "win_arm64"`, `"machine": "ARM64"`, `"module": "_c"`} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %s:\n%s", want, report)
		}
	}
}

// TestDist runs the executable as bazel run would.
func TestDist(t *testing.T) {
	executable := folder + "dist"
	if runtime.GOOS == "windows" {
		executable += ".exe"
	}
	path, err := runfiles.Rlocation(executable)
	if err != nil {
		t.Fatal(err)
	}
	environment, err := runfiles.Env()
	if err != nil {
		t.Fatal(err)
	}
	workspace := t.TempDir()
	command := exec.Command(path)
	command.Env = append(append(os.Environ(), environment...),
		"SPARKWHEELS_DIST_LIST="+folder+"dist.wheels.txt", "BUILD_WORKSPACE_DIRECTORY="+workspace)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(workspace, "dist", name))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != read(t, folder+name) {
		t.Error("the copied wheel is another one")
	}
	sums, err := os.ReadFile(filepath.Join(workspace, "dist", "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(sums), "  "+name+"\n") {
		t.Errorf("SHA256SUMS is %q", sums)
	}
}
