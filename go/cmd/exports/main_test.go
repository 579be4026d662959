package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/pe/petest"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	image := write("bolt.dll", petest.Image{Machine: petest.ARM64, Name: "bolt.dll", Exports: []petest.Export{{Name: "bolt_add"}, {Name: "bolt_free"}}}.Bytes())
	for name, c := range map[string]struct {
		def  string
		code int
		want []string
	}{
		"same":      {"EXPORTS\n bolt_free\n bolt_add\n", 0, nil},
		"more":      {"EXPORTS\n bolt_add\n", 1, []string{"bolt.dll exports bolt_free, which ", " does not name"}},
		"fewer":     {"EXPORTS\n bolt_add\n bolt_free\n bolt_run\n", 1, []string{"bolt.dll does not export bolt_run, which ", " names"}},
		"both":      {"EXPORTS\n bolt_add\n bolt_run\n", 1, []string{"exports bolt_free", "does not export bolt_run"}},
		"malformed": {"EXPORTS\n bolt_add twice\n", 3, []string{`bolt.def: line 2: bolt_add: "twice" is no attribute of an export`}},
	} {
		var stdout, stderr bytes.Buffer
		stamp := filepath.Join(dir, name+".stamp")
		code := run([]string{"--def", write("bolt.def", []byte(c.def)), "--image", image, "--stamp", stamp}, &stdout, &stderr)
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d: %s", name, code, c.code, &stderr)
		}
		for _, want := range c.want {
			if !strings.Contains(stderr.String(), want) {
				t.Errorf("%s: %q is not in: %s", name, want, &stderr)
			}
		}
		if _, err := os.Stat(stamp); (err == nil) != (c.code == 0) {
			t.Errorf("%s: the stamp is there: %t", name, err == nil)
		}
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"--def", "x"}, &stdout, &stderr); code != 2 {
		t.Errorf("without --image: exit code %d: %s", code, &stderr)
	}
}
