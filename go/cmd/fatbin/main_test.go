package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/elf/elftest"
	. "github.com/sparkwheels/sparkwheels/go/fatbin/fatbintest"
)

// fixtures are the files that the tests list, in the current folder.
func fixtures(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	library := func(sections ...elftest.Section) []byte {
		image := elftest.Module("f")
		image.Sections = sections
		return image.Bytes()
	}
	concat := Entry{Flags: Zstd, Payload: "\x28\xb5\x2f\xfd", Size: 1600, Concat: []Entry{{Kind: Cubin, SM: 121, Size: 800, Name: "a.cu"}, {Kind: Cubin, SM: 120, Flags: Family, Size: 800}}}
	relocatable := elftest.Section{Name: "__nv_relfatbin", Data: Container(SASS(121, Debug|Zstd))}
	for name, data := range map[string][]byte{
		"good.so":     library(relocatable, elftest.Section{Name: ".nv_fatbin", Data: Container(SASS(121, Specific), Text(121, 0))}),
		"rdc.so":      library(relocatable),
		"host.so":     library(),
		"many.fatbin": Container(concat),
		"broken.so":   library(elftest.Section{Name: ".nv_fatbin", Data: []byte("junk")}),
		"text.txt":    []byte("text"),
	} {
		if err := os.WriteFile(filepath.Clean(name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestList(t *testing.T) {
	fixtures(t)
	var stdout, stderr bytes.Buffer
	if code := run([]string{"list", "good.so", "rdc.so", "host.so", "many.fatbin"}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	want := `good.so (ELF): compute_121 sm_121a
  sm_121              4096 bytes  zstd, 10 stored  relocatable  debug  in __nv_relfatbin
  sm_121a               24 bytes  in .nv_fatbin
  compute_121           16 bytes  in .nv_fatbin
rdc.so (ELF): relocatable device code only
  sm_121              4096 bytes  zstd, 10 stored  relocatable  debug  in __nv_relfatbin
host.so (ELF): no device code
many.fatbin (fatbin): sm_120f sm_121
  sm_121               800 bytes  zstd, together with others  from a.cu
  sm_120f              800 bytes  zstd, together with others
`
	if diff := cmp.Diff(want, stdout.String()); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
}

func TestJSON(t *testing.T) {
	fixtures(t)
	var stdout, stderr bytes.Buffer
	if code := run([]string{"list", "--json", "rdc.so", "host.so"}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	want := `[
  {
    "file": "rdc.so",
    "format": "ELF",
    "entries": [
      {
        "kind": "cubin",
        "code": "sm_121",
        "section": "__nv_relfatbin",
        "container": 1,
        "relocatable": true,
        "compression": "zstd",
        "debug": true,
        "offset": 424,
        "size": 4096,
        "stored": 10
      }
    ]
  },
  {
    "file": "host.so",
    "format": "ELF",
    "entries": []
  }
]
`
	if diff := cmp.Diff(want, stdout.String()); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}

func TestExitCodes(t *testing.T) {
	fixtures(t)
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"list", "good.so", "broken.so"}, 1, "fatbin: broken.so: section .nv_fatbin, byte 0: no fat binary starts here\n"},
		{[]string{"list", "text.txt"}, 1, "fatbin: text.txt: neither an ELF, a PE, a COFF nor a .fatbin file\n"},
		{[]string{"list"}, 2, "fatbin: requires at least 1 arg(s), only received 0 (see fatbin --help)\n"},
		{[]string{}, 2, "fatbin: say list (see fatbin --help)\n"},
		{[]string{"list", "--jsn", "good.so"}, 2, "fatbin: unknown flag: --jsn (see fatbin --help)\n"},
		{[]string{"list", "missing.so"}, 3, "fatbin: open missing.so: "},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(test.args, &stdout, &stderr); code != test.code || !strings.HasPrefix(stderr.String(), test.want) {
			t.Errorf("%v: exit code %d, %q; want %d, %q", test.args, code, stderr.String(), test.code, test.want)
		}
		if stdout.Len() > 0 {
			t.Errorf("%v prints %q and fails", test.args, stdout.String())
		}
	}
}
