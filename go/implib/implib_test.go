package implib_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/elf/elftest"
	"github.com/sparkwheels/sparkwheels/go/implib"
	"github.com/sparkwheels/sparkwheels/go/pe/petest"
)

// TestRefused gives what no import library can be made of. What can is tested
// with a linker, in toolchains/cuda/tests.
func TestRefused(t *testing.T) {
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"text":     {[]byte("no library"), "neither a DLL nor an ELF shared object"},
		"x64":      {petest.Image{Machine: petest.X64, Exports: []petest.Export{{Name: "f"}}}.Bytes(), "the DLL is for x64, not for ARM64"},
		"silent":   {petest.Image{Machine: petest.ARM64}.Bytes(), "the DLL exports nothing by name"},
		"x86-64":   {elftest.Image{Machine: elftest.X86_64, SOName: "libx.so.1", Exports: []string{"f"}}.Bytes(), "not a shared object for aarch64"},
		"nameless": {elftest.Image{Machine: elftest.AArch64, Exports: []string{"f"}}.Bytes(), "no name of its own (DT_SONAME)"},
		"empty":    {elftest.Image{Machine: elftest.AArch64, SOName: "libx.so.1"}.Bytes(), "the library exports nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			library, out := filepath.Join(dir, "library"), filepath.Join(dir, "out")
			if err := os.WriteFile(library, test.data, 0o644); err != nil {
				t.Fatal(err)
			}
			err := implib.Make(t.Context(), "zig is not called", library, dir, out)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), library) {
				t.Errorf("error %v, wanted %q after the library's name", err, test.want)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("something was written")
			}
		})
	}
}
