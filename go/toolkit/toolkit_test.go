package toolkit

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/treetest"
)

// pack writes a zip archive, which is what a wheel is.
func pack(t *testing.T, files map[string]string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "component.whl")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(file)
	for member, text := range files {
		f, err := w.Create(member)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

const stub = "#if defined(_WIN32)\n#if defined(_WIN32)\r\n#if defined(_WIN32)\n"

// components are an nvcc and an nvvm in the layout below prefix.
func components(t *testing.T, prefix string) (nvcc, nvvm string) {
	return pack(t, map[string]string{
			prefix + "bin/nvcc": "nvcc", prefix + "bin/cudafe++": "cudafe++", prefix + "bin/ptxas": "ptxas",
			prefix + "bin/fatbinary": "fatbinary", prefix + "bin/nvlink": "nvlink", prefix + "bin/nvcc.profile": "NVIDIA's own",
			prefix + "bin/__nvcc_device_query": "asks the GPU", prefix + "bin/crt/link.stub": stub, prefix + "bin/crt/prelink.stub": stub,
			prefix + "include/fatbinary_section.h": "", "x-1.dist-info/RECORD": "",
		}), pack(t, map[string]string{
			prefix + "nvvm/bin/cicc": "cicc", prefix + "nvvm/libdevice/libdevice.10.bc": "bc", prefix + "lib/libnvvm.so.4": "library",
		})
}

// TestTools makes the same tree of a wheel and of one of NVIDIA's archives.
func TestTools(t *testing.T) {
	var trees []treetest.Tree
	for _, prefix := range []string{"nvidia/cu13/", "cuda_nvcc-linux-x86_64-13.4.92-archive/"} {
		nvcc, nvvm := components(t, prefix)
		out := filepath.Join(t.TempDir(), "tools")
		if err := Tools(ToolsOptions{NVCC: nvcc, NVVM: nvvm, Out: out}); err != nil {
			t.Fatal(err)
		}
		trees = append(trees, treetest.Read(t, out))
	}
	if diff := cmp.Diff(trees[0], trees[1]); diff != "" {
		t.Errorf("the tree depends on the packaging (-wheel +archive):\n%s", diff)
	}
	for _, name := range []string{"bin/nvcc*", "nvvm/bin/cicc*", "include/fatbinary_section.h", "nvvm/libdevice/libdevice.10.bc"} {
		if _, ok := trees[0][name]; !ok {
			t.Errorf("there is no %s", name)
		}
	}
	for _, name := range []string{"bin/__nvcc_device_query", "bin/__nvcc_device_query*", "lib/libnvvm.so.4"} {
		if _, ok := trees[0][name]; ok {
			t.Errorf("there is a %s", name)
		}
	}
}

// TestMissing leaves a component out, or gives another in its place.
func TestMissing(t *testing.T) {
	nvcc, nvvm := components(t, "nvidia/cu13/")
	for _, test := range []struct {
		nvcc, nvvm, want string
	}{
		{"", nvvm, "the toolkit's component nvcc is missing: it holds nvcc itself"},
		{nvcc, "", "the toolkit's component nvvm is missing: it holds cicc"},
		{nvcc, nvcc, "there is no folder nvvm/bin in it, so it is not the component nvvm"},
		{pack(t, map[string]string{"README": ""}), nvvm, "this is no component of the CUDA toolkit"},
	} {
		out := filepath.Join(t.TempDir(), "tools")
		err := Tools(ToolsOptions{NVCC: test.nvcc, NVVM: test.nvvm, Out: out})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, wanted %q", err, test.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("something was written")
		}
	}
}

// TestEdits is about toolkits that are not what the edits were written for.
func TestEdits(t *testing.T) {
	e := edit{file: "a.h", old: "_WIN32", new: "_MSC_VER", count: 2, why: "because"}
	for text, want := range map[string]string{
		"_WIN32 _WIN32":        "",
		"_WIN32":               `"_WIN32" stands there 1 times, not 2 (because)`,
		"_WIN32 _WIN32 _WIN32": `"_WIN32" stands there 3 times, not 2 (because)`,
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "a.h")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		err := adapt(dir, []edit{e})
		if want == "" {
			if got, _ := os.ReadFile(file); err != nil || string(got) != "_MSC_VER _MSC_VER" {
				t.Errorf("%v, %q", err, got)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, wanted %q", text, err, want)
		}
		if got, _ := os.ReadFile(file); string(got) != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	if err := adapt(t.TempDir(), []edit{e}); err == nil || !strings.Contains(err.Error(), "a.h is to be adapted (because) and is not there") {
		t.Errorf("a header that is gone: %v", err)
	}
}

// TestDisagreement gives two components a file of the same name.
func TestDisagreement(t *testing.T) {
	header := func(text string) string { return pack(t, map[string]string{"nvidia/cu13/include/a.h": text}) }
	err := Headers(HeadersOptions{
		CRT: header("one"), CUDART: header("other"), CCCL: header("one"), Sysroot: t.TempDir(), Target: "linux_aarch64",
		Out: filepath.Join(t.TempDir(), "headers"),
	})
	if err == nil || !strings.Contains(err.Error(), "a.h: another component has a file of this name with other bytes") {
		t.Errorf("error %v", err)
	}
}

// TestHeadersForVisualCPP leaves NVIDIA's headers as they are, and needs no sysroot for it.
func TestHeadersForVisualCPP(t *testing.T) {
	const text = "#if defined(_WIN32)\n"
	header := func(name string) string { return pack(t, map[string]string{"nvidia/cu13/include/" + name: text}) }
	options := HeadersOptions{
		CRT: header("crt/func_macro.h"), CUDART: header("cuda_runtime.h"), CCCL: header("cccl/cuda/std/version"),
		Target: "win_arm64_msvc", Out: filepath.Join(t.TempDir(), "headers"),
	}
	if err := Headers(options); err != nil {
		t.Fatal(err)
	}
	want := treetest.Tree{"cuda/crt/func_macro.h": text, "cuda/cuda_runtime.h": text, "cuda/cccl/cuda/std/version": text}
	if diff := cmp.Diff(want, treetest.Read(t, options.Out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	options.Target, options.Out = "win_arm64", filepath.Join(t.TempDir(), "headers")
	if err := Headers(options); err == nil || !strings.Contains(err.Error(), "the target win_arm64 needs a sysroot") {
		t.Errorf("error %v", err)
	}
}
