package machine

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func start(t *testing.T, spec Spec) *Machine {
	t.Helper()
	spec.Scratch = t.TempDir()
	m, err := Start(spec)
	if unavailable := (*Unavailable)(nil); errors.As(err, &unavailable) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func sh(t *testing.T, m *Machine, script string) *Result {
	t.Helper()
	r, err := m.Run("/", nil, "/bin/sh", "-c", script)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAMachineIsItsOwn(t *testing.T) {
	dir, lower := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(lower, "file"), []byte("below"), 0o644); err != nil {
		t.Fatal(err)
	}
	m := start(t, Spec{Host: "elsewhere", User: 4711, Env: []string{"PATH=/usr/bin:/bin", "MINE=1"}, Uptime: 1 << 20,
		Overlays: []Overlay{{Lower: lower, Target: dir}}})
	r := sh(t, m, "uname -n; grep ^Uid: /proc/self/status | cut -f2; echo $MINE$HOME; cat "+dir+"/file; echo; echo x >"+dir+"/file; cut -d. -f1 /proc/uptime; tail -n +3 /proc/net/dev | cut -d: -f1; exit 3")
	lines := strings.Fields(r.Output)
	if len(lines) != 6 || lines[0] != "elsewhere" || lines[1] != "4711" || lines[2] != "1" || lines[3] != "below" || len(lines[4]) < 7 || lines[5] != "lo" || r.Code != 3 {
		t.Errorf("got %q, exit code %d", r.Output, r.Code)
	}
	if data, err := os.ReadFile(filepath.Join(lower, "file")); err != nil || string(data) != "below" {
		t.Errorf("the folder below was changed: %q, %v", data, err)
	}
	if r := sh(t, m, "sleep 1000 >/dev/null & echo started"); r.Output != "started\n" {
		t.Errorf("what lives on is waited for: %q", r.Output)
	}
}

// A link leads to the socket, can be cut and opened again, and be made slow.
func TestALinkIsTheOnlyWayOut(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte(strings.Repeat("x", 1000)))
			c.Close()
		}
	}()
	m := start(t, Spec{Host: "linked", User: 1, Env: []string{"PATH=/usr/bin:/bin"}})
	connect := func(link Link) {
		t.Helper()
		if err := m.Connect(link); err != nil {
			t.Fatal(err)
		}
	}
	read := func() (*Result, time.Duration) {
		begin := time.Now()
		r, err := m.Run("/", nil, "/bin/bash", "-c", "exec 5<>/dev/tcp/127.0.0.1/8080 || exit; read -r -N 2000 text <&5; echo ${#text}")
		if err != nil {
			t.Fatal(err)
		}
		return r, time.Since(begin)
	}
	for range 2 {
		connect(Link{Port: 8080, Socket: socket})
		if r, _ := read(); strings.TrimSpace(r.Output) != "1000" {
			t.Fatalf("got %q through the link", r.Output)
		}
		connect(Link{Port: 8080})
		if r, _ := read(); r.Code == 0 {
			t.Errorf("a cut link gave %q", r.Output)
		}
	}
	connect(Link{Port: 8080, Socket: socket, Rate: 1000})
	if r, took := read(); strings.TrimSpace(r.Output) != "1000" || took < 900*time.Millisecond {
		t.Errorf("1000 bytes at 1000 a second: %q in %s", r.Output, took)
	}
}
