package toolkit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/stage"
)

// profile is the nvcc.profile of [Tools]: where the programs are, and the one
// header that comes with them. NVIDIA's own adds the toolkit's headers and
// libraries, which here are the target's and named by the caller, and PATH, which
// package nvcc sets.
const profile = `TOP = $(_HERE_)/..
CICC_PATH = $(TOP)/nvvm/bin
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice
INCLUDES += "-I$(TOP)/include" $(_SPACE_)
`

// ToolsOptions are the components for the machine that compiles.
type ToolsOptions struct {
	// NVCC and NVVM are the archives of these components.
	NVCC, NVVM string
	// Out is the folder to make; it must be absent or empty.
	Out string
}

// Tools makes the tree of the compiler's programs:
//
//	bin/          nvcc, cudafe++, ptxas, fatbinary, nvlink, bin2c, nvcc.profile
//	bin/crt/      the text that device links are made from
//	include/      what nvcc's own output includes
//	nvvm/bin/     cicc
//	nvvm/libdevice/
//
// The program that asks the machine's GPU for its architecture is left out: an
// action must not depend on the machine that runs it.
func Tools(o ToolsOptions) error {
	return stage.Dir(o.Out, func(dir string) error {
		work, err := os.MkdirTemp(filepath.Dir(dir), "toolkit")
		if err != nil {
			return err
		}
		defer os.RemoveAll(work)
		nvcc, err := unpack("nvcc", o.NVCC, work)
		if err != nil {
			return err
		}
		nvvm, err := unpack("nvvm", o.NVVM, work)
		if err != nil {
			return err
		}
		skip := func(name string) bool {
			return name == "nvcc.profile" || strings.HasPrefix(name, "__nvcc_device_query")
		}
		if err := nvcc.copyTree("bin", filepath.Join(dir, "bin"), skip); err != nil {
			return err
		}
		if err := nvcc.copyTree("include", filepath.Join(dir, "include"), nil); err != nil {
			return err
		}
		// The library for programs that compile by themselves; cicc does not need it.
		library := func(name string) bool { return strings.HasSuffix(name, ".dll") || strings.Contains(name, ".so") }
		for _, folder := range []string{"nvvm/bin", "nvvm/libdevice"} {
			if err := nvvm.copyTree(folder, filepath.Join(dir, filepath.FromSlash(folder)), library); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "bin", "nvcc.profile"), []byte(profile), 0o644); err != nil {
			return err
		}
		if err := lineEnds(filepath.Join(dir, "bin", "crt")); err != nil {
			return err
		}
		if err := adapt(dir, stubEdits); err != nil {
			return err
		}
		return executable(dir)
	})
}

// stubEdits adapt the sources that a device link compiles: what they do for
// Windows is for MSVC, and clang only warns of its attributes.
var stubEdits = []edit{
	{file: "bin/crt/link.stub", old: "defined(_WIN32)", new: "defined(_MSC_VER)", count: 3, why: "the host compiler for Windows is not MSVC"},
	{file: "bin/crt/prelink.stub", old: "defined(_WIN32)", new: "defined(_MSC_VER)", count: 3, why: "the host compiler for Windows is not MSVC"},
}

// programs are those without which nvcc cannot compile, by their folder.
var programs = map[string][]string{
	"bin":      {"nvcc", "cudafe++", "ptxas", "fatbinary", "nvlink"},
	"nvvm/bin": {"cicc"},
}

// executable checks that the programs are there and makes them executable, which
// the wheels' members do not say of themselves.
func executable(dir string) error {
	for folder, names := range programs {
		for _, name := range names {
			file := filepath.Join(dir, filepath.FromSlash(folder), name)
			if _, err := os.Stat(file); err != nil {
				file += ".exe"
			}
			if _, err := os.Stat(file); err != nil {
				return fmt.Errorf("there is no %s/%s among the toolkit's programs: %w", folder, name, err)
			}
			if err := stage.Seal(file, true); err != nil {
				return err
			}
		}
	}
	return stage.Seal(filepath.Join(dir, "bin", "nvcc.profile"), false)
}
