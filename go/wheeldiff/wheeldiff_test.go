package wheeldiff_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sparkwheels/sparkwheels/go/pe/petest"
	"github.com/sparkwheels/sparkwheels/go/wheel/wheeltest"
	"github.com/sparkwheels/sparkwheels/go/wheeldiff"
)

func image(text string, dlls []string, exports ...string) string {
	image := petest.Image{Machine: petest.ARM64, Text: text}
	for _, dll := range dlls {
		image.Imports = append(image.Imports, petest.Import{DLL: dll, Symbols: []string{"f"}})
	}
	for _, name := range exports {
		image.Exports = append(image.Exports, petest.Export{Name: name})
	}
	return string(image.Bytes())
}

func print(t *testing.T, a, b wheeltest.Wheel) (text string, empty bool) {
	t.Helper()
	diff, err := wheeldiff.Compare(a.Write(t, t.TempDir()), b.Write(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	diff.Print(&out)
	return out.String(), diff.Empty()
}

func TestDifferences(t *testing.T) {
	a := wheeltest.Wheel{
		Name: "x-1.0-cp312-cp312-win_arm64.whl", RequiresPython: ">=3.9",
		Files: []wheeltest.File{
			{Name: "x/a.py", Data: "1"}, {Name: "x/only_a.py"}, {Name: "x/same.py", Data: "s"},
			{Name: "x/_c.pyd", Data: image("", []string{"KERNEL32.dll", "a.dll"}, "PyInit__c", "gone")},
			{Name: "x/_same.pyd", Data: image("built here", []string{"KERNEL32.dll"}, "PyInit__same")},
			{Name: "x-1.0.data/scripts/x", Data: "#!python"},
		},
	}
	b := wheeltest.Wheel{
		Name: "x-1.1-cp312-cp312-win_amd64.whl",
		Files: []wheeltest.File{
			{Name: "x/a.py", Data: "2"}, {Name: "x/only_b.py"}, {Name: "x/same.py", Data: "s"},
			{Name: "x/_c.pyd", Data: image("", []string{"kernel32.dll", "b.dll"}, "PyInit__c", "new")},
			{Name: "x/_same.pyd", Data: image("built there", []string{"kernel32.dll"}, "PyInit__same")},
			{Name: "x-1.1.data/scripts/x", Data: "#!python"},
		},
	}
	got, empty := print(t, a, b)
	want := strings.TrimLeft(`
- x-1.0-cp312-cp312-win_arm64.whl
+ x-1.1-cp312-cp312-win_amd64.whl
- tag cp312-cp312-win_arm64
+ tag cp312-cp312-win_amd64
- metadata Requires-Python: >=3.9
- metadata Version: 1.0
+ metadata Version: 1.1
- member x/only_a.py
+ member x/only_b.py
- x/_c.pyd: import a.dll
+ x/_c.pyd: import b.dll
- x/_c.pyd: export gone
+ x/_c.pyd: export new
~ member x/a.py has other contents
`, "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Print (-want +got):\n%s", diff)
	}
	if empty {
		t.Error("the wheels are called equal")
	}
}

func TestNoDifference(t *testing.T) {
	a := wheeltest.Wheel{Name: "x-1.0-py3-none-any.whl", Files: []wheeltest.File{{Name: "x.py", Data: "1"}}}
	got, empty := print(t, a, a)
	if want := "- x-1.0-py3-none-any.whl\n+ x-1.0-py3-none-any.whl\nno difference\n"; got != want || !empty {
		t.Errorf("got %q, %v", got, empty)
	}
}

func TestOtherMachineIsADifference(t *testing.T) {
	a := wheeltest.Wheel{Name: "x-1.0-py3-none-win_arm64.whl", Files: []wheeltest.File{{Name: "x.dll", Data: image("", nil)}}}
	b := a
	b.Files = []wheeltest.File{{Name: "x.dll", Data: string(petest.Image{Machine: petest.X64}.Bytes())}}
	diff, err := wheeldiff.Compare(a.Write(t, t.TempDir()), b.Write(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	want := []wheeldiff.Member{{
		Name: "x.dll", Native: true,
		Machines: wheeldiff.Sides{OnlyA: []string{"ARM64"}, OnlyB: []string{"x64"}},
		Imports:  wheeldiff.Sides{OnlyA: []string{}, OnlyB: []string{}},
		Exports:  wheeldiff.Sides{OnlyA: []string{}, OnlyB: []string{}},
	}}
	if diff := cmp.Diff(want, diff.Changed); diff != "" {
		t.Errorf("Changed (-want +got):\n%s", diff)
	}
	if !strings.Contains(string(diff.JSON()), `"only_a": [`+"\n"+`          "ARM64"`) {
		t.Errorf("JSON lacks the machine: %s", diff.JSON())
	}
}

func TestUnreadableWheelsAreNamed(t *testing.T) {
	good := wheeltest.Wheel{Name: "x-1.0-py3-none-any.whl"}
	bad := good
	bad.Files = []wheeltest.File{{Name: "x.dll", Data: image("", nil)[:0x200]}}
	_, err := wheeldiff.Compare(good.Write(t, t.TempDir()), bad.Write(t, t.TempDir()))
	if err == nil || !strings.HasPrefix(err.Error(), "x.dll: cannot be read: PE headers: ") {
		t.Errorf("got %v", err)
	}
}
