package ccdriver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplitWords(t *testing.T) {
	for _, tc := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{" \t\r\n", nil},
		{"-c\na.c\r\n-o a.o", []string{"-c", "a.c", "-o", "a.o"}},
		{`-DNAME="a b" 'c d'`, []string{"-DNAME=a b", "c d"}},
		{`-DS=\"text\"`, []string{`-DS="text"`}},
		{`"a \"b\" c"`, []string{`a "b" c`}},
		{`'a\'b'`, []string{`a'b`}},
		{`C:\\dir\\f.o`, []string{`C:\dir\f.o`}},
		{`a\ b`, []string{"a b"}},
		{`"" ''`, []string{"", ""}},
	} {
		got, err := splitWords(tc.text)
		if err != nil {
			t.Errorf("splitWords(%q): %v", tc.text, err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("splitWords(%q) (-want +got):\n%s", tc.text, diff)
		}
	}
	for _, text := range []string{`"open`, `'open`, `end\`} {
		if got, err := splitWords(text); err == nil {
			t.Errorf("splitWords(%q) = %q, want an error", text, got)
		}
	}
}

func TestQuoteWordIsReadBack(t *testing.T) {
	for _, word := range []string{"", "plain", "a b", `q"q`, `b\s`, "$HOME", "`x`", "'", "-DX=\"a\\b\"", "ü"} {
		got, err := splitWords(quoteWord(word))
		if err != nil || len(got) != 1 || got[0] != word {
			t.Errorf("splitWords(quoteWord(%q)) = %q, %v", word, got, err)
		}
	}
}

func TestExpandResponseFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	inner := write("inner", "-O2 'x y'")
	outer := write("outer", "-c "+quoteWord("@"+inner)+" a.c")
	got, err := expandResponseFiles([]string{"-g", "@" + outer, "@absent", "@"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"-g", "-c", "-O2", "x y", "a.c", "@absent", "@"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	loop := filepath.Join(dir, "loop")
	write("loop", quoteWord("@"+loop))
	if _, err := expandResponseFiles([]string{"@" + loop}); err == nil || !strings.Contains(err.Error(), "nested") {
		t.Errorf("a file that names itself: got %v, want an error that says nested", err)
	}
	bad := write("bad", `"never closed`)
	if _, err := expandResponseFiles([]string{"@" + bad}); err == nil || !strings.Contains(err.Error(), bad) {
		t.Errorf("got %v, want an error that names %s", err, bad)
	}
}
