package ccdriver

import (
	"fmt"
	"strings"
)

// planAr plans a call of ar. COFF archives get COFF symbol tables, thin archives
// become whole ones, and times and owners are always left out.
func (t *toolchain) planAr(args []string) (*Plan, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("ar: no operation is given")
	}
	var front []string
	if t.pe {
		front = append(front, "--format=coff")
	}
	args = append([]string{}, args...)
	at := 0
	for at < len(args) && strings.HasPrefix(args[at], "--") {
		if args[at] == "--thin" {
			if t.pe {
				args = append(args[:at], args[at+1:]...)
				continue
			}
		} else if args[at] == "--version" {
			return newPlan(t.zig("ar", "--version")), nil
		}
		at++
	}
	if at == len(args) {
		return nil, fmt.Errorf("ar: no operation is given")
	}
	operation := strings.TrimPrefix(args[at], "-")
	if t.pe {
		// lld reads no thin COFF archives. The archive itself holds the same members.
		operation = strings.ReplaceAll(operation, "T", "")
	}
	operation = strings.ReplaceAll(operation, "U", "") // real times and owners
	if !strings.Contains(operation, "D") && strings.ContainsAny(operation, "rqds") {
		operation += "D"
	}
	args[at] = operation
	return newPlan(t.zig("ar", append(front, args...)...)), nil
}

// planDlltool plans a call of dlltool, for the target unless -m says otherwise.
func (t *toolchain) planDlltool(args []string) (*Plan, error) {
	if !t.pe {
		return nil, fmt.Errorf("dlltool makes import libraries of Windows; the target is %s", t.Target)
	}
	machine := []string{"-m", "arm64"}
	for _, arg := range args {
		if strings.HasPrefix(arg, "-m") || strings.HasPrefix(arg, "--machine") {
			machine = nil
		}
	}
	return newPlan(t.zig("dlltool", append(machine, args...)...)), nil
}
