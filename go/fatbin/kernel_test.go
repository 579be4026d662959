package fatbin_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/sparkwheels/sparkwheels/go/elf/elftest"
	"github.com/sparkwheels/sparkwheels/go/fatbin"
	. "github.com/sparkwheels/sparkwheels/go/fatbin/fatbintest"
)

// text is PTX as nvcc 13.4.92 writes it, without the bodies.
const text = `.version 9.4
.target sm_121
.func helper(.param .align 128 .b8 helper_param_0[128]) { ret; }
.visible .entry _Z5plainPfii(
	.param .u64 .ptr .align 1 _Z5plainPfii_param_0,
	.param .u32 _Z5plainPfii_param_1,
	.param .u8 _Z5plainPfii_param_2
)
.maxntid 256
{ ret; }
.entry _Z7alignedh4A128(
	.param .u8 _Z7alignedh4A128_param_0,
	.param .align 128 .b8 _Z7alignedh4A128_param_1[256]
)
{ ret; }
.visible .entry _Z5emptyv()
{ ret; }
`

var kernels = []fatbin.Kernel{
	{Name: "_Z5emptyv"},
	{Name: "_Z5plainPfii", Params: []fatbin.Param{{Offset: 0, Size: 8, Align: 8}, {Offset: 8, Size: 4, Align: 4}, {Offset: 12, Size: 1, Align: 1}}},
	{Name: "_Z7alignedh4A128", Params: []fatbin.Param{{Offset: 0, Size: 1, Align: 1}, {Offset: 128, Size: 256, Align: 128}}},
}

// literal is a block of LZ4 that repeats nothing.
func literal(text string) string {
	length := len(text) - 15
	block := []byte{0xf0}
	for ; length >= 255; length -= 255 {
		block = append(block, 255)
	}
	return string(append(block, byte(length))) + text
}

func compressed(t *testing.T, text string) string {
	t.Helper()
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer encoder.Close()
	return string(encoder.EncodeAll([]byte(text), nil))
}

// only gives the one entry of a file.
func only(t *testing.T, data []byte) fatbin.Entry {
	t.Helper()
	image, err := fatbin.Parse(data)
	if err != nil || len(image.Entries) != 1 {
		t.Fatal(err, image)
	}
	return image.Entries[0]
}

// TestKernels reads PTX in each way of compressing it.
func TestKernels(t *testing.T) {
	size := uint64(len(text))
	for name, data := range map[string][]byte{
		"plain":     Container(Entry{Kind: PTX, SM: 121, Payload: text}),
		"zstd":      Container(Entry{Kind: PTX, SM: 121, Flags: Zstd, Payload: compressed(t, text), Size: size}),
		"lz4":       Container(Entry{Kind: PTX, SM: 121, Flags: LZ4, Payload: literal(text), Size: size}),
		"a library": shared(".nv_fatbin", Container(Entry{Kind: PTX, SM: 121, Flags: Zstd, Payload: compressed(t, text), Size: size})),
	} {
		t.Run(name, func(t *testing.T) {
			entry := only(t, data)
			payload, err := entry.Payload(data)
			if err != nil {
				t.Fatal(err)
			}
			got, err := entry.Kernels(payload)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(kernels, got); diff != "" {
				t.Errorf("kernels (-want +got):\n%s", diff)
			}
		})
	}
}

// argument is the attribute of one kernel argument in a cubin.
func argument(number, offset, size int) string {
	le := binary.LittleEndian
	data := []byte{4, 0x17, 12, 0}
	data = le.AppendUint32(data, 0)
	data = le.AppendUint16(data, uint16(number))
	data = le.AppendUint16(data, uint16(offset))
	return string(le.AppendUint32(data, uint32(size)<<18|0x11))
}

// cubin is machine code with a kernel of these attributes. What nvcc makes is
// read by //e2e/cuda and //toolchains/cuda/tests.
func cubin(info string) []byte {
	return elftest.Image{Machine: 190, Sections: []elftest.Section{{Name: ".nv.info.f", Data: []byte(info)}, {Name: ".text.f", Data: []byte{0}}, {Name: ".nv.info.g", Data: []byte(info)}}}.Bytes()
}

func TestMachineCode(t *testing.T) {
	// A kernel's other attributes: one with a value, one with a size.
	info := "\x03\x1b\xff\x00" + argument(1, 8, 24) + "\x04\x05\x04\x00abcd" + argument(0, 0, 8)
	got, err := fatbin.Entry{Kind: fatbin.Cubin}.Kernels(cubin(info))
	if err != nil {
		t.Fatal(err)
	}
	want := []fatbin.Kernel{{Name: "f", Params: []fatbin.Param{{Offset: 0, Size: 8}, {Offset: 8, Size: 24}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kernels (-want +got):\n%s", diff)
	}
}

func TestPayloadRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		entry Entry
		want  string
	}{
		"zstd, broken":   {Entry{Kind: PTX, SM: 121, Flags: Zstd, Payload: compressed(t, text)[:40], Size: 4096}, "cannot be decompressed"},
		"zstd, too long": {Entry{Kind: PTX, SM: 121, Flags: Zstd, Payload: compressed(t, text), Size: 9}, "bytes, and its header says 9"},
		"lz4, broken":    {Entry{Kind: PTX, SM: 121, Flags: LZ4, Payload: literal(text)[:40], Size: 4096}, "cannot be decompressed"},
		"lz4, too long":  {Entry{Kind: PTX, SM: 121, Flags: LZ4, Payload: literal(text), Size: 9}, "it is longer than its header says"},
		"lz4, empty":     {Entry{Kind: PTX, SM: 121, Flags: LZ4, Size: 9}, ""},
		"huge":           {Entry{Kind: PTX, SM: 121, Flags: Zstd, Payload: "\x28\xb5\x2f\xfd", Size: 1 << 40}, "is said to have 1099511627776 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			data := Container(test.entry)
			_, err := only(t, data).Payload(data)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	data := Container(Entry{Flags: Zstd, Payload: "\x28\xb5\x2f\xfd", Size: 800, Concat: []Entry{{Kind: Cubin, SM: 121, Size: 800}}})
	if _, err := only(t, data).Payload(data); err == nil || !strings.Contains(err.Error(), "--concat") {
		t.Errorf("a concatenation: %v", err)
	}
	if _, err := only(t, data).Payload(data[:20]); err == nil {
		t.Error("the payload of another file is read")
	}
}

func TestKernelsRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		kind    fatbin.Kind
		payload string
		want    string
	}{
		"PTX's parameter":   {fatbin.PTX, ".entry f(.reg .u32 x)", `kernel f: ".reg .u32 x" is no parameter of a kernel`},
		"no ELF image":      {fatbin.Cubin, "text", "ELF headers"},
		"attributes":        {fatbin.Cubin, string(cubin(argument(0, 0, 8)[:9])), "a kernel's attributes are cut off"},
		"short argument":    {fatbin.Cubin, string(cubin("\x04\x17\x04\x00abcd")), "an argument's description is cut off"},
		"missing argument":  {fatbin.Cubin, string(cubin(argument(1, 0, 8))), "argument 0 of 1 is not described"},
		"intermediate code": {fatbin.NVVM, "", "are not read from this kind of code"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := fatbin.Entry{Kind: test.kind}.Kernels([]byte(test.payload))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
