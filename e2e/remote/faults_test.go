//go:build linux

package remote

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sparkwheels/sparkwheels/go/cachestat"
)

// faults is a machine, an HTTP cache that holds all results of the small workspace, and what that build made.
type faults struct {
	*client
	cache *server
	want  string
}

func newFaults(t *testing.T) *faults {
	f := &faults{client: newFixture(t, "0"), cache: startNginx(t, serversRoot(t), "")}
	f.online(0)
	s, _ := f.build(success, "//:g", "--config=cache-write", httpCache)
	if s.Total.Local != actions {
		t.Fatalf("the first build ran %d actions, not %d", s.Total.Local, actions)
	}
	f.want = f.output("g")
	return f
}

func (f *faults) online(rate int) {
	f.link(httpPort, f.cache.socket("open"), rate)
	f.link(passwordPort, f.cache.socket("password"), 0)
	f.link(tlsPort, f.cache.socket("tls"), 0)
}

// refill puts all results on the server again.
func (f *faults) refill() {
	f.t.Helper()
	for _, kind := range []string{"ac", "cas"} {
		if err := os.RemoveAll(filepath.Join(f.cache.dir, "data", kind)); err != nil {
			f.t.Fatal(err)
		}
	}
	f.clean()
	f.build(success, "//:g", "--config=cache-write", httpCache)
}

// again builds from nothing and demands a right result with ran executed actions, that Bazel says what, and that the
// project's own check notices whatever ran.
func (f *faults) again(t *testing.T, ran int, says string, args ...string) {
	t.Helper()
	f.clean()
	s, output := f.build(success, append([]string{"//:g", "--config=cache"}, args...)...)
	if s.Total.Local != ran || s.Total.Hits != actions-ran {
		t.Errorf("%d hits and %d run, want %d and %d:\n%s", s.Total.Hits, s.Total.Local, actions-ran, ran, output)
	}
	if bad := s.Check(cachestat.Rules{}); (len(bad) > 0) != (ran > 0) {
		t.Errorf("the check says %q of a build that ran %d actions", bad, ran)
	}
	if !strings.Contains(output, says) {
		t.Errorf("Bazel does not say %q:\n%s", says, output)
	}
	if f.output("g") != f.want {
		t.Error("the build made something else than without the fault")
	}
}

// largest is the path of the largest object on the server: what the last action made.
func (f *faults) largest(t *testing.T) string {
	t.Helper()
	best, size := "", int64(0)
	for _, path := range f.cache.blobs("cas") {
		if info, err := os.Stat(path); err != nil {
			t.Fatal(err)
		} else if info.Size() > size {
			best, size = path, info.Size()
		}
	}
	return best
}

func TestHTTPFaults(t *testing.T) {
	f := newFaults(t)
	step := func(name string, body func(t *testing.T)) {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			f.client.t = t
			body(t)
			t.Logf("%.1f s", time.Since(begin).Seconds())
		})
	}
	step("no fault", func(t *testing.T) { f.again(t, 0, "", httpCache) })

	// Bazel warns, builds everything here and ends with 0; only the check tells.
	step("server absent", func(t *testing.T) {
		f.link(httpPort, "", 0)
		f.again(t, actions, "Connection refused", httpCache)
		f.online(0)
	})

	// Results come in time, the objects do not. Bazel believes a result, fails to get what it was promised, builds again
	// (remote.bazelrc), and gives up with 39: an error, and not a build that never ends.
	step("server slow", func(t *testing.T) {
		f.online(2000)
		f.clean()
		begin := time.Now()
		s, output := f.build(lost, "//:g", "--config=cache", httpCache, "--remote_timeout=2s", "--remote_retries=0",
			"--experimental_remote_cache_eviction_retries=1")
		if took := time.Since(begin); took > 2*time.Minute || !strings.Contains(output, "timed out") {
			t.Errorf("%s, %+v:\n%s", took, s.Total, output)
		}
		f.online(0)
	})

	step("flipped blob", func(t *testing.T) {
		path := f.largest(t)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)/2] ^= 1
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		f.again(t, 1, "", httpCache)
		f.refill()
	})

	step("deleted blob behind a live result", func(t *testing.T) {
		if err := os.Remove(f.largest(t)); err != nil {
			t.Fatal(err)
		}
		f.again(t, 1, "", httpCache)
		f.refill()
	})

	step("garbage for results", func(t *testing.T) {
		for _, path := range f.cache.blobs("ac") {
			if err := os.WriteFile(path, bytes.Repeat([]byte{0xff}, 100), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		f.again(t, actions, "", httpCache)
		f.refill()
	})

	// Readers need no password; a wrong one is refused for every upload, and nothing gets in.
	step("wrong password", func(t *testing.T) {
		before := len(f.cache.blobs("ac"))
		f.again(t, 0, "", "--remote_cache=http://ci:wrong@"+passwordCache)
		for _, path := range f.cache.blobs("ac") {
			os.Remove(path)
		}
		f.again(t, actions, "401", "--config=cache-write", "--remote_cache=http://ci:wrong@"+passwordCache)
		if n := len(f.cache.blobs("ac")); n != 0 {
			t.Errorf("%d results were written with a wrong password", n)
		}
		f.again(t, actions, "", "--config=cache-write", "--remote_cache=http://ci:secret@"+passwordCache)
		if n := len(f.cache.blobs("ac")); n != before {
			t.Errorf("%d results were written with the right password, want %d", n, before)
		}
	})

	step("certificates", func(t *testing.T) {
		with := func(name string) []string {
			return []string{tlsCache, "--tls_certificate=" + f.cache.socket("authority.crt"),
				"--tls_client_certificate=" + f.cache.socket(name+".crt"), "--tls_client_key=" + f.cache.socket(name+".key")}
		}
		f.again(t, 0, "", with("reader")...)
		f.again(t, actions, "400 Bad Request", with("expired")...)
		f.again(t, actions, "400 Bad Request", with("none")[:2]...)
		before := len(f.cache.blobs("cas"))
		for _, path := range f.cache.blobs("ac") {
			os.Remove(path)
		}
		f.again(t, actions, "403", append(with("reader"), "--config=cache-write")...)
		if len(f.cache.blobs("ac")) != 0 || len(f.cache.blobs("cas")) != before {
			t.Error("a reader's certificate wrote something")
		}
		f.again(t, actions, "", append(with("ci"), "--config=cache-write")...)
		f.again(t, 0, "", with("reader")...)
	})

	// What a build without the bytes was promised and not yet given vanishes: it is built again, whether the results that
	// name it are gone too or not.
	step("cleared between analysis and download", func(t *testing.T) {
		for i, kinds := range [][]string{{"ac", "cas"}, {"cas"}} {
			f.clean()
			f.build(success, "//:f", "--config=cache", httpCache)
			for _, kind := range kinds {
				for _, path := range f.cache.blobs(kind) {
					os.Remove(path)
				}
			}
			name := fmt.Sprint("extra", i)
			write(t, filepath.Join(f.ws, name, "BUILD.bazel"), "load(\"//:link.bzl\", \"link\")\nlink(name = \"h\", before = [\"//:e\"])\n")
			s, output := f.build(success, "//"+name+":h", "--config=cache", httpCache)
			if s.Total.Local == 0 || !strings.Contains(output, "retrying the build") {
				t.Errorf("nothing was built again:\n%s", output)
			}
			f.refill()
		}
	})
}

// The local disk cache may be deleted at any time, says docs/remote-cache.md. What lay between had never left it: that is
// built again, without any --config.
func TestDiskCacheDeleted(t *testing.T) {
	f := newFixture(t, "0")
	dir := filepath.Join(filepath.Dir(f.ws), "disk")
	disk := "--disk_cache=" + dir
	f.build(success, "//:f", disk)
	f.clean()
	if s, output := f.build(success, "//:f", disk); s.Total.Local != 0 {
		t.Fatalf("%d actions ran, want hits alone:\n%s", s.Total.Local, output)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(f.ws, "extra", "BUILD.bazel"), "load(\"//:link.bzl\", \"link\")\nlink(name = \"h\", before = [\"//:e\"])\n")
	s, output := f.build(success, "//extra:h", disk)
	if s.Total.Local == 0 || !strings.Contains(output, "retrying the build") {
		t.Errorf("nothing was built again:\n%s", output)
	}
}

// A server that dies after the first actions: the rest is built here, rc 0.
func TestServerKilledMidBuild(t *testing.T) {
	f := newFixture(t, "0.5")
	cache := startNginx(t, serversRoot(t), "")
	f.link(httpPort, cache.socket("open"), 0)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for len(cache.blobs("ac")) < 2 {
			time.Sleep(20 * time.Millisecond)
		}
		cache.stop()
	}()
	s, output := f.build(success, "//:g", "--config=cache-write", httpCache)
	<-done
	if s.Total.Local != actions {
		t.Errorf("%d actions ran, want %d:\n%s", s.Total.Local, actions, output)
	}
	if n := len(cache.blobs("ac")); n >= actions || !strings.Contains(output, "WARNING") {
		t.Errorf("%d results reached a server that was killed:\n%s", n, output)
	}
	cache.start("open")
	f.clean()
	s, output = f.build(success, "//:g", "--config=cache", httpCache)
	if s.Total.Hits == 0 || s.Total.Hits >= actions || len(s.Check(cachestat.Rules{})) == 0 {
		t.Errorf("after the restart, with %d results on the server: %+v\n%s", len(cache.blobs("ac")), s.Total, output)
	}
}

// A full disk refuses what does not fit and keeps what it has.
func TestServerDiskFull(t *testing.T) {
	f := newFixture(t, "0")
	cache := startNginx(t, serversRoot(t), `mount -t tmpfs -o size=900k tmpfs "$1/run/data"; mount -t tmpfs -o size=900k tmpfs "$1/run/tmp"`)
	f.link(httpPort, cache.socket("open"), 0)
	s, output := f.build(success, "//:g", "--config=cache-write", httpCache)
	if s.Total.Local != actions || !strings.Contains(output, "500 Internal Server Error") {
		t.Errorf("%+v:\n%s", s.Total, output)
	}
	want := f.output("g")
	f.clean()
	s, output = f.build(success, "//:g", "--config=cache", httpCache)
	if s.Total.Hits == 0 || s.Total.Hits == actions || f.output("g") != want {
		t.Errorf("what had fitted should be hits, the rest not: %+v\n%s", s.Total, output)
	}
	if len(s.Check(cachestat.Rules{})) == 0 {
		t.Error("the check does not notice")
	}
}

// Two machines write the same results at once; afterwards both get all of them.
func TestTwoWritersAtOnce(t *testing.T) {
	cache := startNginx(t, serversRoot(t), "")
	a, b := newFixture(t, "0.1"), newFixture(t, "0.1")
	for _, c := range []*client{a, b} {
		c.link(httpPort, cache.socket("open"), 0)
	}
	done := make(chan error)
	go func() {
		_, err := a.m.Run(a.ws, nil, append(append([]string{a.program}, a.startup...), "build", "//:g", "--config=cache-write", httpCache)...)
		done <- err
	}()
	b.build(success, "//:g", "--config=cache-write", httpCache)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	for _, c := range []*client{a, b} {
		c.clean()
		s, _ := c.build(success, "//:g", "--config=cache", httpCache)
		allHits(t, s)
	}
	if a.output("g") != b.output("g") {
		t.Error("two machines, two results")
	}
}

func TestGRPCFaults(t *testing.T) {
	f, root := newFixture(t, "0"), serversRoot(t)
	step := func(name string, body func(t *testing.T)) {
		t.Run(name, func(t *testing.T) {
			f.t = t
			f.clean()
			body(t)
		})
	}
	// REAPI 2.1 and later only: Bazel 7 speaks 2.0. It warns, builds here, and ends with 0.
	step("version that does not match", func(t *testing.T) {
		newer := startCasd(t, root, true)
		f.link(grpcPort, newer.socket("grpc"), 0)
		s, output := f.build(success, "//:g", "--config=cache", grpcCache)
		if s.Total.Local != actions || !strings.Contains(output, "API version") {
			t.Errorf("%+v:\n%s", s.Total, output)
		}
		if len(s.Check(cachestat.Rules{})) == 0 {
			t.Error("the check does not notice")
		}
	})
	casd := startCasd(t, root, false)
	f.link(grpcPort, casd.socket("grpc"), 0)
	step("executor works", func(t *testing.T) {
		s, output := f.build(success, "//:g", "--config=remote", executor)
		if s.Total.Remote != actions || s.Total.Local != 0 {
			t.Errorf("%+v:\n%s", s.Total, output)
		}
	})
	step("its results are a cache's", func(t *testing.T) {
		s, _ := f.build(success, "//:g", "--config=cache", grpcCache)
		allHits(t, s)
	})
	step("executor killed", func(t *testing.T) {
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			time.Sleep(1500 * time.Millisecond)
			casd.stop()
		}()
		write(t, filepath.Join(f.ws, "slow", "BUILD.bazel"), `load("//:link.bzl", "link")
link(name = "s", seconds = "5")
`)
		s, output := f.build(remoteFailed, "//slow:s", "--config=remote", executor)
		<-stopped
		if s.Total.Local != 0 {
			t.Errorf("an action ran here, outside of any sandbox: %+v\n%s", s.Total, output)
		}
	})
	step("executor absent", func(t *testing.T) {
		_, output := f.build(remoteFailed, "//:g", "--config=remote", executor)
		if !strings.Contains(output, "UNAVAILABLE") && !strings.Contains(output, "Failed to query remote execution capabilities") {
			t.Error(output)
		}
	})
}
