package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/elf/elftest"
	"github.com/sparkwheels/sparkwheels/go/wheel/wheeltest"
)

const name = "fast-1.0-cp312-cp312-manylinux_2_17_aarch64.whl"

func wheelFile(t *testing.T, data string) string {
	t.Helper()
	return wheeltest.Wheel{Name: name, Files: []wheeltest.File{{Name: "fast.cpython-312-aarch64-linux-gnu.so", Data: data}}}.Write(t, t.TempDir())
}

func call(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(args, &out, &errs)
	return code, out.String(), errs.String()
}

func TestFindingsHaveNames(t *testing.T) {
	good, bad := elftest.Module("PyInit_fast"), elftest.Module("PyInit_fast")
	bad.Versions = map[string][]string{"libc.so.6": {"GLIBC_2.28"}}
	if code, stdout, stderr := call(wheelFile(t, string(good.Bytes()))); code != 0 || stdout != name+": nothing found\n" {
		t.Errorf("a good wheel: %d %q %q", code, stdout, stderr)
	}
	// The tag's own glibc counts, not that of our policy.
	file := wheelFile(t, string(bad.Bytes()))
	code, stdout, stderr := call(file)
	want := name + ": [glibc-floor] fast.cpython-312-aarch64-linux-gnu.so: needs glibc 2.28, and the platform tag promises 2.17; "
	if code != 1 || stderr != "" || !strings.HasPrefix(stdout, want) || strings.Count(stdout, "\n") != 1 {
		t.Errorf("got %d %q %q, want %q", code, stdout, stderr, want)
	}
	if code, stdout, _ := call("--ignore", "glibc-floor", file); code != 0 || !strings.HasSuffix(stdout, "nothing found\n") {
		t.Errorf("an ignored finding: %d %q", code, stdout)
	}
	if code, stdout, _ := call("--json", file); code != 1 || !strings.Contains(stdout, `"name": "glibc-floor"`) {
		t.Errorf("JSON: %d %q", code, stdout)
	}
	if code, stdout, _ := call("--size-limit", "10", file); code != 1 || !strings.Contains(stdout, "[over-size]") {
		t.Errorf("a limit: %d %q", code, stdout)
	}
}

func TestCommandLine(t *testing.T) {
	other := filepath.Join(t.TempDir(), "fast-1.0-cp312-cp312-win_amd64.whl")
	if err := os.WriteFile(other, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 2, "audit: requires at least 1 arg(s)"},
		{[]string{"--no"}, 2, "audit: unknown flag"},
		{[]string{"--ignore", "nothing", other}, 2, "audit: --ignore nothing: there is no such finding"},
		{[]string{other}, 3, "audit: fast-1.0-cp312-cp312-win_amd64.whl: is for win_amd64"},
		{[]string{"x.whl"}, 3, "audit: x.whl: the name has 1 parts"},
	} {
		if code, _, stderr := call(test.args...); code != test.code || !strings.HasPrefix(stderr, test.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: %d %q, want %d %q", test.args, code, stderr, test.code, test.want)
		}
	}
}
