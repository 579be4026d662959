package wheel_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/wheel"
)

const pkgInfo = "Metadata-Version: 2.4\nName: Fast.Kernels\nVersion: 1.0\n" +
	"Dynamic: requires-dist\nDynamic: summary\n of two lines\nRequires-Dist: numpy\nLicense-File: LICENSE\n\nDynamic: text, not a field\n"

func assembly(change func(*wheel.Assembly)) wheel.Assembly {
	tags, err := wheel.ParseTags("py2.py3-none-win_arm64")
	if err != nil {
		panic(err)
	}
	a := wheel.Assembly{
		Metadata: []byte(pkgInfo), Tags: tags, EntryPoints: []byte("[console_scripts]\nfast = fast:main\n"),
		Licences: []wheel.Source{wheel.Bytes("LICENSE", []byte("Free.\n"))},
		Files:    []wheel.Source{wheel.Bytes("fast/k.dll", []byte("MZ")), wheel.Bytes("fast/__init__.py", nil)},
	}
	if change != nil {
		change(&a)
	}
	return a
}

func TestAssemble(t *testing.T) {
	var out bytes.Buffer
	if err := assembly(nil).Write(&out); err != nil {
		t.Fatal(err)
	}
	names, text := entries(t, out.Bytes())
	const dist = "fast_kernels-1.0.dist-info/"
	var short []string
	for _, name := range names {
		short = append(short, name[strings.LastIndex(name, " ")+1:])
	}
	want := []string{"fast/__init__.py", "fast/k.dll", dist + "METADATA", dist + "WHEEL", dist + "entry_points.txt", dist + "licenses/LICENSE", dist + "RECORD"}
	if diff := cmp.Diff(want, short); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
	for name, want := range map[string]string{
		dist + "METADATA": "Metadata-Version: 2.4\nName: Fast.Kernels\nVersion: 1.0\n" +
			"Requires-Dist: numpy\nLicense-File: LICENSE\n\nDynamic: text, not a field\n",
		dist + "WHEEL": "Wheel-Version: 1.0\nGenerator: sparkwheels\nRoot-Is-Purelib: false\nTag: py2-none-win_arm64\nTag: py3-none-win_arm64\n",
	} {
		if diff := cmp.Diff(want, text[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Metadata older than PEP 639 name no licences; the wheel has them nevertheless.
func TestAssembleOldMetadata(t *testing.T) {
	var out bytes.Buffer
	a := assembly(func(a *wheel.Assembly) { a.Metadata = []byte("Metadata-Version: 2.1\nName: fast\nVersion: 1.0\n") })
	if err := a.Write(&out); err != nil {
		t.Fatal(err)
	}
	if _, text := entries(t, out.Bytes()); text["fast-1.0.dist-info/licenses/LICENSE"] != "Free.\n" {
		t.Error("the licence is missing")
	}
}

func TestAssembleRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*wheel.Assembly)
		want   string
	}{
		{"no version", func(a *wheel.Assembly) { a.Metadata = []byte("Name: fast\n") },
			"METADATA: has 0 Version fields and not 1; correct the file that `metadata` names"},
		{"no metadata at all", func(a *wheel.Assembly) { a.Metadata = []byte("[project]\n") },
			"METADATA: line 1 is no \"Key: value\" field; correct the file that `metadata` names"},
		{"a licence too many", func(a *wheel.Assembly) { a.Licences = append(a.Licences, wheel.Bytes("NOTICE", nil)) },
			"METADATA: has the License-File fields [LICENSE], and the licences are [LICENSE, NOTICE]; correct the file that `metadata` names"},
		{"nothing inside", func(a *wheel.Assembly) { a.Files = nil }, "fast_kernels-1.0: has no member; name what goes into the wheel"},
		{"metadata as a member", func(a *wheel.Assembly) { a.Files[0].Name = "x-1.dist-info/RECORD" },
			"x-1.dist-info/RECORD: is a member of the .dist-info folder, which is made; give it as metadata, entry points or licence"},
		{"a name twice", func(a *wheel.Assembly) { a.Files[0].Name = "fast/__init__.py" },
			"fast/__init__.py: has a name that is refused: is there twice; give each file of the wheel one portable path of its own"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := assembly(test.change).Write(&bytes.Buffer{})
			if err == nil || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
	if _, err := wheel.ParseTags("py3-none"); err == nil || err.Error() != `"py3-none": has the tag "py3-none", which is not python-abi-platform` {
		t.Errorf("ParseTags: %v", err)
	}
}
