package coverage

import (
	"fmt"
	"regexp"
	"strings"

	pep440 "github.com/aquasecurity/go-pep440-version"
)

// environments are what the markers of a requirement (PEP 508) are held against on each platform, on CPython 3.12.
var environments = map[string]map[string]string{
	"linux_aarch64": {"os_name": "posix", "sys_platform": "linux", "platform_system": "Linux", "platform_machine": "aarch64"},
	"win_arm64":     {"os_name": "nt", "sys_platform": "win32", "platform_system": "Windows", "platform_machine": "ARM64"},
}

// python are the variables that are the same everywhere.
var python = map[string]string{
	"python_version": "3.12", "python_full_version": "3.12.12", "implementation_name": "cpython", "implementation_version": "3.12.12",
	"platform_python_implementation": "CPython", "extra": "", "platform_release": "", "platform_version": "",
}

var markerToken = regexp.MustCompile(`^\s*(\(|\)|"[^"]*"|'[^']*'|===|==|!=|~=|<=|>=|<|>|[A-Za-z_]+)`)

// holds evaluates a marker on a platform.
func holds(marker, platform string) (bool, error) {
	p := &markerParser{platform: platform}
	for rest := marker; strings.TrimSpace(rest) != ""; {
		m := markerToken.FindStringSubmatch(rest)
		if m == nil {
			return false, fmt.Errorf("marker %q: cannot be read at %q", marker, strings.TrimSpace(rest))
		}
		p.tokens = append(p.tokens, m[1])
		rest = rest[len(m[0]):]
	}
	value, err := p.or()
	if err == nil && len(p.tokens) > 0 {
		err = fmt.Errorf("%q is too much", p.tokens[0])
	}
	if err != nil {
		return false, fmt.Errorf("marker %q: %w", marker, err)
	}
	return value, nil
}

type markerParser struct {
	tokens   []string
	platform string
}

func (p *markerParser) next() string {
	if len(p.tokens) == 0 {
		return ""
	}
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	return t
}

func (p *markerParser) peek(t string) bool { return len(p.tokens) > 0 && p.tokens[0] == t }

func (p *markerParser) or() (bool, error) {
	value, err := p.and()
	for err == nil && p.peek("or") {
		p.next()
		var other bool
		other, err = p.and()
		value = value || other
	}
	return value, err
}

func (p *markerParser) and() (bool, error) {
	value, err := p.one()
	for err == nil && p.peek("and") {
		p.next()
		var other bool
		other, err = p.one()
		value = value && other
	}
	return value, err
}

func (p *markerParser) one() (bool, error) {
	if p.peek("(") {
		p.next()
		value, err := p.or()
		if err == nil && p.next() != ")" {
			err = fmt.Errorf("a parenthesis is not closed")
		}
		return value, err
	}
	left, version, err := p.operand()
	if err != nil {
		return false, err
	}
	op := p.next()
	if op == "not" {
		op += " " + p.next()
	}
	right, version2, err := p.operand()
	if err != nil {
		return false, err
	}
	return compare(left, op, right, version || version2)
}

// operand returns a value, and whether it is one of the variables that are versions.
func (p *markerParser) operand() (value string, version bool, err error) {
	t := p.next()
	if len(t) >= 2 && (t[0] == '"' || t[0] == '\'') {
		return t[1 : len(t)-1], false, nil
	}
	if v, ok := environments[p.platform][t]; ok {
		return v, false, nil
	}
	if v, ok := python[t]; ok {
		return v, strings.HasSuffix(t, "_version") && strings.HasPrefix(t, "python") || t == "implementation_version", nil
	}
	return "", false, fmt.Errorf("%q is no variable of PEP 508", t)
}

func compare(left, op, right string, version bool) (bool, error) {
	switch op {
	case "in":
		return strings.Contains(right, left), nil
	case "not in":
		return !strings.Contains(right, left), nil
	}
	if version {
		v, err := pep440.Parse(left)
		if err != nil { // the variable may stand on the right
			left, right = right, left
			op = strings.NewReplacer("<", ">", ">", "<").Replace(op)
			if v, err = pep440.Parse(left); err != nil {
				return false, err
			}
		}
		s, err := pep440.NewSpecifiers(op + right)
		if err != nil {
			return false, err
		}
		return s.Check(v), nil
	}
	switch op {
	case "==", "===":
		return left == right, nil
	case "!=":
		return left != right, nil
	case "<":
		return left < right, nil
	case "<=":
		return left <= right, nil
	case ">":
		return left > right, nil
	case ">=":
		return left >= right, nil
	}
	return false, fmt.Errorf("%q is no comparison of PEP 508", op)
}
