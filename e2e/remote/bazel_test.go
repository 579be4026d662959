//go:build linux

// Package remote tests caches and executors on other machines with real servers (nginx, buildbox-casd): what a second
// machine gets from the first, what its keys depend on, and what happens when a server fails.
//
// A machine is a set of namespaces ([machine.Machine]); its only way out is a link to the server's socket. Where they are not
// allowed the tests are skipped and say why; with SPARKWHEELS_MACHINES=require in the environment that is a failure.
package remote

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/cachestat"
	"github.com/sparkwheels/sparkwheels/go/execlog"
	"github.com/sparkwheels/sparkwheels/go/machine"
)

// Ports of a machine's links.
const (
	httpPort     = 8080
	passwordPort = 8081
	tlsPort      = 8443
	grpcPort     = 8980
)

var (
	httpCache     = fmt.Sprintf("--remote_cache=http://127.0.0.1:%d", httpPort)
	passwordCache = fmt.Sprintf("127.0.0.1:%d", passwordPort)
	tlsCache      = fmt.Sprintf("--remote_cache=https://127.0.0.1:%d", tlsPort)
	grpcCache     = fmt.Sprintf("--remote_cache=grpc://127.0.0.1:%d", grpcPort)
	executor      = fmt.Sprintf("--remote_executor=grpc://127.0.0.1:%d", grpcPort)
)

// Codes of Bazel: success, an executor that does not answer, and an object that a cache promised and does not give.
const (
	success      = 0
	remoteFailed = 34
	lost         = 39
)

// client is a machine with a workspace and a Bazel.
type client struct {
	t                  *testing.T
	m                  *machine.Machine
	program, ws, out   string
	log                string
	startup, firstArgs []string
}

// newClient starts the machine. ws and out are absolute and theirs alone.
func newClient(t *testing.T, spec machine.Spec, ws, out string) *client {
	t.Helper()
	program, err := exec.LookPath("bazel")
	if err != nil {
		if program, err = exec.LookPath("bazelisk"); err != nil {
			t.Fatal("neither bazel nor bazelisk is on PATH")
		}
	}
	spec.Scratch = t.TempDir()
	m, err := machine.Start(spec)
	if unavailable := (*machine.Unavailable)(nil); errors.As(err, &unavailable) && os.Getenv("SPARKWHEELS_MACHINES") != "require" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, m: m, program: program, ws: ws, out: out, log: filepath.Join(t.TempDir(), "execution.log"),
		startup: []string{"--nohome_rc", "--output_base=" + out, "--host_jvm_args=-Xmx1200m", "--max_idle_secs=120"}}
	t.Cleanup(func() {
		// Output trees are read-only, so that t.TempDir cannot remove them; Bazel can.
		_, _ = m.Run(c.ws, nil, append(append([]string{c.program}, c.startup...), "clean", "--expunge")...)
		m.Close()
	})
	return c
}

// bazel runs a command. A log is written for build.
func (c *client) bazel(env []string, args ...string) *machine.Result {
	c.t.Helper()
	line := append(append([]string{c.program}, c.startup...), args[0])
	if args[0] == "build" {
		line = append(line, "--color=no", "--curses=no", "--show_progress_rate_limit=60", "--execution_log_binary_file="+c.log)
	}
	r, err := c.m.Run(c.ws, env, append(append(line, c.firstArgs...), args[1:]...)...)
	if err != nil {
		c.t.Fatal(err)
	}
	return r
}

// build is a build that must end with the exit code; it returns what the log says, and Bazel's output.
func (c *client) build(code int, args ...string) (*cachestat.Summary, string) {
	c.t.Helper()
	r := c.bazel(nil, append([]string{"build"}, args...)...)
	if r.Code != code {
		c.t.Fatalf("bazel build %s: exit code %d, want %d:\n%s", strings.Join(args, " "), r.Code, code, r.Output)
	}
	return cachestat.Summarize(c.read(), nil, 0), r.Output
}

func (c *client) read() *execlog.Log {
	c.t.Helper()
	log, err := execlog.Open(c.log)
	if err != nil {
		c.t.Fatal(err)
	}
	return log
}

func (c *client) clean() {
	c.t.Helper()
	if r := c.bazel(nil, "clean"); r.Code != 0 {
		c.t.Fatal(r.Output)
	}
}

func (c *client) link(port int, socket string, rate int) {
	c.t.Helper()
	if err := c.m.Connect(machine.Link{Port: port, Socket: socket, Rate: rate}); err != nil {
		c.t.Fatal(err)
	}
}

// allHits fails the test unless every action came from the server.
func allHits(t *testing.T, s *cachestat.Summary) {
	t.Helper()
	if bad := s.Check(cachestat.Rules{RemoteOnly: true}); len(bad) > 0 {
		t.Errorf("not all from the server: %s", strings.Join(bad, "; "))
	}
}

// sourceRoot is the checkout: the runfile of MODULE.bazel is a link to it.
func sourceRoot(t *testing.T) string { return filepath.Dir(file(t, "_main/MODULE.bazel")) }

// airgap is the bazelrc of the registry-less path; "" where there is none.
func airgap(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(sourceRoot(t), ".airgap", "airgap.bazelrc"))
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
