package nvcc

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// TestCommand holds nvcc's command line for each host compiler and kind.
func TestCommand(t *testing.T) {
	common := Options{Tools: "tools", Headers: "headers", Args: []string{"-gencode", "arch=compute_121,code=sm_121", "-std=c++20", "a.cu"}}
	var got strings.Builder
	for _, test := range []struct {
		name, goos string
		set        func(*Options)
	}{
		{"linux_aarch64 object", "linux", func(o *Options) { o.Target, o.Kind, o.Output = "linux_aarch64", "object", "a.o" }},
		{"linux_aarch64 relocatable", "linux", func(o *Options) { o.Target, o.Kind, o.Output = "linux_aarch64", "relocatable", "a.o" }},
		{"win_arm64 object", "linux", func(o *Options) { o.Target, o.Kind, o.Output = "win_arm64", "object", "a.o" }},
		{"win_arm64 device link", "linux", func(o *Options) { o.Target, o.Kind, o.Output = "win_arm64", "device-link", "a.o" }},
		{"fat binary", "linux", func(o *Options) { o.Target, o.Kind, o.Output = "win_arm64", "fatbin", "a.fatbin" }},
		{"MSVC on ARM64", "windows", func(o *Options) {
			o.Target, o.Kind, o.Output = "win_arm64", "object", "a.obj"
			o.MSVC = "C:/BuildTools/VC/Tools/MSVC/14.44/bin/Hostarm64/arm64/cl.exe"
		}},
		{"MSVC on x64, across", "windows", func(o *Options) {
			o.Target, o.Kind, o.Output = "win_arm64", "object", "a.obj"
			o.MSVC = "C:/BuildTools/VC/Tools/MSVC/14.44/bin/Hostx64/arm64/cl.exe"
		}},
	} {
		o := common
		test.set(&o)
		got.WriteString("# " + test.name + "\n" + strings.Join(command(o, o.Output+".work", test.goos), " ") + "\n\n")
	}
	const file = "testdata/command.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("commands differ; if that is meant, run the test with -update (-want +got):\n%s", diff)
	}
}

func TestRefused(t *testing.T) {
	for _, arg := range []string{
		"-ccbin", "-ccbin=g++", "--compiler-bindir", "-arch=native", "-t", "-threads", "--threads=4", "--split-compile=0",
		"-keep", "-keep-dir", "--keep-dir=x", "-optf", "--options-file=x", "-run",
	} {
		if refused(arg) == "" {
			t.Errorf("%s was not refused", arg)
		}
	}
	for _, arg := range []string{"-arch=sm_121", "-std=c++17", "-rdc=true", "-Xcompiler", "--expt-relaxed-constexpr", "-time.cu", "kernels.cu"} {
		if why := refused(arg); why != "" {
			t.Errorf("%s: refused: %s", arg, why)
		}
	}
}

// TestDiagnoser feeds messages in pieces, as a pipe does.
func TestDiagnoser(t *testing.T) {
	for text, bad := range map[string]bool{
		"nvcc warning : incompatible redefinition for option 'std', the last value of this option was used\n":                 true,
		"nvcc warning : The -std=c++20 flag is not supported with the configured host compiler. Flag will be ignored.\n":      true,
		"nvcc warning : Support for offline compilation for architectures prior to 'sm_90' will be removed in a release.\n":   false,
		"a.cu(3): warning #177-D: variable x was declared but never referenced; it is ignored\n":                              false,
		"nvcc warning : The -std=c++20 flag is not supported with the configured host compiler. Flag will be ignored, no end": true,
	} {
		var passed bytes.Buffer
		d := &diagnoser{to: &passed}
		for i := 0; i < len(text); i += 7 {
			if _, err := d.Write([]byte(text[i:min(i+7, len(text))])); err != nil {
				t.Fatal(err)
			}
		}
		if passed.String() != text {
			t.Errorf("passed on %q of %q", passed.String(), text)
		}
		if err := d.problem(); (err != nil) != bad {
			t.Errorf("%q: problem %v", text, err)
		}
	}
}

func TestRelocatableOfWhatHasNone(t *testing.T) {
	file := t.TempDir() + "/a.o"
	if err := os.WriteFile(file, []byte("no object"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := relocatable(file); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("error %v does not name the file", err)
	}
}
