package audit

import (
	"io/fs"
	"strings"
)

// checkModes judges the permissions that the zip file gives its members. A
// mode of 0 says nothing: zip files that Windows writes have none.
func (a *auditor) checkModes() {
	const fix = "pack the wheel with `wheel pack`, which gives every file its mode"
	var open []string
	for _, member := range a.archive.Members {
		mode := member.Mode()
		switch {
		case mode == 0:
		case mode&(fs.ModeSetuid|fs.ModeSetgid) != 0:
			a.add("file-mode", member.Name, fix, "has the mode %v, which runs as somebody else", mode)
		case mode.Perm()&0o400 == 0:
			a.add("file-mode", member.Name, fix, "has the mode %v, which its owner cannot read", mode)
		case mode.Perm()&0o002 != 0:
			open = append(open, member.Name)
		case a.meta != nil && strings.HasPrefix(member.Name, strings.TrimSuffix(a.meta.DistInfo, ".dist-info")+".data/scripts/") && mode.Perm()&0o100 == 0:
			a.add("file-mode", member.Name, fix, "has the mode %v, and a script must be executable", mode)
		}
	}
	if open != nil {
		a.add("file-mode", open[0], fix, "is one of %d members that everybody may write", len(open))
	}
}

// checkSize holds the file against the limit of the place where it will lie.
func (a *auditor) checkSize() {
	if limit := a.options.SizeLimit; limit > 0 && a.report.Size > limit {
		a.add("over-size", a.archive.Base, "split the wheel, build for fewer GPU architectures, or ask the index for more", "has %d bytes, and the index takes %d", a.report.Size, limit)
	}
}
