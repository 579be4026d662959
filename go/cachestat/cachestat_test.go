package cachestat

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/sparkwheels/sparkwheels/go/execlog"
	"github.com/sparkwheels/sparkwheels/go/execlog/spawnpb"
)

// action is an entry of a log: inputs and the one output are "path=hash".
func action(mnemonic, key, runner, output string, inputs ...string) *spawnpb.SpawnExec {
	file := func(text string) *spawnpb.File {
		path, hash, _ := strings.Cut(text, "=")
		return &spawnpb.File{Path: path, Digest: &spawnpb.Digest{Hash: hash, SizeBytes: 1000}}
	}
	out := file(output)
	e := &spawnpb.SpawnExec{Mnemonic: mnemonic, TargetLabel: "//:" + mnemonic, Runner: runner, CacheHit: strings.HasSuffix(runner, "hit"),
		Cacheable: true, RemoteCacheable: true, Digest: &spawnpb.Digest{Hash: key}, ListedOutputs: []string{out.Path},
		ActualOutputs: []*spawnpb.File{out}, CommandArgs: []string{mnemonic}}
	if !e.CacheHit {
		e.Metrics = &spawnpb.SpawnMetrics{ExecutionWallTime: durationpb.New(2 * time.Second)}
	}
	for _, i := range inputs {
		e.Inputs = append(e.Inputs, file(i))
	}
	return e
}

func log(t *testing.T, entries ...*spawnpb.SpawnExec) *execlog.Log {
	t.Helper()
	var b bytes.Buffer
	for _, e := range entries {
		if _, err := protodelim.MarshalTo(&b, e); err != nil {
			t.Fatal(err)
		}
	}
	l, err := execlog.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

const (
	here   = "linux-sandbox"
	remote = "remote cache hit"
	disk   = "disk cache hit"
)

func TestSummary(t *testing.T) {
	l := log(t, action("Patch", "1", here, "a=1"), action("Compile", "2", remote, "b=2"), action("Link", "3", disk, "c=3"), action("Test", "4", "remote", "d=4"))
	s := Summarize(l, func(key string) (time.Duration, bool) { return 7 * time.Second, key == "2" }, 2)
	want := Count{Hits: 2, RemoteHits: 1, DiskHits: 1, Local: 1, Remote: 1}
	if d := cmp.Diff(want, s.Total); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if s.RanSeconds != 4 || s.SavedSeconds != 7 || s.Untimed != 1 || len(s.Largest) != 2 || s.Bytes != 4000 {
		t.Errorf("got %+v", s)
	}
	var b strings.Builder
	if err := s.Print(&b); err != nil || !strings.Contains(b.String(), "**2 of 4 actions came from a cache** (1 remote, 1 disk)") {
		t.Errorf("%v: %s", err, b.String())
	}
}

func TestCheck(t *testing.T) {
	ran := action("Compile", "2", here, "b=2")
	uncacheable := action("Run", "5", here, "e=5")
	uncacheable.Cacheable = false
	failed := action("Compile", "2", remote, "b=2")
	failed.ExitCode = 1
	for name, test := range map[string]struct {
		entries []*spawnpb.SpawnExec
		rules   Rules
		says    string
	}{
		"all hits":             {[]*spawnpb.SpawnExec{action("Patch", "1", remote, "a=1")}, Rules{RemoteOnly: true}, ""},
		"nothing at all":       {nil, Rules{}, "no action"},
		"built here":           {[]*spawnpb.SpawnExec{ran}, Rules{}, "1 cacheable actions were executed"},
		"allowed number":       {[]*spawnpb.SpawnExec{ran}, Rules{MaxRan: 1}, ""},
		"allowed kind":         {[]*spawnpb.SpawnExec{ran}, Rules{Allow: []string{"Compile"}}, ""},
		"may not be cached":    {[]*spawnpb.SpawnExec{uncacheable}, Rules{}, ""},
		"the wrong cache":      {[]*spawnpb.SpawnExec{action("Patch", "1", disk, "a=1")}, Rules{RemoteOnly: true}, "local disk cache"},
		"local fallback":       {[]*spawnpb.SpawnExec{ran}, Rules{NoLocal: true}, "ran on this machine"},
		"on the executor":      {[]*spawnpb.SpawnExec{action("Patch", "1", "remote", "a=1")}, Rules{NoLocal: true}, ""},
		"failed on the server": {[]*spawnpb.SpawnExec{failed}, Rules{}, "1 actions failed"},
	} {
		bad := strings.Join(Summarize(log(t, test.entries...), nil, 0).Check(test.rules), "; ")
		if test.says == "" && bad != "" || !strings.Contains(bad, test.says) {
			t.Errorf("%s: %q, want %q", name, bad, test.says)
		}
	}
}

// A changed source file is the cause of the whole chain behind it, and of nothing beside it.
func TestWhyFollowsInputsToTheirSource(t *testing.T) {
	before := log(t, action("Patch", "1", here, "a=1", "x.patch=p"), action("Compile", "2", here, "b=2", "a=1", "cc=t"), action("Other", "3", here, "c=3", "y=y"))
	now := log(t, action("Patch", "1b", here, "a=1b", "x.patch=q"), action("Compile", "2b", here, "b=2b", "a=1b", "cc=t"), action("Other", "3", remote, "c=3", "y=y"))
	misses, err := Explain(now, before, false)
	if err != nil {
		t.Fatal(err)
	}
	want := []Miss{
		{ID: "Patch a", Label: "//:Patch", Verdict: Changed, Seconds: 2, Changes: []Change{{Kind: "input", Name: "x.patch", Old: "p", New: "q"}}, Roots: []string{"input x.patch"}},
		{ID: "Compile b", Label: "//:Compile", Verdict: Changed, Seconds: 2, Changes: []Change{{Kind: "input", Name: "a", Old: "1", New: "1b", Maker: "Patch a"}}, Roots: []string{"input x.patch"}},
	}
	if d := cmp.Diff(want, misses); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	var b strings.Builder
	if err := PrintMisses(&b, misses); err != nil || !strings.Contains(b.String(), "because of input x.patch: 2 actions, 4.0 s") {
		t.Errorf("%v: %s", err, b.String())
	}
}

func TestVerdicts(t *testing.T) {
	base := func() *spawnpb.SpawnExec { return action("Compile", "2", here, "b=2", "a=1") }
	env := base()
	env.Digest.Hash, env.EnvironmentVariables = "3", []*spawnpb.EnvironmentVariable{{Name: "PATH", Value: "/odd"}}
	args := base()
	args.Digest.Hash, args.CommandArgs = "4", []string{"Compile", "-O3"}
	never := base()
	never.Cacheable = false
	added := base()
	added.Digest.Hash, added.Inputs = "5", append(added.Inputs, &spawnpb.File{Path: "new.h", Digest: &spawnpb.Digest{Hash: "n"}, IsTool: true})
	// Its own key is the same, but what it makes differs: the cause of what comes after it.
	unsteady := []*spawnpb.SpawnExec{action("Gen", "9", here, "a=other"), action("Compile", "6", here, "b=2", "a=other")}
	for name, test := range map[string]struct {
		now           []*spawnpb.SpawnExec
		verdict, root string
	}{
		"lost":         {[]*spawnpb.SpawnExec{base()}, Lost, ""},
		"environment":  {[]*spawnpb.SpawnExec{env}, Changed, "environment PATH"},
		"argument":     {[]*spawnpb.SpawnExec{args}, Changed, "argument -O3"},
		"added tool":   {[]*spawnpb.SpawnExec{added}, Changed, "tool new.h"},
		"not cached":   {[]*spawnpb.SpawnExec{never}, Never, ""},
		"new":          {[]*spawnpb.SpawnExec{action("Compile", "8", here, "z=1")}, New, ""},
		"reproducible": {unsteady, Changed, "not reproducible: Gen a gave another a for the same inputs"},
	} {
		misses, err := Explain(log(t, test.now...), log(t, base(), action("Gen", "9", here, "a=1")), false)
		if err != nil {
			t.Fatal(err)
		}
		got := misses[len(misses)-1]
		if got.Verdict != test.verdict || strings.Join(got.Roots, ",") != test.root {
			t.Errorf("%s: %q because of %q, want %q, %q", name, got.Verdict, got.Roots, test.verdict, test.root)
		}
	}
}

// result is an ActionResult that ran from 100 s to 103.5 s.
func result() []byte {
	stamp := func(number protowire.Number, seconds, nanos uint64) []byte {
		t := protowire.AppendVarint(protowire.AppendTag(nil, timestampSeconds, protowire.VarintType), seconds)
		t = protowire.AppendVarint(protowire.AppendTag(t, timestampNanos, protowire.VarintType), nanos)
		return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), t)
	}
	metadata := append(stamp(metadataStart, 100, 0), stamp(metadataCompleted, 103, 5e8)...)
	return protowire.AppendBytes(protowire.AppendTag(nil, resultMetadata, protowire.BytesType), metadata)
}

func TestResultsOfAFolderAndOfAServer(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "ac", "ab", "abcd")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	for file, data := range map[string][]byte{path: result(), filepath.Join(dir, "ac", "ab", "abff"): []byte("\xff\xff garbage")} {
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(http.StripPrefix("/ac/", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "teapot" {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		http.ServeFile(w, r, filepath.Join(dir, "ac", r.URL.Path[:2], r.URL.Path))
	})))
	defer server.Close()
	for _, where := range []string{dir, server.URL} {
		clock, failed := Results(t.Context(), where)
		if d, ok := clock("abcd"); !ok || d != 3500*time.Millisecond {
			t.Errorf("%s: %s, %v", where, d, ok)
		}
		for _, key := range []string{"abce", "abff"} {
			if d, ok := clock(key); ok {
				t.Errorf("%s: %s has the time %s", where, key, d)
			}
		}
		if failed() != nil {
			t.Error(failed())
		}
	}
	clock, failed := Results(t.Context(), server.URL)
	if _, ok := clock("teapot"); ok || failed() == nil {
		t.Error("a server that refuses is not an error")
	}
}
