package stubdll

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sparkwheels/sparkwheels/go/pe"
)

const def = `; made by hand
LIBRARY "python3.dll"
EXPORTS
PyList_New
PyList_Type DATA
PyErr_Clear=python312.PyErr_Clear ; forwarded
PyAlpha @7
`

func TestParseDefThenParseImage(t *testing.T) {
	for _, machine := range []pe.Machine{pe.MachineARM64, pe.MachineAMD64} {
		d, err := ParseDef(def, machine)
		if err != nil {
			t.Fatal(err)
		}
		d.Imports = []pe.Import{{DLL: "nowhere.dll", Symbols: []string{"a", "b"}}, {DLL: "KERNEL32.dll", Symbols: []string{"Sleep"}}}
		data, err := d.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		got, err := pe.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		want := &pe.Image{
			Machine: machine, DLL: true, ExportName: "python3.dll", Imports: d.Imports,
			// Loaders search by halves: the order matters.
			Exports: []pe.Export{{Name: "PyAlpha"}, {Name: "PyErr_Clear"}, {Name: "PyList_New"}, {Name: "PyList_Type"}},
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(pe.Export{}, "Ordinal")); diff != "" {
			t.Errorf("%s image (-want +got):\n%s", machine, diff)
		}
	}
}

func TestParseDefAddsTheExtension(t *testing.T) {
	d, err := ParseDef("LIBRARY python312\r\nEXPORTS\r\nf\r\n", pe.MachineARM64)
	if err != nil || d.Name != "python312.dll" || !cmp.Equal(d.Functions, []string{"f"}) {
		t.Errorf("got %+v, %v", d, err)
	}
}

func TestParseDefRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"EXPORTS\nf\n":                     "no LIBRARY statement names the DLL",
		"LIBRARY a\nSTACKSIZE 5\nEXPORTS":  `line 2: "STACKSIZE 5" is neither LIBRARY nor EXPORTS`,
		"LIBRARY a\nPyList_New\nEXPORTS\n": `line 2: "PyList_New" is neither LIBRARY nor EXPORTS`,
	} {
		if _, err := ParseDef(text, pe.MachineARM64); err == nil || err.Error() != want {
			t.Errorf("ParseDef(%q) = %v, want %s", text, err, want)
		}
	}
}

func TestBytesRefuses(t *testing.T) {
	for _, d := range []*DLL{
		{Name: "twice.dll", Machine: pe.MachineARM64, Functions: []string{"f"}, Data: []string{"f"}},
		{Name: "old.dll", Machine: pe.MachineI386},
	} {
		if data, err := d.Bytes(); err == nil {
			t.Errorf("%s: %d bytes, want an error", d.Name, len(data))
		}
	}
}

func TestMissing(t *testing.T) {
	d := &DLL{Name: "python312.dll", Functions: []string{"f"}, Data: []string{"v"}}
	image := &pe.Image{Imports: []pe.Import{
		{DLL: "PYTHON312.dll", Symbols: []string{"f", "g", "v", "h"}},
		{DLL: "KERNEL32.dll", Symbols: []string{"Sleep"}},
	}}
	if diff := cmp.Diff([]string{"g", "h"}, d.Missing(image)); diff != "" {
		t.Error(diff)
	}
}
