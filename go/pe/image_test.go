package pe_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sparkwheels/sparkwheels/go/pe"
	"github.com/sparkwheels/sparkwheels/go/pe/petest"
)

func full() petest.Image {
	return petest.Image{
		Machine: petest.ARM64, Timestamp: 77, Name: "fast.pyd",
		Imports: []petest.Import{
			{DLL: "python312.dll", Symbols: []string{"PyModule_Create2", "PyErr_SetString"}},
			{DLL: "KERNEL32.dll", Symbols: []string{""}},
			{DLL: "late.dll", Symbols: []string{"later"}, Delay: true},
		},
		Exports: []petest.Export{{Name: "PyInit_fast"}, {Name: "there", Forwarder: "other.thing"}},
		PDB:     `D:\a\fast.pdb`,
		Company: "Example Corporation",
	}
}

func TestParseReadsEveryTable(t *testing.T) {
	got, err := pe.Parse(full().Bytes())
	if err != nil {
		t.Fatal(err)
	}
	want := &pe.Image{
		Machine: pe.MachineARM64, DLL: true, Timestamp: 77,
		Imports: []pe.Import{
			{DLL: "python312.dll", Symbols: []string{"PyModule_Create2", "PyErr_SetString"}},
			{DLL: "KERNEL32.dll", Symbols: []string{"#1"}},
			{DLL: "late.dll", Symbols: []string{"later"}, Delay: true},
		},
		ExportName: "fast.pyd",
		Exports:    []pe.Export{{Name: "PyInit_fast", Ordinal: 1}, {Name: "there", Ordinal: 2, Forwarder: "other.thing"}},
		PDB:        `D:\a\fast.pdb`,
		Version:    map[string]string{"CompanyName": "Example Corporation"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Parse (-want +got):\n%s", diff)
	}
	if !got.HasExport("PyInit_fast") || got.HasExport("PyInit_slow") {
		t.Error("HasExport does not tell exported names from others")
	}
}

func TestHybrid(t *testing.T) {
	for _, test := range []struct {
		name    string
		machine uint16
		chpe    bool
		want    pe.Hybrid
	}{
		{"plain ARM64", petest.ARM64, false, pe.HybridNone},
		{"plain x64", petest.X64, false, pe.HybridNone},
		{"ARM64X", petest.ARM64, true, pe.HybridARM64X},
		{"ARM64EC", petest.X64, true, pe.HybridARM64EC},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := pe.Parse(petest.Image{Machine: test.machine, CHPE: test.chpe}.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if got.Hybrid != test.want {
				t.Errorf("got %q, want %q", got.Hybrid, test.want)
			}
		})
	}
}

func TestSniff(t *testing.T) {
	if !pe.Sniff(full().Bytes()) {
		t.Error("an image is not recognised")
	}
	for _, other := range []string{"", "MZ", "MZ" + strings.Repeat("x", 100), "\x7fELF" + strings.Repeat("\x00", 100)} {
		if pe.Sniff([]byte(other)) {
			t.Errorf("%.8q is taken for an image", other)
		}
		if _, err := pe.Parse([]byte(other)); !errors.Is(err, pe.ErrNotImage) {
			t.Errorf("Parse(%.8q) = %v, want ErrNotImage", other, err)
		}
	}
}

func TestMachineNames(t *testing.T) {
	for machine, want := range map[pe.Machine]string{
		pe.MachineARM64: "ARM64", pe.MachineAMD64: "x64", pe.MachineI386: "x86", 0x1c4: "ARM", 0x200: "machine 0x0200",
	} {
		if got := machine.String(); got != want {
			t.Errorf("machine %#x = %q, want %q", uint16(machine), got, want)
		}
	}
}

func TestBrokenTablesAreNamed(t *testing.T) {
	// Directory i of the optional header stands at 0x40+24+112+8i.
	for _, test := range []struct {
		name      string
		directory int
		address   uint32
		want      string
	}{
		{"imports", 1, 0x900000, "PE import table: address 0x900000 is in no section"},
		{"exports", 0, 0x900000, "PE export table: address 0x900000 is in no section"},
		{"delay imports", 13, 0xfffffff8, "PE delay import table: address 0xfffffff8 is in no section"},
		{"resources", 2, 0x900000, "PE version resource: address 0x900000 is in no section"},
		{"debug", 6, 0x900000, "PE debug directory: address 0x900000 is in no section"},
		{"load configuration", 10, 0x900000, "PE load configuration: address 0x900000 is in no section"},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := full().Bytes()
			at := 0x40 + 24 + 112 + 8*test.directory
			binary.LittleEndian.PutUint32(data[at:], test.address)
			binary.LittleEndian.PutUint32(data[at+4:], 40)
			_, err := pe.Parse(data)
			if err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func TestTruncatedImagesAreErrors(t *testing.T) {
	data := full().Bytes()
	for size := range len(data) {
		if image, err := pe.Parse(data[:size]); err == nil {
			t.Fatalf("the first %d of %d bytes were accepted: %+v", size, len(data), image)
		}
	}
}

func TestTablesThatRepeatThemselvesAreRefused(t *testing.T) {
	// Sixty thousand exports that share one name of four thousand bytes.
	image := petest.Image{Machine: petest.ARM64, Name: "x.dll", Exports: []petest.Export{{Name: strings.Repeat("n", 4000)}}}
	data := image.Bytes()
	// The export directory stands where data directory 0 says; its counts at 20 and 24.
	directory := 0x400 + binary.LittleEndian.Uint32(data[0x40+24+112:]) - 0x1000
	data = append(data, make([]byte, 0x80000)...)
	section := data[0x40+24+240:]
	binary.LittleEndian.PutUint32(section[8:], uint32(len(data)-0x400))
	binary.LittleEndian.PutUint32(section[16:], uint32(len(data)-0x400))
	table := uint32(len(data) - 0x60000)
	address := binary.LittleEndian.Uint32(data[binary.LittleEndian.Uint32(data[directory+32:])-0x1000+0x400:])
	for i := uint32(0); i < 60000; i++ {
		binary.LittleEndian.PutUint32(data[table+4*i:], address)
	}
	binary.LittleEndian.PutUint32(data[directory+20:], 60000)
	binary.LittleEndian.PutUint32(data[directory+24:], 60000)
	// Addresses, names, and then numbers, which are all zero.
	for field, at := range map[uint32]uint32{28: table, 32: table, 36: table + 0x40000} {
		binary.LittleEndian.PutUint32(data[directory+field:], at-0x400+0x1000)
	}
	_, err := pe.Parse(data)
	if want := "PE export table: the names take more than 4 times the room of the file"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(full().Bytes())
	f.Add(petest.Image{Machine: petest.X64, CHPE: true}.Bytes())
	f.Add([]byte("MZ"))
	f.Fuzz(func(t *testing.T, data []byte) {
		image, err := pe.Parse(data)
		if (image == nil) == (err == nil) {
			t.Fatalf("Parse returned image %v and error %v", image, err)
		}
	})
}
