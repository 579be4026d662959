package audit_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sparkwheels/sparkwheels/go/audit"
	"github.com/sparkwheels/sparkwheels/go/elf/elftest"
	"github.com/sparkwheels/sparkwheels/go/pe/petest"
	"github.com/sparkwheels/sparkwheels/go/wheel"
	"github.com/sparkwheels/sparkwheels/go/wheel/wheeltest"
)

const (
	winName   = "fast-1.0-cp312-cp312-win_arm64.whl"
	linuxName = "fast-1.0-cp312-cp312-manylinux_2_28_aarch64.whl"
	winC      = "fast/_c.cp312-win_arm64.pyd"
	linuxC    = "fast/_c.cpython-312-aarch64-linux-gnu.so"
)

// policyOf reads the policy that the product uses.
func policyOf(t *testing.T, platform string) *audit.Policy {
	t.Helper()
	policy, err := audit.ReadPolicy(filepath.Join("..", "..", "wheels", "policy", platform+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return policy
}

func module(change func(*petest.Image)) string {
	image := petest.Module("PyInit__c")
	if change != nil {
		change(&image)
	}
	return string(image.Bytes())
}

func imports(image *petest.Image, dll string, symbols ...string) {
	image.Imports = append(image.Imports, petest.Import{DLL: dll, Symbols: symbols})
}

func object(change func(*elftest.Image)) string {
	image := elftest.Module("PyInit__c")
	if change != nil {
		change(&image)
	}
	return string(image.Bytes())
}

func files(pairs ...string) []wheeltest.File {
	var list []wheeltest.File
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, wheeltest.File{Name: pairs[i], Data: pairs[i+1]})
	}
	return list
}

type check struct {
	name    string
	wheel   wheeltest.Wheel
	as      string // the file name, where it is not the wheel's own
	options audit.Options
	want    []string // the whole findings; a trailing … stands for any rest
}

// findings audits the wheel.
func (c check) findings(t *testing.T, platform string) wheel.Problems {
	t.Helper()
	path := c.wheel.Write(t, t.TempDir())
	if c.as != "" {
		path = rename(t, path, c.as)
	}
	_, problems, err := audit.Run(path, policyOf(t, platform), c.options)
	if err != nil {
		t.Fatal(err)
	}
	return problems
}

func (c check) run(t *testing.T, platform string) {
	problems := c.findings(t, platform)
	got := []string{}
	for i, problem := range problems {
		line := problem.String()
		if strings.Contains(line, "\n") {
			t.Errorf("%q is more than one line", line)
		}
		if i < len(c.want) {
			if prefix, ok := strings.CutSuffix(c.want[i], "…"); ok && strings.HasPrefix(line, prefix) && len(line) > len(prefix) {
				line = c.want[i]
			}
		}
		got = append(got, line)
	}
	if diff := cmp.Diff(append([]string{}, c.want...), got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

const dist = "fast-1.0.dist-info/"

func TestWindows(t *testing.T) {
	for _, c := range windowsChecks() {
		t.Run(c.name, func(t *testing.T) { c.run(t, "win_arm64") })
	}
}

func windowsChecks() []check {
	dll := string(petest.Image{Machine: petest.ARM64, Name: "dep.dll", Exports: []petest.Export{{Name: "dep"}}}.Bytes())
	return []check{
		{name: "good", wheel: wheeltest.Wheel{Name: winName, RequiresPython: ">=3.9,<3.14", Files: files(winC, module(nil), "fast/__init__.py", "")}},
		{name: "good, stable ABI", wheel: wheeltest.Wheel{Name: "fast-1.0-cp39-abi3-win_arm64.whl", RequiresPython: ">=3.9", Files: files("fast/_c.pyd", module(func(i *petest.Image) { i.Imports[0].DLL = "python3.dll" }))}},
		{name: "good, pure", wheel: wheeltest.Wheel{Name: "fast-1.0-py3-none-any.whl", Files: files("fast.py", "/home/of/a/comment")}},
		{name: "good, own DLL", wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(func(i *petest.Image) { imports(i, "DEP.dll", "dep") }), "fast/dep.dll", dll)}},
		{name: "good, declared import", options: audit.Options{Imports: []string{"cudart64_*.dll"}},
			wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(func(i *petest.Image) { imports(i, "cudart64_13.dll", "cudaMalloc") }))}},
		{name: "good, ARM64X", wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(func(i *petest.Image) { i.CHPE = true }))}},

		{name: "renamed to another platform tag", wheel: wheeltest.Wheel{Name: "fast-1.0-cp312-cp312-win_amd64.whl", Files: files(winC, module(nil))}, as: winName,
			want: []string{dist + "WHEEL: has the tags cp312-cp312-win_amd64, and the file name has cp312-cp312-win_arm64; rename the wheel with `wheel retag`, which also rewrites WHEEL and RECORD"}},
		{name: "renamed to a foreign platform tag", wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(nil))}, as: "fast-1.0-cp312-cp312-win_amd64.whl",
			want: []string{
				"fast-1.0-cp312-cp312-win_amd64.whl: has the platform tag win_amd64, which the policy win_arm64 does not know; build it for win_arm64",
				dist + "WHEEL: has the tags cp312-cp312-win_arm64, and the file name has cp312-cp312-win_amd64; …"}},
		{name: "renamed version", wheel: wheeltest.Wheel{Name: winName}, as: "fast-1.1-cp312-cp312-win_arm64.whl",
			want: []string{dist + "METADATA: has the version 1.0, and the file name has 1.1; …", "fast-1.0.dist-info: should be called fast-1.1.dist-info as the file name says; …"}},
		{name: "renamed project", wheel: wheeltest.Wheel{Name: winName}, as: "slow-1.0-cp312-cp312-win_arm64.whl",
			want: []string{dist + "METADATA: has the name fast, and the file is called slow; …", "fast-1.0.dist-info: should be called slow-1.0.dist-info as the file name says; …"}},
		{name: "build tag added", wheel: wheeltest.Wheel{Name: winName}, as: "fast-1.0-1-cp312-cp312-win_arm64.whl",
			want: []string{dist + `WHEEL: has the build tag "", and the file name has "1"; …`}},
		{name: "no wheel name", wheel: wheeltest.Wheel{Name: winName}, as: "fast.whl",
			want: []string{"fast.whl: the name has 1 parts and not 5 or 6; a wheel's name is distribution-version[-build]-python-abi-platform.whl; name the file as its WHEEL says"}},
		{name: "name not normalised", wheel: wheeltest.Wheel{Name: "Fast-1.0.RC1-cp312-cp312-win_arm64.whl"},
			want: []string{"Fast-1.0.RC1-cp312-cp312-win_arm64.whl: is not normalised; the name should be fast-1.0rc1-cp312-cp312-win_arm64.whl; pack the wheel with `wheel pack`"}},
		{name: "no METADATA", wheel: wheeltest.Wheel{Name: winName, Without: []string{dist + "METADATA"}},
			want: []string{dist + "METADATA: is missing; …"}},
		{name: "Python excluded", wheel: wheeltest.Wheel{Name: winName, RequiresPython: ">=3.13"},
			want: []string{dist + "METADATA: has the Requires-Python >=3.13, which excludes the Python cp312 of the file name; …"}},
		{name: "Python unreadable", wheel: wheeltest.Wheel{Name: winName, RequiresPython: "three"},
			want: []string{dist + `METADATA: has the Requires-Python "three", which cannot be read; …`}},

		{name: "x64 DLL", wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(nil), "fast/dep.dll", string(petest.Image{Machine: petest.X64}.Bytes()))},
			want: []string{"fast/dep.dll: is built for x64, and a win_arm64 wheel needs ARM64; build it for ARM64, or take the library of the right architecture"}},
		{name: "ARM64EC DLL", wheel: wheeltest.Wheel{Name: winName, Files: files("fast/dep.dll", string(petest.Image{Machine: petest.X64, CHPE: true}.Bytes()))},
			want: []string{"fast/dep.dll: is built for ARM64EC, and a win_arm64 wheel needs ARM64; …"}},
		{name: "x64 image under another name", wheel: wheeltest.Wheel{Name: winName, Files: files("fast/data.bin", string(petest.Image{Machine: petest.X64}.Bytes()))},
			want: []string{"fast/data.bin: is built for x64, and a win_arm64 wheel needs ARM64; …"}},
		{name: "ELF file", wheel: wheeltest.Wheel{Name: winName, Files: files("fast/dep.so", object(nil))},
			want: []string{"fast/dep.so: is an ELF image, which win_arm64 cannot load; …"}},
		{name: "Mach-O file", wheel: wheeltest.Wheel{Name: winName, Files: files("fast/dep.dylib", "\xcf\xfa\xed\xfe")},
			want: []string{"fast/dep.dylib: is a Mach-O image, which win_arm64 cannot load; …"}},
		{name: "PE with .so suffix", wheel: wheeltest.Wheel{Name: winName, Files: files("fast/dep.so", dll)},
			want: []string{"fast/dep.so: is called like an ELF image but is a PE image; give the file the suffix of its kind"}},
		{name: "text with .dll suffix", wheel: wheeltest.Wheel{Name: winName, Files: files("fast/dep.dll", "MZ said the text")},
			want: []string{"fast/dep.dll: is called like a PE image but is none; …"}},
		{name: "broken image", wheel: wheeltest.Wheel{Name: winName, Files: files("fast/dep.dll", dll[:0x200])},
			want: []string{"fast/dep.dll: cannot be read: PE …"}},
		{name: "native member in a pure wheel", wheel: wheeltest.Wheel{Name: "fast-1.0-py3-none-any.whl", Files: files("fast/dep.dll", dll), Info: "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
			want: []string{dist + "WHEEL: says Root-Is-Purelib: true, but fast/dep.dll is native; …", "fast-1.0-py3-none-any.whl: has the platform tag any, but fast/dep.dll is native; …"}},

		{name: "import outside the list", wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(func(i *petest.Image) { imports(i, "libomp.dll", "a", "b", "c", "d") }))},
			want: []string{winC + ": imports libomp.dll (a, b, c and 1 more), which neither win_arm64 nor the wheel has; …"}},
		{name: "delayed import outside the list", wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(func(i *petest.Image) {
			i.Imports = append(i.Imports, petest.Import{DLL: "late.dll", Symbols: []string{"f"}, Delay: true})
		}))},
			want: []string{winC + ": delay-loads late.dll (f), which neither win_arm64 nor the wheel has; …"}},
		{name: "export forwarded outside the list", wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(func(i *petest.Image) {
			i.Exports = append(i.Exports, petest.Export{Name: "f", Forwarder: "other.f"})
		}))},
			want: []string{winC + ": imports other.dll, which neither win_arm64 nor the wheel has; …"}},
		{name: "symbol that the own DLL lacks", wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(func(i *petest.Image) { imports(i, "dep.dll", "dep", "gone") }), "fast/dep.dll", dll)},
			want: []string{winC + ": imports from dep.dll what fast/dep.dll does not export (gone); …"}},
		{name: "other Python", wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(func(i *petest.Image) { i.Imports[0].DLL = "python313.dll" }))},
			want: []string{winC + ": imports python313.dll, and a wheel with the ABI tag cp312 may import python312.dll or python3.dll; …"}},
		{name: "stable ABI with a versioned Python", wheel: wheeltest.Wheel{Name: "fast-1.0-cp39-abi3-win_arm64.whl", Files: files("fast/_c.pyd", module(nil))},
			want: []string{"fast/_c.pyd: imports python312.dll, and a wheel with the ABI tag abi3 may import python3.dll; …"}},
		{name: "Python in a wheel without ABI", wheel: wheeltest.Wheel{Name: "fast-1.0-py3-none-win_arm64.whl", Files: files("fast/_c.pyd", module(nil))},
			want: []string{"fast/_c.pyd: imports python312.dll, and a wheel with the ABI tag none may import no interpreter library; …"}},

		{name: "missing PyInit_", wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(func(i *petest.Image) { i.Exports[0].Name = "PyInit_c" }))},
			want: []string{winC + ": does not export PyInit__c, so that it cannot be imported; …"}},
		{name: "missing PyInit_ of a declared library", options: audit.Options{Libraries: []string{"fast/*.pyd"}},
			wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(func(i *petest.Image) { i.Exports = nil }))}},
		{name: "x64 suffix", wheel: wheeltest.Wheel{Name: winName, Files: files("fast/_c.cp312-win_amd64.pyd", module(nil))},
			want: []string{"fast/_c.cp312-win_amd64.pyd: has the suffix .cp312-win_amd64.pyd, and a wheel with the ABI tag cp312 for win_arm64 has .cp312-win_arm64.pyd or .pyd; …"}},
		{name: "versioned suffix in a stable wheel", wheel: wheeltest.Wheel{Name: "fast-1.0-cp39-abi3-win_arm64.whl", Files: files(winC, module(func(i *petest.Image) { i.Imports[0].DLL = "python3.dll" }))},
			want: []string{winC + ": has the suffix .cp312-win_arm64.pyd, and a wheel with the ABI tag abi3 for win_arm64 has .pyd; …"}},

		{name: "NVIDIA's binary", wheel: wheeltest.Wheel{Name: winName, Files: files("fast/x.dll", string(petest.Image{Machine: petest.ARM64, Company: "NVIDIA Corporation"}.Bytes()))},
			want: []string{"fast/x.dll: is a binary of NVIDIA Corporation, which may not be redistributed here; …"}},
		{name: "Microsoft's binary", wheel: wheeltest.Wheel{Name: winName, Files: files("fast/x.dll", string(petest.Image{Machine: petest.ARM64, Company: "Microsoft Corporation"}.Bytes()))},
			want: []string{"fast/x.dll: is a binary of Microsoft Corporation, which may not be redistributed here; …"}},
		{name: "vendor's file name", wheel: wheeltest.Wheel{Name: winName, Files: files("fast/MSVCP140.dll", dll)},
			want: []string{"fast/MSVCP140.dll: is called like a vendor's library, which may not be redistributed here; …"}},

		{name: "sandbox path in a text", wheel: wheeltest.Wheel{Name: winName, Files: files("fast/config.py", "cc = '/b/execroot/_main/cc -O2'")},
			want: []string{`fast/config.py: holds the build path "/b/execroot/_main/cc"; …`}},
		{name: "home in a binary", wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(func(i *petest.Image) { i.Text = "in /home/me/fast.c" }))},
			want: []string{winC + `: holds the build path "/home/me/fast.c"; …`}},
		{name: "UTF-16 path in a binary", wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(func(i *petest.Image) { i.Text = "C\x00:\x00\\\x00U\x00s\x00e\x00r\x00s\x00\\\x00" }))},
			want: []string{winC + `: holds the build path ":\\Users\\ in UTF-16"; …`}},
		{name: "path of the debug file", wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(func(i *petest.Image) { i.PDB = `D:\a\fast.pdb` }))},
			want: []string{winC + `: records the absolute path D:\a\fast.pdb of its debug file; …`}},
		{name: "declared path", options: audit.Options{Paths: []string{"fast/config.py"}},
			wheel: wheeltest.Wheel{Name: winName, Files: files("fast/config.py", "cc = '/b/execroot/_main/cc -O2'")}},
		{name: "options that match nothing", options: audit.Options{Imports: []string{"x.dll"}, Libraries: []string{"x.pyd"}, Paths: []string{"x.py"}},
			wheel: wheeltest.Wheel{Name: winName, Files: files(winC, module(nil))},
			want: []string{
				winName + ": --allow-import x.dll matches nothing in the wheel; remove the option",
				winName + ": --library-member x.pyd matches nothing in the wheel; remove the option",
				winName + ": --allow-path x.py matches nothing in the wheel; remove the option"}},

		{name: "everything at once", wheel: wheeltest.Wheel{Name: winName, Files: files(
			"a.dll", string(petest.Image{Machine: petest.X64}.Bytes()), winC, module(func(i *petest.Image) { imports(i, "b.dll"); i.Exports = nil }))},
			want: []string{"a.dll: is built for x64…", winC + ": imports b.dll, which…", winC + ": does not export PyInit__c…"}},
	}
}

func TestRecord(t *testing.T) {
	for _, c := range recordChecks() {
		t.Run(c.name, func(t *testing.T) { c.run(t, "win_arm64") })
	}
}

func recordChecks() []check {
	good := files("fast/a.py", "a", "fast/b.py", "b")
	edit := func(old, new string) func(string) string {
		return func(record string) string { return strings.Replace(record, old, new, 1) }
	}
	return []check{
		{name: "one wrong hash", wheel: wheeltest.Wheel{Name: winName, Files: good, Record: edit("fast/a.py,sha256=y", "fast/a.py,sha256=x")},
			want: []string{"fast/a.py: has the hash sha256=xpeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs in RECORD and is sha256=ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs; pack the wheel with `wheel pack`, which writes RECORD anew"}},
		{name: "one wrong size", wheel: wheeltest.Wheel{Name: winName, Files: good, Record: edit(",1\n", ",2\n")},
			want: []string{"fast/a.py: has the size 2 in RECORD and is 1 bytes long; …"}},
		{name: "member not listed", wheel: wheeltest.Wheel{Name: winName, Files: good, Extra: files("fast/c.py", "c")},
			want: []string{"fast/c.py: is not in RECORD; …"}},
		{name: "listed and missing", wheel: wheeltest.Wheel{Name: winName, Files: good, Without: []string{"fast/b.py"}},
			want: []string{"fast/b.py: is in RECORD and not in the wheel; …"}},
		{name: "listed twice", wheel: wheeltest.Wheel{Name: winName, Files: good, Record: func(r string) string { return r[:strings.Index(r, "\n")+1] + r }},
			want: []string{"fast/a.py: is in RECORD twice; …"}},
		{name: "md5", wheel: wheeltest.Wheel{Name: winName, Files: good, Record: edit("fast/a.py,sha256=", "fast/a.py,md5=")},
			want: []string{`fast/a.py: has the hash "md5=ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs" in RECORD, which is no sha256; …`}},
		{name: "hash of itself", wheel: wheeltest.Wheel{Name: winName, Files: good, Record: edit("RECORD,,", "RECORD,sha256=x,")},
			want: []string{dist + "RECORD: has a hash of itself, which cannot be true; …"}},
		{name: "unreadable", wheel: wheeltest.Wheel{Name: winName, Files: good, Record: func(string) string { return "one,two\n" }},
			want: []string{dist + "RECORD: cannot be read: record on line 1: wrong number of fields; …"}},
		{name: "missing", wheel: wheeltest.Wheel{Name: winName, Files: good, Without: []string{dist + "RECORD"}},
			want: []string{dist + "RECORD: is missing; …"}},
	}
}

func TestLinux(t *testing.T) {
	for _, c := range linuxChecks() {
		t.Run(c.name, func(t *testing.T) { c.run(t, "linux_aarch64") })
	}
}

func linuxChecks() []check {
	return []check{
		{name: "executable stack", wheel: wheeltest.Wheel{Name: linuxName, Files: files(linuxC, object(func(i *elftest.Image) { i.ExecStack = true }))},
			want: []string{linuxC + ": asks for an executable stack; …"}},
		{name: "good", wheel: wheeltest.Wheel{Name: linuxName, Files: files(linuxC, object(nil))}},
		{name: "good, stable ABI", wheel: wheeltest.Wheel{Name: "fast-1.0-cp39-abi3-manylinux_2_28_aarch64.whl", Files: files("fast/_c.abi3.so", object(nil))}},
		{name: "good, own library by file name", wheel: wheeltest.Wheel{Name: linuxName, Files: files(
			linuxC, object(func(i *elftest.Image) { i.Needed = append(i.Needed, "libdep-1.so"); i.RunPath = "$ORIGIN/../fast.libs" }),
			"fast.libs/libdep-1.so", object(func(i *elftest.Image) { i.Exports = nil; i.Undefined = nil }))}},
		{name: "good, own library by SONAME", wheel: wheeltest.Wheel{Name: linuxName, Files: files(
			linuxC, object(func(i *elftest.Image) { i.Needed = append(i.Needed, "libdep.so.1") }),
			"fast/libdep.so", object(func(i *elftest.Image) { i.Exports = nil; i.SOName = "libdep.so.1" }))}},
		{name: "good, ctypes library", wheel: wheeltest.Wheel{Name: "fast-1.0-py3-none-manylinux_2_28_aarch64.whl", Files: files(
			"fast/core.so", object(func(i *elftest.Image) { i.Exports = []string{"f"}; i.Undefined = []string{"malloc"} }))}},

		{name: "glibc floor 2.32", wheel: wheeltest.Wheel{Name: linuxName, Files: files(linuxC, object(func(i *elftest.Image) {
			i.Versions = map[string][]string{"libc.so.6": {"GLIBC_2.17", "GLIBC_2.32"}}
		}))},
			want: []string{linuxC + ": needs glibc 2.32, and the platform tag promises 2.28; compile against an older glibc, or use a platform tag that says 2.32"}},
		{name: "libstdc++ floor", wheel: wheeltest.Wheel{Name: linuxName, Files: files(linuxC, object(func(i *elftest.Image) {
			i.Versions = map[string][]string{"libstdc++.so.6": {"GLIBCXX_3.4.30", "CXXABI_1.3"}}
		}))},
			want: []string{linuxC + ": needs the symbol version GLIBCXX_3.4.30, and machines with this platform tag have GLIBCXX_3.4.24 at most; …"}},
		{name: "private symbols", wheel: wheeltest.Wheel{Name: linuxName, Files: files(linuxC, object(func(i *elftest.Image) {
			i.Versions = map[string][]string{"libc.so.6": {"GLIBC_PRIVATE", "GLIBC_ABI_DT_RELR"}}
		}))},
			want: []string{linuxC + ": needs GLIBC_ABI_DT_RELR of libc.so.6, which is private or newer than the platform tag; …", linuxC + ": needs GLIBC_PRIVATE of libc.so.6, which is private or newer than the platform tag; …"}},
		{name: "plain linux tag", wheel: wheeltest.Wheel{Name: "fast-1.0-cp312-cp312-linux_aarch64.whl", Files: files(linuxC, object(nil))},
			want: []string{"fast-1.0-cp312-cp312-linux_aarch64.whl: has the platform tag linux_aarch64, which the policy linux_aarch64 does not know; build it for manylinux_2_28_aarch64"}},
		{name: "x86_64", wheel: wheeltest.Wheel{Name: linuxName, Files: files(linuxC, object(func(i *elftest.Image) { i.Machine = elftest.X86_64 }))},
			want: []string{linuxC + ": is built for x86_64, and a linux_aarch64 wheel needs aarch64; …"}},
		{name: "PE", wheel: wheeltest.Wheel{Name: linuxName, Files: files("fast/dep.dll", module(nil))},
			want: []string{"fast/dep.dll: is a PE image, which linux_aarch64 cannot load; …"}},
		{name: "PE with .so suffix", wheel: wheeltest.Wheel{Name: linuxName, Files: files("fast/dep.so", module(nil))},
			want: []string{"fast/dep.so: is called like an ELF image but is a PE image; …", "fast/dep.so: is a PE image, which linux_aarch64 cannot load; …"}},
		{name: "versioned .so that is text", wheel: wheeltest.Wheel{Name: linuxName, Files: files("fast/libx.so.1", "libx.so.1.2")},
			want: []string{"fast/libx.so.1: is called like an ELF image but is none; …"}},
		{name: "import outside the list", wheel: wheeltest.Wheel{Name: linuxName, Files: files(linuxC, object(func(i *elftest.Image) { i.Needed = append(i.Needed, "libomp.so.5") }))},
			want: []string{linuxC + ": imports libomp.so.5, which neither linux_aarch64 nor the wheel has; …"}},
		{name: "case matters", wheel: wheeltest.Wheel{Name: linuxName, Files: files(linuxC, object(func(i *elftest.Image) { i.Needed = []string{"LIBC.so.6"} }))},
			want: []string{linuxC + ": imports LIBC.so.6, which neither linux_aarch64 nor the wheel has; …"}},
		{name: "interpreter", wheel: wheeltest.Wheel{Name: linuxName, Files: files(linuxC, object(func(i *elftest.Image) { i.Needed = append(i.Needed, "libpython3.12.so.1.0") }))},
			want: []string{linuxC + ": imports libpython3.12.so.1.0, and no extension module may load the interpreter; …"}},
		{name: "absolute search paths", wheel: wheeltest.Wheel{Name: linuxName, Files: files(linuxC, object(func(i *elftest.Image) {
			i.RPath, i.RunPath = "/opt/lib:$ORIGIN", "lib:${ORIGIN}/x:$ORIGINAL"
		}))},
			want: []string{linuxC + `: has the RPATH "/opt/lib", which does not start at $ORIGIN; …`, linuxC + `: has the RUNPATH "lib", which does not start at $ORIGIN; …`, linuxC + `: has the RUNPATH "$ORIGINAL", which does not start at $ORIGIN; …`}},
		{name: "missing PyInit_", wheel: wheeltest.Wheel{Name: linuxName, Files: files(linuxC, object(func(i *elftest.Image) { i.Exports = []string{"init_c"} }))},
			want: []string{linuxC + ": does not export PyInit__c, so that it cannot be imported; …"}},
		{name: "missing PyInit_ of a plain .so", wheel: wheeltest.Wheel{Name: linuxName, Files: files("fast/core.so", object(nil))},
			want: []string{"fast/core.so: does not export PyInit_core, so that it cannot be imported; …"}},
		{name: "suffix of another Python", wheel: wheeltest.Wheel{Name: linuxName, Files: files("fast/_c.cpython-313-aarch64-linux-gnu.so", object(nil))},
			want: []string{"fast/_c.cpython-313-aarch64-linux-gnu.so: has the suffix .cpython-313-aarch64-linux-gnu.so, and a wheel with the ABI tag cp312 for linux_aarch64 has .cpython-312-aarch64-linux-gnu.so or .abi3.so or .so; …"}},
		{name: "stripped of sections", wheel: wheeltest.Wheel{Name: linuxName, Files: files(linuxC, object(func(i *elftest.Image) { i.NoSections = true }))},
			want: []string{linuxC + ": cannot be read: ELF dynamic section: there is no section header for it; …"}},
		{name: "NVIDIA's library", wheel: wheeltest.Wheel{Name: linuxName, Files: files("fast/libcudart.so.13", object(func(i *elftest.Image) { i.Exports = nil }))},
			want: []string{"fast/libcudart.so.13: is called like a vendor's library, which may not be redistributed here; …"}},
		{name: "home in a binary", wheel: wheeltest.Wheel{Name: linuxName, Files: files(linuxC, object(func(i *elftest.Image) { i.Text = "/root/.cache/x.c" }))},
			want: []string{linuxC + `: holds the build path "/root/.cache/x.c"; …`}},
	}
}

// Upstream's search paths are its own, as its build paths are.
func TestUpstreamSearchPath(t *testing.T) {
	path := wheeltest.Wheel{Name: linuxName, Files: files(linuxC, object(func(i *elftest.Image) { i.RunPath = "/usr/local/cuda-13.2/lib" }))}.Write(t, t.TempDir())
	for upstream, want := range map[bool]int{false: 1, true: 0} {
		_, problems, err := audit.Run(path, policyOf(t, "linux_aarch64"), audit.Options{Upstream: upstream})
		if err != nil {
			t.Fatal(err)
		}
		if len(problems) != want {
			t.Errorf("upstream %t: got %v, want %d problems", upstream, problems, want)
		}
	}
}
