//go:build linux

package remote

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sparkwheels/sparkwheels/go/affected"
	"github.com/sparkwheels/sparkwheels/go/cachestat"
	"github.com/sparkwheels/sparkwheels/go/execlog"
	"github.com/sparkwheels/sparkwheels/go/machine"
	"github.com/sparkwheels/sparkwheels/go/pins"
)

// logOf builds everything from the server or anew, and returns the log of it.
func (c *client) logOf(args ...string) *execlog.Log {
	c.t.Helper()
	c.clean()
	c.build(success, args...)
	return c.read()
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
	const miniaudio = "//wheels:miniaudio.win_arm64"
	both := []string{miniaudio, "//wheels:pyworld.win_arm64"}
	before := c.logOf(both...)

	// A note is for people.
	edit("third_party/pins.json", `"note": "`, `"note": "Changed. `)
	if s, _ := c.build(success, both...); s.Total.Ran() != 0 {
		t.Errorf("a changed note ran %d actions: %+v", s.Total.Ran(), s.Ran)
	}

	// Nothing of the client's PATH is in a key, not even that there is one. Debian's Bazel looks for its Java there.
	env := []string{"PATH=/nonexistent"}
	if javac, err := exec.LookPath("javac"); err == nil {
		if javac, err = filepath.EvalSymlinks(javac); err != nil {
			t.Fatal(err)
		}
		env = append(env, "JAVA_HOME="+filepath.Dir(filepath.Dir(javac)))
	}
	line := append(append(append([]string{c.program}, c.startup...), "build", "--execution_log_binary_file="+c.log), c.firstArgs...)
	c.clean()
	if r, err := c.m.Run(c.ws, env, append(line, both...)...); err != nil || r.Code != 0 {
		t.Fatalf("with PATH=/nonexistent: %v %+v", err, r)
	}
	if s := cachestat.Summarize(c.read(), nil, 0); s.Total.Ran() != 0 || s.Total.Hits == 0 {
		t.Errorf("with PATH=/nonexistent %d actions ran, %d were hits: %+v", s.Total.Ran(), s.Total.Hits, s.Ran)
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
	before = c.logOf(miniaudio)
	edit("go/ccdriver/config.go", `Errorf("`, `Errorf("`+nonce+` `)
	s, _ = c.build(success, miniaudio)
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

	// Last, since this machine could not fetch the old sdist again.
	t.Run("a bump", func(t *testing.T) { c.bump(t, "miniaudio", both) })
}

// keys are the keys of everything that targets need, as analysis knows them: command lines, inputs, and their contents.
func (c *client) keys(targets []string) map[string]string {
	c.t.Helper()
	out := filepath.Join(c.t.TempDir(), "actions.json")
	// Its standard output alone: warnings are not JSON.
	line := append([]string{"/bin/sh", "-c", `out=$1; shift; exec "$@" >"$out"`, "sh", out, c.program}, c.startup...)
	line = append(append(line, "aquery"), c.firstArgs...)
	line = append(line, "--output=jsonproto", "--noinclude_commandline", "deps(set("+strings.Join(targets, " ")+"))")
	if r, err := c.m.Run(c.ws, nil, line...); err != nil || r.Code != 0 {
		c.t.Fatalf("bazel aquery: %v %+v", err, r)
	}
	f, err := os.Open(out)
	if err != nil {
		c.t.Fatal(err)
	}
	defer f.Close()
	graph, err := affected.Read(f)
	if err != nil {
		c.t.Fatal(err)
	}
	keys, err := graph.Keys(affected.Disk(c.ws, filepath.Join(c.out, "external")))
	if err != nil {
		c.t.Fatal(err)
	}
	return keys
}

// bump takes a new version of a leaf, whose file is in a folder of its own as for an offline build, and holds the keys of all
// that targets need against those before: only what is the leaf's own may differ.
func (c *client) bump(t *testing.T, name string, targets []string) {
	file := filepath.Join(c.ws, filepath.FromSlash(pins.PinsFile))
	repositories := filepath.Join(c.ws, filepath.FromSlash(pins.RepositoriesFile))
	old := contents(t, file)
	all, err := pins.Load(os.DirFS(c.ws))
	if err != nil {
		t.Fatal(err)
	}
	leaf := all.Pins[slices.IndexFunc(all.Pins, func(p *pins.Pin) bool { return p.Name == name })]
	before := c.keys(targets)

	dist := t.TempDir()
	version := leaf.Version + ".1"
	sdist := fmt.Sprintf("%s-%s.tar.gz", name, version)
	write(t, filepath.Join(dist, sdist), "another sdist\n")
	text, err := pins.Apply([]byte(old), []pins.Edit{
		{Pin: name, Path: []string{"version"}, Value: version},
		{Pin: name, Path: []string{"source", "pypi", "file"}, Value: sdist},
		{Pin: name, Path: []string{"sha256"}, Value: sum(t, filepath.Join(dist, sdist))},
	})
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, string(text))
	if all, err = pins.Load(os.DirFS(c.ws)); err != nil {
		t.Fatal(err)
	}
	generated, err := pins.Generate(all)
	if err != nil {
		t.Fatal(err)
	}
	write(t, repositories, string(generated))
	c.firstArgs = append(c.firstArgs, "--distdir="+dist)
	after := c.keys(targets)
	c.firstArgs = c.firstArgs[:len(c.firstArgs)-1]

	changed := affected.Between(before, after)
	for _, label := range changed {
		if !strings.Contains(label, name) {
			t.Errorf("a bump of %s changes what builds %s", name, label)
		}
	}
	if want := fmt.Sprintf("//wheels:%s.win_arm64", name); !slices.ContainsFunc(changed, func(label string) bool { return strings.HasPrefix(label, want) }) {
		t.Errorf("a bump of %s changes no key of %s: %q", name, want, changed)
	}
	t.Logf("a bump of %s changes the keys of %d of %d targets: %q", name, len(changed), len(before), changed)
}

func contents(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
