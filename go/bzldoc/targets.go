package bzldoc

import (
	"fmt"
	"strings"

	"github.com/bazelbuild/buildtools/build"
)

// Targets returns a page about the targets that a BUILD file lists one by one: its docstring, and for each target the
// comment above it and the attributes that are strings or lists of strings. name is the file's name in the workspace. Its
// first lines say which command makes it.
//
// Errors: the file cannot be parsed, or it has no docstring or a target no comment.
func Targets(title, command, name string, data []byte) ([]byte, error) {
	file, err := build.ParseBuild(name, data)
	if err != nil {
		return nil, err
	}
	p := newPage(title, command)
	p.doc(name, docOf(file))
	p.printf("\n| target | kind | attributes | |\n| --- | --- | --- | --- |\n")
	for _, r := range file.Rules("") {
		if r.ExplicitName() == "" {
			continue
		}
		comment := commentOf(r.Call)
		p.need(name+": "+r.ExplicitName(), comment)
		p.printf("| `%s` | %s | %s | %s |\n", r.ExplicitName(), r.Kind(), attributesOf(r), cell(comment))
	}
	return p.bytes()
}

// docOf is the string that a file begins with.
func docOf(file *build.File) string {
	for _, statement := range file.Stmt {
		switch s := statement.(type) {
		case *build.StringExpr:
			return s.Value
		case *build.CommentBlock:
			continue
		}
		return ""
	}
	return ""
}

func commentOf(call *build.CallExpr) string {
	var lines []string
	for _, c := range call.Comment().Before {
		lines = append(lines, strings.TrimSpace(strings.TrimPrefix(c.Token, "#")))
	}
	return strings.Join(lines, "\n")
}

func attributesOf(r *build.Rule) string {
	var out []string
	for _, key := range r.AttrKeys() {
		values := r.AttrStrings(key)
		if value := r.AttrString(key); value != "" {
			values = []string{value}
		}
		if key != "name" && key != "visibility" && len(values) > 0 {
			out = append(out, fmt.Sprintf("%s: %s", key, quoted(values)))
		}
	}
	return strings.Join(out, "; ")
}
