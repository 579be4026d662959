package bzldoc

import (
	"regexp"
	"strings"
)

// Roles of parameters (FunctionParamRole).
const (
	roleUnspecified = 0
	roleVarargs     = 4
	roleKwargs      = 5
)

// typeName is the AttributeType of the attribute `name`.
const typeName = 1

// typeNames says what to write for the other AttributeTypes.
var typeNames = map[int]string{
	2:  "integer",
	3:  "label",
	4:  "string",
	5:  "list of strings",
	6:  "list of integers",
	7:  "list of labels",
	8:  "boolean",
	9:  "dict of labels to strings",
	10: "dict of strings",
	11: "dict of strings to lists of strings",
	12: "output",
	13: "list of outputs",
	14: "dict of strings to labels",
	15: "dict of strings to lists of labels",
}

func typeOf(a Attribute) string {
	text := typeNames[a.Type]
	if text == "" {
		text = "unknown"
	}
	var groups []string
	for _, g := range a.Requires {
		groups = append(groups, quoted(g.Names))
	}
	if len(groups) > 0 {
		text += " with " + strings.Join(groups, " or ")
	}
	return text
}

// fallback is the column of defaults.
func fallback(value string, mandatory bool) string {
	switch {
	case mandatory:
		return "required"
	case value == "":
		return ""
	}
	return "`" + strings.ReplaceAll(value, "|", `\|`) + "`"
}

func quoted(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

// stars is what a definition puts before a parameter's name. Where Bazel tells no role, a parameter that is neither
// mandatory nor has a default is one of the two with stars, and custom calls the one with a single star args.
func stars(p Parameter) string {
	starred := p.Role == roleUnspecified && !p.Mandatory && p.Default == ""
	switch {
	case p.Role == roleVarargs || starred && p.Name == "args":
		return "*"
	case p.Role == roleKwargs || starred:
		return "**"
	}
	return ""
}

// signature is a call of the function with every parameter named. It does not tell which must be named, as Bazel 7
// does not.
func signature(f Function) string {
	var args []string
	for _, p := range f.Parameters {
		arg := stars(p) + p.Name
		if p.Default != "" {
			arg += " = " + p.Default
		}
		args = append(args, arg)
	}
	return f.Name + "(" + strings.Join(args, ", ") + ")"
}

// shortLabel leaves out the main repository's name, which is written in several ways.
func shortLabel(label string) string {
	if i := strings.Index(label, "//"); i >= 0 {
		return label[i:]
	}
	return label
}

var (
	spaces = regexp.MustCompile(`\s+`)
	blank  = regexp.MustCompile(`\n[ \t]*\n\s*`)
	// What Markdown would take for HTML, where it is not in a code span.
	codeOrTag = regexp.MustCompile("`[^`]*`|<")
)

// cell is a docstring in a table.
func cell(doc string) string {
	var out []string
	for _, paragraph := range blank.Split(strings.TrimSpace(doc), -1) {
		out = append(out, escape(spaces.ReplaceAllString(paragraph, " ")))
	}
	return strings.ReplaceAll(strings.Join(out, "<br><br>"), "|", `\|`)
}

// prose is a docstring as paragraphs; those that are indented by four are code and stay as they are.
func prose(doc string) string {
	lines := strings.Split(strings.Trim(doc, "\n"), "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, " \t")
		if !strings.HasPrefix(line, "    ") {
			line = escape(line)
		}
		lines[i] = line
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func escape(text string) string {
	return codeOrTag.ReplaceAllStringFunc(text, func(match string) string {
		if match == "<" {
			return "&lt;"
		}
		return match
	})
}
