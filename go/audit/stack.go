package audit

import (
	"path"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/native"
)

// checkStack refuses an object that makes the stack of the whole process
// executable: glibc 2.41 and later refuse to load it.
func (a *auditor) checkStack(name string, binary *native.Binary) {
	if binary.ELF != nil && binary.ELF.ExecStack {
		a.add("exec-stack", name, "link with -z noexecstack; assembler sources need a .note.GNU-stack section", "asks for an executable stack")
	}
}

// openMP are the families of OpenMP runtimes, by what their files are called.
var openMP = map[string][]string{
	"GNU":       {"libgomp*"},
	"LLVM":      {"libomp*", "libiomp5*"},
	"Microsoft": {"vcomp1*.dll"},
}

// checkOpenMP refuses two OpenMP runtimes in one wheel: each brings a pool of
// threads of its own, and together they can deadlock.
func (a *auditor) checkOpenMP() {
	runtimes := map[string]bool{}
	add := func(library string) {
		base := strings.ToLower(path.Base(library))
		for _, family := range sortedKeys(openMP) {
			if matches(openMP[family], base, strings.ToLower) {
				// Tools that repair wheels add a hash to the name.
				stem, _, _ := strings.Cut(base, ".")
				stem, _, _ = strings.Cut(stem, "-")
				runtimes[family+"'s "+stem] = true
			}
		}
	}
	for _, member := range a.natives {
		add(member.name)
		for _, library := range member.binary.Imports() {
			add(library)
		}
	}
	if names := sortedKeys(runtimes); len(names) > 1 {
		a.add("openmp-twice", a.archive.Base, "build all members with one OpenMP runtime", "has or loads %d OpenMP runtimes: %s", len(names), strings.Join(slices.Compact(names), ", "))
	}
}
