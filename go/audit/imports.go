package audit

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/elf"
	"github.com/sparkwheels/sparkwheels/go/native"
	"github.com/sparkwheels/sparkwheels/go/pe"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// checkImports judges every library that a member loads: the platform has it,
// the wheel brings it, the interpreter is it, or the wheel declares it.
func (a *auditor) checkImports(member *nativeMember) {
	for _, library := range member.binary.Imports() {
		if a.checkPythonLibrary(member.name, library) || a.policy.HasLibrary(library) {
			continue
		}
		provider := a.provider(library)
		switch {
		case provider != nil:
			a.checkSymbols(member, library, provider)
		case matches(a.options.Imports, library, a.policy.fold):
		default:
			rule, verb := "import-unknown", "imports"
			if member.delays(library) {
				rule, verb = "import-delayed", "delay-loads"
			}
			a.add(rule, member.name, "link it statically, put it into the wheel, or name it in allowed_imports if another package brings it",
				"%s %s%s, which neither %s nor the wheel has", verb, library, some(member.binary.Symbols(library)), a.policy.Platform)
		}
	}
}

// delays tells whether a PE member loads a library at the first call only.
func (m *nativeMember) delays(library string) bool {
	return m.binary.PE != nil && slices.ContainsFunc(m.binary.PE.Imports, func(i pe.Import) bool { return i.DLL == library && i.Delay })
}

// some shows the first imported symbols, which tell where an import comes from.
func some(symbols []string) string {
	const most = 3
	switch {
	case len(symbols) == 0:
		return ""
	case len(symbols) > most:
		return fmt.Sprintf(" (%s and %d more)", strings.Join(symbols[:most], ", "), len(symbols)-most)
	}
	return " (" + strings.Join(symbols, ", ") + ")"
}

// provider gives the member that is the library, by file name or, for ELF, by
// the name it calls itself; nil when there is none.
func (a *auditor) provider(library string) *nativeMember {
	for _, other := range a.natives {
		if a.policy.fold(path.Base(other.name)) == a.policy.fold(library) {
			return other
		}
		if other.binary.ELF != nil && other.binary.ELF.SOName == library {
			return other
		}
	}
	return nil
}

// checkSymbols judges the names that a PE member imports from another one. The
// loader refuses a missing one, but Wine does not, so that no test would tell.
func (a *auditor) checkSymbols(member *nativeMember, library string, provider *nativeMember) {
	var missing []string
	for _, symbol := range member.binary.Symbols(library) {
		if !strings.HasPrefix(symbol, "#") && !provider.binary.HasExport(symbol) {
			missing = append(missing, symbol)
		}
	}
	if missing != nil {
		a.add("import-symbol", member.name, "build both from the same sources", "imports from %s what %s does not export%s", library, provider.name, some(missing))
	}
}

// checkPythonLibrary judges the interpreter's own libraries; done is false for
// any other library.
func (a *auditor) checkPythonLibrary(member, library string) (done bool) {
	folded := a.policy.fold(library)
	isLibrary := func(pattern string) bool {
		if pattern == "" {
			return false
		}
		// Any version of the library is the interpreter, only one is right.
		ok, _ := path.Match(a.policy.fold(forVersion(pattern, "3[0-9]*")), folded)
		return ok
	}
	stable := a.policy.Python.StableLibrary != "" && folded == a.policy.fold(a.policy.Python.StableLibrary)
	switch {
	case strings.HasPrefix(folded, "libpython"):
		a.add("import-python", member, "leave the interpreter's symbols undefined, as extension modules do", "imports %s, and no extension module may load the interpreter", library)
		return true
	case !stable && !isLibrary(a.policy.Python.Library):
		return false
	}
	if a.name.Python == nil {
		return true // the file name is told of already
	}
	var allowed []string
	for _, abi := range a.name.ABI {
		version, found := strings.CutPrefix(abi, "cp")
		switch {
		case found:
			allowed = append(allowed, forVersion(a.policy.Python.Library, version), a.policy.Python.StableLibrary)
		case abi == "abi3":
			allowed = append(allowed, a.policy.Python.StableLibrary)
		}
	}
	if !slices.ContainsFunc(allowed, func(one string) bool { return a.policy.fold(one) == folded }) {
		want := strings.Join(allowed, " or ")
		if want == "" {
			want = "no interpreter library"
		}
		a.add("import-python", member, "build against the interpreter of the ABI tag, or correct the tag", "imports %s, and a wheel with the ABI tag %s may import %s", library, strings.Join(a.name.ABI, "."), want)
	}
	return true
}

// checkSearchPaths judges RPATH and RUNPATH: only what counts from the member
// itself means the same on the user's machine.
func (a *auditor) checkSearchPaths(name string, binary *native.Binary) {
	if binary.ELF == nil {
		return
	}
	for _, list := range []struct {
		kind    string
		folders []string
	}{{"RPATH", binary.ELF.RPath}, {"RUNPATH", binary.ELF.RunPath}} {
		for _, folder := range list.folders {
			first, _, _ := strings.Cut(folder, "/")
			if first != "$ORIGIN" && first != "${ORIGIN}" {
				a.add("rpath", name, "link without it, or use $ORIGIN", "has the %s %q, which does not start at $ORIGIN", list.kind, folder)
			}
		}
	}
}

// checkVersions judges the symbol versions that an ELF member asks for.
func (a *auditor) checkVersions(name string, binary *native.Binary) {
	if binary.ELF == nil {
		return
	}
	limit := ""
	for _, platform := range a.name.Platform {
		if glibc := wheel.ManylinuxGlibc(platform); glibc != "" && (limit == "" || elf.CompareNumbers(glibc, limit) < 0) {
			limit = glibc
		}
	}
	if floor := binary.ELF.Floor("GLIBC"); limit != "" && floor != "" && elf.CompareNumbers(floor, limit) > 0 {
		a.add("glibc-floor", name, "compile against an older glibc, or use a platform tag that says "+floor,
			"needs glibc %s%s, and the platform tag promises %s", floor, some(binary.ELF.Bound["GLIBC_"+floor]), limit)
	}
	for _, family := range sortedKeys(a.policy.SymbolVersions) {
		most := a.policy.SymbolVersions[family]
		if floor := binary.ELF.Floor(family); floor != "" && elf.CompareNumbers(floor, most) > 0 {
			a.add("symbol-floor", name, "link that library statically, or compile against an older one",
				"needs the symbol version %s_%s%s, and machines with this platform tag have %s_%s at most", family, floor, some(binary.ELF.Bound[family+"_"+floor]), family, most)
		}
	}
	for _, library := range sortedKeys(binary.ELF.Versions) {
		for _, version := range binary.ELF.Versions[library] {
			if version == "GLIBC_PRIVATE" || strings.HasPrefix(version, "GLIBC_ABI_") {
				a.add("symbol-private", name, "compile against an older glibc and call its public functions only",
					"needs %s%s of %s, which is private or newer than the platform tag", version, some(binary.ELF.Bound[version]), library)
			}
		}
	}
}
