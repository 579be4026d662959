package native_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sparkwheels/sparkwheels/go/elf/elftest"
	"github.com/sparkwheels/sparkwheels/go/native"
	"github.com/sparkwheels/sparkwheels/go/pe/petest"
)

func TestSuffix(t *testing.T) {
	for base, want := range map[string]native.Format{
		"a.pyd": native.PE, "A.DLL": native.PE, "a.exe": native.PE, "a.so": native.ELF, "liba.so.1.2": native.ELF,
		"a.dylib": native.MachO, "a.so.txt": native.None, "a.py": native.None, "so": native.None,
	} {
		if got := native.Suffix(base); got != want {
			t.Errorf("Suffix(%s) = %q, want %q", base, got, want)
		}
	}
}

func TestSniff(t *testing.T) {
	for name, test := range map[string]struct {
		data []byte
		want native.Format
	}{
		"PE":     {petest.Module("PyInit_x").Bytes(), native.PE},
		"ELF":    {elftest.Module("PyInit_x").Bytes(), native.ELF},
		"Mach-O": {[]byte("\xcf\xfa\xed\xfe..."), native.MachO},
		"text":   {[]byte("MZ is how a text may start"), native.None},
		"empty":  {nil, native.None},
	} {
		if got := native.Sniff(test.data); got != test.want {
			t.Errorf("%s is taken for %q, want %q", name, got, test.want)
		}
	}
	if _, err := native.Parse([]byte("\xcf\xfa\xed\xfe...")); err == nil {
		t.Error("Parse reads Mach-O")
	}
}

func TestBinary(t *testing.T) {
	type view struct {
		Format           native.Format
		Machine          string
		Imports, Exports []string
	}
	for name, test := range map[string]struct {
		data []byte
		want view
	}{
		"PE": {
			petest.Image{
				Machine: petest.ARM64,
				Imports: []petest.Import{{DLL: "z.dll", Symbols: []string{"s"}}, {DLL: "late.dll", Symbols: []string{"l"}, Delay: true}},
				Exports: []petest.Export{{Name: "b"}, {Name: "a", Forwarder: "other.dot.a"}},
			}.Bytes(),
			view{native.PE, "ARM64", []string{"late.dll", "other.dot.dll", "z.dll"}, []string{"a", "b"}},
		},
		"ARM64EC": {petest.Image{Machine: petest.X64, CHPE: true}.Bytes(), view{native.PE, "ARM64EC", nil, nil}},
		"ELF":     {elftest.Module("PyInit_x").Bytes(), view{native.ELF, "aarch64", []string{"libc.so.6"}, []string{"PyInit_x"}}},
	} {
		binary, err := native.Parse(test.data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := view{binary.Format(), binary.Machine(), binary.Imports(), binary.Exports()}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for _, export := range test.want.Exports {
			if !binary.HasExport(export) {
				t.Errorf("%s: %s is not exported", name, export)
			}
		}
		if binary.HasExport("none") {
			t.Errorf("%s exports what it does not", name)
		}
	}
}
