// Package bitsandbytes_test loads the libraries of a wheel that the overlay of bitsandbytes made of the fixture in source/,
// on Windows on ARM (ARM64 Wine) and on arm64 Linux (qemu), with CUDA libraries that tell what they are asked for
// (e2e/cuda/fake).
//
// It tests the overlay: which file is compiled how, what is linked and exported, and what the wheel holds. The code of
// bitsandbytes itself it does not see.
package bitsandbytes_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/archive"
	"github.com/sparkwheels/sparkwheels/go/guest"
	"github.com/sparkwheels/sparkwheels/go/guest/guesttest"
	"github.com/sparkwheels/sparkwheels/go/loader"
	"github.com/sparkwheels/sparkwheels/go/native"
)

// A run takes two seconds on two loaded cores.
const timeout = time.Minute

// extension is that of a platform's shared libraries.
var extension = map[string]string{"linux_aarch64": ".so", "win_arm64": ".dll"}

func unpack(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	if err := archive.Extract(dir, archive.Options{Limits: archive.DefaultLimits}, guesttest.Input(t, "WHEEL")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The wheel holds what upstream's holds, and the libraries export what Python looks up: the same as upstream's, without the
// C++ names that upstream's export besides.
func TestContents(t *testing.T) {
	tree, suffix := unpack(t), extension[os.Getenv("PLATFORM")]
	var files []string
	err := filepath.WalkDir(filepath.Join(tree, "bitsandbytes"), func(name string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, entry.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"__init__.py", "libbitsandbytes_cpu" + suffix, "libbitsandbytes_cuda134" + suffix, "py.typed"}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("package (-want +got):\n%s", diff)
	}
	// How many functions upstream's libraries of 0.50.1 export by names that are not C++'s or nvcc's.
	for library, count := range map[string]int{"libbitsandbytes_cpu": 12, "libbitsandbytes_cuda134": 83} {
		data, err := os.ReadFile(filepath.Join(tree, "bitsandbytes", library+suffix))
		if err != nil {
			t.Fatal(err)
		}
		binary, err := native.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		exports := binary.Exports()
		if len(exports) != count {
			t.Errorf("%s exports %d functions, want %d: %s", library, len(exports), count, exports)
		}
		for _, name := range exports {
			if !strings.HasPrefix(name, "c") && name != "get_context" {
				t.Errorf("%s exports %s", library, name)
			}
		}
	}
}

// kernels are the arguments' sizes of the kernels that call/call.c reaches.
const kernels = "_Z5kFillIfEvPT_S0_i=8,4,4;_Z5kStepIfEvPT_S1_Pffi=8,8,8,4,4;_Z9kQuantizeI13__nv_bfloat16EvPKfPKT_Phi=8,8,8,4;" +
	"_Z14gemm_4bit_simtIfEvPKT_PKhPS0_ii=8,8,8,4,4;_Z14gemm_4bit_sm75PK6__halfPKhPS_ii=8,8,8,4,4;_Z14gemm_4bit_sm80PK13__nv_bfloat16PKhPfi=8,8,8,4"

func TestCalls(t *testing.T) {
	tree, dir := unpack(t), t.TempDir()
	suffix := extension[os.Getenv("PLATFORM")]
	args := []string{}
	for _, file := range slices.Concat(guesttest.Inputs(t, "CALL"), guesttest.Inputs(t, "CUDART"), guesttest.Inputs(t, "BLAS"), []string{
		filepath.Join(tree, "bitsandbytes", "libbitsandbytes_cpu"+suffix), filepath.Join(tree, "bitsandbytes", "libbitsandbytes_cuda134"+suffix),
	}) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), data, 0o755); err != nil {
			t.Fatal(err)
		}
		args = append(args, path.Join("/run", filepath.Base(file)))
	}
	g := guesttest.Open(t)
	command := guest.Command{
		Args: args, Env: []string{"SPARKWHEELS_PARAMS=" + kernels}, Mounts: []guest.Mount{{Source: dir, Target: "/run"}}, Timeout: timeout,
	}
	result, err := run(t, g, command)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.TrimSpace(strings.ReplaceAll(result.Output, "\r\n", "\n"))
	t.Logf("exit code %d:\n%s", result.ExitCode, text)
	if result.ExitCode != 0 {
		t.Fatal("the call failed")
	}
	before, after, _ := strings.Cut(text, "loaded\n")
	checkRegistrations(t, before)
	const at, state, codes = "8877665544332211", "0807060504030201", "a8a7a6a5a4a3a2a1"
	const values = ": most 2 4: 127=0.000 159=0.504 0=-2.000 191=1.008 254=4.000 0=-4.000"
	want := []string{
		"cpu" + values, "cuda" + values,
		"cublas: create",
		"cudart: launch _Z5kFillIfEvPT_S0_i grid=2,1,1 block=256,1,1 shared=0 stream=0 args=" + at + ",0000c03f,2c010000",
		"cudart: launch _Z5kStepIfEvPT_S1_Pffi grid=1,1,1 block=256,1,1 shared=0 stream=0 args=" + at + "," + at + "," + state + ",0000803e,07000000",
		"cudart: launch _Z9kQuantizeI13__nv_bfloat16EvPKfPKT_Phi grid=1,1,1 block=256,1,1 shared=0 stream=0 args=" + state + "," + at + "," + codes + ",08000000",
		"cudart: launch _Z14gemm_4bit_simtIfEvPKT_PKhPS0_ii grid=2,1,1 block=64,1,1 shared=0 stream=0 args=" + at + "," + codes + "," + state + ",41000000,03000000",
		"cudart: launch _Z14gemm_4bit_sm75PK6__halfPKhPS_ii grid=1,1,1 block=64,1,1 shared=0 stream=0 args=" + at + "," + codes + "," + state + ",09000000,02000000",
		"cudart: launch _Z14gemm_4bit_sm80PK13__nv_bfloat16PKhPfi grid=3,1,1 block=32,1,1 shared=0 stream=0 args=" + at + "," + codes + "," + state + ",10000000",
		"cublas: gemm 2,3,4 trans=0,0 types=3,3,10 lead=2,4,2 compute=72 alpha=1 beta=0",
		"cuda: gemm 0",
		"cublas: describe compute=72 scale=10",
		"cublas: matmul described=1 alpha=1 beta=0 workspace=0 in place=1",
		"cublas: 0 descriptions left",
		"cuda: matmul 0",
		"cuda: prefetch 0, devices 1",
	}
	lines := slices.DeleteFunc(strings.Split(after, "\n"), func(line string) bool { return strings.HasPrefix(line, "cudart: unregister") })
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("what the libraries were asked for (-want +got):\n%s", diff)
	}
}

// registered are the kernels of each source, by what is in their names.
var registered = regexp.MustCompile(`kFill|kQuantize|kDequantize|kStep|gemm_4bit_(simt|sm75|sm80)`)

// checkRegistrations expects the kernels of every source, and the constant that the device linker shares between them.
func checkRegistrations(t *testing.T, text string) {
	t.Helper()
	count := map[string]int{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "cudart: kernel ") {
			count[registered.FindString(line)]++
		}
	}
	want := map[string]int{"kFill": 2, "kQuantize": 3, "kDequantize": 3, "kStep": 3, "gemm_4bit_simt": 3, "gemm_4bit_sm75": 1, "gemm_4bit_sm80": 1}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Errorf("registered kernels (-want +got):\n%s", diff)
	}
	if !strings.Contains(text, " size=8 constant=1") {
		t.Error("kRange is not registered")
	}
}

func run(t *testing.T, g *guest.Guest, c guest.Command) (*guest.Result, error) {
	t.Helper()
	if os.Getenv("PLATFORM") == "linux_aarch64" {
		return g.Run(t.Context(), c)
	}
	wine, err := loader.New(t.Context(), g, guesttest.Input(t, "CALL"))
	if err != nil {
		return nil, err
	}
	for i := range c.Args[1:] {
		c.Args[i+1] = loader.WindowsPath(c.Args[i+1])
	}
	return wine.Run(t.Context(), c)
}
