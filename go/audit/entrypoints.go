package audit

import (
	"regexp"
	"strings"
)

// entryPoint is a line of entry_points.txt: name = module:attribute [extras].
var entryPoint = regexp.MustCompile(`^([^=\[\]]*[^=\[\]\s])\s*=\s*([A-Za-z_][\w.]*)(?::([A-Za-z_][\w.]*))?\s*(\[[^\]]*\])?$`)

// checkEntryPoints judges entry_points.txt: its form, and that every module of
// the wheel that it names is there (PyPA, "Entry points specification").
func (a *auditor) checkEntryPoints() {
	if a.meta == nil {
		return
	}
	place := a.meta.DistInfo + "/entry_points.txt"
	member := a.archive.Member(place)
	if member == nil {
		return
	}
	data, err := member.Read()
	if err != nil {
		return // told when the members were read
	}
	const fix = "correct the project's entry points"
	group, seen := "", map[string]bool{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
			continue
		case line[0] == '[' && strings.HasSuffix(line, "]"):
			group = strings.TrimSpace(line[1 : len(line)-1])
			continue
		}
		parts := entryPoint.FindStringSubmatch(line)
		script := group == "console_scripts" || group == "gui_scripts"
		switch {
		case parts == nil || group == "":
			a.add("entry-point", place, fix, "has the line %q, which is no entry point", line)
			continue
		case script && parts[3] == "":
			a.add("entry-point", place, fix, "has the script %s without a function", parts[1])
		case seen[group+"\x00"+parts[1]]:
			a.add("entry-point", place, fix, "has %s twice in [%s]", parts[1], group)
		}
		seen[group+"\x00"+parts[1]] = true
		if missing := a.missingModule(parts[2]); missing {
			a.add("entry-point", place, fix, "names the module %s for %s, which the wheel does not have", parts[2], parts[1])
		}
	}
}

// missingModule tells whether a module's package is in the wheel and the module
// is not. Another package's module may be anywhere.
func (a *auditor) missingModule(module string) bool {
	file := strings.ReplaceAll(module, ".", "/")
	top, _, _ := strings.Cut(file, "/")
	own, there := false, false
	for _, member := range a.archive.Members {
		name := member.Name
		for _, scheme := range []string{"purelib", "platlib"} {
			name = strings.TrimPrefix(name, strings.TrimSuffix(a.meta.DistInfo, ".dist-info")+".data/"+scheme+"/")
		}
		own = own || strings.HasPrefix(name, top+"/") || strings.HasPrefix(name, top+".")
		there = there || strings.HasPrefix(name, file+"/") || strings.HasPrefix(name, file+".")
	}
	return own && !there
}
