package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/treetest"
)

// TestDocs runs the failures that docs/patches.md shows and looks for their
// messages there, word for word.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile(filepath.FromSlash("../../../docs/patches.md"))
	if err != nil {
		t.Fatal(err)
	}
	const (
		name   = "patches/soxr/0004-rate.patch"
		source = "#include \"rate.h\"\n\nint rate(int in)\n{\n\treturn in * 2;\n}\n"
		fixes  = "Subject: three times the rate\n\nUpstream: not sent.\n\n" +
			"diff --git a/src/rate.c b/src/rate.c\n--- a/src/rate.c\n+++ b/src/rate.c\n" +
			"@@ -3,4 +3,4 @@\n int rate(int in)\n {\n-\treturn in * 2;\n+\treturn in * 3;\n }\n"
	)
	for _, tc := range []struct {
		name, source, patch string
		args                []string
		code                int
	}{
		{"context", strings.Replace(source, "int rate(int in)", "long rate(long in)", 1), fixes, nil, 1},
		{"moved", strings.Repeat("/* licence */\n", 40) + source, fixes, nil, 1},
		{"moved, allowed", strings.Repeat("/* licence */\n", 40) + source, fixes, []string{"--allow-offset"}, 0},
		{"applied", strings.Replace(source, "* 2", "* 3", 1), fixes, nil, 1},
		{"CRLF patch", source, strings.ReplaceAll(fixes, "\n", "\r\n"), nil, 1},
		{"CRLF source", strings.ReplaceAll(source, "\n", "\r\n"), fixes, nil, 1},
		{"strip", source, strings.NewReplacer("a/src", "src", "b/src", "src").Replace(fixes), nil, 1},
		{"no hunks", source, fixes[:strings.Index(fixes, "@@")], nil, 2},
		{"binary", source, "diff --git a/doc/logo.png b/doc/logo.png\nindex 1..2 100644\nBinary files a/doc/logo.png and b/doc/logo.png differ\n", nil, 2},
		{"outside", source, strings.ReplaceAll(fixes, "src/rate.c", "../rate.c"), nil, 2},
		{"exists", source, "diff --git a/src/rate.c b/src/rate.c\nnew file mode 100644\n--- /dev/null\n+++ b/src/rate.c\n@@ -0,0 +1 @@\n+x\n", nil, 1},
		{"no context", source, "--- a/src/rate.c\n+++ b/src/rate.c\n@@ -2,0 +3 @@\n+x\n", nil, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Chdir(treetest.Write(t, treetest.Tree{"soxr/src/rate.c": tc.source, name: tc.patch}))
			var stdout, stderr bytes.Buffer
			args := append([]string{"check", "--src", "soxr", name}, tc.args...)
			if code := run(args, &stdout, &stderr); code != tc.code {
				t.Errorf("exit code %d, want %d", code, tc.code)
			}
			if got := stderr.String(); got == "" || !strings.Contains(string(page), got) {
				t.Errorf("docs/patches.md lacks: %s", got)
			}
		})
	}
}
