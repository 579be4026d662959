package airgap

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// sandboxTools is all that the hermetic Linux sandbox shows of the machine besides a libc: what rules_go's own scripts
// (sh, bash, env) and Bazel's test wrapper call. No compiler, no interpreter, no git.
var sandboxTools = strings.Fields(`
	bash basename cat chmod cp cut date dirname env find grep head kill ln ls mkdir mktemp mv
	ps pwd readlink rm sed sh sleep sort stat tail tee touch tr uname which`)

// libcFiles are the one thing of the machine that prebuilt exec tools may need: the libraries of Debian's libc6, and
// GCC's two runtime libraries, which PEP 600 leaves to the system as well (PyPI's ninja and cmake want them).
var libcFiles = strings.Fields(`
	libanl.so.1 libc.so.6 libdl.so.2 libgcc_s.so.1 libm.so.6 libmvec.so.1 libnss_dns.so.2 libnss_files.so.2
	libpthread.so.0 libresolv.so.2 librt.so.1 libstdc++.so.6 libutil.so.1`)

// libDirs are where Debian's dynamic loader looks on the platforms that can run the build.
var libDirs = []string{
	"/lib64", "/lib",
	"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib",
}

// writeSandbox makes dir/bin and dir/lib.
//
// Files are copied flat: every library goes to lib and is found there through the loader's default path /usr/lib.
// A tool is a copy of the file that its name resolves to (coreutils may be one program for all names), with the
// libraries that it and they need.
func writeSandbox(dir string) error {
	bin, lib := filepath.Join(dir, "bin"), filepath.Join(dir, "lib")
	for _, d := range []string{bin, lib} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	s := &sandbox{lib: lib, libs: map[string]bool{}}
	linked := map[string]string{}
	for _, name := range sandboxTools {
		src, err := filepath.EvalSymlinks(filepath.Join("/usr/bin", name))
		if err != nil {
			return fmt.Errorf("the sandbox's tools: %w", err)
		}
		dst := filepath.Join(bin, name)
		if first, ok := linked[src]; ok {
			// One program for many names: one copy of it.
			if err := os.Link(first, dst); err != nil {
				return err
			}
			continue
		}
		linked[src] = dst
		if err := copyFile(src, dst, 0o755); err != nil {
			return err
		}
		if err := s.needs(src); err != nil {
			return err
		}
	}
	for _, name := range libcFiles {
		if err := s.add(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// mounts lists target and source of what a sandbox sees of the machine. The loader's own name is fixed by the ABI: /lib64/ld-linux-x86-64.so.2
// or /lib/ld-linux-aarch64.so.1; both folders are the same one here.
func mounts(bin, lib string) [][2]string {
	return [][2]string{
		{"/bin", bin}, {"/usr/bin", bin},
		{"/lib", lib}, {"/lib64", lib}, {"/usr/lib", lib},
	}
}

type sandbox struct {
	lib  string
	libs map[string]bool
}

// add copies one library and what it needs.
func (s *sandbox) add(name string) error {
	if s.libs[name] {
		return nil
	}
	for _, d := range libDirs {
		src, err := filepath.EvalSymlinks(filepath.Join(d, name))
		if err != nil {
			continue
		}
		s.libs[name] = true
		if err := copyFile(src, filepath.Join(s.lib, name), 0o755); err != nil {
			return err
		}
		return s.needs(src)
	}
	return fmt.Errorf("library %s: %w", name, os.ErrNotExist)
}

// needs adds the libraries that an ELF file names, its program interpreter included. Scripts need none.
func (s *sandbox) needs(path string) error {
	f, err := elf.Open(path)
	if err != nil {
		var bad *elf.FormatError
		if errors.As(err, &bad) {
			return nil
		}
		return err
	}
	defer f.Close()
	names, err := f.ImportedLibraries()
	if err != nil {
		return err
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			b, err := io.ReadAll(p.Open())
			if err != nil {
				return err
			}
			names = append(names, filepath.Base(strings.TrimRight(string(b), "\x00")))
		}
	}
	sort.Strings(names)
	for _, n := range names {
		if err := s.add(n); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func copyFile(src, dst string, mode os.FileMode) error {
	r, err := os.Open(src)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.OpenFile(dst, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, r); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}
