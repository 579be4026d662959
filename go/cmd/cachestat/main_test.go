package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	"github.com/sparkwheels/sparkwheels/go/execlog/spawnpb"
)

// logFile writes a log with one action that ran here.
func logFile(t *testing.T, key, hash string) string {
	t.Helper()
	data, err := protojson.Marshal(&spawnpb.SpawnExec{Mnemonic: "Compile", TargetLabel: "//a:b", Runner: "linux-sandbox", Cacheable: true, RemoteCacheable: true,
		Digest: &spawnpb.Digest{Hash: key}, ListedOutputs: []string{"b.o"}, Inputs: []*spawnpb.File{{Path: "b.c", Digest: &spawnpb.Digest{Hash: hash}}}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), key+".json")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCommands(t *testing.T) {
	now, before := logFile(t, "k2", "new"), logFile(t, "k1", "old")
	missing := filepath.Join(t.TempDir(), "missing")
	for _, test := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"summary", now}, 0, "0 of 1 actions came from a cache", ""},
		{[]string{"why", now, before}, 0, "because of input b.c: 1 actions", ""},
		{[]string{"check", now}, 1, "", "1 cacheable actions were executed instead of taken from the cache, 0 may be: Compile b.o"},
		{[]string{"check", "--max-ran=1", now}, 0, "0 hits, 1 ran here", ""},
		{[]string{"simulate", "--workers=2", now}, 0, "1 actions, 1 of them without a time", ""},
		{[]string{"simulate", "--peak=Compile=99", now}, 3, "", "a worker has 16.0"},
		{[]string{"summary", missing}, 3, "", "missing"},
		{[]string{"summary", "--results", missing, now}, 3, "", "missing"},
		{[]string{"summary"}, 2, "", "accepts 1 arg"},
		{[]string{"nonsense"}, 2, "", "unknown command"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(test.args, &stdout, &stderr)
		if code != test.code || !strings.Contains(stdout.String(), test.stdout) || !strings.Contains(stderr.String(), test.stderr) {
			t.Errorf("%q: exit code %d, want %d; stdout %q, stderr %q", test.args, code, test.code, stdout.String(), stderr.String())
		}
		if code != 0 && strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%q: not one line: %q", test.args, stderr.String())
		}
	}
	for _, command := range [][]string{{"summary", now}, {"why", now, before}, {"simulate", now}} {
		var stdout bytes.Buffer
		if code := run(append(command, "--json"), &stdout, &stdout); code != 0 || !json.Valid(stdout.Bytes()) {
			t.Errorf("%q --json: exit code %d: %s", command, code, stdout.String())
		}
	}
}
