package implib

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// symbol is a defined dynamic symbol.
type symbol struct {
	name, version string
	kind          elf.SymType
	weak          bool
	size          uint64
}

// fromELF makes a stub: an assembled source with every symbol, linked under the
// library's own name with its symbol versions.
func fromELF(ctx context.Context, zig string, data []byte, work string) (string, error) {
	soname, symbols, err := exports(data)
	if err != nil {
		return "", err
	}
	source, object := filepath.Join(work, "stub.s"), filepath.Join(work, "stub.o")
	script, made := filepath.Join(work, "stub.map"), filepath.Join(work, "stub.so")
	if err := os.WriteFile(source, []byte(assembly(symbols)), 0o644); err != nil {
		return "", err
	}
	if err := os.WriteFile(script, []byte(versionScript(symbols)), 0o644); err != nil {
		return "", err
	}
	if err := run(ctx, zig, "clang", "--no-default-config", "--target=aarch64-linux-gnu", "-c", source, "-o", object); err != nil {
		return "", err
	}
	return made, run(ctx, zig, "ld.lld", "-m", "aarch64linux", "-shared", "--soname="+soname, "--version-script="+script,
		"--build-id=none", "-o", made, object)
}

// exports reads a library's name and defined symbols, sorted.
func exports(data []byte) (soname string, symbols []symbol, err error) {
	file, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	if file.Type != elf.ET_DYN || file.Machine != elf.EM_AARCH64 {
		return "", nil, fmt.Errorf("not a shared object for aarch64, but %v for %v", file.Type, file.Machine)
	}
	names, err := file.DynString(elf.DT_SONAME)
	if err != nil {
		return "", nil, err
	}
	if len(names) != 1 {
		return "", nil, errors.New("the library has no name of its own (DT_SONAME), so nothing could ask for it")
	}
	all, err := file.DynamicSymbols()
	if err != nil {
		return "", nil, err
	}
	for _, s := range all {
		bind := elf.ST_BIND(s.Info)
		// A version's own name stands among the symbols too, as an absolute one.
		if s.Section == elf.SHN_UNDEF || s.Section == elf.SHN_ABS || bind != elf.STB_GLOBAL && bind != elf.STB_WEAK {
			continue
		}
		own := symbol{name: s.Name, kind: elf.ST_TYPE(s.Info), weak: bind == elf.STB_WEAK, size: s.Size}
		if s.HasVersion && s.VersionIndex.Index() > 1 {
			// One of an old version, which a link does not bind to.
			if s.VersionIndex.IsHidden() {
				continue
			}
			own.version = s.Version
		}
		symbols = append(symbols, own)
	}
	if len(symbols) == 0 {
		return "", nil, errors.New("the library exports nothing")
	}
	sort.Slice(symbols, func(i, j int) bool {
		a, b := symbols[i], symbols[j]
		return a.name < b.name || a.name == b.name && a.version < b.version
	})
	return names[0], symbols, nil
}

// assembly is a source that defines the symbols. Functions are one word, so that
// none has the address of another; data have their size, which a copy
// relocation needs.
func assembly(symbols []symbol) string {
	var b strings.Builder
	for _, s := range symbols {
		section, kind, size := ".text", "%function", uint64(4)
		switch s.kind {
		case elf.STT_OBJECT:
			section, kind, size = ".bss", "%object", max(s.size, 1)
		case elf.STT_TLS:
			section, kind, size = ".section .tbss,\"awT\",%nobits", "%tls_object", max(s.size, 1)
		}
		bind := ".globl"
		if s.weak {
			bind = ".weak"
		}
		fmt.Fprintf(&b, "%s\n%s %q\n.type %q,%s\n%q:\n.zero %d\n.size %q,%d\n", section, bind, s.name, s.name, kind, s.name, size, s.name, size)
	}
	return b.String()
}

// versionScript gives each symbol the version that it has in the library.
func versionScript(symbols []symbol) string {
	by := map[string][]string{}
	for _, s := range symbols {
		by[s.version] = append(by[s.version], s.name)
	}
	var versions []string
	for version := range by {
		versions = append(versions, version)
	}
	sort.Strings(versions)
	var b strings.Builder
	for _, version := range versions {
		if version == "" && len(versions) > 1 {
			// An anonymous version cannot stand beside others: such symbols keep none, which "local: *" must not hide.
			continue
		}
		fmt.Fprintf(&b, "%s {\n  global:\n", version)
		for _, name := range by[version] {
			fmt.Fprintf(&b, "    %q;\n", name)
		}
		b.WriteString("};\n")
	}
	return b.String()
}
