package dist_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sparkwheels/sparkwheels/go/dist"
)

const (
	a = "a-1.0-py3-none-any.whl"
	b = "b-1.0+cu134-py3-none-any.whl"
)

func write(t *testing.T, file, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// tree gives the files of a folder with their contents.
func tree(t *testing.T, folder string) map[string]string {
	t.Helper()
	got := map[string]string{}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got[entry.Name()] = string(data)
	}
	return got
}

func sum(text string) string {
	digest := sha256.Sum256([]byte(text))
	return hex.EncodeToString(digest[:])
}

func TestCopy(t *testing.T) {
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "new", "dist")
	result, err := dist.Copy(out, []string{write(t, filepath.Join(in, b), "two"), write(t, filepath.Join(in, a), "one")})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{a: "one", b: "two", dist.Sums: sum("one") + "  " + a + "\n" + sum("two") + "  " + b + "\n"}
	if diff := cmp.Diff(want, tree(t, out)); diff != "" {
		t.Errorf("the folder (-want +got):\n%s", diff)
	}
	var table bytes.Buffer
	if err := result.Print(&table); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(table.String(), "\n")
	if len(lines) != 4 || strings.Fields(lines[1])[0] != a || strings.Fields(lines[1])[1] != "3" || strings.Fields(lines[2])[2] != sum("two") {
		t.Errorf("the table is\n%s", table.String())
	}
}

func TestCopyAgain(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, filepath.Join(out, "notes.txt"), "mine")
	first := []string{write(t, filepath.Join(in, a), "one"), write(t, filepath.Join(in, b), "two")}
	if _, err := dist.Copy(out, first); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{a, b, dist.Sums} {
		if err := os.Chmod(filepath.Join(out, name), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	changed := write(t, filepath.Join(in, a), "one, rebuilt")
	result, err := dist.Copy(out, []string{changed})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{a: "one, rebuilt", "notes.txt": "mine", dist.Sums: sum("one, rebuilt") + "  " + a + "\n"}
	if diff := cmp.Diff(want, tree(t, out)); diff != "" {
		t.Errorf("the folder (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{b}, result.Removed); diff != "" {
		t.Errorf("removed (-want +got):\n%s", diff)
	}
}

func TestCopyKeepsWhatItDidNotWrite(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	// b was listed once but is another file by now; the other lines are none of ours.
	write(t, filepath.Join(out, b), "edited")
	write(t, filepath.Join(out, "x.txt"), "x")
	write(t, filepath.Join(out, dist.Sums), sum("two")+"  "+b+"\n"+sum("x")+"  x.txt\nnonsense\n"+sum("g")+"  gone-1.0-py3-none-any.whl\n")
	result, err := dist.Copy(out, []string{write(t, filepath.Join(in, a), "one")})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{a: "one", b: "edited", "x.txt": "x", dist.Sums: sum("one") + "  " + a + "\n"}
	if diff := cmp.Diff(want, tree(t, out)); diff != "" || result.Removed != nil {
		t.Errorf("the folder (-want +got):\n%s\nremoved %v", diff, result.Removed)
	}
}

func TestCopyRefuses(t *testing.T) {
	in := t.TempDir()
	for name, test := range map[string]struct {
		files []string
		want  string
	}{
		"no wheel":   {[]string{write(t, filepath.Join(in, "a.zip"), "")}, "a.zip: the name does not end in .whl"},
		"one name":   {[]string{write(t, filepath.Join(in, "1", a), "one"), write(t, filepath.Join(in, "2", a), "two")}, "have one name and different contents"},
		"not a file": {[]string{filepath.Join(in, "none", a)}, a},
	} {
		out := filepath.Join(t.TempDir(), "dist")
		if _, err := dist.Copy(out, test.files); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: the folder was made", name)
		}
	}
}

func TestCopyTakesOneFileTwice(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	result, err := dist.Copy(out, []string{write(t, filepath.Join(in, "1", a), "one"), write(t, filepath.Join(in, "2", a), "one")})
	if err != nil || len(result.Entries) != 1 {
		t.Errorf("got %v, %v", result, err)
	}
}
