package ccdriver

import (
	"fmt"
	"strings"
)

// linkWords gives GNU linker flags their canonical form: long ones start with
// two dashes, and -lNAME and files that came through -Wl are what they would be
// outside of it.
func linkWords(inputs []input) []input {
	out := make([]input, 0, len(inputs))
	valueNext := false
	for _, in := range inputs {
		if in.kind != linkFlag || valueNext {
			out = append(out, in)
			valueNext = false
			continue
		}
		text := in.text
		switch {
		case text == "":
			continue
		case !strings.HasPrefix(text, "-"):
			out = append(out, input{kind: file, text: text})
			continue
		case strings.HasPrefix(text, "-l") && len(text) > 2:
			out = append(out, input{kind: library, text: text[2:]})
			continue
		}
		name, _, attached := strings.Cut(strings.TrimLeft(text, "-"), "=")
		if f, ok := gnuFlags["--"+name]; ok && strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--") && len(name) > 1 {
			in.text = "-" + text
			valueNext = f.value && !attached
		} else if f, ok := gnuFlags[text]; ok {
			valueNext = f.value
		} else if elfValueFlags[text] {
			valueNext = true
		}
		out = append(out, in)
	}
	return out
}

// elfValueFlags are flags of ld.lld, beyond those in gnuFlags, whose value is
// the next word: it must not be taken for a file.
var elfValueFlags = map[string]bool{
	"-soname": true, "-h": true, "-rpath": true, "--rpath": true, "-rpath-link": true, "--soname": true,
	"-version-script": true, "--version-script": true, "--dynamic-list": true, "-dynamic-linker": true,
	"--dynamic-linker": true, "-z": true, "-T": true, "--script": true, "-init": true, "-fini": true, "-init=": true,
	"--defsym": true, "-defsym": true, "-plugin-opt": true, "-plugin": true, "--retain-symbols-file": true,
	"--exclude-libs": true, "-I": true, "-F": true, "-f": true, "-y": true, "--section-start": true, "-Ttext": true,
}

// gnuFlag is what a flag of GNU ld means on PE. Exactly one of the fields after
// value is set, or none: then the flag asks for what lld-link does anyway.
type gnuFlag struct {
	// value says that the flag has one, after "=" or in the next word.
	value bool
	// lld is the flag of lld-link; %s stands for the value.
	lld string
	// do is for what is more than a flag.
	do func(p *peLink, value string) error
	// refuse says why the flag cannot be honoured.
	refuse string
}

// gnuFlags are the flags of GNU ld and lld's mingw driver that PE links meet.
// What is not here is refused.
var gnuFlags = map[string]gnuFlag{
	"--out-implib":       {value: true, do: func(p *peLink, v string) error { p.implib = v; return nil }},
	"--subsystem":        {value: true, do: func(p *peLink, v string) error { p.subsystem = strings.Replace(v, ":", ",", 1); return nil }},
	"--whole-archive":    {do: func(p *peLink, _ string) error { p.whole = true; return nil }},
	"--no-whole-archive": {do: func(p *peLink, _ string) error { p.whole = false; return nil }},
	"-Bstatic":           {do: func(p *peLink, _ string) error { p.static = true; return nil }},
	"-Bdynamic":          {do: func(p *peLink, _ string) error { p.static = false; return nil }},
	"--strip-all":        {do: func(p *peLink, _ string) error { p.strip = true; return nil }},
	"--strip-debug":      {do: func(p *peLink, _ string) error { p.strip = true; return nil }},
	"-s":                 {do: func(p *peLink, _ string) error { p.strip = true; return nil }},
	"-S":                 {do: func(p *peLink, _ string) error { p.strip = true; return nil }},
	"-v":                 {}, // CMake asks the linker for its version in the midst of a link
	"-V":                 {},
	"--verbose":          {do: func(p *peLink, _ string) error { p.inv.verbose = true; return nil }},

	"--def":                 {value: true, lld: "-DEF:%s"},
	"--output-def":          {value: true, lld: "-OUTPUT-DEF:%s"},
	"--entry":               {value: true, lld: "-ENTRY:%s"},
	"-e":                    {value: true, lld: "-ENTRY:%s"},
	"--undefined":           {value: true, lld: "-INCLUDE:%s"},
	"--require-defined":     {value: true, lld: "-INCLUDE:%s"},
	"-u":                    {value: true, lld: "-INCLUDE:%s"},
	"--stack":               {value: true, lld: "-STACK:%s"},
	"--heap":                {value: true, lld: "-HEAP:%s"},
	"--image-base":          {value: true, lld: "-BASE:%s"},
	"--Map":                 {value: true, lld: "-LLDMAP:%s"},
	"--wrap":                {value: true, lld: "-WRAP:%s"},
	"--delayload":           {value: true, lld: "-DELAYLOAD:%s"},
	"--exclude-symbols":     {value: true, lld: "-EXCLUDE-SYMBOLS:%s"},
	"--export-all-symbols":  {lld: "-EXPORT-ALL-SYMBOLS"},
	"--exclude-all-symbols": {lld: "-EXCLUDE-ALL-SYMBOLS"},
	"--gc-sections":         {lld: "-OPT:REF"},
	"--no-gc-sections":      {lld: "-OPT:NOREF"},
	"--icf": {value: true, do: func(p *peLink, v string) error {
		option, ok := map[string]string{"none": "NOICF", "all": "ICF", "safe": "SAFEICF"}[v]
		if !ok {
			return p.linkerRefused("--icf="+v, "it must be none, all or safe")
		}
		p.flags = append(p.flags, "-OPT:"+option)
		return nil
	}},
	"-m": {value: true, do: func(p *peLink, v string) error {
		if v != "arm64pe" {
			return p.linkerRefused("-m "+v, "the emulation is arm64pe")
		}
		return nil
	}},
	"--major-image-version":          {value: true, do: func(p *peLink, v string) error { p.version[0] = v; return nil }},
	"--minor-image-version":          {value: true, do: func(p *peLink, v string) error { p.version[1] = v; return nil }},
	"--disable-auto-import":          {lld: "-AUTO-IMPORT:NO"},
	"--disable-runtime-pseudo-reloc": {lld: "-RUNTIME-PSEUDO-RELOC:NO"},
	"--disable-tsaware":              {lld: "-TSAWARE:NO"},
	"--disable-nxcompat":             {lld: "-NXCOMPAT:NO"},
	"--disable-dynamicbase":          {lld: "-DYNAMICBASE:NO"},
	"--disable-high-entropy-va":      {lld: "-HIGHENTROPYVA:NO"},
	"--allow-multiple-definition":    {lld: "-FORCE:MULTIPLE"},
	"--fatal-warnings":               {lld: "-WX"},
	"--no-fatal-warnings":            {lld: "-WX:NO"},

	// What lld-link does by nature.
	"--no-undefined":                {},
	"--allow-shlib-undefined":       {}, // about the undefined symbols of shared libraries; import libraries have none
	"--no-allow-shlib-undefined":    {},
	"--no-insert-timestamp":         {},
	"--enable-auto-import":          {},
	"--enable-runtime-pseudo-reloc": {},
	"--enable-auto-image-base":      {}, // every image is relocated on load
	"--dynamicbase":                 {},
	"--nxcompat":                    {},
	"--high-entropy-va":             {},
	"--tsaware":                     {},
	"--large-address-aware":         {},
	"--no-seh":                      {}, // a flag of 32-bit images
	"--kill-at":                     {}, // ARM64 names have no @N
	"--add-stdcall-alias":           {}, // ARM64 names have no @N
	"--start-group":                 {}, // archives are searched until nothing more is found
	"--end-group":                   {},
	"-(":                            {},
	"-)":                            {},
	"--as-needed":                   {}, // an image imports symbols, not libraries
	"--no-as-needed":                {},
	"--color-diagnostics":           {},
	"--no-dynamic-linker":           {}, // an image names no loader
	"--sort-common":                 {}, // where lld puts common symbols has no meaning

	"--version-script":   {value: true, refuse: "PE exports are chosen by __declspec(dllexport) or a .def file; patch the project"},
	"--dynamic-list":     {value: true, refuse: "PE exports are chosen by __declspec(dllexport) or a .def file; patch the project"},
	"--export-dynamic":   {refuse: "say --export-all-symbols, or declare the exports"},
	"--rpath":            {value: true, refuse: "Windows looks for a DLL beside the program and in PATH; an image cannot say where"},
	"--rpath-link":       {value: true, refuse: "an import library has no dependencies of its own"},
	"--soname":           {value: true, refuse: "a DLL is called what its file is called"},
	"--insert-timestamp": {refuse: "the output must be the same at any time"},
	"--pdb":              {value: true, refuse: "debug data is DWARF; -g puts it into the image"},
	"--plugin":           {value: true, refuse: "a linker plugin is a program of the machine that builds"},
	"--build-id":         {value: true, refuse: "an image has no build id; say --build-id=none"},
	"--relocatable":      {refuse: "COFF objects cannot be combined into one object; make a static library"},
}

// gnuFlag translates the flag words[0] and returns how many words after it were
// its value.
func (p *peLink) gnuFlag(words []input) (int, error) {
	text := words[0].text
	name, value, attached := strings.Cut(text, "=")
	if strings.HasPrefix(text, "-O") || text == "--build-id=none" {
		return 0, nil // -O is how hard the linker tries
	}
	f, ok := gnuFlags[name]
	if !ok {
		return 0, p.linkerRefused(text, "it has no meaning for lld-link that the driver knows of")
	}
	if f.refuse != "" {
		return 0, p.linkerRefused(text, f.refuse)
	}
	used := 0
	if f.value && !attached {
		if len(words) < 2 {
			return 0, fmt.Errorf("-Wl,%s: its value is missing", text)
		}
		value, used = words[1].text, 1
	} else if !f.value && attached {
		return 0, p.linkerRefused(text, "the flag has no value")
	}
	switch {
	case f.do != nil:
		return used, f.do(p, value)
	case f.lld != "":
		p.flags = append(p.flags, strings.Replace(f.lld, "%s", value, 1))
	}
	return used, nil
}

func (t *toolchain) linkerRefused(flag, why string) error {
	return fmt.Errorf("linker flag %s cannot be honoured for %s: %s", flag, t.Target, why)
}
