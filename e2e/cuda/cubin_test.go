package cuda_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/fatbin"
)

// param is where the device code expects an argument, in bytes.
type param struct{ offset, size int }

// A kernel's section of attributes in a cubin: each has a format, a number, and
// 16 bits of value or of length. cuobjdump -elf calls the two that count here
// EIFMT_SVAL and EIATTR_KPARAM_INFO; the value of the latter is an index (32
// bits), the argument's number and offset (16 bits each), and flags of which
// the upper 14 bits are the size.
const (
	infoPrefix   = ".nv.info."
	formatSized  = 4
	attributeArg = 0x17
)

// kernelParams gives the arguments of each kernel in the one piece of machine
// code that a driver would load, in order, and whether there is code for the
// device linker beside it.
func kernelParams(t *testing.T, file string) (kernels map[string][]param, linked bool) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	image, err := fatbin.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	entries := slices.DeleteFunc(image.Entries, func(e fatbin.Entry) bool {
		linked = linked || e.Relocatable
		return e.Relocatable
	})
	if len(entries) != 1 || entries[0].Code != "sm_121" || entries[0].Compression != "" {
		t.Fatalf("%s: want uncompressed sm_121 alone: %+v", file, entries)
	}
	entry := entries[0]
	cubin, err := elf.NewFile(bytes.NewReader(data[entry.Offset : entry.Offset+entry.Stored]))
	if err != nil {
		t.Fatal(err)
	}
	kernels = map[string][]param{}
	for _, section := range cubin.Sections {
		name, ok := strings.CutPrefix(section.Name, infoPrefix)
		if !ok {
			continue
		}
		info, err := section.Data()
		if err != nil {
			t.Fatal(err)
		}
		kernels[name] = params(t, info)
	}
	return kernels, linked
}

func params(t *testing.T, info []byte) []param {
	t.Helper()
	le := binary.LittleEndian
	found := map[int]param{}
	for len(info) >= 4 {
		format, attribute, length := info[0], info[1], 0
		if format == formatSized {
			length = int(le.Uint16(info[2:]))
		}
		if 4+length > len(info) {
			t.Fatal("a kernel's attributes are cut off")
		}
		value := info[4 : 4+length]
		info = info[4+length:]
		if format == formatSized && attribute == attributeArg {
			found[int(le.Uint16(value[4:]))] = param{int(le.Uint16(value[6:])), int(le.Uint32(value[8:]) >> 18)}
		}
	}
	var list []param
	for i := range len(found) {
		one, ok := found[i]
		if !ok {
			t.Fatalf("argument %d of %d is not described", i, len(found))
		}
		list = append(list, one)
	}
	return list
}

// encodeParams is the form in which fake/cudart.c takes the sizes.
func encodeParams(kernels map[string][]param) string {
	var all []string
	for name, params := range kernels {
		var sizes []string
		for _, one := range params {
			sizes = append(sizes, fmt.Sprint(one.size))
		}
		all = append(all, name+"="+strings.Join(sizes, ","))
	}
	slices.Sort(all)
	return strings.Join(all, ";")
}
