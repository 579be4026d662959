package audit

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/native"
)

// interpreterSuffix is how an ELF extension module's suffix names its
// interpreter, as in .cpython-312-aarch64-linux-gnu.so and .abi3.so.
var interpreterSuffix = regexp.MustCompile(`^\.(cpython|cp3|abi3|pypy|graalpy)`)

// module gives the name under which a member is imported and its suffix. ok is
// false for a library that is no extension module.
//
// A .pyd always is one. A .so is one when its suffix names an interpreter,
// when it exports a PyInit_ function, or when it uses the interpreter's symbols
// and is not called lib….
func (m *nativeMember) module() (name, suffix string, ok bool) {
	base := path.Base(m.name)
	name, rest, _ := strings.Cut(base, ".")
	suffix = "." + rest
	if m.binary.Format() == native.PE {
		return name, suffix, strings.HasSuffix(strings.ToLower(base), ".pyd")
	}
	if !strings.HasSuffix(base, ".so") {
		return "", "", false
	}
	usesPython := slices.ContainsFunc(m.binary.ELF.Undefined, func(symbol string) bool {
		return strings.HasPrefix(symbol, "Py") || strings.HasPrefix(symbol, "_Py")
	})
	return name, suffix, interpreterSuffix.MatchString(suffix) ||
		m.binary.HasExport("PyInit_"+name) ||
		suffix == ".so" && usesPython && !strings.HasPrefix(name, "lib")
}

// checkModule judges an extension module's suffix and its init function.
func (a *auditor) checkModule(member *nativeMember) {
	name, suffix, ok := member.module()
	if !ok {
		return
	}
	member.report.Native.Module = name
	if a.name.ABI != nil {
		var allowed []string
		for _, abi := range a.name.ABI {
			allowed = append(allowed, a.policy.suffixes(abi)...)
		}
		if !slices.Contains(allowed, suffix) {
			a.add("module-suffix", member.name, "build with the target's extension suffix (setuptools: SETUPTOOLS_EXT_SUFFIX)",
				"has the suffix %s, and a wheel with the ABI tag %s for %s has %s", suffix, strings.Join(a.name.ABI, "."), a.policy.Platform, strings.Join(allowed, " or "))
		}
	}
	if matches(a.options.Libraries, member.name, strings.Clone) {
		return
	}
	// A name outside ASCII has PyInitU_ and Punycode (PEP 489), which nobody
	// uses; it is refused here rather than encoded.
	if !member.binary.HasExport("PyInit_" + name) {
		a.add("module-init", member.name, "export it (check visibility flags and the module's name), or name the member in library_members if it is no extension module",
			"does not export PyInit_%s, so that it cannot be imported", name)
	}
}
