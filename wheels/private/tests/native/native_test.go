// Package native_test reads the wheels that platform_native_wheel made.
package native_test

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/google/go-cmp/cmp"
)

const folder = "_main/wheels/private/tests/native/"

// wheels are the files that the BUILD file makes.
var wheels = []string{
	"fast_kernels-1.0+cu134-py3-none-manylinux_2_28_aarch64.whl",
	"fast_kernels-1.0+cu134-py3-none-win_arm64.whl",
}

func locate(t *testing.T, name string) string {
	t.Helper()
	path, err := runfiles.Rlocation(folder + name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// describe lists a wheel's members and shows what was made of its metadata.
func describe(t *testing.T, name string) string {
	t.Helper()
	archive, err := zip.OpenReader(locate(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	var names, texts strings.Builder
	fmt.Fprintln(&names, name)
	for _, file := range archive.File {
		fmt.Fprintf(&names, "  %s\n", file.Name)
		_, base, _ := strings.Cut(file.Name, ".dist-info/")
		if base != "METADATA" && base != "WHEEL" {
			continue
		}
		r, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&texts, "%s:\n", base)
		for line := range strings.Lines(string(data)) {
			texts.WriteString(strings.TrimRight("  "+line, " \n") + "\n")
		}
	}
	return names.String() + texts.String() + "\n"
}

func TestWheels(t *testing.T) {
	var got string
	for _, name := range wheels {
		got += describe(t, name)
	}
	want, err := os.ReadFile(locate(t, "members.golden"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("members.golden (-want +got):\n%s", diff)
	}
}
