package toolkit

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/stage"
)

// HeadersOptions are the components for the machine that the code is for.
type HeadersOptions struct {
	// CRT, CUDART and CCCL are the archives of these components.
	CRT, CUDART, CCCL string
	// Sysroot is the folder that package sysroot made for the target. Some of its
	// headers do not survive nvcc's front end and get an adapted copy. Visual C++
	// has none.
	Sysroot string
	// Target is a name that [Targets] lists.
	Target string
	// Out is the folder to make; it must be absent or empty.
	Out string
}

// target is what is particular to one target.
type target struct {
	// nvidia are the edits of NVIDIA's headers.
	nvidia []edit
	// sysroot are the edits of the sysroot's headers. The first component of a
	// file is the sysroot's folder, which the copy loses.
	sysroot []edit
	// own are headers of our own in the overlay: name to text.
	own map[string]string
}

var targets = map[string]*target{
	"linux_aarch64": {sysroot: glibcEdits},
	"win_arm64":     {nvidia: mingwToolkitEdits, sysroot: mingwEdits, own: mingwHeaders},
	// NVIDIA's headers are made for cl.exe.
	"win_arm64_msvc": {},
}

// Targets are the names of the targets, sorted.
func Targets() []string {
	var names []string
	for name := range targets {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Headers makes the tree of headers for one target:
//
//	cuda/       NVIDIA's headers, with LF line ends
//	cuda/cccl/  the CUDA C++ core libraries
//	overlay/    adapted copies of the sysroot's headers, if any; to be searched first
func Headers(o HeadersOptions) error {
	t := targets[o.Target]
	if t == nil {
		return fmt.Errorf("unknown target %q: it must be one of %s", o.Target, strings.Join(Targets(), ", "))
	}
	if o.Sysroot == "" && len(t.sysroot) > 0 {
		return fmt.Errorf("the target %s needs a sysroot", o.Target)
	}
	return stage.Dir(o.Out, func(dir string) error {
		work, err := os.MkdirTemp(filepath.Dir(dir), "toolkit")
		if err != nil {
			return err
		}
		defer os.RemoveAll(work)
		cuda := filepath.Join(dir, "cuda")
		for name, file := range map[string]string{"crt": o.CRT, "cudart": o.CUDART, "cccl": o.CCCL} {
			c, err := unpack(name, file, work)
			if err != nil {
				return err
			}
			if err := c.copyTree("include", cuda, nil); err != nil {
				return err
			}
		}
		if err := lineEnds(cuda); err != nil {
			return err
		}
		if err := adapt(cuda, t.nvidia); err != nil {
			return err
		}
		if err := t.overlay(filepath.Join(o.Sysroot, "include"), filepath.Join(dir, "overlay")); err != nil {
			return err
		}
		return seal(dir)
	})
}

// overlay makes the adapted copies.
func (t *target) overlay(sysroot, out string) error {
	var edits []edit
	for _, e := range t.sysroot {
		_, name, _ := strings.Cut(e.file, "/")
		to := filepath.Join(out, filepath.FromSlash(name))
		if _, err := os.Stat(to); err != nil {
			if err := copyFile(filepath.Join(sysroot, filepath.FromSlash(e.file)), to); err != nil {
				return fmt.Errorf("the sysroot's header %s is to be adapted (%s): %w", e.file, e.why, err)
			}
		}
		e.file = name
		edits = append(edits, e)
	}
	for name, text := range t.own {
		if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return adapt(out, edits)
}

// lineEnds turns the CRLF of the Windows packages into LF, so that one edit
// serves all platforms and the objects do not depend on the packaging.
func lineEnds(dir string) error {
	return walkFiles(dir, func(name string) error {
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(text, []byte("\r\n")) {
			return err
		}
		return os.WriteFile(name, bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), 0o644)
	})
}

func seal(dir string) error {
	return walkFiles(dir, func(name string) error { return stage.Seal(name, false) })
}

func walkFiles(dir string, do func(name string) error) error {
	return filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return do(name)
	})
}

// onlyMSVC are edits that turn what CUDA's headers do for Windows into what they
// do for MSVC: they know no other compiler there, and the rest is GCC's.
func onlyMSVC(counts map[string]int) []edit {
	var edits []edit
	for file, count := range counts {
		edits = append(edits, edit{
			file: path.Clean(file), old: "defined(_WIN32)", new: "defined(_MSC_VER)", count: count,
			why: "the host compiler for Windows is not MSVC",
		})
	}
	return edits
}
