// Package cmd_test looks at the commands as Windows would: each one must be a console program of the right machine.
package cmd_test

import (
	"debug/pe"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
)

// machines has the COFF machine type of each GOARCH (PE format, "Machine Types").
var machines = map[string]uint16{
	"amd64": pe.IMAGE_FILE_MACHINE_AMD64, // 0x8664
	"arm64": pe.IMAGE_FILE_MACHINE_ARM64, // 0xAA64
}

// TestWindowsBinaries opens each .../windows_GOARCH/COMMAND.exe that WINDOWS_BINARIES names by its runfiles path.
func TestWindowsBinaries(t *testing.T) {
	list := strings.Fields(os.Getenv("WINDOWS_BINARIES"))
	if len(list) == 0 {
		if os.Getenv("TEST_SRCDIR") != "" {
			t.Fatal("WINDOWS_BINARIES is empty: no command was built for Windows")
		}
		t.Skip("WINDOWS_BINARIES is not set: run by `bazel test //go/cmd:cmd_test`")
	}
	builds := map[string]int{}
	for _, name := range list {
		goarch, command, err := split(name)
		if err != "" {
			t.Errorf("%s: %s", name, err)
			continue
		}
		builds[command]++
		t.Run(goarch+"/"+command, func(t *testing.T) {
			file, err := runfiles.Rlocation(name)
			if err != nil {
				t.Fatal(err)
			}
			checkProgram(t, file, machines[goarch])
		})
	}
	for command, n := range builds {
		if n != len(machines) {
			t.Errorf("%s was built for %d kinds of Windows machine, not for %d", command, n, len(machines))
		}
	}
}

// split takes GOARCH and COMMAND out of a path .../windows_GOARCH/COMMAND.exe, or says why it cannot.
func split(name string) (goarch, command, problem string) {
	goarch, ok := strings.CutPrefix(path.Base(path.Dir(name)), "windows_")
	if _, known := machines[goarch]; !ok || !known {
		return "", "", "its folder is not windows_GOARCH of a known GOARCH"
	}
	command, ok = strings.CutSuffix(path.Base(name), ".exe")
	if !ok {
		return "", "", "its name does not end in .exe: Windows would not run it"
	}
	return goarch, command, ""
}

// checkProgram fails t unless file is a PE32+ console program for machine.
func checkProgram(t *testing.T, file string, machine uint16) {
	f, err := pe.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Machine != machine {
		t.Errorf("machine type %#x, want %#x", f.Machine, machine)
	}
	if f.Characteristics&pe.IMAGE_FILE_EXECUTABLE_IMAGE == 0 || f.Characteristics&pe.IMAGE_FILE_DLL != 0 {
		t.Errorf("characteristics %#x are not a program's", f.Characteristics)
	}
	header, ok := f.OptionalHeader.(*pe.OptionalHeader64)
	if !ok {
		t.Fatalf("optional header is %T, not that of a 64 bit program", f.OptionalHeader)
	}
	if header.Subsystem != pe.IMAGE_SUBSYSTEM_WINDOWS_CUI {
		t.Errorf("subsystem %d, want %d: a console program", header.Subsystem, pe.IMAGE_SUBSYSTEM_WINDOWS_CUI)
	}
}
