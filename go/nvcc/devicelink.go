package nvcc

import (
	"bytes"
	"debug/pe"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/stage"
)

// What a COFF object with relocatable device code holds: the code, a fat binary,
// in a section of its own, and a call of the function that registers it, whose
// name ends with the object's identity.
const (
	deviceCode     = "__nv_relfatbin"
	registerLinked = "__cudaRegisterLinkedBinary"
)

// linkDevice is nvlink, NVIDIA's linker of device code, for Windows. nvlink for
// Linux finds no device code in COFF objects and says nothing about it, so it
// gets the fat binaries out of them; the list of their identities, which it would
// make up from file names, is written here.
func (s *setting) linkDevice(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(err error) int {
		fmt.Fprintln(stderr, "nvcc:", err)
		return 1
	}
	var register string
	var identities []string
	args = append([]string{}, args...)
	for i, arg := range args {
		if file, ok := strings.CutPrefix(arg, "--register-link-binaries="); ok {
			register = file
		}
		// Of the arguments, only the inputs are called so; the output is a cubin.
		if filepath.Ext(arg) != ".o" {
			continue
		}
		code, identity, err := relocatable(arg)
		if err != nil {
			return fail(err)
		}
		identities = append(identities, identity)
		args[i] = filepath.Join(s.Temp, fmt.Sprintf("%d.fatbin", i))
		if err := os.WriteFile(args[i], code, 0o644); err != nil {
			return fail(err)
		}
	}
	var said bytes.Buffer
	code := run(stdin, stdout, &said, s.Linker, args...)
	for _, line := range strings.SplitAfter(said.String(), "\n") {
		// There is host code: in the object that the fat binary comes from.
		if !strings.Contains(line, "has no host code") {
			io.WriteString(stderr, line)
		}
	}
	if code != 0 || register == "" {
		return code
	}
	var list strings.Builder
	fmt.Fprintf(&list, "#define NUM_PRELINKED_OBJECTS %d\n", len(identities))
	for _, identity := range identities {
		fmt.Fprintf(&list, "DEFINE_REGISTER_FUNC(%s)\n", identity)
	}
	if err := stage.File(register, []byte(list.String())); err != nil {
		return fail(err)
	}
	return 0
}

// relocatable is the device code of a COFF object and the object's identity.
func relocatable(name string) (code []byte, identity string, err error) {
	file, err := pe.Open(name)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	defer file.Close()
	if section := file.Section(deviceCode); section != nil {
		if code, err = section.Data(); err != nil {
			return nil, "", fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, symbol := range file.Symbols {
		if rest, ok := strings.CutPrefix(symbol.Name, registerLinked); ok {
			identity = rest
		}
	}
	if len(code) == 0 || identity == "" {
		return nil, "", fmt.Errorf("%s: there is no relocatable device code in it; compile it with rdc", name)
	}
	return code, identity, nil
}
