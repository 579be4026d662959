// Package implib makes what a linker needs of a shared library without the
// library: an import library of a DLL, and for ELF a stub, a shared object with
// the same name and the same versioned symbols and nothing in them.
//
// Both come from the library's own export table and are a thousandth of its
// size. That matters for libraries of half a gigabyte, and for NVIDIA's, which no
// wheel and no shared cache should hold. [Make] is the one entry point.
package implib

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/elf"
	"github.com/sparkwheels/sparkwheels/go/pe"
	"github.com/sparkwheels/sparkwheels/go/stage"
)

// Make reads the shared library and writes its import library or stub to out.
// zig is zig's executable, which assembles and links. work is a folder for
// intermediate files; it must exist.
func Make(ctx context.Context, zig, library, work, out string) error {
	data, err := os.ReadFile(library)
	if err != nil {
		return err
	}
	var made string
	switch {
	case pe.Sniff(data):
		made, err = fromPE(ctx, zig, library, data, work)
	case elf.Sniff(data):
		made, err = fromELF(ctx, zig, data, work)
	default:
		return fmt.Errorf("%s: neither a DLL nor an ELF shared object", library)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", library, err)
	}
	text, err := os.ReadFile(made)
	if err != nil {
		return err
	}
	return stage.File(out, text)
}

// fromPE makes an import library by way of a module definition file.
func fromPE(ctx context.Context, zig, library string, data []byte, work string) (string, error) {
	image, err := pe.Parse(data)
	if err != nil {
		return "", err
	}
	if image.Machine != pe.MachineARM64 {
		return "", fmt.Errorf("the DLL is for %s, not for ARM64", image.Machine)
	}
	var names []string
	for _, export := range image.Exports {
		if export.Name != "" {
			names = append(names, export.Name)
		}
	}
	if len(names) == 0 {
		return "", fmt.Errorf("the DLL exports nothing by name")
	}
	sort.Strings(names)
	// The name in the import table is that of the file, which is how the loader looks for it.
	var def strings.Builder
	fmt.Fprintf(&def, "LIBRARY %s\nEXPORTS\n", filepath.Base(library))
	for _, name := range names {
		fmt.Fprintf(&def, "    %s\n", name)
	}
	file := filepath.Join(work, "library.def")
	if err := os.WriteFile(file, []byte(def.String()), 0o644); err != nil {
		return "", err
	}
	made := filepath.Join(work, "library.lib")
	return made, run(ctx, zig, "dlltool", "-m", "arm64", "-d", file, "-l", made)
}

// run runs one of zig's tools and puts what it says into the error.
func run(ctx context.Context, zig string, args ...string) error {
	cmd := exec.CommandContext(ctx, zig, args...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("zig %s: %w\n%s", args[0], err, said.String())
	}
	return nil
}
