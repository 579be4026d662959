package sysroot

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// importNames are the system DLLs, beyond those that every link gets, that -l
// may name. A name that is not here is an error of the link, which is how a
// missing one is noticed. Add a name only with a definition file in mingw-w64.
var importNames = strings.Fields(`
	avrt bcrypt bcryptprimitives cfgmgr32 comctl32 comdlg32 credui crypt32 cryptbase d3d11 d3d12 dbghelp dnsapi dwmapi
	dxgi fltlib gdi32 hid imagehlp imm32 iphlpapi mf mfplat mfreadwrite mpr msimg32 mswsock ncrypt netapi32 normaliz
	ole32 oleacc oleaut32 opengl32 pdh powrprof propsys psapi rpcrt4 rstrtmgr secur32 setupapi shcore shfolder shlwapi
	urlmon userenv usp10 uxtheme version windowscodecs winhttp wininet winmm winspool wintrust wldap32 ws2_32
	wsock32 wtsapi32`)

// importAliases are libraries whose definition file has another name.
var importAliases = map[string]string{
	// WaitOnAddress and its kin, which Windows offers through an API set only.
	"synchronization": "api-ms-win-core-synch-l1-2-0",
	"vfw32":           "msvfw32",
}

// importLibraries makes the import library of every name in importNames and
// importAliases that is not in lib yet.
func (m *maker) importLibraries(lib string) error {
	names := append([]string{}, importNames...)
	for name := range importAliases {
		names = append(names, name)
	}
	for _, name := range names {
		library := filepath.Join(lib, name+".lib")
		if _, err := os.Stat(library); err == nil {
			continue
		}
		definition := name
		if other, ok := importAliases[name]; ok {
			definition = other
		}
		text, err := m.definition(definition)
		if err != nil {
			return err
		}
		file := name + ".def"
		if err := os.WriteFile(filepath.Join(m.work, file), stripStackSizes(text), 0o644); err != nil {
			return err
		}
		if _, err := m.zig(m.work, "dlltool", "-m", "arm64", "-d", file, "-l", library); err != nil {
			return err
		}
	}
	return nil
}

// definition returns the text of mingw-w64's definition file for a DLL,
// preprocessed for aarch64 where it is a template.
func (m *maker) definition(name string) ([]byte, error) {
	mingw := filepath.Join(m.ZigLib, "libc", "mingw")
	var tried []string
	for _, place := range []string{"libarm64/" + name + ".def", "lib-common/" + name + ".def", "lib-common/" + name + ".def.in", "lib64/" + name + ".def"} {
		file := filepath.Join(mingw, filepath.FromSlash(place))
		text, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			tried = append(tried, place)
			continue
		}
		if err != nil || !strings.HasSuffix(place, ".in") {
			return text, err
		}
		output := filepath.Join(m.work, name+".i")
		if _, err := m.zig(m.work, "clang", "-E", "-P", "-x", "c", "-undef", "-nostdinc", "-w", "-D__aarch64__", "-DDEF_ARM64",
			"-I", filepath.Join(mingw, "def-include"), file, "-o", output); err != nil {
			return nil, err
		}
		return os.ReadFile(output)
	}
	return nil, fmt.Errorf("mingw-w64 has no definition file for %s: tried %s", name, strings.Join(tried, ", "))
}

// stackSize is the @N that 32-bit stdcall names end in.
var stackSize = regexp.MustCompile(`(?m)^([ \t]*[A-Za-z_][A-Za-z0-9_]*)@[0-9]+`)

// stripStackSizes removes @N from every exported name. mingw-w64's files are
// shared with i386, and dlltool drops the suffix for no other machine: left in,
// nothing of WinSock is found.
func stripStackSizes(definition []byte) []byte {
	return stackSize.ReplaceAll(definition, []byte("$1"))
}
