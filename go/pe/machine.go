package pe

import (
	"debug/pe"
	"fmt"
)

// Machine is a file header's machine type.
type Machine uint16

// The machine types that wheels are made for.
const (
	MachineI386  Machine = pe.IMAGE_FILE_MACHINE_I386
	MachineAMD64 Machine = pe.IMAGE_FILE_MACHINE_AMD64
	MachineARM64 Machine = pe.IMAGE_FILE_MACHINE_ARM64
)

// String gives the name that Microsoft's tools print, such as ARM64 or x64.
func (m Machine) String() string {
	switch m {
	case MachineI386:
		return "x86"
	case MachineAMD64:
		return "x64"
	case MachineARM64:
		return "ARM64"
	case pe.IMAGE_FILE_MACHINE_ARMNT:
		return "ARM"
	}
	return fmt.Sprintf("machine 0x%04x", uint16(m))
}

// Hybrid tells the kinds of image that hold ARM64 code beside x64 code.
type Hybrid string

const (
	// HybridNone is an image of one machine only.
	HybridNone Hybrid = ""
	// HybridARM64EC is an image whose header says x64 but whose code is ARM64
	// in the emulation-compatible ABI. An ARM64 process cannot load it.
	HybridARM64EC Hybrid = "ARM64EC"
	// HybridARM64X is an image that ARM64 and x64 processes can both load.
	HybridARM64X Hybrid = "ARM64X"
)

// chpeOffset is where CHPEMetadataPointer stands in the 64-bit load
// configuration (winnt.h, IMAGE_LOAD_CONFIG_DIRECTORY64).
const chpeOffset = 0xc8

// readHybrid looks at the load configuration's CHPE metadata pointer, which
// only images with emulation-compatible code have.
func readHybrid(s *space, image *Image) error {
	dir := s.directory(dirLoadConfig)
	if dir.VirtualAddress == 0 || !s.is64 {
		return nil
	}
	size, err := s.u32(dir.VirtualAddress)
	if err != nil {
		return err
	}
	// The structure's own Size says which fields this linker knew.
	if size < chpeOffset+8 {
		return nil
	}
	pointer, err := s.u64(dir.VirtualAddress + chpeOffset)
	if err != nil {
		return err
	}
	if pointer == 0 {
		return nil
	}
	switch image.Machine {
	case MachineAMD64:
		image.Hybrid = HybridARM64EC
	case MachineARM64:
		image.Hybrid = HybridARM64X
	}
	return nil
}
