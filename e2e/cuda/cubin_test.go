package cuda_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/fatbin"
)

// kernelParams gives the arguments of each kernel in the one piece of machine
// code that a driver would load, in order, and whether there is code for the
// device linker beside it.
func kernelParams(t *testing.T, file string) (kernels map[string][]fatbin.Param, linked bool) {
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
	payload, err := entries[0].Payload(data)
	if err != nil {
		t.Fatal(err)
	}
	all, err := entries[0].Kernels(payload)
	if err != nil {
		t.Fatal(err)
	}
	kernels = map[string][]fatbin.Param{}
	for _, kernel := range all {
		kernels[kernel.Name] = kernel.Params
	}
	return kernels, linked
}

// encodeParams is the form in which fake/cudart.c takes the sizes.
func encodeParams(kernels map[string][]fatbin.Param) string {
	var all []string
	for name, params := range kernels {
		var sizes []string
		for _, one := range params {
			sizes = append(sizes, fmt.Sprint(one.Size))
		}
		all = append(all, name+"="+strings.Join(sizes, ","))
	}
	slices.Sort(all)
	return strings.Join(all, ";")
}
