package materials_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/elf/elftest"
	"github.com/sparkwheels/sparkwheels/go/materials"
	"github.com/sparkwheels/sparkwheels/go/wheel"
	"github.com/sparkwheels/sparkwheels/go/wheel/wheeltest"
)

const good = `{"pin": "fast", "platform": "win_arm64", "target": "//wheels:fast", "source": {"name": "fast", "version": "1", "purl": "pkg:pypi/fast@1"}}`

func TestRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bill.json")
	for text, want := range map[string]string{
		good: "", "{": "unexpected EOF", strings.Replace(good, "pin", "pni", 1): `unknown field "pni"`,
		strings.Replace(good, "win_arm64", "", 1): "platform is missing", strings.Replace(good, "pkg:pypi/fast@1", "", 1): "source.purl is missing",
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := materials.Read(file)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), file)) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// Markers count in binaries only; a runtime without markers is in every one.
func TestPresent(t *testing.T) {
	components := []materials.Component{{Name: "always"}, {Name: "cxx", Markers: []string{"nothing", "St3__1"}}, {Name: "text", Markers: []string{"Mingw"}}}
	present := func(files ...wheeltest.File) []string {
		t.Helper()
		archive, err := wheel.Open(wheeltest.Wheel{Name: "fast-1.0-cp312-cp312-win_arm64.whl", Files: files}.Write(t, t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		defer archive.Close()
		found, err := materials.Present(archive, components)
		if err != nil {
			t.Fatal(err)
		}
		names := []string{}
		for _, component := range found {
			names = append(names, component.Name)
		}
		return names
	}
	image := elftest.Module("PyInit_c")
	image.Text = "NSt3__112basic_stringE"
	if diff := cmp.Diff([]string{"always", "cxx"}, present(wheeltest.File{Name: "c.so", Data: string(image.Bytes())}, wheeltest.File{Name: "a.txt", Data: "Mingw"})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{}, present(wheeltest.File{Name: "a.txt", Data: "Mingw"})); diff != "" {
		t.Error(diff)
	}
}
