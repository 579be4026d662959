package fatbin_test

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/fatbin"
)

// real are headers of entries as nvcc and fatbinary 13.4.92 wrote them for one
// source with two kernels. The payloads are left out: the tests put zeros and
// the first bytes in their place.
var real = map[string]string{
	// -gencode arch=compute_121a,code=sm_121a
	"sm_121a": "0200010170000000802400000000000000000000400000000800010079000000000000000000000011001001000000000000000000000000000000000000000048000000240000000002090100020c000002020100030d010102030000040b08000000000000000000030e0004000000",
	// -gencode arch=compute_120f,code=sm_120f
	"sm_120f": "0200010178000000802400000000000000000000400000000800010078000000000000000000000011002001000000000000000000000000000000000000000048000000280000000002090000020c000002020100030d01010307010102030000040b08005000000000000000030e000400000000000000",
	// -gencode arch=compute_90,code=sm_90
	"sm_90": "020001014000000058180000000000000000000000000000080001005a0000000000000000000000110000000000000000000000000000000000000000000000",
	// -gencode arch=compute_120,code=compute_120
	"compute_120": "010001015000000030020000000000002c0200004000000004000900780000000000000000000000118000000000000000000000000000001e0600000000000048000000000000000000000000000000",
	// -G -gencode arch=compute_121,code=[compute_121,sm_121]
	"compute_121 -G": "01000101800000006805000000000000660500004800000004000900790000004000000004000000138000000000000000000000000000004d150000000000006b2e637500000000500000002d000000202d67202d2d646f6e742d6d657267652d6261736963626c6f636b73202d2d72657475726e2d61742d656e6420000000",
	"sm_121 -G":      "0200010178000000e821000000000000e421000048000000080001007900000040000000040000001380000100000000000000000000000038a80000000000006b2e63750000000050000000240000000002090000020c000002020100030d010102030000040b08000000000000000000030e0004000000",
	// --compress-mode=speed --compress-all
	"sm_121 lz4":       "0200010170000000d809000000000000d1090000400000000800010079000000000000000000000011200001000000000000000000000000802400000000000048000000240000000002090000020c000002020100030d010102030000040b08000000000000000000030e0004000000",
	"compute_120f lz4": "0100010150000000e802000000000000e80200004000000004000900780000000000000000000000112020000000000000000000000000001f0600000000000048000000000000000000000000000000",
	// -gencode arch=compute_121,code=lto_121
	"lto_121": "0800010178000000a00a0000000000009e0a00004000000043000100790000000000000000000000118001000000000077be2d9f00000000b80d00000000000048000000280000002d66747a3d30202d707265635f6469763d31202d707265635f737172743d31202d666d61643d31200000000000000000",
	// --concat of sm_121 and sm_120f
	"concat": "0001010130010000e007000000000000da070000400000000100000000000000000000000000000011800000000000000000000000000000004900000000000002000000f00000000200010100000000802400000000000000000000400000000800010079000000000000000000000011000001000000000000000000000000000000000000000048000000240000000002090000020c000002020100030d010102030000040b08000000000000000000030e00040000000200010180240000802400000000000000000000400000000800010078000000000000000000000011002001000000000000000000000000000000000000000048000000280000000002090000020c000002020100030d01010307010102030000040b08005000000000000000030e000400000000000000",
}

// container puts real headers into a container, with payloads that start so.
func container(t *testing.T, entries ...[2]string) []byte {
	t.Helper()
	var body []byte
	for _, entry := range entries {
		header, err := hex.DecodeString(real[entry[0]])
		if err != nil || len(header) < 64 {
			t.Fatalf("%s: %v", entry[0], err)
		}
		payload := make([]byte, binary.LittleEndian.Uint64(header[8:]))
		copy(payload, entry[1])
		body = append(append(body, header...), payload...)
	}
	head := []byte("\x50\xed\x55\xba\x01\x00\x10\x00")
	return append(binary.LittleEndian.AppendUint64(head, uint64(len(body))), body...)
}

const (
	elfStart  = "\x7fELF\x02\x01\x01A"
	zstdStart = "\x28\xb5\x2f\xfd"
)

func TestRealHeaders(t *testing.T) {
	data := container(t,
		[2]string{"sm_121a", elfStart}, [2]string{"sm_120f", elfStart}, [2]string{"sm_90", elfStart}, [2]string{"compute_120", zstdStart},
		[2]string{"compute_121 -G", zstdStart}, [2]string{"sm_121 -G", zstdStart},
		[2]string{"sm_121 lz4", "\xa2" + elfStart}, [2]string{"compute_120f lz4", "\x13\x0a\x01\x00\xf0\x1e.version"},
		[2]string{"lto_121", "encrypted"}, [2]string{"concat", zstdStart})
	image, err := fatbin.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	want := []fatbin.Entry{
		{Kind: fatbin.Cubin, Code: "sm_121a", Size: 9344, Stored: 9344},
		{Kind: fatbin.Cubin, Code: "sm_120f", Size: 9344, Stored: 9344},
		{Kind: fatbin.Cubin, Code: "sm_90", Size: 6232, Stored: 6232},
		{Kind: fatbin.PTX, Code: "compute_120", Compression: "zstd", Size: 1566, Stored: 556},
		{Kind: fatbin.PTX, Code: "compute_121", Compression: "zstd", Debug: true, Size: 5453, Stored: 1382, Name: "k.cu"},
		{Kind: fatbin.Cubin, Code: "sm_121", Compression: "zstd", Debug: true, Size: 43064, Stored: 8676, Name: "k.cu"},
		{Kind: fatbin.Cubin, Code: "sm_121", Compression: "lz4", Size: 9344, Stored: 2513},
		{Kind: fatbin.PTX, Code: "compute_120f", Compression: "lz4", Size: 1567, Stored: 744},
		{Kind: fatbin.NVVM, Code: "lto_121", Compression: "zstd", Size: 3512, Stored: 2718},
		{Kind: fatbin.Cubin, Code: "sm_121", Compression: "zstd", Concatenated: true, Size: 9344, Stored: 2010},
		{Kind: fatbin.Cubin, Code: "sm_120f", Compression: "zstd", Concatenated: true, Size: 9344},
	}
	for i := range want {
		want[i].Container = 1
	}
	if diff := cmp.Diff(&fatbin.Image{Format: "fatbin", Entries: want}, image, ignoreOffset); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	codes := strings.Join(image.Codes(), " ")
	if codes != "sm_90 compute_120 compute_120f sm_120f compute_121 lto_121 sm_121 sm_121a" {
		t.Errorf("Codes gives %s", codes)
	}
}
