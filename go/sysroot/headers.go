package sysroot

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// tree is one folder of headers to copy.
type tree struct {
	// from is its place below zig's library folder, with slashes.
	from string
	// keep decides by the name of an entry at the top of the tree; nil keeps all.
	keep func(name string) bool
}

// headers copies each tree to out/include/<key>.
func (m *maker) headers(out string, trees map[string]tree) error {
	for name, t := range trees {
		from := filepath.Join(m.ZigLib, filepath.FromSlash(t.from))
		if err := copyTree(from, filepath.Join(out, "include", name), t.keep); err != nil {
			return err
		}
	}
	return nil
}

// copyTree copies files and folders and follows links, since a Bazel sandbox
// may be made of them.
func copyTree(from, to string, keep func(string) bool) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, entry := range entries {
		if keep != nil && !keep(entry.Name()) {
			continue
		}
		source, target := filepath.Join(from, entry.Name()), filepath.Join(to, entry.Name())
		info, err := os.Stat(source)
		if err != nil {
			return err
		}
		copyEntry := copyFile
		if info.Mode()&fs.ModeDir != 0 {
			copyEntry = func(from, to string) error { return copyTree(from, to, nil) }
		}
		if err := copyEntry(source, target); err != nil {
			return err
		}
	}
	return nil
}

// clangHeader keeps of the compiler's headers those that aarch64 code may
// include: the language's own and ARM's intrinsics. The rest, nine tenths, are
// intrinsics of other processors. Leaving them out also makes
// __has_include(<immintrin.h>) tell the truth.
func clangHeader(name string) bool {
	switch name {
	case "arm_cde.h", "arm_cmse.h", "arm_mve.h": // 32-bit ARM only
		return false
	case "builtins.h", "float.h", "inttypes.h", "iso646.h", "limits.h", "mm_malloc.h", "module.modulemap",
		"ptrauth.h", "tgmath.h", "unwind.h", "vadefs.h", "varargs.h", "yvals_core.h":
		return true
	}
	return matchAny(name, "__std*", "__float*", "std*", "arm*", "intrin*.h")
}

// bulky are the headers of COM, multimedia, device driver and desktop
// interfaces: half of mingw-w64's bytes, and no Python extension's concern.
var bulky = strings.Fields(`
	GL KHR cdo* comsvcs.h d2d* d3d* ddk directmanip* dwrite* dx* fsrm* gdiplus iads.h ks* mf* mq* msclus* mshtml*
	msxml2* msxml6* netcfg* oledb* rdp* rtccore.h sapi5* strmif.h tapi3* tom.h tuner.h wbem* wds* wia* windows.*.h
	winsat* wmi* wmp.h wmsdk* wpd* wrl xpsobject*`)

// windowsHeader keeps of mingw-w64's headers all but the bulky ones.
func windowsHeader(name string) bool { return !matchAny(name, bulky...) }

func matchAny(name string, patterns ...string) bool {
	for _, pattern := range patterns {
		if ok, _ := path.Match(pattern, name); ok {
			return true
		}
	}
	return false
}
