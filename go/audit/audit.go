// Package audit decides whether a wheel may be published.
//
// A Policy says what a platform's wheels may hold, and Run checks one wheel
// against it: names and tags, RECORD, the zip file, and for every native
// member its machine, its imports, its exports, the folders it remembers and the
// GPUs that its device code is for.
// Run reports everything that is wrong together, each as one wheel.Problem,
// and returns a Report of what it saw.
//
// The checks, their messages and their remedies are listed in docs/audit.md.
package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/fatbin"
	"github.com/sparkwheels/sparkwheels/go/native"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// Options are what one wheel asks for beside its platform's policy.
type Options struct {
	// Imports are libraries that another package brings, with * as wildcard.
	Imports []string
	// Libraries are members, with * as wildcard, that look like extension
	// modules but are none, so that they need no PyInit_ function.
	Libraries []string
	// Digests are files of vendors beside those of the pinned toolkit, whose
	// digests are built in: the first 16 hex digits of the sha256, to a name.
	Digests map[string]string
	// AnyDevice accepts device code of a wheel that declares none.
	AnyDevice bool
	// SizeLimit is the most bytes that the wheel may have; 0 for no limit.
	SizeLimit int64
	// Paths are members, with * as wildcard, in which a build path is no
	// accident but text, such as a test's expected output.
	Paths []string
	// Device is the device code that each native member must hold, such as
	// sm_121 (machine code), sm_121a or compute_121 (PTX). Without it a member
	// that holds device code is refused.
	Device []string
	// HostMembers are native members, with * as wildcard, that hold none.
	HostMembers []string
	// Upstream says that the wheel is one that upstream published: what only
	// matters of a wheel that we make (its name's form, entries for folders,
	// build paths, whose libraries lie in it, device code that nobody asked
	// for) is not judged.
	Upstream bool
}

// check refuses a code that is none.
func (o *Options) check() error {
	for _, code := range o.Device {
		if _, _, err := fatbin.ParseCode(code); err != nil {
			return fmt.Errorf("--sm: %w", err)
		}
	}
	return nil
}

// auditor is one run.
type auditor struct {
	policy   *Policy
	options  Options
	archive  *wheel.Archive
	name     wheel.Name
	meta     *wheel.Meta
	natives  []*nativeMember
	problems wheel.Problems
	report   *Report
	hashes   map[string]wheel.RecordEntry
}

// nativeMember is a member that was parsed, until its imports are judged.
type nativeMember struct {
	name   string
	binary *native.Binary
	report *MemberReport
}

const rebuild = "build the wheel again"

// Run checks a wheel. problems lists what is wrong, in the order of the
// members; it is empty for a good wheel. The error says that the file cannot
// be read at all.
func Run(file string, policy *Policy, options Options) (report *Report, problems wheel.Problems, err error) {
	if err := options.check(); err != nil {
		return nil, nil, err
	}
	archive, err := wheel.Open(file)
	if err != nil {
		if found, ok := err.(wheel.Problems); ok {
			return nil, found, nil
		}
		return nil, nil, err
	}
	defer archive.Close()
	sum, size, err := digest(file)
	if err != nil {
		return nil, nil, err
	}
	a := &auditor{
		policy: policy, options: options, archive: archive,
		report: &Report{Wheel: archive.Base, SHA256: sum, Size: size, Policy: policy.Platform, Members: []*MemberReport{}},
		hashes: map[string]wheel.RecordEntry{},
	}
	if options.Upstream {
		a.addAll("zip-layout", archive.Problems().WithoutFolders())
	} else {
		a.addAll("zip-layout", archive.Problems())
	}
	a.checkNames()
	for _, member := range archive.Members {
		a.checkMember(member)
	}
	for _, member := range a.natives {
		a.checkImports(member)
		a.checkModule(member)
	}
	a.checkOpenMP()
	a.checkKind()
	a.checkMetadata()
	a.checkEntryPoints()
	if !a.options.Upstream {
		a.checkModes()
	}
	a.checkSize()
	a.checkRecord()
	a.checkUse()
	return a.report, a.problems, nil
}

func digest(file string) (sum string, size int64, err error) {
	f, err := os.Open(file)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	hash := sha256.New()
	size, err = io.Copy(hash, f)
	return hex.EncodeToString(hash.Sum(nil)), size, err
}

// checkMember reads one member and judges all that can be judged alone.
func (a *auditor) checkMember(member *wheel.Member) {
	data, err := member.Read()
	if err != nil {
		a.addAll("zip-damaged", err.(wheel.Problems))
		return
	}
	sum := sha256.Sum256(data)
	report := &MemberReport{Name: member.Name, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
	a.report.Members = append(a.report.Members, report)
	a.hashes[member.Name] = wheel.RecordEntry{Path: member.Name, Hash: wheel.Hash(data), Size: int64(len(data))}

	base := path.Base(member.Name)
	format, promised := native.Sniff(data), native.Suffix(base)
	vendor := a.options.Upstream || a.checkVendorFile(member.Name) || a.checkVendorDigest(member.Name, report.SHA256)
	if !a.options.Upstream {
		a.checkPaths(member.Name, data, format != native.None)
	}
	switch {
	case format == native.None && promised == native.None:
		return
	case format == native.None:
		a.add("format-name", member.Name, "leave the file out, or build it for "+a.policy.Platform, "is called like %s image but is none", promised.Article())
		return
	case promised != native.None && promised != format:
		a.add("format-name", member.Name, "give the file the suffix of its kind", "is called like %s image but is %s image", promised.Article(), format.Article())
	}
	if format != a.policy.Format {
		a.add("format", member.Name, "build it for "+a.policy.Platform+", or leave it out", "is %s image, which %s cannot load", format.Article(), a.policy.Platform)
		return
	}
	binary, err := native.Parse(data)
	if err != nil {
		a.add("image-broken", member.Name, rebuild, "cannot be read: %v", err)
		return
	}
	report.Native = newNativeReport(binary)
	a.natives = append(a.natives, &nativeMember{member.Name, binary, report})
	a.checkMachine(member.Name, binary)
	if !vendor {
		a.checkVendor(member.Name, binary)
	}
	if !a.options.Upstream {
		a.checkDebugPath(member.Name, binary)
		a.checkSearchPaths(member.Name, binary)
	}
	a.checkVersions(member.Name, binary)
	a.checkStack(member.Name, binary)
	a.checkStableABI(member.Name, binary)
	a.checkDevice(member.Name, data, report.Native)
}

func (a *auditor) checkMachine(name string, binary *native.Binary) {
	machine := binary.Machine()
	if machine == a.policy.Machine || slices.Contains(a.policy.Hybrids, machine) {
		return
	}
	a.add("machine", name, "build it for "+a.policy.Machine+", or take the library of the right architecture",
		"is built for %s, and a %s wheel needs %s", machine, a.policy.Platform, a.policy.Machine)
}

// checkKind refuses native members in a wheel that calls itself pure.
func (a *auditor) checkKind() {
	if a.meta == nil || len(a.natives) == 0 {
		return
	}
	data := strings.TrimSuffix(a.meta.DistInfo, ".dist-info") + ".data/"
	atRoot := slices.IndexFunc(a.natives, func(member *nativeMember) bool { return !strings.HasPrefix(member.name, data) })
	if a.meta.Info.Purelib && atRoot >= 0 {
		a.add("purelib", a.meta.DistInfo+"/WHEEL", "pack the wheel with `wheel pack`", "says Root-Is-Purelib: true, but %s is native", a.natives[atRoot].name)
	}
	if slices.Contains(a.name.Platform, wheel.AnyPlatform) {
		a.add("purelib", a.archive.Base, retag, "has the platform tag any, but %s is native", a.natives[0].name)
	}
}

// checkUse refuses options that match nothing: they would hide a later fault.
func (a *auditor) checkUse() {
	if len(a.options.Device) > 0 && len(a.natives) == 0 {
		a.add("unused-exception", a.archive.Base, "remove the option, or put the libraries into the wheel", "--sm %s is asked of a wheel without native members", strings.Join(a.options.Device, ", "))
	}
	if len(a.options.HostMembers) > 0 && len(a.options.Device) == 0 {
		a.add("unused-exception", a.archive.Base, "remove the option", "--host-member says nothing without --sm")
	}
	for _, option := range []struct {
		name     string
		patterns []string
		used     func(pattern string) bool
	}{
		{"--allow-import", a.options.Imports, func(pattern string) bool {
			return slices.ContainsFunc(a.natives, func(n *nativeMember) bool {
				return slices.ContainsFunc(n.binary.Imports(), func(library string) bool {
					return matches([]string{pattern}, library, a.policy.fold)
				})
			})
		}},
		{"--library-member", a.options.Libraries, a.matchesMember},
		{"--allow-path", a.options.Paths, a.matchesMember},
		{"--host-member", a.options.HostMembers, a.matchesNative},
	} {
		for _, pattern := range option.patterns {
			if !option.used(pattern) {
				a.add("unused-exception", a.archive.Base, "remove the option", "%s %s matches nothing in the wheel", option.name, pattern)
			}
		}
	}
}

func (a *auditor) matchesMember(pattern string) bool {
	return slices.ContainsFunc(a.archive.Members, func(member *wheel.Member) bool {
		return matches([]string{pattern}, member.Name, strings.Clone)
	})
}

func (a *auditor) matchesNative(pattern string) bool {
	return slices.ContainsFunc(a.natives, func(n *nativeMember) bool {
		return matches([]string{pattern}, n.name, strings.Clone)
	})
}
