package tests

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/doctor"
	"github.com/sparkwheels/sparkwheels/go/nvcc"
)

// targets are those that the toolchain compiles for.
var targets = []string{"linux_aarch64", "win_arm64"}

// toolchain is the CUDA toolchain of one target; its fields are those of nvcc_files in defs.bzl.
type toolchain struct {
	Driver, CC, Tools, Headers, Zig, Include, Target, Version string
}

func find(t *testing.T, target string) *toolchain {
	t.Helper()
	name := os.Getenv("NVCC_" + target)
	if name == "" {
		t.Skip("NVCC_" + target + " is not set: run by `bazel test //toolchains/cuda/tests:all`")
	}
	data, err := os.ReadFile(runfile(t, name))
	if err != nil {
		t.Fatal(err)
	}
	tc := &toolchain{}
	if err := json.Unmarshal(data, tc); err != nil {
		t.Fatal(err)
	}
	for _, path := range []*string{&tc.Driver, &tc.CC, &tc.Tools, &tc.Headers, &tc.Zig, &tc.Include} {
		*path = runfile(t, *path)
	}
	return tc
}

func runfile(t *testing.T, name string) string {
	t.Helper()
	path, err := runfiles.Rlocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// install links the toolchain into dir, so that its paths are relative as in an action.
func (tc *toolchain) install(t *testing.T, dir string) {
	t.Helper()
	for name, path := range map[string]string{"tools": tc.Tools, "headers": tc.Headers, "sysroot": filepath.Dir(tc.Include), "zig": tc.Zig} {
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// command is a call of the driver in dir.
func (tc *toolchain) command(dir, kind, output string, args ...string) *exec.Cmd {
	cmd := exec.Command(tc.Driver, append([]string{
		"--kind", kind, "--target", tc.Target, "--tools", "tools", "--headers", "headers", "--sysroot", "sysroot", "--zig", "./zig",
		"--output", output, "--usage", output + ".json", "--",
	}, args...)...)
	cmd.Dir = dir
	return cmd
}

const sm121 = "-gencode=arch=compute_121,code=sm_121"

// source copies a source of the tests into dir.
func source(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("src", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestVersion compares the pin with what nvcc says of itself.
func TestVersion(t *testing.T) {
	tc := find(t, "linux_aarch64")
	out, err := exec.Command(filepath.Join(tc.Tools, "bin", "nvcc"), "--version").CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`V(\d+\.\d+\.\d+)`).FindSubmatch(out)
	if found == nil || string(found[1]) != tc.Version {
		t.Errorf("the pin says %s, nvcc:\n%s", tc.Version, out)
	}
}

// TestArchs compares the table of private/archs.bzl with what nvcc knows.
func TestArchs(t *testing.T) {
	tc := find(t, "linux_aarch64")
	out, err := exec.Command(filepath.Join(tc.Tools, "bin", "nvcc"), "--list-gpu-code").Output()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, word := range strings.Fields(string(out)) {
		known[strings.TrimPrefix(word, "sm_")] = true
	}
	ours := map[string]bool{}
	for _, word := range strings.Split(os.Getenv("ARCHS"), ",") {
		ours[word] = true
	}
	if diff := cmp.Diff(known, ours); diff != "" {
		t.Errorf("the table of toolchains/cuda/private/archs.bzl differs from nvcc's (-nvcc +table):\n%s", diff)
	}
}

// TestSameObject compiles in two folders, once with every CUDA of the machine
// that could be found being a trap: the same bytes, and no name of either folder.
func TestSameObject(t *testing.T) {
	for _, target := range targets {
		t.Run(target, func(t *testing.T) {
			tc := find(t, target)
			var sums []string
			for i, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "another", "depth")} {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				tc.install(t, dir)
				cmd := tc.command(dir, "object", "scale.o", sm121, "-std=c++17", "-O3", source(t, dir, "scale.cu"))
				if i == 1 {
					cmd.Env = append(os.Environ(), poison(t)...)
				}
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				object, err := os.ReadFile(filepath.Join(dir, "scale.o"))
				if err != nil {
					t.Fatal(err)
				}
				for _, name := range []string{dir, "tmpxft"} {
					if bytes.Contains(object, []byte(name)) {
						t.Errorf("the object holds %q", name)
					}
				}
				sums = append(sums, fmt.Sprintf("%x", sha256.Sum256(object)))
				var usage nvcc.Usage
				data, err := os.ReadFile(filepath.Join(dir, "scale.o.json"))
				if err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal(data, &usage); err != nil {
					t.Fatal(err)
				}
				if usage.PeakBytes < 50<<20 || usage.CPUSeconds <= 0 {
					t.Errorf("usage %+v: a compilation takes more than that", usage)
				}
			}
			if sums[0] != sums[1] {
				t.Errorf("sha256 %s in one folder, %s in another", sums[0], sums[1])
			}
		})
	}
}

// poison is an environment full of CUDA installations and options that must not matter.
func poison(t *testing.T) []string {
	dir := t.TempDir()
	for _, name := range []string{"nvcc", "cudafe++", "ptxas", "cicc", "c++", "g++", "gcc", "cl.exe", "sh"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\nexit 66\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return []string{
		"PATH=" + dir, "CUDA_PATH=" + dir, "CUDA_HOME=" + dir, "NVCC_CCBIN=" + dir, "NVCC_PREPEND_FLAGS=-G", "NVCC_APPEND_FLAGS=-DPOISON",
		"CPATH=" + dir, "CPLUS_INCLUDE_PATH=" + dir, "CUDAFE_FLAGS=--poison",
	}
}

// TestRefused compiles what must not compile, and looks for the reason.
func TestRefused(t *testing.T) {
	for _, test := range []struct {
		name, target, want string
		args               []string
	}{
		{"undeclared header", "linux_aarch64", "'hidden.cuh' file not found", []string{"undeclared.cu"}},
		{"wchar_t", "win_arm64", "a kernel parameter holds wchar_t", []string{"-DEXTRA=wchar_t c[2]", "scale.cu"}},
		{"long double", "win_arm64", "a kernel parameter holds long double", []string{"-DEXTRA=long double d", "scale.cu"}},
		{"bit-field", "win_arm64", "a kernel parameter has a bit-field", []string{"-DEXTRA=int flag : 1", "scale.cu"}},
		{"nested", "win_arm64", "a kernel parameter leads to wchar_t", []string{"-DEXTRA=struct { const wchar_t *w; } s[2]", "scale.cu"}},
		{"unknown architecture", "win_arm64", "Unsupported gpu architecture 'compute_999'", []string{"-gencode=arch=compute_999,code=sm_999", "scale.cu"}},
		{"dropped flag", "linux_aarch64", "nvcc did not do what a flag asks for", []string{"-std=c++20", "scale.cu"}},
		{"host flag", "linux_aarch64", "-fopenmp cannot be honoured", []string{"-Xcompiler", "-fopenmp", "scale.cu"}},
		{"unused host flag", "linux_aarch64", "-mavx2", []string{"-Xcompiler", "-mavx2", "scale.cu"}},
		{"threads", "linux_aarch64", "one compilation is one process", []string{"--threads=4", "scale.cu"}},
		{"host compiler", "linux_aarch64", "the host compiler is the toolchain's", []string{"-ccbin=/usr/bin/g++", "scale.cu"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tc, dir := find(t, test.target), t.TempDir()
			tc.install(t, dir)
			source(t, dir, test.args[len(test.args)-1])
			args := append([]string{sm121, "-std=c++17"}, test.args...)
			if test.name == "unknown architecture" {
				args = args[1:]
			}
			out, err := tc.command(dir, "object", "out.o", args...).CombinedOutput()
			if err == nil || !strings.Contains(string(out), test.want) {
				t.Errorf("error %v, wanted %q in:\n%s", err, test.want, out)
			}
			empty(t, dir, "out.o")
		})
	}
}

// TestAligned compiles a kernel with a parameter that Visual C++ would refuse:
// clang takes it, and doctor tells of it from whatever nvcc makes.
func TestAligned(t *testing.T) {
	const ptx = "-gencode=arch=compute_121,code=[compute_121,sm_121]"
	for _, test := range []struct {
		name, kind, extra string
		args              []string
		want              doctor.Level
	}{
		{"object", "object", "alignas(128) float v[32]", []string{sm121}, doctor.Problem},
		{"fat binary", "fatbin", "alignas(128) float v[32]", []string{sm121}, doctor.Problem},
		{"PTX, zstd", "fatbin", "alignas(128) float v[32]", []string{ptx}, doctor.Problem},
		{"PTX, LZ4", "fatbin", "alignas(128) float v[32]", []string{ptx, "-compress-mode=speed"}, doctor.Problem},
		{"64", "object", "alignas(64) float v[32]", []string{ptx, "-compress-mode=size"}, doctor.OK},
	} {
		for _, target := range targets {
			t.Run(test.name+" "+target, func(t *testing.T) {
				t.Parallel()
				tc, dir := find(t, target), t.TempDir()
				tc.install(t, dir)
				args := append([]string{"-std=c++17", "-DEXTRA=" + test.extra, source(t, dir, "scale.cu")}, test.args...)
				if out, err := tc.command(dir, test.kind, "out.o", args...).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				findings, err := doctor.DeviceCode(filepath.Join(dir, "out.o"))
				if err != nil || len(findings) != 1 {
					t.Fatal(findings, err)
				}
				if got := findings[0]; got.Level != test.want || (got.Level == doctor.Problem) != strings.Contains(got.What, "scale") {
					t.Errorf("got %s, want %s", got, test.want)
				}
			})
		}
	}
}

// empty fails if a compilation that failed left something behind.
func empty(t *testing.T, dir, output string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, output+"*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestInterrupted stops a compilation half way: nothing is left, and the next one works.
func TestInterrupted(t *testing.T) {
	tc, dir := find(t, "linux_aarch64"), t.TempDir()
	tc.install(t, dir)
	source(t, dir, "scale.cu")
	cmd := tc.command(dir, "object", "scale.o", sm121, "-std=c++17", "scale.cu")
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	// The front end's output says that nvcc is at work.
	for working := false; !working; {
		made, _ := filepath.Glob(filepath.Join(dir, "scale.o.work", "keep", "*.ii"))
		working = len(made) > 0
		select {
		case err := <-ended:
			t.Fatalf("it ended before it was interrupted: %v\n%s", err, said.String())
		case <-time.After(5 * time.Millisecond):
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil || !strings.Contains(said.String(), "interrupted") {
		t.Errorf("an interrupted compilation ended with %v and said:\n%s", err, said.String())
	}
	empty(t, dir, "scale.o")
	if out, err := tc.command(dir, "object", "scale.o", sm121, "-std=c++17", "scale.cu").CombinedOutput(); err != nil {
		t.Errorf("the next one: %v\n%s", err, out)
	}
}

// TestDuplicateKernel links two objects that define the same kernel.
func TestDuplicateKernel(t *testing.T) {
	for _, target := range targets {
		t.Run(target, func(t *testing.T) {
			tc, dir := find(t, target), t.TempDir()
			tc.install(t, dir)
			var objects []string
			for _, name := range []string{"one", "two"} {
				if err := os.WriteFile(filepath.Join(dir, name+".cu"), []byte("__global__ void twice(float *x) { *x = 2; }\n"), 0o644); err != nil {
					t.Fatal(err)
				}
				if out, err := tc.command(dir, "object", name+".o", sm121, name+".cu").CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				objects = append(objects, name+".o")
			}
			link := exec.Command(tc.CC, append([]string{"--mode=c++", "--zig=./zig", "--sysroot=sysroot", "--target=" + target, "-shared", "-o", "out"}, objects...)...)
			link.Dir = dir
			out, err := link.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "duplicate symbol") {
				t.Errorf("error %v, wanted a duplicate symbol in:\n%s", err, out)
			}
		})
	}
}
