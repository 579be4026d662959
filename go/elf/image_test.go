package elf_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sparkwheels/sparkwheels/go/elf"
	"github.com/sparkwheels/sparkwheels/go/elf/elftest"
)

func full() elftest.Image {
	return elftest.Image{
		Machine: elftest.AArch64, SOName: "libfast.so.1",
		Needed: []string{"libc.so.6", "libm.so.6"},
		RPath:  "/opt/lib", RunPath: "$ORIGIN/../x.libs:$ORIGIN",
		Exports: []string{"b", "PyInit_fast"}, Undefined: []string{"sin", "malloc"},
		Versions: map[string][]string{"libc.so.6": {"GLIBC_2.28", "GLIBC_2.4", "GLIBC_PRIVATE"}, "libm.so.6": {"GLIBC_2.29"}},
	}
}

func TestParseReadsTheDynamicSection(t *testing.T) {
	got, err := elf.Parse(full().Bytes())
	if err != nil {
		t.Fatal(err)
	}
	want := &elf.Image{
		Machine: "aarch64", Type: "DYN", SOName: "libfast.so.1",
		Needed: []string{"libc.so.6", "libm.so.6"},
		RPath:  []string{"/opt/lib"}, RunPath: []string{"$ORIGIN/../x.libs", "$ORIGIN"},
		Exports: []string{"PyInit_fast", "b"}, Undefined: []string{"malloc", "sin"},
		Versions: map[string][]string{"libc.so.6": {"GLIBC_2.4", "GLIBC_2.28", "GLIBC_PRIVATE"}, "libm.so.6": {"GLIBC_2.29"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Parse (-want +got):\n%s", diff)
	}
	if floor := got.Floor("GLIBC"); floor != "2.29" {
		t.Errorf("the glibc floor is %q, want 2.29", floor)
	}
	if floor := got.Floor("GLIBCXX"); floor != "" {
		t.Errorf("the libstdc++ floor is %q, want none", floor)
	}
	if !got.HasExport("PyInit_fast") || got.HasExport("PyInit_slow") {
		t.Error("HasExport does not tell exported names from others")
	}
}

func TestParseOtherKinds(t *testing.T) {
	program, err := elf.Parse(elftest.Image{Machine: elftest.X86_64, Interpreter: "/lib64/ld.so"}.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if program.Machine != "x86_64" || program.Interpreter != "/lib64/ld.so" {
		t.Errorf("got %+v", program)
	}
	if _, err := elf.Parse([]byte("MZ")); !errors.Is(err, elf.ErrNotELF) {
		t.Errorf("got %v, want ErrNotELF", err)
	}
	stripped := full()
	stripped.NoSections = true
	_, err = elf.Parse(stripped.Bytes())
	if want := "ELF dynamic section: there is no section header for it"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestCompareVersions(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"GLIBC_2.4", "GLIBC_2.28", -1}, {"GLIBC_2.28", "GLIBC_2.28", 0}, {"GLIBC_2.2.5", "GLIBC_2.2", 1},
		{"GLIBC_2.28", "GLIBCXX_3.4", -1}, {"GLIBC_PRIVATE", "GLIBC_2.1", 1},
	} {
		if got := elf.CompareVersions(test.a, test.b); got != test.want {
			t.Errorf("CompareVersions(%s, %s) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
	family, number := elf.SplitVersion("GLIBC_ABI_DT_RELR")
	if family != "GLIBC_ABI_DT_RELR" || number != "" {
		t.Errorf("got %q %q", family, number)
	}
}

func TestTruncatedImagesNeverPanic(t *testing.T) {
	data := full().Bytes()
	for size := range len(data) {
		if image, err := elf.Parse(data[:size]); err == nil {
			t.Fatalf("the first %d of %d bytes were accepted: %+v", size, len(data), image)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(full().Bytes())
	f.Add(elftest.Module("PyInit_x").Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		image, err := elf.Parse(data)
		if (image == nil) == (err == nil) {
			t.Fatalf("Parse returned image %v and error %v", image, err)
		}
	})
}
