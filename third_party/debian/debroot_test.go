// Package debian_test runs debroot where it must refuse. That it makes roots is
// proved by ./bazelw, which runs this test in one, and by //e2e/loader.
package debian_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// debroot runs the script and returns its exit code and its messages.
func debroot(t *testing.T, env []string, args ...string) (int, string) {
	t.Helper()
	// The test runs in its own folder, in which Bazel and go test agree.
	cmd := exec.Command("/bin/sh", append([]string{"./debroot"}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func TestWrongUsage(t *testing.T) {
	good := []string{"--suite", "forky", "--arch", "arm64", "--dest", "root", "libc6"}
	for _, c := range []struct {
		args []string
		want string
	}{
		{good[2:], "no --suite"},
		{append(append([]string{}, good[:2]...), good[4:]...), "no --arch"},
		{append(append([]string{}, good[:4]...), "libc6"), "no --dest"},
		{good[:6], "no package named"},
		{append(good[:6:6], "--dest"), "--dest needs a value"},
		{append(good[:6:6], "--frob"), "unknown option --frob"},
		{append(good[:6:6], "--packages", "/no/such/list"), "cannot read the package list /no/such/list"},
		{append(good[:6:6], "lib c6;"), "a suite, an architecture or a package has a character that no such name has"},
	} {
		code, out := debroot(t, nil, c.args...)
		if code != 2 || !strings.HasPrefix(out, "debroot: error: "+c.want) || strings.Count(out, "\n") != 1 {
			t.Errorf("%q: exit code %d, %q; want 2, one line with %q", c.args, code, out, c.want)
		}
	}
}

func TestHelp(t *testing.T) {
	if code, out := debroot(t, nil, "--help"); code != 0 || !strings.Contains(out, "Exit codes:") {
		t.Errorf("exit code %d, %q", code, out)
	}
}

func TestAMirrorThatDoesNotAnswer(t *testing.T) {
	keyring := filepath.Join(t.TempDir(), "keys.gpg")
	if err := os.WriteFile(keyring, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	dest := filepath.Join(t.TempDir(), "root")
	// Port 9 of this machine: nothing listens there, and no proxy may ask.
	env := []string{"SPARKWHEELS_APT_URI=http://127.0.0.1:9/none", "SPARKWHEELS_APT_KEYRING=" + keyring, "no_proxy=127.0.0.1"}
	code, out := debroot(t, env, "--suite", "forky,sid", "--arch", "arm64", "--dest", dest, "libc6")
	if code != 3 || strings.Count(out, "error: ") != 1 {
		t.Errorf("exit code %d, %q; want 3 and one error", code, out)
	}
	for _, name := range []string{dest, dest + ".tmp"} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s was left behind", name)
		}
	}
}
