package ar

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func member(name, body string) string {
	s := fmt.Sprintf("%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, 0, 0, 0, "644", len(body)) + body
	if len(body)%2 == 1 {
		s += "\n"
	}
	return s
}

func TestRead(t *testing.T) {
	const long = "c/o/0123/a_very_long_name.obj/\n"
	for _, tc := range []struct {
		name, data string
		want       map[string]string
	}{
		{"empty", magic, map[string]string{}},
		{"gnu", magic + member("/", "sym") + member("//", long) + member("/0", "long") + member("s.o/", "odd"),
			map[string]string{"c/o/0123/a_very_long_name.obj": "long", "s.o": "odd"}},
		{"coff long names end in NUL", magic + member("/", "1") + member("/", "2") + member("//", "x/long_enough_name.obj\x00") + member("/0", "b"),
			map[string]string{"x/long_enough_name.obj": "b"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			members, err := Read([]byte(tc.data))
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, m := range members {
				got[m.Name] = string(m.Data)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	for _, tc := range []struct{ name, data, want string }{
		{"thin", thinMagic, "thin archive"},
		{"not an archive", "MZ", "not an ar archive"},
		{"size beyond the end", magic + strings.Replace(member("a/", "body"), "4         `", "400       `", 1), "size field"},
		{"long name without table", magic + member("/7", "x"), "table of long names"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Read([]byte(tc.data))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error that says %q", err, tc.want)
			}
		})
	}
}
