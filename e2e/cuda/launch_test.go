// Package cuda_test runs what toolchains/cuda makes on machines without a GPU:
// a library of kernels is loaded, called and unloaded on Windows on ARM (ARM64
// Wine) and on arm64 Linux (qemu), once with a CUDA runtime that tells what it
// is asked for (fake/cudart.c) and once with NVIDIA's own.
//
// A machine that cannot run arm64 programs skips the tests and says why; with
// SPARKWHEELS_LOADER=require in the environment that is a failure.
package cuda_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/archive"
	"github.com/sparkwheels/sparkwheels/go/fatbin"
	"github.com/sparkwheels/sparkwheels/go/guest"
	"github.com/sparkwheels/sparkwheels/go/guest/guesttest"
	"github.com/sparkwheels/sparkwheels/go/loader"
)

// A run takes two seconds on two loaded cores.
const timeout = time.Minute

// runDir is where the files of a run are in the guest.
const runDir = "/run"

// platform is what differs between the two.
type platform struct {
	// longSize is sizeof(long).
	longSize int
	// narrow, nested and fill are the kernels' names.
	narrow, nested, fill string
	// real is where NVIDIA's runtime lies in its package.
	real string
	// run runs a program with arguments that are paths in the guest.
	run func(t *testing.T, g *guest.Guest, c guest.Command) (*guest.Result, error)
}

var platforms = map[string]platform{
	"win_arm64": {
		longSize: 4,
		narrow:   "_Z6narrowPfxyli", nested: "_Z6nestedh5Mixedd", fill: "_Z4fillIdEvPT_S0_",
		real: "**/cudart64_13.dll",
		run: func(t *testing.T, g *guest.Guest, c guest.Command) (*guest.Result, error) {
			wine, err := loader.New(t.Context(), g, guesttest.Input(t, "LAUNCH"))
			if err != nil {
				return nil, err
			}
			for i := range c.Args[1:] {
				c.Args[i+1] = loader.WindowsPath(c.Args[i+1])
			}
			return wine.Run(t.Context(), c)
		},
	},
	"linux_aarch64": {
		longSize: 8,
		narrow:   "_Z6narrowPflmli", nested: "_Z6nestedh5Mixedd", fill: "_Z4fillIdEvPT_S0_",
		real: "**/libcudart.so.13*",
		run: func(t *testing.T, g *guest.Guest, c guest.Command) (*guest.Result, error) {
			return g.Run(t.Context(), c)
		},
	},
}

// launch runs the program with a runtime and gives the lines that both print.
func (p platform) launch(t *testing.T, library, runtime, params string) []string {
	t.Helper()
	dir := t.TempDir()
	args := []string{}
	for _, file := range []string{guesttest.Input(t, "LAUNCH"), runtime, library} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), data, 0o755); err != nil {
			t.Fatal(err)
		}
		args = append(args, path.Join(runDir, filepath.Base(file)))
	}
	start := time.Now()
	result, err := p.run(t, guesttest.Open(t), guest.Command{
		Args:    args,
		Env:     []string{"SPARKWHEELS_PARAMS=" + params},
		Mounts:  []guest.Mount{{Source: dir, Target: runDir}},
		Timeout: timeout,
	})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(result.Output, "\r\n", "\n")
	t.Logf("exit code %d after %s:\n%s", result.ExitCode, time.Since(start).Round(100*time.Millisecond), text)
	if result.ExitCode != 0 {
		t.Fatal("the launch failed")
	}
	return strings.Split(strings.TrimSpace(text), "\n")
}

// TestLaunch expects of the runtime that tells: all registrations while the
// library is loaded, each launch with its name, grid and arguments as the device
// code lays them out, and the end of the registration when it is unloaded.
func TestLaunch(t *testing.T) {
	for _, variable := range []string{"LIBRARY", "LINKED_LIBRARY"} {
		t.Run(variable, func(t *testing.T) { testLaunch(t, guesttest.Input(t, variable)) })
	}
}

func testLaunch(t *testing.T, library string) {
	p := current(t)
	kernels, linked := kernelParams(t, library)
	if linked != strings.Contains(library, "linked") {
		t.Fatalf("code for the device linker in %s: %t", library, linked)
	}
	// FATBINC_VERSION and FATBINC_LINK_VERSION of fatbinary_section.h.
	version := map[bool]int{false: 1, true: 2}[linked]
	if diff := cmp.Diff(p.params(), kernels); diff != "" {
		t.Fatalf("where the device code has its arguments (-want +got):\n%s", diff)
	}
	lines := p.launch(t, library, guesttest.Input(t, "FAKE"), encodeParams(kernels))
	// The order of registrations is the compiler's.
	if loaded := slices.Index(lines, "launch: loaded"); loaded > 3 {
		slices.Sort(lines[2 : loaded-1])
	}
	want := []string{
		"launch: loading",
		fmt.Sprintf("cudart: binary 1 wrapper=466243b1 version=%d container=ba55ed50", version),
		"cudart: kernel 1 " + p.fill, "cudart: kernel 1 " + p.narrow, "cudart: kernel 1 " + p.nested,
		"cudart: variable 1 counter size=4 constant=0", "cudart: variable 1 table size=32 constant=1",
		"cudart: registered 1",
		"launch: loaded",
		"launch: set_table",
		"cudart: copy to table offset=12 kind=1 bytes=" + hexOf(float32(1.5)) + hexOf(float32(-2.25)),
		"launch: returned 0",
		"launch: launch_narrow",
		"cudart: launch " + p.narrow + " grid=3,2,1 block=64,2,2 shared=128 stream=57 args=" + strings.Join([]string{
			hexOf(uint64(0x1122334455667788)), hexOf(int64(0x0102030405060708)), hexOf(uint64(0xf1f2f3f4f5f6f7f8)), p.long(-2), hexOf(int32(77))}, ","),
		"launch: returned 0",
		"launch: launch_nested",
		"cudart: launch " + p.nested + " grid=7,1,1 block=32,1,1 shared=0 stream=0 args=" + strings.Join([]string{
			hexOf(uint8(200)), p.mixed(), hexOf(0.125)}, ","),
		"launch: returned 0",
		"launch: launch_fill",
		"cudart: launch " + p.fill + " grid=1,1,1 block=1,1,1 shared=0 stream=0 args=" + hexOf(uint64(0xb1b2b3b4b5b6b7b8)) + "," + hexOf(-1.0),
		"launch: returned 0",
		"launch: device_count",
		"launch: returned 0",
		"launch: unloading",
		"cudart: unregister 1",
		"launch: unloaded",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("what the runtime was asked for (-want +got):\n%s", diff)
	}
}

// TestRealRuntime expects NVIDIA's runtime to load, to take the registrations
// and to answer every call with 35, cudaErrorInsufficientDriver, since there is
// no driver.
func TestRealRuntime(t *testing.T) {
	p := current(t)
	dir := t.TempDir()
	if err := archive.Extract(filepath.Join(dir, "tree"), archive.Options{Include: []string{p.real}, Limits: archive.DefaultLimits}, guesttest.Input(t, "CUDART")); err != nil {
		t.Fatal(err)
	}
	runtime := ""
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			runtime = name
		}
		return err
	})
	if err != nil || runtime == "" {
		t.Fatalf("CUDART holds no %s: %v", p.real, err)
	}
	lines := p.launch(t, guesttest.Input(t, "LIBRARY"), runtime, "")
	const insufficientDriver = "launch: returned 35"
	want := []string{"launch: loading", "launch: loaded"}
	for _, name := range []string{"set_table", "launch_narrow", "launch_nested", "launch_fill", "device_count"} {
		want = append(want, "launch: "+name, insufficientDriver)
	}
	want = append(want, "launch: unloading", "launch: unloaded")
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// current is the platform that the BUILD file names.
func current(t *testing.T) platform {
	t.Helper()
	p, ok := platforms[os.Getenv("PLATFORM")]
	if !ok {
		t.Fatalf("PLATFORM is %q: run this with ./bazelw test //e2e/cuda/...", os.Getenv("PLATFORM"))
	}
	return p
}

// params is where C says that the arguments lie, one behind the other with each
// one's alignment.
func (p platform) params() map[string][]fatbin.Param {
	at := func(offset, size int) fatbin.Param { return fatbin.Param{Offset: offset, Size: size} }
	mixed := 48
	if p.longSize == 8 {
		mixed = 56
	}
	narrow := []fatbin.Param{at(0, 8), at(8, 8), at(16, 8), at(24, 4), at(28, 4)}
	if p.longSize == 8 {
		narrow = []fatbin.Param{at(0, 8), at(8, 8), at(16, 8), at(24, 8), at(32, 4)}
	}
	return map[string][]fatbin.Param{
		p.narrow: narrow,
		p.nested: {at(0, 1), at(8, mixed), at(8+mixed, 8)},
		p.fill:   {at(0, 8), at(8, 8)},
	}
}

// mixed is launch.c's Mixed as bytes; the padding is zero.
func (p platform) mixed() string {
	fields := []string{
		hexOf(uint8('m')), strings.Repeat("00", 7),
		hexOf(int64(-3)), hexOf(uint64(0x8877665544332211)),
		p.long(0x12345678), hexOf(float32(0.5)),
	}
	if p.longSize == 8 {
		fields = append(fields, "00000000")
	}
	return strings.Join(append(fields, hexOf(uint64(0xa1a2a3a4a5a6a7a8)), hexOf(int16(-1)), hexOf(int16(2)), hexOf(int16(3)), "0000"), "")
}

func (p platform) long(value int64) string {
	if p.longSize == 4 {
		return hexOf(int32(value))
	}
	return hexOf(value)
}

// hexOf is a number in memory.
func hexOf(number any) string {
	switch n := number.(type) {
	case float32:
		number = math.Float32bits(n)
	case float64:
		number = math.Float64bits(n)
	}
	data, err := binary.Append(nil, binary.LittleEndian, number)
	if err != nil {
		panic(fmt.Sprint(number, err)) // the tests above have numbers only
	}
	return hex.EncodeToString(data)
}
