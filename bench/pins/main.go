// Command pins measures the tools that a bump runs against what they cannot be faster than, or what a person would do instead:
//
//	check     reading and checking N synthetic pins, against decoding their JSON
//	generate  writing repositories.bzl from them, against the same
//	apply     `patch apply` on a tree of 50 MB, against `cp -R` and `git apply`, which works in place
//	check one `patch check` there, which copies nothing, against `git apply --check`
//
// Run it by `bazel run //bench/pins`. It needs git. Exit codes: 0; 1 when something could not be measured.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sparkwheels/sparkwheels/go/patch"
	"github.com/sparkwheels/sparkwheels/go/pins"
)

func main() {
	runs := flag.Int("runs", 5, "how often each is run; the median counts")
	flag.Parse()
	err := benchPins(*runs)
	if err == nil {
		err = benchPatch(*runs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/pins:", err)
		os.Exit(1)
	}
}

// median runs a job and returns its median time.
func median(runs int, job func() error) (time.Duration, error) {
	var times []time.Duration
	for range runs {
		start := time.Now()
		if err := job(); err != nil {
			return 0, err
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Microseconds())/1000) }

// repository holds n wheels, each with a patch and a requirement, which is more than most real pins have.
func repository(dir string, n int) error {
	var b strings.Builder
	b.WriteString("{\"schema\": 1, \"pins\": [")
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		requires := "[]"
		if i > 0 {
			requires = fmt.Sprintf(`["p%d"]`, i/2)
		}
		fmt.Fprintf(&b, `{"name": "p%d", "version": "1.%d", "kind": "wheel", "source": {"pypi": {"project": "p%d", "file": "p%d-1.%d.tar.gz"}},
 "sha256": %q, "patches": ["0001-x.patch"], "platforms": ["linux_aarch64", "win_arm64"], "requires": %s, "build": "setuptools",
 "retire_when": "upstream publishes a cp312-win_arm64 wheel"}`, i, i, i, i, i, strings.Repeat("a", 64), requires)
		folder := filepath.Join(dir, pins.PatchesDir, fmt.Sprintf("p%d", i))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, "0001-x.patch"), nil, 0o644); err != nil {
			return err
		}
	}
	b.WriteString("]}\n")
	file := filepath.Join(dir, filepath.FromSlash(pins.PinsFile))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}

func benchPins(runs int) error {
	fmt.Println("| pins | parse ms | check ms | check/parse | generate ms | generate/parse |\n| ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, n := range []int{100, 1000, 10000} {
		dir, err := os.MkdirTemp("", "bench-*")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if err := repository(dir, n); err != nil {
			return err
		}
		fsys := os.DirFS(dir)
		parse, err := median(runs, func() error {
			data, err := fs.ReadFile(fsys, pins.PinsFile)
			if err != nil {
				return err
			}
			var f pins.File
			return json.Unmarshal(data, &f)
		})
		if err != nil {
			return err
		}
		var f *pins.File
		check, err := median(runs, func() (err error) {
			f, err = pins.Load(fsys)
			return err
		})
		if err != nil {
			return err
		}
		generate, err := median(runs, func() error {
			_, err := pins.Generate(f)
			return err
		})
		if err != nil {
			return err
		}
		fmt.Printf("| %d | %s | %s | %.1f | %s | %.1f |\n", n, ms(parse), ms(check), float64(check)/float64(parse), ms(generate), float64(generate)/float64(parse))
	}
	return nil
}

// benchPatch makes 500 files of 100 kB and a patch that changes ten of them.
func benchPatch(runs int) error {
	dir, err := os.MkdirTemp("", "bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tree := filepath.Join(dir, "tree")
	var text strings.Builder
	for i := range 500 {
		var lines strings.Builder
		for j := range 2500 {
			fmt.Fprintf(&lines, "file %03d line %04d: some text of a line\n", i, j)
		}
		name := fmt.Sprintf("d%02d/f%03d.c", i/20, i)
		file := filepath.Join(tree, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(lines.String()), 0o644); err != nil {
			return err
		}
		if i%50 == 0 {
			fmt.Fprintf(&text, "diff --git a/%[1]s b/%[1]s\n--- a/%[1]s\n+++ b/%[1]s\n@@ -1001,3 +1001,3 @@\n file %03[2]d line 1000: some text of a line\n-file %03[2]d line 1001: some text of a line\n+changed\n file %03[2]d line 1002: some text of a line\n", name, i)
		}
	}
	patchFile := filepath.Join(dir, "0001-x.patch")
	if err := os.WriteFile(patchFile, []byte(text.String()), 0o644); err != nil {
		return err
	}
	fresh := 0
	out := func() string {
		fresh++
		return filepath.Join(dir, fmt.Sprintf("out%d", fresh))
	}
	git := func(in string, args ...string) error {
		cmd := exec.Command("git", append([]string{"apply"}, append(args, patchFile)...)...)
		cmd.Dir = in
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+dir)
		if said, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git apply: %w\n%s", err, said)
		}
		return nil
	}
	options := patch.Options{Strip: 1}
	jobs := []struct {
		name         string
		ours, theirs func() error
		against      string
	}{
		{"apply to a copy", func() error {
			_, err := patch.Apply(tree, out(), options, patchFile)
			return err
		}, func() error {
			to := out()
			if err := os.CopyFS(to, os.DirFS(tree)); err != nil {
				return err
			}
			return git(to)
		}, "copy, then `git apply`"},
		{"check", func() error {
			_, err := patch.Check(tree, options, patchFile)
			return err
		}, func() error { return git(tree, "--check") }, "`git apply --check`"},
	}
	fmt.Println("\n| job on 50 MB in 500 files | ms | against | ms | ratio |\n| --- | ---: | --- | ---: | ---: |")
	for _, j := range jobs {
		ours, err := median(runs, j.ours)
		if err != nil {
			return err
		}
		theirs, err := median(runs, j.theirs)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %s | %s | %s | %.2f |\n", j.name, ms(ours), j.against, ms(theirs), float64(ours)/float64(theirs))
	}
	return nil
}
