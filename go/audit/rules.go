package audit

import (
	"fmt"

	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// Rules are the names of all findings, in the order of docs/audit.md, which
// explains each. A name never changes its meaning.
var Rules = []string{
	"wheel-name", "platform-tag", "tag-mismatch", "name-mismatch", "requires-python", "purelib",
	"metadata-missing", "metadata-version", "metadata-field", "metadata-description", "metadata-license", "entry-point",
	"record", "zip-layout", "zip-damaged", "file-mode", "over-size",
	"machine", "format", "format-name", "image-broken", "exec-stack",
	"import-unknown", "import-delayed", "import-symbol", "import-python", "abi3-symbol", "openmp-twice",
	"glibc-floor", "symbol-floor", "symbol-private", "rpath", "module-suffix", "module-init",
	"build-path", "debug-path", "vendor-binary", "vendor-name", "vendor-digest", "device-code", "unused-exception",
}

// add notes a finding of a rule.
func (a *auditor) add(rule, place, fix, what string, args ...any) {
	a.problems = append(a.problems, wheel.Problem{Name: rule, Place: place, Fix: fix, What: fmt.Sprintf(what, args...)})
}

// addAll notes what another package found, under one rule.
func (a *auditor) addAll(rule string, problems wheel.Problems) {
	for _, problem := range problems {
		problem.Name = rule
		a.problems = append(a.problems, problem)
	}
}
