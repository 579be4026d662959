//go:build linux

package remote

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sparkwheels/sparkwheels/go/cachestat"
	"github.com/sparkwheels/sparkwheels/go/guest"
	"github.com/sparkwheels/sparkwheels/go/machine"
)

// What goes from machine to machine; BUILD.bazel says which.
var (
	// overHTTP are wheels that one machine builds.
	overHTTP = strings.Fields(os.Getenv("OVER_HTTP"))
	// executed are wheels and a library of CUDA that an executor builds; they go over gRPC.
	executed = strings.Fields(os.Getenv("EXECUTED"))
)

// newMachine is a machine with a copy of the checkout. Fetched sources are shown to it from the output base that runs this
// test; nothing else of it is seen.
func newMachine(t *testing.T, spec machine.Spec, workspace string, jobs string) *client {
	t.Helper()
	base, err := os.MkdirTemp("/tmp", spec.Host+"-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	ws, out := filepath.Join(base, workspace), filepath.Join(base, "o-"+spec.Host)
	copySources(t, sourceRoot(t), ws)
	if airgap(t) == "" {
		// Bazel asks the registry at every start, so that such a machine keeps its network.
		spec.Network = true
	}
	spec.Env = append(spec.Env, "HOME="+filepath.Join(base, "home-"+spec.Host), "USER="+spec.Host)
	if spec.Network {
		spec.Env = append(spec.Env, machine.Environment()...)
	}
	for _, dir := range []string{filepath.Join(base, "home-"+spec.Host), filepath.Join(out, "external")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	spec.Overlays = []machine.Overlay{{Lower: externalFolder(t), Target: filepath.Join(out, "external")}}
	// It reads that build's disk cache and leaves nothing in it.
	cache, err := guest.DefaultCache()
	if err != nil {
		t.Fatal(err)
	}
	if disk := filepath.Join(cache, "disk"); strings.Contains(airgap(t), "--disk_cache="+disk+"\n") {
		spec.Overlays = append(spec.Overlays, machine.Overlay{Lower: disk, Target: disk})
	}
	c := newClient(t, spec, ws, out)
	c.firstArgs = []string{"--jobs=" + jobs, "--repository_cache=" + filepath.Join(base, "repositories")}
	return c
}

// externalFolder holds the fetched repositories of the Bazel that runs this test: OUTPUT_BASE/external.
func externalFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "external", "bazel_tools")); err == nil && filepath.Base(dir) != "_main" {
			if _, err := os.Stat(filepath.Join(dir, "execroot")); err == nil {
				return filepath.Join(dir, "external")
			}
		}
	}
	t.Fatal("the output base of the Bazel that runs this test was not found")
	return ""
}

// copySources copies the checkout without what Git and Bazel keep in it. Of .airgap it takes the bazelrc, which names the
// rest by absolute paths.
func copySources(t *testing.T, root, dst string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		top := !strings.Contains(rel, string(filepath.Separator))
		switch {
		case top && e.IsDir() && (rel == ".git" || rel == "dist" || strings.HasPrefix(rel, ".airgap")):
			return fs.SkipDir
		case e.IsDir():
			return os.MkdirAll(filepath.Join(dst, rel), 0o755)
		case !e.Type().IsRegular() || top && (rel == "user.bazelrc" || rel == ".git"):
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dst, rel), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	if rc := airgap(t); rc != "" {
		write(t, filepath.Join(dst, ".airgap", "airgap.bazelrc"), rc)
	}
}

// poison is a folder of programs that fail if anybody runs them.
func poison(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"gcc", "cc", "g++", "clang", "python3", "python", "nvcc", "ld", "ar", "cmake", "ninja", "cl.exe"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho poisoned >&2\nexit 66\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// pin is the name of the wheel that a target builds, or "" if it builds something else.
func pin(target string) string {
	name, ok := strings.CutPrefix(target, "//wheels:")
	if !ok {
		return ""
	}
	name, _, _ = strings.Cut(name, ".")
	return name
}

// wheel is the sha256 of the wheel that target's build left.
func (c *client) wheel(target string) string {
	c.t.Helper()
	name := pin(target)
	found, err := filepath.Glob(filepath.Join(c.out, "execroot", "_main", "bazel-out", "*", "bin", "wheels", name+"-*win_arm64.whl"))
	if err != nil || len(found) != 1 {
		c.t.Fatalf("%d wheels of %s: %v", len(found), target, err)
	}
	return sum(c.t, found[0])
}

// builtHere is the sha256 of the target's wheel among this test's runfiles.
func builtHere(t *testing.T, target string) string {
	t.Helper()
	name := pin(target)
	for _, path := range strings.Fields(os.Getenv("WHEELS")) {
		if strings.HasPrefix(filepath.Base(path), name+"-") && strings.HasSuffix(path, ".whl") {
			return sum(t, file(t, path))
		}
	}
	t.Fatalf("WHEELS has no wheel of %s: %q", target, os.Getenv("WHEELS"))
	return ""
}

func sum(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256(data)
	return hex.EncodeToString(hash[:])
}

// toolsFromDisk takes everything from the disk cache of the build that runs this test, every action a hit, which shows
// that this machine and that one have the same keys; then it deletes what belongs to the targets themselves, so that this
// test spends its time on them and not on sysroots.
func (c *client) toolsFromDisk() {
	c.t.Helper()
	s, output := c.build(success, append(slices.Concat(overHTTP, executed), "--remote_download_outputs=all")...)
	if bad := s.Check(cachestat.Rules{}); len(bad) > 0 {
		c.t.Fatalf("the machine that runs this test built these wheels, yet: %s\n%s", strings.Join(bad, "; "), output)
	}
	c.t.Logf("%d of %d actions from the disk cache", s.Total.Hits, s.Total.Hits+s.Total.Ran())
	// Bazel then looks for them in its caches.
	r, err := c.m.Run(c.ws, nil, "/bin/sh", "-c", "cd bazel-out && for d in */bin/wheels */bin/e2e/cuda/kernels; do chmod -R u+w $d && rm -r $d; done")
	if err != nil || r.Code != 0 {
		c.t.Fatal(err, r)
	}
}

func TestSecondMachineGetsEverything(t *testing.T) {
	root := serversRoot(t)
	cache, casd := startNginx(t, root, ""), startCasd(t, root, false)
	connect := func(c *client) {
		c.link(httpPort, cache.socket("open"), 0)
		c.link(grpcPort, casd.socket("grpc"), 0)
	}

	// Machine A has the tools of the disk cache, and builds the wheels.
	a := newMachine(t, machine.Spec{Host: "alpha-machine", User: 4711, Uptime: 86400,
		Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin", "TZ=Asia/Tokyo", "LANG=de_DE.UTF-8"}}, "work/spark", "2")
	connect(a)
	a.toolsFromDisk()
	s, output := a.build(success, append(overHTTP, "--config=cache-write", httpCache)...)
	if s.Total.Hits != 0 || s.ByMnemonic["Pep517Build"].Local != len(overHTTP) {
		t.Fatalf("machine A did not build %s: %+v\n%s", overHTTP, s.ByMnemonic, output)
	}
	// The others it has built by an executor that lacks everything: all actions run there, none here, on a disk that holds
	// Debian's essential packages and two servers.
	started := time.Now()
	s, output = a.build(success, append(executed, "--config=remote", executor)...)
	if bad := s.Check(cachestat.Rules{NoLocal: true}); len(bad) > 0 {
		t.Fatalf("the executor did not build %s: %q %+v\n%s", executed, bad, s.ByMnemonic, output)
	}
	wheels := slices.DeleteFunc(slices.Clone(executed), func(target string) bool { return pin(target) == "" })
	for mnemonic, want := range map[string]int{"SourceUnpack": len(wheels), "Pep517Build": len(wheels), "WheelPack": len(wheels), "WheelAudit": len(wheels), "CudaCompile": 1} {
		if got := s.ByMnemonic[mnemonic].Remote; got != want {
			t.Errorf("the executor ran %d actions %s, want %d", got, mnemonic, want)
		}
	}
	t.Logf("the executor ran %d actions in %.0f s: %+v", s.Total.Remote, time.Since(started).Seconds(), s.ByMnemonic)
	// All are what the machine that runs this test has built.
	sums := map[string]string{}
	for _, target := range append(wheels, overHTTP...) {
		sums[target] = a.wheel(target)
		if want := builtHere(t, target); sums[target] != want {
			t.Errorf("%s: sha256 %s here, %s of machine A", target, want, sums[target])
		}
	}

	// Machine B has another user, home, PATH with poisoned programs in front, folders, clock and number of jobs.
	b := newMachine(t, machine.Spec{Host: "beta-machine", User: 1234,
		Env: []string{"PATH=" + poison(t) + ":/usr/bin:/bin", "TZ=America/Lima", "LANG=C", "CC=gcc", "CFLAGS=-O0", "CUDA_PATH=" + poison(t)}}, "b/x", "5")
	connect(b)
	b.toolsFromDisk()
	for address, targets := range map[string][]string{httpCache: overHTTP, grpcCache: executed} {
		s, output := b.build(success, append(slices.Clone(targets), "--config=cache", "--disk_cache=", address)...)
		allHits(t, s)
		own := slices.DeleteFunc(slices.Clone(targets), func(target string) bool { return pin(target) == "" })
		if s.ByMnemonic["Pep517Build"].RemoteHits != len(own) || s.ByMnemonic["WheelAudit"].RemoteHits != len(own) {
			t.Errorf("machine B: %+v\n%s", s.ByMnemonic, output)
		}
		for _, target := range own {
			if sum := b.wheel(target); sum != sums[target] {
				t.Errorf("%s: sha256 %s on machine A, %s on machine B", target, sums[target], sum)
			}
		}
		t.Logf("machine B: %s: %d hits of %d", targets, s.Total.RemoteHits, s.Total.Hits+s.Total.Ran())
	}
	t.Run("no trace of machine A", func(t *testing.T) { noTrace(t, cache, a, "alpha-machine", "4711") })
}

// noTrace searches every object and result on the server for what only machine A is called.
func noTrace(t *testing.T, cache *server, a *client, names ...string) {
	blobs := slices.Concat(cache.blobs("ac"), cache.blobs("cas"))
	if len(blobs) < 8*len(overHTTP) {
		t.Fatalf("only %d objects to search", len(blobs))
	}
	words := []string{filepath.Dir(a.out), a.ws, names[0], sourceRoot(t) + "/"}
	for _, path := range blobs {
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range words {
			if i := bytes.Index(data, []byte(word)); i >= 0 {
				t.Errorf("%s holds %q: …%q…", path, word, data[max(0, i-60):min(len(data), i+100)])
			}
		}
	}
}
