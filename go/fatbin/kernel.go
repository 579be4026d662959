package fatbin

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Kernel is a function that the host launches.
type Kernel struct {
	// Name is the symbol, mangled as the device compiler does it.
	Name string
	// Params are in order.
	Params []Param
}

// Param is where a kernel has one argument, in bytes from the first one.
type Param struct {
	Offset, Size int
	// Align is the parameter's alignment in bytes, or 0 in machine code, which
	// does not say it.
	Align int
}

// Kernels lists the kernels of an entry by name: of PTX and of machine code.
// payload is what [Entry.Payload] gives.
func (e Entry) Kernels(payload []byte) ([]Kernel, error) {
	var kernels []Kernel
	var err error
	switch e.Kind {
	case PTX:
		kernels, err = ptxKernels(payload)
	case Cubin:
		kernels, err = cubinKernels(payload)
	default:
		return nil, fmt.Errorf("the kernels of %s are not read from this kind of code", e.Code)
	}
	slices.SortFunc(kernels, func(a, b Kernel) int { return cmp.Compare(a.Name, b.Name) })
	return kernels, err
}

// A kernel's section of attributes in a cubin: each has a format, a number, and
// 16 bits of value or of length. cuobjdump -elf calls the two that count here
// EIFMT_SVAL and EIATTR_KPARAM_INFO; the value of the latter is an index (32
// bits), the argument's number and offset (16 bits each), and flags of which
// the upper 14 bits are the size.
const (
	infoPrefix   = ".nv.info."
	formatSized  = 4
	attributeArg = 0x17
	argLength    = 12
)

func cubinKernels(payload []byte) ([]Kernel, error) {
	cubin, err := elf.NewFile(bytes.NewReader(payload))
	if err != nil {
		return nil, fmt.Errorf("the machine code's ELF headers: %w", err)
	}
	var kernels []Kernel
	for _, section := range cubin.Sections {
		name, ok := strings.CutPrefix(section.Name, infoPrefix)
		// Of functions that kernels call there are attributes, too.
		if !ok || cubin.Section(".text."+name) == nil {
			continue
		}
		info, err := section.Data()
		if err != nil {
			return nil, fmt.Errorf("section %s: %w", section.Name, err)
		}
		params, err := cubinParams(info)
		if err != nil {
			return nil, fmt.Errorf("section %s: %w", section.Name, err)
		}
		kernels = append(kernels, Kernel{name, params})
	}
	return kernels, nil
}

func cubinParams(info []byte) ([]Param, error) {
	le := binary.LittleEndian
	found := map[int]Param{}
	for len(info) >= 4 {
		format, attribute, length := info[0], info[1], 0
		if format == formatSized {
			length = int(le.Uint16(info[2:]))
		}
		if 4+length > len(info) {
			return nil, errors.New("a kernel's attributes are cut off")
		}
		value := info[4 : 4+length]
		info = info[4+length:]
		if format == formatSized && attribute == attributeArg {
			if length < argLength {
				return nil, errors.New("an argument's description is cut off")
			}
			found[int(le.Uint16(value[4:]))] = Param{Offset: int(le.Uint16(value[6:])), Size: int(le.Uint32(value[8:]) >> 18)}
		}
	}
	var params []Param
	for i := range len(found) {
		one, ok := found[i]
		if !ok {
			return nil, fmt.Errorf("argument %d of %d is not described", i, len(found))
		}
		params = append(params, one)
	}
	return params, nil
}

// A kernel in PTX, and one parameter of it, as "PTX ISA", Kernel Function
// Parameters, has them. The alignment behind .ptr is that of what a pointer leads to.
var (
	ptxEntry = regexp.MustCompile(`\.entry\s+([\w$%]+)\s*(?:\(([^)]*)\))?`)
	ptxParam = regexp.MustCompile(`^\.param\s+(?:\.align\s+(\d+)\s+)?\.([a-z]+)(\d+)\s+(?:\.ptr\s+(?:\.\w+\s+)?\.align\s+\d+\s+|\.ptr\s+(?:\.\w+\s+)?)?[\w$%]+(?:\[(\d+)\])?$`)
)

func ptxKernels(payload []byte) ([]Kernel, error) {
	var kernels []Kernel
	for _, match := range ptxEntry.FindAllSubmatch(payload, -1) {
		kernel := Kernel{Name: string(match[1])}
		end := 0
		for _, text := range strings.Split(string(match[2]), ",") {
			if text = strings.TrimSpace(text); text == "" {
				continue // a kernel without parameters
			}
			param, err := newPTXParam(text, end)
			if err != nil {
				return nil, fmt.Errorf("kernel %s: %w", kernel.Name, err)
			}
			end = param.Offset + param.Size
			kernel.Params = append(kernel.Params, param)
		}
		kernels = append(kernels, kernel)
	}
	return kernels, nil
}

// newPTXParam reads a parameter that comes after end bytes of others.
func newPTXParam(text string, end int) (Param, error) {
	match := ptxParam.FindStringSubmatch(text)
	if match == nil {
		return Param{}, fmt.Errorf("%q is no parameter of a kernel", text)
	}
	number := func(digits string, otherwise int) int {
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || n > 1<<20 {
			return otherwise
		}
		return n
	}
	element := number(match[3], 8) / 8
	align := number(match[1], max(element, 1))
	return Param{
		Offset: (end + align - 1) / align * align,
		Size:   element * number(match[4], 1),
		Align:  align,
	}, nil
}
