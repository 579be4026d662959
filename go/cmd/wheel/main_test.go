package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/pe/petest"
	"github.com/sparkwheels/sparkwheels/go/wheel/wheeltest"
)

const (
	name     = "fast-1.0-cp312-cp312-win_arm64.whl"
	extMod   = "fast/_c.cp312-win_arm64.pyd"
	distInfo = "fast-1.0.dist-info/"
)

var policy = filepath.Join("..", "..", "..", "wheels", "policy", "win_arm64.json")

func call(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(args, &out, &err)
	return code, out.String(), err.String()
}

// backend is what a back end leaves: a good wheel but for what change does.
func backend(change func(*wheeltest.Wheel)) wheeltest.Wheel {
	w := wheeltest.Wheel{Name: name, Files: []wheeltest.File{
		{Name: extMod, Data: string(petest.Module("PyInit__c").Bytes())},
		{Name: "fast/__init__.py", Data: "from ._c import *\n"},
	}}
	if change != nil {
		change(&w)
	}
	return w
}

// list gives the names in a folder.
func list(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestPackThenAudit(t *testing.T) {
	in, packed, out := t.TempDir(), t.TempDir(), t.TempDir()
	backend(nil).Write(t, in)
	// The folder form of --in, as a rule uses it.
	if code, _, stderr := call("pack", "--in", in, "--out", filepath.Join(packed, name)); code != 0 {
		t.Fatalf("pack: %d %s", code, stderr)
	}
	code, _, stderr := call("audit", "--platform", "win_arm64", "--policy", policy, "--in", filepath.Join(packed, name),
		"--report", filepath.Join(out, "report.json"), "--out", filepath.Join(out, name))
	if code != 0 || stderr != "" {
		t.Fatalf("audit: %d %s", code, stderr)
	}
	if diff := cmp.Diff([]string{name, "report.json"}, list(t, out)); diff != "" {
		t.Errorf("the folder (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{name}, list(t, packed)); diff != "" {
		t.Errorf("pack's folder (-want +got):\n%s", diff)
	}
	before, err := os.ReadFile(filepath.Join(packed, name))
	if err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(filepath.Join(out, name))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, after) {
		t.Error("audit changed the wheel")
	}
}

func TestPackRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*wheeltest.Wheel)
		out    string
		flags  []string
		want   string
	}{
		{"other version", nil, "fast-1.1-cp312-cp312-win_arm64.whl", nil,
			"fast-1.1-cp312-cp312-win_arm64.whl: the back end made a wheel with version 1.0 and not 1.1 as declared; correct the declaration, or make the back end build what it says\n"},
		{"other tags", nil, "fast-1.0-cp39-abi3-win_arm64.whl", nil,
			"fast-1.0-cp39-abi3-win_arm64.whl: the back end made a wheel with Python tag cp312 and not cp39, ABI tag cp312 and not abi3 as declared; "},
		{"cross build that stayed at home", func(w *wheeltest.Wheel) { w.Name = "fast-1.0-cp312-cp312-win_amd64.whl" }, name, []string{"--platform-tag", "win_arm64"},
			distInfo + "WHEEL: the wheel was built for win_amd64 and cannot become one for win_arm64; make the back end build for the target; for setuptools see VSCMD_ARG_TGT_ARCH and _PYTHON_HOST_PLATFORM\n"},
		{"no wheel's name", nil, "fast.whl", nil, "--out: fast.whl: the name has 1 parts"},
		{"member twice", func(w *wheeltest.Wheel) { w.Extra = w.Files[:1] }, name, nil, extMod + ": is in the wheel twice; "},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := t.TempDir()
			in := backend(test.change).Write(t, t.TempDir())
			code, _, stderr := call(append([]string{"pack", "--in", in, "--out", filepath.Join(out, test.out)}, test.flags...)...)
			if code != 1 || !strings.HasPrefix(stderr, test.want) || strings.Count(stderr, "\n") != 1 {
				t.Errorf("got %d %q, want one line with %q", code, stderr, test.want)
			}
			if left := list(t, out); len(left) > 0 {
				t.Errorf("%v was written", left)
			}
		})
	}
}

func TestPackWantsOneWheel(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	code, _, stderr := call("pack", "--in", in, "--out", filepath.Join(out, name))
	if want := in + ": the back end left 0 wheels and not 1 (); look at the back end's messages\n"; code != 1 || stderr != want {
		t.Errorf("got %d %q, want %q", code, stderr, want)
	}
	backend(nil).Write(t, in)
	backend(func(w *wheeltest.Wheel) { w.Name = "fast-1.0-cp312-cp312-win_amd64.whl" }).Write(t, in)
	code, _, stderr = call("pack", "--in", in, "--out", filepath.Join(out, name))
	if want := "the back end left 2 wheels and not 1 (fast-1.0-cp312-cp312-win_amd64.whl, " + name + ")"; code != 1 || !strings.Contains(stderr, want) {
		t.Errorf("got %d %q, want %q", code, stderr, want)
	}
}

func TestAuditRefusesAndWritesNothing(t *testing.T) {
	x64 := string(petest.Image{Machine: petest.X64}.Bytes())
	for _, test := range []struct {
		name   string
		change func(*wheeltest.Wheel)
		edit   func([]byte) []byte
		as     string
		want   string
	}{
		{name: "renamed to another platform tag", change: func(w *wheeltest.Wheel) { w.Name = "fast-1.0-cp312-cp312-win_amd64.whl" }, as: name,
			want: distInfo + "WHEEL: has the tags cp312-cp312-win_amd64, and the file name has cp312-cp312-win_arm64; "},
		{name: "x64 DLL", change: func(w *wheeltest.Wheel) {
			w.Files = append(w.Files, wheeltest.File{Name: "fast/dep.dll", Data: x64})
		}, want: "fast/dep.dll: is built for x64, and a win_arm64 wheel needs ARM64; "},
		{name: "wrong hash", change: func(w *wheeltest.Wheel) {
			w.Record = func(r string) string { return strings.Replace(r, "__init__.py,sha256=", "__init__.py,sha256=0", 1) }
		}, want: "fast/__init__.py: has the hash sha256=0"},
		{name: "trailing data", edit: func(d []byte) []byte { return append(d, 0) },
			want: name + ": the zip file has a comment or other bytes after its end; "},
		{name: "build path", change: func(w *wheeltest.Wheel) { w.Files[1].Data = "/x/execroot/y" },
			want: `fast/__init__.py: holds the build path "/x/execroot/y"; `},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := t.TempDir()
			in := backend(test.change).Write(t, t.TempDir())
			if test.edit != nil {
				wheeltest.Edit(t, in, test.edit)
			}
			if test.as != "" {
				renamed := filepath.Join(filepath.Dir(in), test.as)
				if err := os.Rename(in, renamed); err != nil {
					t.Fatal(err)
				}
				in = renamed
			}
			code, _, stderr := call("audit", "--policy", policy, "--in", in, "--report", filepath.Join(out, "report.json"), "--out", filepath.Join(out, name))
			if code != 1 || !strings.HasPrefix(stderr, test.want) || strings.Count(stderr, "\n") != 1 {
				t.Errorf("got %d %q, want one line with %q", code, stderr, test.want)
			}
			if left := list(t, out); len(left) > 0 {
				t.Errorf("%v was written", left)
			}
		})
	}
}

func TestAuditTellsEverything(t *testing.T) {
	in := backend(func(w *wheeltest.Wheel) {
		w.Files[0].Data = string(petest.Image{Machine: petest.X64, Imports: []petest.Import{{DLL: "b.dll"}}}.Bytes())
		w.Extra = []wheeltest.File{{Name: "extra"}}
	}).Write(t, t.TempDir())
	code, _, stderr := call("audit", "--policy", policy, "--in", in)
	if code != 1 || strings.Count(stderr, "\n") != 4 {
		t.Errorf("got %d and not four lines:\n%s", code, stderr)
	}
}

func TestAuditWritesNoReportWithoutItsWheel(t *testing.T) {
	in, out := backend(nil).Write(t, t.TempDir()), t.TempDir()
	code, _, stderr := call("audit", "--policy", policy, "--in", in, "--report", filepath.Join(out, "report.json"), "--out", filepath.Join(out, "none", name))
	if code != 3 || stderr == "" || len(list(t, out)) > 0 {
		t.Errorf("got %d %q and the files %v", code, stderr, list(t, out))
	}
}

func TestAuditWantsTheRightPolicy(t *testing.T) {
	in := backend(nil).Write(t, t.TempDir())
	for want, args := range map[string][]string{
		"is for win_arm64 and not for linux_aarch64": {"--policy", policy, "--platform", "linux_aarch64"},
		"none.json": {"--policy", "none.json"},
	} {
		code, _, stderr := call(append([]string{"audit", "--in", in}, args...)...)
		if code != 3 || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("got %d %q, want %q", code, stderr, want)
		}
	}
}

func TestRetag(t *testing.T) {
	out := t.TempDir()
	in := backend(nil).Write(t, t.TempDir())
	// Renamed by hand, as people do.
	renamed := filepath.Join(filepath.Dir(in), "fast-1.0-cp312-cp312-win_amd64.whl")
	if err := os.Rename(in, renamed); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := call("retag", "--out", out, "--local-version", "cu134torch2.14", "--build-tag", "1", renamed)
	want := "fast-1.0+cu134torch2.14-1-cp312-cp312-win_arm64.whl"
	if code != 0 || stdout != want+"\n" {
		t.Fatalf("got %d %q %q, want %s", code, stdout, stderr, want)
	}
	if code, _, stderr := call("audit", "--policy", policy, "--in", filepath.Join(out, want)); code != 0 {
		t.Errorf("the retagged wheel is refused: %s", stderr)
	}
}

func TestDiff(t *testing.T) {
	a := backend(nil).Write(t, t.TempDir())
	b := backend(func(w *wheeltest.Wheel) { w.Files[1].Name = "fast/other.py" }).Write(t, t.TempDir())
	if code, stdout, _ := call("diff", a, a); code != 0 || !strings.HasSuffix(stdout, "no difference\n") {
		t.Errorf("got %d %q", code, stdout)
	}
	code, stdout, stderr := call("diff", a, b)
	if code != 1 || stderr != "" || !strings.Contains(stdout, "- member fast/__init__.py\n+ member fast/other.py\n") {
		t.Errorf("got %d %q %q", code, stdout, stderr)
	}
	if code, stdout, _ := call("diff", "--json", a, b); code != 1 || !strings.Contains(stdout, `"fast/other.py"`) || stdout[0] != '{' {
		t.Errorf("got %d %q", code, stdout)
	}
}

func TestDist(t *testing.T) {
	out := filepath.Join(t.TempDir(), "dist")
	code, stdout, stderr := call("dist", "--out", out, backend(nil).Write(t, t.TempDir()))
	if code != 0 || !strings.Contains(stdout, name) {
		t.Errorf("got %d %q %q", code, stdout, stderr)
	}
	if diff := cmp.Diff([]string{"SHA256SUMS", name}, list(t, out)); diff != "" {
		t.Errorf("the folder (-want +got):\n%s", diff)
	}
}

func TestCommandLine(t *testing.T) {
	for _, args := range [][]string{
		{}, {"unknown"}, {"pack"}, {"pack", "--in", "x"}, {"audit", "--in", "x"}, {"retag", "x"}, {"diff", "x"}, {"dist", "--out", "x"}, {"pack", "--no-such-flag"},
	} {
		if code, _, stderr := call(args...); code != 2 || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "wheel: ") {
			t.Errorf("wheel %v: got %d %q, want 2 and one line", args, code, stderr)
		}
	}
	if code, stdout, _ := call("--help"); code != 0 || !strings.Contains(stdout, "Exit codes:\n  0  done") {
		t.Errorf("--help: %d %q", code, stdout)
	}
	if code, _, stderr := call("audit", "--policy", policy, "--in", "none.whl"); code != 3 || strings.Count(stderr, "\n") != 1 {
		t.Errorf("a missing wheel: %d %q", code, stderr)
	}
}

func TestAssembleThenPack(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return filepath.ToSlash(path)
	}
	request := put("request.json", `{"metadata": "`+put("PKG-INFO", "Metadata-Version: 2.1\nName: fast\nVersion: 1.0\n")+`",
		"tags": "py3-none-win_arm64", "entry_points": "", "licences": [],
		"files": [{"name": "fast/k.dll", "path": "`+put("k", string(petest.Module("f").Bytes()))+`"}]}`)
	built := filepath.Join(dir, "built.whl")
	if code, _, stderr := call("assemble", "--request", request, "--out", built); code != 0 {
		t.Fatalf("assemble: %d %s", code, stderr)
	}
	const name = "fast-1.0+cu134-py3-none-win_arm64.whl"
	if code, _, stderr := call("pack", "--in", built, "--out", filepath.Join(dir, name), "--local-version", "cu134"); code != 0 {
		t.Fatalf("pack: %d %s", code, stderr)
	}
	for text, want := range map[string]string{
		`{"files": 1}`:  "json: cannot unmarshal",
		`{"file": []}`:  `unknown field "file"`,
		`{"tags": "x"}`: `tags: "x": has the tag "x"`,
		`{"tags": "py3-none-any", "metadata": "nowhere"}`: "metadata: open nowhere",
	} {
		out := filepath.Join(dir, "none.whl")
		code, _, stderr := call("assemble", "--request", put("bad.json", text), "--out", out)
		if code != 3 || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: got %d %q, want %q", text, code, stderr, want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: a wheel was written", text)
		}
	}
}
