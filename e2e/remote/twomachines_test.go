//go:build linux

package remote

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sparkwheels/sparkwheels/go/cachestat"
	"github.com/sparkwheels/sparkwheels/go/execlog"
	"github.com/sparkwheels/sparkwheels/go/guest"
	"github.com/sparkwheels/sparkwheels/go/machine"
)

// The wheels that go from machine to machine: small ones that upstream does not publish. One goes over HTTP, one over gRPC.
const (
	overHTTP = "//wheels:pyworld.win_arm64"
	overGRPC = "//wheels:miniaudio.win_arm64"
)

// wheelActions are the mnemonics of the actions that belong to a wheel.
var wheelActions = []string{"SourceUnpack", "SourcePatch", "Pep517Build", "WheelPack", "WheelAudit"}

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

// wheel is the sha256 of the wheel that target's build left.
func (c *client) wheel(target string) string {
	c.t.Helper()
	name := strings.TrimSuffix(strings.TrimPrefix(target, "//wheels:"), ".win_arm64")
	found, err := filepath.Glob(filepath.Join(c.out, "execroot", "_main", "bazel-out", "*", "bin", "wheels", name+"-*win_arm64.whl"))
	if err != nil || len(found) != 1 {
		c.t.Fatalf("%d wheels of %s: %v", len(found), target, err)
	}
	return sum(c.t, found[0])
}

// builtHere is the sha256 of the target's wheel among this test's runfiles.
func builtHere(t *testing.T, target string) string {
	t.Helper()
	name := strings.TrimSuffix(strings.TrimPrefix(target, "//wheels:"), ".win_arm64")
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

// toolsFromDisk takes both wheels from the disk cache of the build that runs this test, every action a hit, which shows
// that this machine and that one have the same keys; then it deletes what belongs to the wheels themselves, so that this
// test spends its time on them and not on sysroots.
func (c *client) toolsFromDisk() {
	c.t.Helper()
	s, output := c.build(success, overHTTP, overGRPC, "--remote_download_outputs=all")
	if bad := s.Check(cachestat.Rules{}); len(bad) > 0 {
		c.t.Fatalf("the machine that runs this test built these wheels, yet: %s\n%s", strings.Join(bad, "; "), output)
	}
	c.t.Logf("%d of %d actions from the disk cache", s.Total.Hits, s.Total.Hits+s.Total.Ran())
	c.deleteWheels()
}

// deleteWheels removes the outputs of the wheels' own actions, which Bazel then looks for in its caches.
func (c *client) deleteWheels() {
	c.t.Helper()
	r, err := c.m.Run(c.ws, nil, "/bin/sh", "-c", "chmod -R u+w bazel-out/*/bin/wheels && rm -r bazel-out/*/bin/wheels")
	if err != nil || r.Code != 0 {
		c.t.Fatal(err, r)
	}
}

// logOf builds everything from the server or anew, and returns the log of it.
func (c *client) logOf(args ...string) *execlog.Log {
	c.t.Helper()
	c.clean()
	c.build(success, args...)
	return c.read()
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
	s, output := a.build(success, overHTTP, "--config=cache-write", httpCache)
	if s.Total.Local != len(wheelActions) {
		t.Fatalf("machine A did not build %s: %+v\n%s", overHTTP, s.ByMnemonic, output)
	}
	// The other wheel it has built by an executor that lacks everything: all actions run there, none here, on a disk that
	// holds Debian's essential packages and two servers.
	s, output = a.build(success, overGRPC, "--config=remote", executor)
	if bad := s.Check(cachestat.Rules{NoLocal: true}); len(bad) > 0 || s.Total.Remote != len(wheelActions) {
		t.Fatalf("the executor did not build %s: %q %+v\n%s", overGRPC, bad, s.ByMnemonic, output)
	}
	// Both are what the machine that runs this test has built.
	sums := map[string]string{}
	for _, target := range []string{overHTTP, overGRPC} {
		sums[target] = a.wheel(target)
		if want := builtHere(t, target); sums[target] != want {
			t.Errorf("%s: sha256 %s here, %s of machine A", target, want, sums[target])
		}
	}

	// Machine B has another user, home, PATH with poisoned programs in front, folders, clock and number of jobs.
	b := newMachine(t, machine.Spec{Host: "beta-machine", User: 1234,
		Env: []string{"PATH=" + poison(t) + ":/usr/bin:/bin", "TZ=America/Lima", "LANG=C", "CC=gcc", "CFLAGS=-O0"}}, "b/x", "5")
	connect(b)
	b.toolsFromDisk()
	for target, address := range map[string]string{overHTTP: httpCache, overGRPC: grpcCache} {
		s, output := b.build(success, target, "--config=cache", "--disk_cache=", address)
		allHits(t, s)
		if s.ByMnemonic["Pep517Build"].RemoteHits != 1 || s.Total.RemoteHits < len(wheelActions) {
			t.Errorf("machine B: %+v\n%s", s.ByMnemonic, output)
		}
		if sum := b.wheel(target); sum != sums[target] {
			t.Errorf("%s: sha256 %s on machine A, %s on machine B", target, sums[target], sum)
		}
		t.Logf("machine B: %s: %d hits of %d", target, s.Total.RemoteHits, s.Total.Hits+s.Total.Ran())
	}
	t.Run("no trace of machine A", func(t *testing.T) { noTrace(t, cache, a, "alpha-machine", "4711") })
}

// noTrace searches every object and result on the server for what only machine A is called.
func noTrace(t *testing.T, cache *server, a *client, names ...string) {
	blobs := slices.Concat(cache.blobs("ac"), cache.blobs("cas"))
	if len(blobs) < 2*len(wheelActions) {
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

// TestKeys changes one thing after another on a machine without a server and looks at what runs again.
func TestKeys(t *testing.T) {
	c := newMachine(t, machine.Spec{Host: "gamma-machine", User: 1235, Env: []string{"PATH=" + poison(t) + ":/usr/bin:/bin"}}, "k", "3")
	edit := func(name, old, new string) {
		t.Helper()
		path := filepath.Join(c.ws, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(data), old) < 1 {
			t.Fatalf("%s does not hold %q", name, old)
		}
		write(t, path, strings.Replace(string(data), old, new, 1))
	}
	both := []string{overHTTP, overGRPC}
	before := c.logOf(both...)

	// A note is for people.
	edit("third_party/pins.json", `"note": "`, `"note": "Changed. `)
	if s, _ := c.build(success, both...); s.Total.Ran() != 0 {
		t.Errorf("a changed note ran %d actions: %+v", s.Total.Ran(), s.Ran)
	}

	// A leaf's patch: its own actions, and not the other wheel's.
	patches, err := filepath.Glob(filepath.Join(c.ws, "patches", "miniaudio", "*.patch"))
	if err != nil || len(patches) == 0 {
		t.Fatalf("miniaudio has no patch: %v", err)
	}
	rel, err := filepath.Rel(c.ws, patches[0])
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(patches[0])
	if err != nil {
		t.Fatal(err)
	}
	nonce := fmt.Sprint(time.Now().UnixNano())
	write(t, patches[0], "A line before the first file says why and changes nothing: "+nonce+"\n"+string(data))
	s, _ := c.build(success, both...)
	for _, action := range s.Ran {
		if !strings.Contains(action.ID, "miniaudio") {
			t.Errorf("a changed patch of miniaudio ran %s", action.ID)
		}
	}
	if s.ByMnemonic["SourcePatch"].Local != 1 {
		t.Errorf("a changed patch was not applied again: %+v", s.ByMnemonic)
	}
	misses, err := cachestat.Explain(c.read(), before, false)
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(misses, func(m cachestat.Miss) bool { return strings.HasPrefix(m.ID, "SourcePatch") }); i < 0 ||
		!slices.Contains(misses[i].Roots, "input "+rel) {
		t.Errorf("the patch is not named as the cause: %+v", misses)
	}

	// One byte of the compiler driver: all that has it among its inputs, or something made by that, and nothing else.
	before = c.logOf(overGRPC)
	edit("go/ccdriver/config.go", `Errorf("`, `Errorf("`+nonce+` `)
	s, _ = c.build(success, overGRPC)
	now := c.read()
	if misses, err = cachestat.Explain(now, before, false); err != nil {
		t.Fatal(err)
	}
	for _, m := range misses {
		if !slices.Equal(m.Roots, []string{"input go/ccdriver/config.go"}) {
			t.Errorf("%s ran, because of %q", m.ID, m.Roots)
		}
	}
	ran := map[string]bool{}
	for _, action := range s.Ran {
		ran[action.ID] = true
	}
	users := 0
	for _, action := range before.Spawns {
		inputs, err := action.Inputs()
		if err != nil {
			t.Fatal(err)
		}
		for path := range inputs {
			if strings.HasSuffix(path, "/go/cmd/ccdriver/ccdriver_/ccdriver") {
				users++
				if !ran[action.ID()] {
					t.Errorf("%s has the driver as an input and did not run again", action.ID())
				}
				break
			}
		}
	}
	if users == 0 {
		t.Error("no action has the driver as an input")
	}
	t.Logf("a changed driver: %d actions have it, %d of %d ran", users, s.Total.Local, len(before.Spawns))
}
