package bzldoc

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Page returns a page about .bzl files, in the order given. Its first lines say which command makes it.
//
// Errors: every rule, function, provider, attribute, parameter and field must have a docstring; the error lists all that
// have none.
func Page(title, command string, modules []*Module) ([]byte, error) {
	p := newPage(title, command)
	for _, m := range modules {
		p.module(m)
	}
	return p.bytes()
}

// page collects the text and what lacks a docstring.
type page struct {
	strings.Builder
	missing []string
}

func newPage(title, command string) *page {
	p := &page{}
	p.printf("<!-- Generated from docstrings by \"%s\"; do not edit. -->\n\n# %s\n", command, title)
	return p
}

func (p *page) bytes() ([]byte, error) {
	if len(p.missing) > 0 {
		return nil, fmt.Errorf("no docstring: %s", strings.Join(p.missing, "; "))
	}
	return []byte(p.String()), nil
}

func (p *page) printf(format string, args ...any) { fmt.Fprintf(&p.Builder, format, args...) }

// doc writes a docstring as paragraphs.
func (p *page) doc(what, doc string) {
	p.need(what, doc)
	p.printf("\n%s\n", prose(doc))
}

func (p *page) need(what, doc string) {
	if strings.TrimSpace(doc) == "" {
		p.missing = append(p.missing, what)
	}
}

func (p *page) module(m *Module) {
	file := shortLabel(m.File)
	p.printf("\n## `%s`\n", file)
	p.doc(file, m.Doc)
	for _, f := range sorted(m.Functions, func(f Function) string { return f.Name }) {
		p.function(file, f)
	}
	for _, r := range sorted(m.Rules, func(r Rule) string { return r.Name }) {
		p.rule(file, r)
	}
	for _, r := range sorted(m.RepositoryRules, func(r RepositoryRule) string { return r.Name }) {
		p.repositoryRule(file, r)
	}
	for _, e := range sorted(m.Extensions, func(e Extension) string { return e.Name }) {
		p.extension(file, e)
	}
	for _, i := range sorted(m.Providers, func(i Provider) string { return i.Name }) {
		p.provider(file, i)
	}
}

func (p *page) function(file string, f Function) {
	what := file + ": " + f.Name
	p.heading("function", f.Name)
	p.printf("\n    %s\n", signature(f))
	p.doc(what, f.Doc)
	if len(f.Parameters) > 0 {
		p.printf("\n| parameter | default | |\n| --- | --- | --- |\n")
	}
	for _, a := range f.Parameters {
		p.need(what+", parameter "+a.Name, a.Doc)
		p.printf("| `%s` | %s | %s |\n", stars(a)+a.Name, fallback(a.Default, a.Mandatory), cell(a.Doc))
	}
	if f.Return.Doc != "" {
		p.printf("\nReturns %s\n", prose(f.Return.Doc))
	}
}

func (p *page) rule(file string, r Rule) {
	what := file + ": " + r.Name
	p.heading("rule", r.Name)
	p.doc(what, r.Doc)
	if len(r.Provides.Names) > 0 {
		p.printf("\nProvides %s.\n", quoted(r.Provides.Names))
	}
	p.attributes(what, r.Attributes)
}

func (p *page) repositoryRule(file string, r RepositoryRule) {
	what := file + ": " + r.Name
	p.heading("repository rule", r.Name)
	p.doc(what, r.Doc)
	p.attributes(what, r.Attributes)
}

// attributes writes a table of all but those that Bazel adds.
func (p *page) attributes(what string, attributes []Attribute) {
	own := slices.DeleteFunc(slices.Clone(attributes), func(a Attribute) bool {
		return a.Type == typeName || a.Name == "repo_mapping"
	})
	if len(own) == 0 {
		return
	}
	p.printf("\n| attribute | type | default | |\n| --- | --- | --- | --- |\n")
	for _, a := range own {
		p.need(what+", attribute "+a.Name, a.Doc)
		p.printf("| `%s` | %s | %s | %s |\n", a.Name, typeOf(a), fallback(a.Default, a.Mandatory), cell(a.Doc))
	}
}

func (p *page) extension(file string, e Extension) {
	what := file + ": " + e.Name
	p.heading("module extension", e.Name)
	p.doc(what, e.Doc)
	for _, t := range e.Tags {
		p.printf("\nTag `%s.%s`:\n", e.Name, t.Name)
		p.doc(what+"."+t.Name, t.Doc)
		p.attributes(what+"."+t.Name, t.Attributes)
	}
}

func (p *page) provider(file string, i Provider) {
	what := file + ": " + i.Name
	p.heading("provider", i.Name)
	p.doc(what, i.Doc)
	p.printf("\n| field | |\n| --- | --- |\n")
	for _, f := range i.Fields {
		p.need(what+", field "+f.Name, f.Doc)
		p.printf("| `%s` | %s |\n", f.Name, cell(f.Doc))
	}
}

func (p *page) heading(kind, name string) { p.printf("\n### %s `%s`\n", kind, name) }

// sorted keeps a page the same whatever order a Bazel version lists symbols in.
func sorted[T any](list []T, name func(T) string) []T {
	return slices.SortedFunc(slices.Values(list), func(a, b T) int { return cmp.Compare(name(a), name(b)) })
}
