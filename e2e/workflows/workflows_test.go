// Package workflows holds .github/workflows against actionlint's rules: syntax, expressions, names of runners, inputs of
// well-known actions. shellcheck is not part of it, since it would have to be a program of the machine.
package workflows

import (
	"io"
	"os"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/rhysd/actionlint"
)

func TestWorkflowsAreClean(t *testing.T) {
	lint := func(name string, data []byte) []*actionlint.Error {
		linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		problems, err := linter.Lint(name, data, nil)
		if err != nil {
			t.Fatal(err)
		}
		return problems
	}
	for _, name := range []string{"bumps.yml", "wheels.yml"} {
		path, err := runfiles.Rlocation("_main/.github/workflows/" + name)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range lint(".github/workflows/"+name, data) {
			t.Error(p)
		}
	}
	// It does find what is wrong.
	if len(lint("bad.yml", []byte("on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo ${{ no.such }}\n"))) == 0 {
		t.Error("actionlint accepts an expression that names nothing")
	}
}
