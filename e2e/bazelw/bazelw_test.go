// Package bazelw tests which Bazel ./bazelw runs, and that it passes arguments and exit codes through. Provisioning a
// Bazel is not repeated here: this test itself runs under a provisioned one wherever there is no other.
package bazelw

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/google/go-cmp/cmp"
)

// fake answers --version, prints its other arguments one a line, and exits with 37.
const fake = `#!/bin/sh
if [ "$1" = --version ]; then echo "bazel VERSION"; exit 0; fi
echo NAME
for a in "$@"; do echo "<$a>"; done
exit 37
`

// machine is a checkout with nothing but bazelw, and a PATH of its own.
type machine struct {
	t         *testing.T
	dir, path string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t, dir: t.TempDir(), path: t.TempDir()}
	for _, name := range []string{"bazelw", ".bazelversion"} {
		src, err := runfiles.Rlocation("_main/" + name)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(src)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(m.dir, name), data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// The programs that bazelw calls before it knows what machine it is on.
	for _, tool := range []string{"cat", "dirname"} {
		src, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(src, filepath.Join(m.path, tool)); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// version is the one that .bazelversion names.
func (m *machine) version() string {
	data, err := os.ReadFile(filepath.Join(m.dir, ".bazelversion"))
	if err != nil {
		m.t.Fatal(err)
	}
	return strings.TrimSpace(string(data))
}

// install puts a fake program on the machine's PATH.
func (m *machine) install(name, version string) {
	text := strings.NewReplacer("NAME", name, "VERSION", version).Replace(fake)
	if err := os.WriteFile(filepath.Join(m.path, name), []byte(text), 0o755); err != nil {
		m.t.Fatal(err)
	}
}

type result struct {
	Stdout, Stderr string
	Code           int
}

func (m *machine) run(env []string, args ...string) result {
	cmd := exec.Command("/bin/sh", append([]string{filepath.Join(m.dir, "bazelw")}, args...)...)
	cmd.Env = append([]string{"PATH=" + m.path}, env...)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatal(err)
	}
	return result{out.String(), msg.String(), cmd.ProcessState.ExitCode()}
}

const home = "HOME=/nonexistent"

func TestPassesArgumentsAndExitCodeThrough(t *testing.T) {
	want := result{Stdout: "bazelisk\n<build>\n<//wheels:all>\n<--copt=a b>\n<>\n<*>\n<$HOME>\n", Code: 37}
	m := newMachine(t)
	m.install("bazelisk", "")
	if d := cmp.Diff(want, m.run([]string{home}, "build", "//wheels:all", "--copt=a b", "", "*", "$HOME")); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestUsesABazelOfTheRightVersion(t *testing.T) {
	for _, suffix := range []string{"", "-debian"} {
		m := newMachine(t)
		m.install("bazel", m.version()+suffix)
		if d := cmp.Diff(result{Stdout: "bazel\n<info>\n", Code: 37}, m.run([]string{home}, "info")); d != "" {
			t.Errorf("-want +got:\n%s", d)
		}
	}
}

func TestPrefersBazelisk(t *testing.T) {
	m := newMachine(t)
	m.install("bazel", m.version())
	m.install("bazelisk", "")
	if got := m.run([]string{home}, "info"); !strings.HasPrefix(got.Stdout, "bazelisk\n") {
		t.Errorf("ran %q", got.Stdout)
	}
}

// Where neither a right Bazel nor Debian's tools are, it says what to install and runs nothing.
func TestSaysWhatToInstall(t *testing.T) {
	tests := map[string]struct {
		prepare func(m *machine)
		env     []string
	}{
		"nothing there":        {func(*machine) {}, []string{home}},
		"another version":      {func(m *machine) { m.install("bazel", m.version()+"0") }, []string{home}},
		"the air gap is asked": {func(m *machine) { m.install("bazelisk", "") }, []string{home, "SPARKWHEELS_AIRGAP=1"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			test.prepare(m)
			want := result{
				Stderr: "bazelw: no bazelisk, no bazel " + m.version() + " and no apt-get here. " +
					"Install bazelisk (https://bazel.build/install/bazelisk) and run this again.\n",
				Code: 1,
			}
			if d := cmp.Diff(want, m.run(test.env, "build", "//...")); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

func TestNeedsAHome(t *testing.T) {
	m := newMachine(t)
	m.install("bazelisk", "")
	if got := m.run(nil, "info"); got.Code == 0 || !strings.Contains(got.Stderr, "HOME is not set") {
		t.Errorf("got %+v", got)
	}
}

// Servers named in the environment reach Bazel in a file of their own that only the user can read, before all arguments.
func TestPassesServersOn(t *testing.T) {
	m := newMachine(t)
	m.install("bazelisk", "")
	// The sandbox has no cksum; any name will do that is the same for the same servers.
	if err := os.WriteFile(filepath.Join(m.path, "cksum"), []byte("#!/bin/sh\ncat >/dev/null\necho 123 45\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"mkdir", "mv", "tr"} {
		src, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(src, filepath.Join(m.path, tool)); err != nil {
			t.Fatal(err)
		}
	}
	const cacheURL, executorURL = "SPARKWHEELS_CACHE_URL=http://ci:pass@host:8080", "SPARKWHEELS_EXECUTOR_URL=grpc://host:50051"
	const cacheLine, executorLine = "build:cache --remote_cache=http://ci:pass@host:8080\n", "build:remote --remote_executor=grpc://host:50051\n"
	for _, test := range []struct {
		variables []string
		want      string // what is not set must not be there: it would win over user.bazelrc
	}{
		{[]string{cacheURL}, cacheLine},
		{[]string{executorURL}, executorLine},
		{[]string{cacheURL, executorURL}, cacheLine + executorLine},
	} {
		cache := t.TempDir()
		env := append([]string{home, "XDG_CACHE_HOME=" + cache}, test.variables...)
		for range 2 {
			got := m.run(env, "build", "--config=cache")
			found, err := filepath.Glob(filepath.Join(cache, "sparkwheels", "servers", "*"))
			if err != nil || len(found) != 1 {
				t.Fatalf("%q: %v %+v", found, err, got)
			}
			want := result{Stdout: "bazelisk\n<--bazelrc=" + found[0] + ">\n<build>\n<--config=cache>\n", Code: 37}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			text, err := os.ReadFile(found[0])
			if err != nil || string(text) != test.want {
				t.Errorf("%v: %q, wanted %q", err, text, test.want)
			}
			if info, err := os.Stat(found[0]); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%v: %v", err, info.Mode())
			}
		}
	}
	env := []string{home, "XDG_CACHE_HOME=" + t.TempDir(), cacheURL}
	got := m.run(append(env, "SPARKWHEELS_EXECUTOR_URL=grpc://a --remote_local_fallback"), "build")
	if got.Code != 1 || !strings.Contains(got.Stderr, "must not hold spaces") {
		t.Errorf("got %+v", got)
	}
}
