package pe_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/pe"
)

func TestParseDefinition(t *testing.T) {
	const text = "; what bolt exports\r\nLIBRARY \"bolt.dll\"\r\nVERSION 1.2\r\nEXPORTS first ; the first\n" +
		"  second = internal @7\n\tthird=other PRIVATE\n  fourth @9 NONAME\n  \"fifth\" DATA\n"
	got, err := pe.ParseDefinition(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want := &pe.Definition{Library: "bolt.dll", Exports: []string{"first", "second", "third", "fifth"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("definition (-want +got):\n%s", diff)
	}
}

func TestParseBadDefinition(t *testing.T) {
	for text, want := range map[string]string{
		"EXPORTS\n a\n b\n a\n":  "line 4: a is exported twice",
		"a\nEXPORTS\n":           `line 1: "a" is neither a statement nor below EXPORTS`,
		"EXPORTS\n a b\n":        `line 2: a: "b" is no attribute of an export`,
		"EXPORTS\n =internal\n":  `line 2: "=internal" names no export`,
		"EXPORTS\nLIBRARY x\n a": `line 3: "a" is neither a statement nor below EXPORTS`,
	} {
		if _, err := pe.ParseDefinition(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: got error %v, want %s", text, err, want)
		}
	}
}

func TestCompareDefinition(t *testing.T) {
	d := &pe.Definition{Exports: []string{"b", "a", "missing"}}
	more, fewer := d.Compare(&pe.Image{Exports: []pe.Export{{Name: "a"}, {Name: "b"}, {Name: "stray"}, {Ordinal: 9}}})
	if diff := cmp.Diff([][]string{{"stray"}, {"missing"}}, [][]string{more, fewer}); diff != "" {
		t.Errorf("more, fewer (-want +got):\n%s", diff)
	}
}
