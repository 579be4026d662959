// Package elf reads what an auditor needs to know of a shared object.
//
// It stands on debug/elf and gathers the dynamic section: the object's own
// name, what it needs, where it looks, what it exports, and which symbol
// versions of which library it asks for (the glibc floor).
//
// The primary type is Image. Parse makes it from the bytes of one file; after
// that it is plain data. Parse never panics, whatever the input holds.
package elf

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrNotELF says that the bytes are no ELF file at all.
var ErrNotELF = errors.New("not an ELF file")

// Image is one ELF file: a shared object, an extension module or a program.
type Image struct {
	// Machine is the architecture as wheel tags spell it, such as aarch64.
	Machine string
	// Type is DYN, EXEC or REL.
	Type string
	// Interpreter is the program interpreter, which only programs name.
	Interpreter string
	// SOName is the object's own name, or "".
	SOName string
	// Needed lists the libraries that must be there, in file order.
	Needed []string
	// RPath and RunPath list the folders to search, one entry each.
	RPath, RunPath []string
	// Exports lists the defined dynamic symbols, sorted.
	Exports []string
	// Undefined lists the symbols that others must define, sorted. Weak ones,
	// which may stay undefined, are left out.
	Undefined []string
	// ExecStack is set when the object asks for a stack that can be executed.
	ExecStack bool
	// Bound lists for each symbol version that is asked for, such as
	// GLIBC_2.28, the symbols that are bound to it, sorted.
	Bound map[string][]string
	// Versions lists for each library the symbol versions that are asked for,
	// sorted, such as libc.so.6: GLIBC_2.17, GLIBC_2.28.
	Versions map[string][]string
}

// Sniff tells whether data starts like an ELF file.
func Sniff(data []byte) bool { return bytes.HasPrefix(data, []byte(elf.ELFMAG)) }

// Parse reads an image from the bytes of a whole file. The error is ErrNotELF
// when the magic is missing, and else names the part that is broken. A file
// whose dynamic section has no section header is refused, since tools that go
// by section headers would see nothing of it.
func Parse(data []byte) (*Image, error) {
	if !Sniff(data) {
		return nil, ErrNotELF
	}
	file, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("ELF headers: %w", err)
	}
	defer file.Close()
	image := &Image{
		Machine: machineName(file),
		Type:    strings.TrimPrefix(file.Type.String(), "ET_"),
	}
	dynamic := file.SectionByType(elf.SHT_DYNAMIC)
	for _, p := range file.Progs {
		switch p.Type {
		case elf.PT_DYNAMIC:
			if dynamic == nil {
				return nil, errors.New("ELF dynamic section: there is no section header for it")
			}
		case elf.PT_GNU_STACK:
			image.ExecStack = p.Flags&elf.PF_X != 0
		case elf.PT_INTERP:
			text := make([]byte, min(p.Filesz, 4096))
			if _, err := p.ReadAt(text, 0); err != nil {
				return nil, fmt.Errorf("ELF interpreter: %w", err)
			}
			image.Interpreter, _, _ = strings.Cut(string(text), "\x00")
		}
	}
	if dynamic == nil {
		return image, nil
	}
	if err := image.readDynamic(file); err != nil {
		return nil, fmt.Errorf("ELF dynamic section: %w", err)
	}
	if err := image.readSymbols(file); err != nil {
		return nil, fmt.Errorf("ELF dynamic symbols: %w", err)
	}
	if err := image.readVersions(file); err != nil {
		return nil, fmt.Errorf("ELF symbol versions: %w", err)
	}
	return image, nil
}

func (i *Image) readDynamic(file *elf.File) error {
	for _, entry := range []struct {
		tag  elf.DynTag
		list *[]string
	}{{elf.DT_NEEDED, &i.Needed}, {elf.DT_RPATH, &i.RPath}, {elf.DT_RUNPATH, &i.RunPath}} {
		list, err := file.DynString(entry.tag)
		if err != nil {
			return err
		}
		*entry.list = list
	}
	i.RPath, i.RunPath = splitPaths(i.RPath), splitPaths(i.RunPath)
	names, err := file.DynString(elf.DT_SONAME)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		i.SOName = names[0]
	}
	return nil
}

func splitPaths(lists []string) []string {
	var folders []string
	for _, list := range lists {
		folders = append(folders, strings.Split(list, ":")...)
	}
	return folders
}

func (i *Image) readSymbols(file *elf.File) error {
	symbols, err := file.DynamicSymbols()
	if errors.Is(err, elf.ErrNoSymbols) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, symbol := range symbols {
		if symbol.Section == elf.SHN_UNDEF && symbol.Version != "" {
			if i.Bound == nil {
				i.Bound = map[string][]string{}
			}
			i.Bound[symbol.Version] = append(i.Bound[symbol.Version], symbol.Name)
		}
		bind := elf.ST_BIND(symbol.Info)
		switch {
		case symbol.Name == "" || bind == elf.STB_LOCAL:
		case symbol.Section != elf.SHN_UNDEF:
			i.Exports = append(i.Exports, symbol.Name)
		case bind != elf.STB_WEAK:
			i.Undefined = append(i.Undefined, symbol.Name)
		}
	}
	for _, names := range i.Bound {
		slices.Sort(names)
	}
	slices.Sort(i.Exports)
	slices.Sort(i.Undefined)
	i.Exports, i.Undefined = slices.Compact(i.Exports), slices.Compact(i.Undefined)
	return nil
}

func (i *Image) readVersions(file *elf.File) error {
	if file.SectionByType(elf.SHT_GNU_VERNEED) == nil {
		return nil
	}
	needs, err := file.DynamicVersionNeeds()
	if err != nil {
		return err
	}
	i.Versions = map[string][]string{}
	for _, need := range needs {
		for _, version := range need.Needs {
			i.Versions[need.Name] = append(i.Versions[need.Name], version.Dep)
		}
	}
	for library, versions := range i.Versions {
		slices.SortFunc(versions, CompareVersions)
		i.Versions[library] = slices.Compact(versions)
	}
	return nil
}

// HasExport tells whether a name is among the exported symbols.
func (i *Image) HasExport(name string) bool {
	_, found := slices.BinarySearch(i.Exports, name)
	return found
}

// machineName gives the architecture's name in platform tags.
func machineName(file *elf.File) string {
	little := file.ByteOrder.String() == "LittleEndian"
	switch {
	case file.Machine == elf.EM_AARCH64 && little:
		return "aarch64"
	case file.Machine == elf.EM_X86_64 && file.Class == elf.ELFCLASS64:
		return "x86_64"
	case file.Machine == elf.EM_386:
		return "i686"
	case file.Machine == elf.EM_ARM:
		return "arm"
	}
	return fmt.Sprintf("%s %s", file.Machine, file.ByteOrder)
}
