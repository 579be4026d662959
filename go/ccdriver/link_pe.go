package ccdriver

import (
	"cmp"
	"path"
	"strings"
)

// crtLibs are the import libraries of the UCRT's API sets, and always32 those
// of the system DLLs that the runtimes need, in the order of zig's own link.
var (
	crtLibs = strings.Fields("conio convert environment filesystem heap locale math multibyte private process runtime stdio string time utility")
	// runtimesPE are the static runtimes, by the names that package sysroot gives them.
	runtimesPE = strings.Fields("libmingw32 libmingwex libc++abi libc++ libunwind libclang_rt.builtins-aarch64")
	systemPE   = strings.Fields("advapi32 kernel32 ntdll shell32 user32")
)

// linkPE is the command that links for Windows: `zig lld-link` with its mingw
// rules, since zig's ld.lld knows ELF only. Flags of GNU ld are translated.
func (t *toolchain) linkPE(inv *invocation) (Command, error) {
	output := inv.output
	if output == "" {
		output = "a.exe"
	} else if !inv.shared && path.Ext(output) == "" {
		output += ".exe" // as gcc does
	}
	args := []string{
		"-lldmingw", "-ERRORLIMIT:0", "-NOLOGO", "-MLLVM:-float-abi=hard", "-MACHINE:ARM64", "-BREPRO", "-BUILD-ID:NO",
		// GNU ld never merges functions whose addresses a program may compare.
		"-OPT:REF", "-OPT:NOICF",
		"-ALTERNATENAME:__image_base__=__ImageBase",
	}
	pe := &peLink{toolchain: t, inv: inv, subsystem: inv.subsystem}
	if err := pe.translate(); err != nil {
		return Command{}, err
	}
	crt := "crt2.o"
	if inv.shared {
		crt = "dllcrt2.o"
		args = append(args, "-BASE:6442450944", "-DLL")
	} else {
		args = append(args, "-BASE:5368709120", "-SUBSYSTEM:"+pe.subsystem)
	}
	if pe.implib != "" {
		args = append(args, "-IMPLIB:"+pe.implib)
	} else {
		args = append(args, "-NOIMPLIB")
	}
	if inv.debug && !inv.strip && !pe.strip {
		args = append(args, "-DEBUG:DWARF")
	}
	if major, minor := pe.version[0], pe.version[1]; major+minor != "" {
		args = append(args, "-VERSION:"+cmp.Or(major, "0")+"."+cmp.Or(minor, "0"))
	}
	if inv.verbose {
		args = append(args, "-VERBOSE")
	}
	args = append(args, "-OUT:"+output)
	args = append(args, pe.flags...)
	args = append(args, pe.inputs...)
	if !inv.noStdlib && !inv.noStartFiles {
		args = append(args, t.lib(crt))
	}
	if !inv.noStdlib && !inv.noDefaultLibs {
		for _, name := range runtimesPE {
			args = append(args, t.lib(name+".a"))
		}
		for _, name := range crtLibs {
			args = append(args, t.lib("api-ms-win-crt-"+name+"-l1-1-0.lib"))
		}
		for _, name := range systemPE {
			args = append(args, t.lib(name+".lib"))
		}
	}
	return t.zig("lld-link", args...), nil
}

// peLink gathers what GNU linker flags mean to lld-link.
type peLink struct {
	*toolchain
	inv *invocation
	// flags and inputs are words of the command.
	flags, inputs []string
	implib        string
	subsystem     string
	strip         bool
	// version is the major and minor version of the image.
	version [2]string
	// whole and static are switches that hold for the inputs that follow.
	whole, static bool
}

// translate walks through the inputs and linker flags in order.
func (p *peLink) translate() error {
	words := linkWords(p.inv.inputs)
	for i := 0; i < len(words); i++ {
		switch in := words[i]; in.kind {
		case library:
			name, err := p.library(p.inv, in.text, p.static)
			if err != nil {
				return err
			}
			if name != "" {
				p.addInput(name)
			}
		case file:
			switch strings.ToLower(path.Ext(in.text)) {
			case ".def":
				p.flags = append(p.flags, "-DEF:"+in.text)
			case ".dll", ".pyd":
				return p.linkerRefused(in.text, "lld cannot link a DLL itself; name its import library")
			default:
				p.addInput(in.text)
			}
		default:
			used, err := p.gnuFlag(words[i:])
			if err != nil {
				return err
			}
			i += used
		}
	}
	return nil
}

func (p *peLink) addInput(name string) {
	if p.whole {
		p.inputs = append(p.inputs, "-WHOLEARCHIVE:"+name)
	} else {
		p.inputs = append(p.inputs, name)
	}
}
