package fatbin_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sparkwheels/sparkwheels/go/elf/elftest"
	"github.com/sparkwheels/sparkwheels/go/fatbin"
	. "github.com/sparkwheels/sparkwheels/go/fatbin/fatbintest"
	"github.com/sparkwheels/sparkwheels/go/pe/petest"
)

// ignoreOffset leaves Offset to TestOffset.
var ignoreOffset = cmpopts.IgnoreFields(fatbin.Entry{}, "Offset")

// shared is an aarch64 library with one more section.
func shared(section string, data []byte) []byte {
	image := elftest.Module("f")
	image.Sections = []elftest.Section{{Name: section, Data: data}}
	return image.Bytes()
}

func dll(section string, data []byte) []byte {
	image := petest.Module("f")
	image.Sections = []petest.Section{{Name: section, Data: data}}
	return image.Bytes()
}

// coff is an ARM64 object file with one section, whose name is in the string
// table.
func coff(section string, data []byte) []byte {
	le := binary.LittleEndian
	h := le.AppendUint16(nil, petest.ARM64)
	h = le.AppendUint16(h, 1)
	h = le.AppendUint32(h, 0)
	h = le.AppendUint32(h, uint32(60+len(data))) // symbols, none, and the string table behind them
	h = append(h, make([]byte, 8)...)
	h = append(h, "/4\x00\x00\x00\x00\x00\x00"...)
	h = append(h, make([]byte, 8)...)
	h = le.AppendUint32(h, uint32(len(data)))
	h = le.AppendUint32(h, 60)
	h = append(h, make([]byte, 12)...)
	h = le.AppendUint32(h, 0x40000040)
	h = append(h, data...)
	h = le.AppendUint32(h, uint32(4+len(section)+1))
	return append(h, section+"\x00"...)
}

func TestWhereItLies(t *testing.T) {
	one := Container(SASS(121, 0))
	two := append(append(bytes.Clone(one), make([]byte, 240)...), Container(Text(121, Specific))...)
	sass := fatbin.Entry{Kind: fatbin.Cubin, Code: "sm_121", Container: 1, Size: 24, Stored: 24}
	ptx := fatbin.Entry{Kind: fatbin.PTX, Code: "compute_121a", Container: 2, Size: 16, Stored: 16}
	in := func(section string, entries ...fatbin.Entry) []fatbin.Entry {
		for i := range entries {
			entries[i].Section = section
		}
		return entries
	}
	with := func(entry fatbin.Entry, change func(*fatbin.Entry)) fatbin.Entry {
		change(&entry)
		return entry
	}
	relocatable := with(sass, func(e *fatbin.Entry) { e.Relocatable = true })
	loose := with(sass, func(e *fatbin.Entry) { e.Loose = true })
	for name, test := range map[string]struct {
		data   []byte
		format string
		want   []fatbin.Entry
	}{
		"ELF":                   {shared(".nv_fatbin", one), "ELF", in(".nv_fatbin", sass)},
		"ELF, padding between":  {shared(".nv_fatbin", two), "ELF", in(".nv_fatbin", sass, ptx)},
		"ELF, relocatable":      {shared("__nv_relfatbin", one), "ELF", in("__nv_relfatbin", relocatable)},
		"ELF, in data":          {shared(".rodata", append([]byte("text"), one...)), "ELF", in(".rodata", loose)},
		"ELF, none":             {shared(".nv_fatbin", nil), "ELF", nil},
		"ELF, a part of one":    {shared(".rodata", one[:40]), "ELF", nil},
		"ELF, empty container":  {shared(".rodata", Container()), "ELF", nil},
		"PE":                    {dll(".nv_fatb", two), "PE", in(".nv_fatb", sass, ptx)},
		"PE, relocatable":       {dll("__nv_rel", one), "PE", in("__nv_rel", relocatable)},
		"PE, in data":           {dll(".data", one), "PE", in(".data", loose)},
		"PE, behind the image":  {append(dll(".x", []byte("x")), one...), "PE", in("", loose)},
		"COFF":                  {coff(".nv_fatbin", one), "COFF", in(".nv_fatbin", sass)},
		"COFF, relocatable":     {coff("__nv_relfatbin", one), "COFF", in("__nv_relfatbin", relocatable)},
		"bare":                  {two, "fatbin", in("", sass, ptx)},
		"ELF, stripped headers": {elftest.Image{Machine: elftest.AArch64, NoSections: true, Text: string(one)}.Bytes(), "ELF", in("", loose)},
	} {
		t.Run(name, func(t *testing.T) {
			image, err := fatbin.Parse(test.data)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&fatbin.Image{Format: test.format, Entries: append([]fatbin.Entry{}, test.want...)}, image, ignoreOffset); diff != "" {
				t.Errorf("image (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOffset(t *testing.T) {
	concat := Entry{Flags: Zstd, Payload: "\x28\xb5\x2f\xfd whole", Size: 1600, Concat: []Entry{{Kind: Cubin, SM: 121, Size: 800}, {Kind: Cubin, SM: 120, Size: 800}}}
	code := append(make([]byte, 8), Container(Text(121, 0), SASS(121, 0))...)
	code = append(code, Container(concat)...)
	for _, data := range [][]byte{shared(".nv_fatbin", code), shared(".rodata", code), dll(".nv_fatb", code), coff(".nv_fatbin", code), code[8:]} {
		image, err := fatbin.Parse(data)
		if err != nil || len(image.Entries) != 4 {
			t.Fatal(err, image)
		}
		for i, start := range []string{".version", "\x7fELF", "\x28\xb5\x2f\xfd", "\x28\xb5\x2f\xfd"} {
			if at := image.Entries[i].Offset; !bytes.HasPrefix(data[at:], []byte(start)) {
				t.Errorf("%s: entry %d starts at %d with %q, want %q", image.Format, i, at, data[at:at+8], start)
			}
		}
	}
}

func TestConcatenation(t *testing.T) {
	parts := []Entry{{Kind: Cubin, SM: 121, Size: 800, Name: "a.cu"}, {Kind: Cubin, SM: 120, Flags: Family | Debug, Size: 800, Options: "-v"}}
	image, err := fatbin.Parse(Container(Entry{Flags: Zstd, Payload: "\x28\xb5\x2f\xfd", Size: 1600, Concat: parts}))
	if err != nil {
		t.Fatal(err)
	}
	want := []fatbin.Entry{
		{Kind: fatbin.Cubin, Code: "sm_121", Container: 1, Compression: "zstd", Concatenated: true, Size: 800, Stored: 4, Name: "a.cu"},
		{Kind: fatbin.Cubin, Code: "sm_120f", Container: 1, Compression: "zstd", Concatenated: true, Debug: true, Size: 800},
	}
	if diff := cmp.Diff(want, image.Entries, ignoreOffset); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}

func TestRefuses(t *testing.T) {
	good := func() []byte { return Container(SASS(121, 0)) }
	concat := func(size uint64) []byte {
		return Container(Entry{Flags: Zstd, Payload: "\x28\xb5\x2f\xfd", Size: size, Concat: []Entry{{Kind: Cubin, SM: 121, Size: 800}}})
	}
	// put changes 32 bits of a container, counted from its start.
	put := func(data []byte, at int, value uint32) []byte {
		binary.LittleEndian.PutUint32(data[at:], value)
		return data
	}
	const entry = 16
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"text":                  {[]byte("#include <x.h>"), "neither an ELF, a PE, a COFF nor a .fatbin file"},
		"empty":                 {nil, "neither an ELF, a PE, a COFF nor a .fatbin file"},
		"a cubin":               {elftest.Image{Machine: 190}.Bytes(), "this is a cubin, an image for the GPU alone, and no file that carries one"},
		"container's version":   {shared(".nv_fatbin", put(good(), 4, 0x100002)), "section .nv_fatbin, byte 0: version 2 is not known, only 1 is"},
		"container's size":      {shared(".nv_fatbin", put(good(), 8, 1000)), "section .nv_fatbin, byte 0: 1000 bytes of entries do not fit into the 104 that are left"},
		"huge container":        {put(good(), 12, 0xffffffff), "byte 0: 18446744069414584408 bytes of entries do not fit into the 104 that are left"},
		"cut off":               {dll(".nv_fatb", good()[:10]), "section .nv_fatb, byte 0: the header is cut off"},
		"no container":          {dll(".nv_fatb", append(good(), "junk"...)), "section .nv_fatb, byte 104: no fat binary starts here"},
		"entry's version":       {put(good(), entry, 0x02000002), "byte 0: entry 1: version 0x200 is not known, only 0x101 is"},
		"entry's size":          {put(good(), entry+8, 25), "byte 0: entry 1: 25 bytes do not fit into the 88 that are left"},
		"entry's header":        {put(good(), entry+4, 8), "byte 0: entry 1: 24 bytes do not fit into the 88 that are left"},
		"entry cut off":         {put(good()[:16+40], 8, 40), "byte 0: entry 1: the header is cut off"},
		"both suffixes":         {put(good(), entry+40, 0x300011), "byte 0: entry 1: the flags 0x300011 say both suffixes, a and f"},
		"both compressions":     {put(good(), entry+40, 0xa011), "byte 0: entry 1: the flags 0xa011 say both compressions"},
		"compressed size":       {put(Container(SASS(121, Zstd)), entry+16, 99), "byte 0: entry 1: 99 compressed bytes are not in a payload of 16"},
		"no machine code":       {Container(Entry{Kind: Cubin, SM: 121, Payload: "text"}), "byte 0: entry 1: the machine code for sm_121 is no ELF image"},
		"no zstd":               {Container(Entry{Kind: PTX, SM: 121, Flags: Zstd, Payload: "text"}), "byte 0: entry 1: the code for compute_121 is no zstd frame"},
		"name":                  {put(put(good(), entry+32, 60), entry+36, 8), "byte 0: entry 1: the source's name runs past the header"},
		"concatenation's place": {put(concat(800), entry+20, 140), "byte 0: entry 1: the list of concatenated entries is cut off"},
		"concatenation's size":  {put(concat(800), entry+68, 999), "byte 0: entry 1: the list of concatenated entries runs past the header"},
		"concatenation's count": {put(concat(800), entry+64, 2), "byte 0: entry 1: only 1 of 2 concatenated entries are there"},
		"part's version":        {put(concat(800), entry+72, 2), "byte 0: entry 1: version 0x0 of a concatenated entry is not known, only 0x101 is"},
		"part's size":           {concat(700), "byte 0: entry 1: concatenated entry 1 runs past the 700 bytes of all"},
		"part's name":           {put(put(concat(800), entry+72+32, 1<<31), entry+72+36, 1<<31), "byte 0: entry 1: the source's name runs past the header"},
		"part's options":        {put(concat(800), entry+72+20, 1<<31), "byte 0: entry 1: the options of a concatenated entry are cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			image, err := fatbin.Parse(test.data)
			if err == nil || err.Error() != test.want {
				t.Errorf("got %+v and %v, want %s", image, err, test.want)
			}
			if (test.want == fatbin.ErrFormat.Error()) != errors.Is(err, fatbin.ErrFormat) {
				t.Errorf("%v is ErrFormat: %t", err, errors.Is(err, fatbin.ErrFormat))
			}
		})
	}
	for _, data := range [][]byte{shared(".nv_fatbin", good()), dll(".nv_fatb", good()), coff(".nv_fatbin", good()), good()} {
		for size := range len(data) {
			// A truncated file may be an error or list less; it must end.
			if image, err := fatbin.Parse(data[:size]); (image == nil) == (err == nil) {
				t.Fatalf("the first %d bytes give %v and %v", size, image, err)
			}
		}
	}
}

// TestOverlaps has thousands of starts lead to the same broken chain of entries,
// which must not be read thousands of times.
func TestOverlaps(t *testing.T) {
	le := binary.LittleEndian
	head := bytes.Repeat(Container(), 4000)
	chain := bytes.Repeat(Container(SASS(121, 0))[16:], 20000)
	for at := 0; at < len(head); at += 16 {
		le.PutUint16(head[at+6:], uint16(len(head)-at)) // the header reaches to the chain
		le.PutUint64(head[at+8:], uint64(len(chain)))
	}
	le.PutUint16(chain[len(chain)-88+2:], 0) // the last entry's version
	start := time.Now()
	_, err := fatbin.Parse(shared(".rodata", append(head, chain...)))
	if err == nil || err.Error() != "too many broken fat binaries lie over each other" {
		t.Errorf("got %v", err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestParseCode(t *testing.T) {
	for code, want := range map[string]fatbin.Arch{
		"sm_121": {Number: 121}, "sm_121a": {Number: 121, Suffix: "a"}, "compute_120f": {Number: 120, Suffix: "f"}, "lto_90": {Number: 90},
	} {
		kind, arch, err := fatbin.ParseCode(code)
		if err != nil || arch != want || arch.Code(kind) != code {
			t.Errorf("%s is %v %v, %v", code, kind, arch, err)
		}
	}
	for _, code := range []string{"", "121", "sm_", "sm_12.1", "sm_121b", "sm_012", "sm_121aa", "SM_121", "sm_121 ", "compute_121,code=sm_121"} {
		if _, _, err := fatbin.ParseCode(code); err == nil || !strings.Contains(err.Error(), "is no code: use sm_NNN") {
			t.Errorf("%q gives %v", code, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(shared(".nv_fatbin", Container(SASS(121, 0), Text(121, Zstd))))
	f.Add(dll(".nv_fatb", Container(SASS(121, LZ4|Debug))))
	f.Add(coff("__nv_relfatbin", Container(SASS(90, 0))))
	f.Add(Container(Entry{Flags: Zstd, Payload: "\x28\xb5\x2f\xfd", Size: 1600, Concat: []Entry{{Kind: Cubin, SM: 121, Size: 800, Name: "a"}, {Kind: PTX, SM: 120, Options: "b"}}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		image, err := fatbin.Parse(data)
		if (image == nil) == (err == nil) {
			t.Fatalf("Parse returned image %v and error %v", image, err)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Fatalf("the error %q is more than one line", err)
		}
	})
}
