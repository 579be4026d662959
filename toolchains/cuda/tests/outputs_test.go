package tests

import (
	"debug/elf"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	selfelf "github.com/sparkwheels/sparkwheels/go/elf"
	"github.com/sparkwheels/sparkwheels/go/pe"
)

// output finds a file among the outputs of a target by its name.
func output(t *testing.T, target, name string) []byte {
	t.Helper()
	for _, file := range strings.Fields(os.Getenv("OUTPUTS_" + target)) {
		if filepath.Base(file) == name {
			data, err := os.ReadFile(runfile(t, file))
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
	}
	t.Fatalf("%s: there is no output %s", target, name)
	return nil
}

// TestLinkedWindows looks at a DLL whose device code was linked from two sources.
func TestLinkedWindows(t *testing.T) {
	find(t, "win_arm64")
	image, err := pe.Parse(output(t, "win_arm64", "linked.dll"))
	if err != nil {
		t.Fatal(err)
	}
	if image.Machine != pe.MachineARM64 {
		t.Errorf("the DLL is for %v", image.Machine)
	}
	var exports, imports []string
	for _, e := range image.Exports {
		exports = append(exports, e.Name)
	}
	for _, i := range image.Imports {
		if !strings.HasPrefix(i.DLL, "api-ms-win-crt-") {
			imports = append(imports, i.DLL)
		}
	}
	slices.Sort(imports)
	if diff := cmp.Diff([]string{"run", "run_squares"}, exports); diff != "" {
		t.Errorf("exports (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"KERNEL32.dll", "cudart64_13.dll"}, imports); diff != "" {
		t.Errorf("imports (-want +got):\n%s", diff)
	}
}

// TestSharedLibrary looks at DLLs that Bazel's own rule links: it must find the
// runtime through a cuda_library and through a cc_library, and it has no flags.
func TestSharedLibrary(t *testing.T) {
	find(t, "win_arm64")
	for name, want := range map[string][]string{
		"shared.dll":  {"cudart64_13.dll"},
		"calling.dll": {"cudart64_13.dll", "shared.dll"},
	} {
		image, err := pe.Parse(output(t, "win_arm64", name))
		if err != nil {
			t.Fatal(err)
		}
		var imports []string
		for _, i := range image.Imports {
			if !strings.HasPrefix(i.DLL, "api-ms-win-crt-") && i.DLL != "KERNEL32.dll" {
				imports = append(imports, i.DLL)
			}
		}
		slices.Sort(imports)
		if diff := cmp.Diff(want, imports); diff != "" {
			t.Errorf("%s: imports (-want +got):\n%s", name, diff)
		}
	}
}

// TestLinkedLinux looks at the same as a shared object.
func TestLinkedLinux(t *testing.T) {
	find(t, "linux_aarch64")
	image, err := selfelf.Parse(output(t, "linux_aarch64", "liblinked.so"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"run", "run_squares"}, image.Exports); diff != "" {
		t.Errorf("exports (-want +got):\n%s", diff)
	}
	if !slices.Contains(image.Needed, "libcudart.so.13") {
		t.Errorf("needs %v, not the CUDA runtime", image.Needed)
	}
	if image.RPath != nil || image.RunPath != nil {
		t.Errorf("it says where Bazel had the stub: %q, %q", image.RPath, image.RunPath)
	}
	if selfelf.CompareNumbers(image.Floor("GLIBC"), "2.28") > 0 {
		t.Errorf("needs glibc %s", image.Floor("GLIBC"))
	}
}

// TestModuleName finds a library under the name that it was given, on both platforms.
func TestModuleName(t *testing.T) {
	for _, target := range targets {
		find(t, target)
		if len(output(t, target, "_C.abi3.so")) == 0 {
			t.Errorf("%s: _C.abi3.so is empty", target)
		}
	}
}

// TestRuntimeStub looks at the stub that programs for Linux link against: the
// library's name, and symbols with its versions.
func TestRuntimeStub(t *testing.T) {
	find(t, "linux_aarch64")
	data := output(t, "linux_aarch64", "libcudart.so.13")
	if len(data) > 200<<10 {
		t.Errorf("a stub of %d bytes", len(data))
	}
	file, err := elf.NewFile(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	names, err := file.DynString(elf.DT_SONAME)
	if diff := cmp.Diff([]string{"libcudart.so.13"}, names); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	symbols, err := file.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"cudaMalloc", "__cudaRegisterFatBinary", "__cudaLaunchKernel"} {
		if !slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return s.Name == want && s.Version == "libcudart.so.13" }) {
			t.Errorf("no %s of version libcudart.so.13", want)
		}
	}
}
