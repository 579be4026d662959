package ccdriver

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// testToolchain is a toolchain whose files need not exist, but for the ones in testdata.
func testToolchain(t *testing.T, target string) *toolchain {
	t.Helper()
	tc, err := newToolchain(Config{Zig: "zig", ZigLib: "/zig/lib", Sysroot: "testdata/sysroot", Target: target, PrefixMaps: []string{"/src=src"}}, "/cwd")
	if err != nil {
		t.Fatal(err)
	}
	return tc
}

// TestGolden plans every case of testdata/golden/*.txt for the targets it names.
// A case is a line "# target mode arguments...", in a response file's quoting;
// after it stands what is planned, or "error: " and the message.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, line := range strings.Split(string(data), "\n") {
				if !strings.HasPrefix(line, "# ") {
					continue
				}
				if got.Len() > 0 {
					got.WriteString("\n")
				}
				got.WriteString(line + "\n" + planned(t, line[2:]))
			}
			if *update {
				if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(data), got.String()); diff != "" && !*update {
				t.Errorf("plans differ; if that is meant, run the test with -update (-want +got):\n%s", diff)
			}
		})
	}
}

// planned plans one case and leaves out the flags that every command has, which
// TestConstantFlags checks.
func planned(t *testing.T, line string) string {
	t.Helper()
	words, err := splitWords(line)
	if err != nil || len(words) < 2 {
		t.Fatalf("%s: a target and a mode are needed: %v", line, err)
	}
	tc := testToolchain(t, words[0])
	plan, err := tc.plan(modes[words[1]], words[2:])
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	text := plan.String()
	for _, constant := range []struct{ flags, name string }{
		{quoted(tc.compileFlags()), "COMPILE"},
		{quoted(cxxFlags), "LIBCXX"},
		{quoted(tc.includeFlags(&invocation{}, true)), "CXX_HEADERS"},
		{quoted(tc.includeFlags(&invocation{}, false)), "C_HEADERS"},
		{quoted(runtimes(tc)), "RUNTIMES"},
	} {
		text = strings.ReplaceAll(text, constant.flags, "["+constant.name+"]")
	}
	return text
}

// runtimes are the libraries at the end of every link.
func runtimes(tc *toolchain) []string {
	var files []string
	if !tc.pe {
		for _, name := range runtimesELF {
			files = append(files, tc.lib(name))
		}
		return files
	}
	for _, name := range runtimesPE {
		files = append(files, tc.lib(name+".a"))
	}
	for _, name := range crtLibs {
		files = append(files, tc.lib("api-ms-win-crt-"+name+"-l1-1-0.lib"))
	}
	for _, name := range systemPE {
		files = append(files, tc.lib(name+".lib"))
	}
	return files
}

func quoted(words []string) string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = quoteWord(word)
	}
	return strings.Join(out, " ")
}

func TestConstantFlags(t *testing.T) {
	for target, want := range map[string][]string{
		"win_arm64":     {"-D__CRT__NO_INLINE", "-ffile-prefix-map=/src=src", "-ffile-prefix-map=/cwd=.", "-ffile-prefix-map=testdata/sysroot=sysroot"},
		"linux_aarch64": {"-D__GLIBC_MINOR__=28", "-ffile-prefix-map=/src=src", "-ffile-prefix-map=/cwd=.", "-ffile-prefix-map=testdata/sysroot=sysroot"},
	} {
		if diff := cmp.Diff(want, testToolchain(t, target).compileFlags()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", target, diff)
		}
	}
}
