// Package fatbin lists the device code that CUDA binaries carry: machine code
// for a GPU (cubin), PTX and NVVM, each with its architecture.
//
// Its primary type is [Image]. [Parse] makes it from the bytes of one file, a
// shared object, a DLL, an object file or a bare .fatbin, without decompressing
// anything: the headers say all that is listed here. Parse never panics and
// takes no more room than a small multiple of its input, whatever that holds.
// [Entry.Payload] is the code itself, and [Entry.Kernels] what is launched in it.
//
// # Sources
//
// A fat binary is a container with a header of 16 bytes and entries behind it.
// Where each fact comes from:
//
//   - The names of the sections (.nv_fatbin, __nv_relfatbin, .nvFatBinSegment)
//     and the magic of the wrapper in the last one are in NVIDIA's
//     fatbinary_section.h, which every toolkit has. A PE image keeps the first
//     eight letters of a section's name.
//   - That the code in __nv_relfatbin is an input of the device linker and not
//     code that runs is in "NVIDIA CUDA Compiler Driver NVCC", separate
//     compilation, and is how cuobjdump treats it.
//   - The container and the entry are documented nowhere. They were read off
//     files made for the purpose by nvcc and fatbinary 13.4.92 (each kind, each
//     --compress-mode, -G, -lineinfo, -rdc, --concat, architectures with and
//     without suffix) and compared with what cuobjdump 13.5.37 prints for the
//     same files, for CUDA 13.4's libcurand.so and curand64_10.dll, and for a
//     library of CUDA 12.4. entry.go has the layout.
//   - What a cubin's and zstd's first bytes are is in the ELF specification and
//     in RFC 8878.
package fatbin

import (
	"cmp"
	"fmt"
	"slices"
)

// Kind is what an entry holds.
type Kind string

// The kinds that have a name; any other is "kind 0x10" or the like.
const (
	// Cubin is machine code (SASS), which runs on the GPUs of its architecture.
	Cubin Kind = "cubin"
	// PTX is text that the driver compiles when the program starts.
	PTX Kind = "ptx"
	// NVVM is intermediate code for link-time optimisation (-dlto).
	NVVM Kind = "nvvm"
)

// Entry is one piece of device code.
type Entry struct {
	Kind Kind `json:"kind"`
	// Code names kind and architecture as nvcc's -gencode does: sm_121a for
	// machine code, compute_121a for PTX, lto_121a for NVVM.
	Code string `json:"code"`
	// Section is the section of the host binary; "" for a bare .fatbin and for
	// what lies outside of every section.
	Section string `json:"section,omitempty"`
	// Container numbers the containers of the file from 1. The runtime picks one
	// entry of each, which nvcc makes for each source.
	Container int `json:"container"`
	// Loose containers lie outside of the sections made for device code: data
	// that the program itself may hand to the driver.
	Loose bool `json:"loose,omitempty"`
	// Relocatable code is the device linker's input; no driver loads it.
	Relocatable bool `json:"relocatable,omitempty"`
	// Compression is "", "zstd" or "lz4".
	Compression string `json:"compression,omitempty"`
	// Concatenated entries of one container are compressed together
	// (--concat): Stored is then 0 for all but the first.
	Concatenated bool `json:"concatenated,omitempty"`
	// Debug tells of a compile with -G, which is slow; -lineinfo is not it.
	Debug bool `json:"debug,omitempty"`
	// Offset is where the stored code begins in the file; all parts of a
	// concatenation have that of the whole.
	Offset uint64 `json:"offset"`
	// Size is the code's length in bytes, and Stored its length in the file,
	// both with up to seven bytes of padding.
	Size   uint64 `json:"size"`
	Stored uint64 `json:"stored"`
	// Name is the source file, which a compile with -G or -lineinfo notes.
	Name string `json:"name,omitempty"`
}

// Image is what one file carries.
type Image struct {
	// Format is "ELF", "PE", "COFF" (an object file for Windows) or "fatbin".
	Format string `json:"format"`
	// Entries are in the file's order.
	Entries []Entry `json:"entries"`
}

// Codes lists the code that a driver can load, sorted by architecture, each
// once: what is relocatable is left out.
func (i *Image) Codes() []string {
	var codes []string
	for _, entry := range i.Entries {
		if !entry.Relocatable {
			codes = append(codes, entry.Code)
		}
	}
	SortCodes(codes)
	return slices.Compact(codes)
}

// SortCodes sorts names such as sm_90a and compute_121 by the architecture's
// number, then by their letters.
func SortCodes(codes []string) {
	slices.SortFunc(codes, func(a, b string) int {
		left, right := Arch{}, Arch{}
		// What is no architecture sorts first.
		if _, arch, err := ParseCode(a); err == nil {
			left = arch
		}
		if _, arch, err := ParseCode(b); err == nil {
			right = arch
		}
		return cmp.Or(cmp.Compare(left.Number, right.Number), cmp.Compare(a, b))
	})
}

// Arch is a GPU architecture: 121, 121a (this one only) or 120f (its family).
type Arch struct {
	Number uint32
	// Suffix is "", "a" or "f".
	Suffix string
}

func (a Arch) String() string { return fmt.Sprintf("%d%s", a.Number, a.Suffix) }

// prefixes are how -gencode spells each kind.
var prefixes = map[Kind]string{Cubin: "sm_", PTX: "compute_", NVVM: "lto_"}

// Code names code of one kind for the architecture.
func (a Arch) Code(kind Kind) string {
	if prefix, ok := prefixes[kind]; ok {
		return prefix + a.String()
	}
	return fmt.Sprintf("%s %s", kind, a)
}
