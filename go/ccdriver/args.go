package ccdriver

import (
	"fmt"
	"path"
	"strings"
)

// stage is how far a cc command goes.
type stage int

const (
	link       stage = iota
	compile          // -c
	assemble         // -S
	preprocess       // -E, -M, -MM
	check            // -fsyntax-only
)

// inputKind tells the things apart whose order on the command line matters.
type inputKind int

const (
	source   inputKind = iota // a file to compile
	file                      // an object, archive or import library
	library                   // the NAME of -lNAME
	linkFlag                  // one word for the linker
)

// input is one element of a link, in the order of the command line.
type input struct {
	kind inputKind
	text string
	// lang is the -x language of a source, where one was given.
	lang string
}

// invocation is a parsed cc or c++ command line.
type invocation struct {
	cxx   bool
	stage stage
	// compile are the flags of compilation, in order, with their values.
	compile []string
	inputs  []input
	libDirs []string
	output  string

	shared, staticLibs, relocatable, strip, debug, verbose bool
	noStdlib, noStartFiles, noDefaultLibs                  bool
	noStdInc, noStdIncCXX                                  bool
	noWarnUnused                                           bool
	depfile                                                bool // -MD or -MMD
	depfileName, depTarget                                 bool // -MF; -MT or -MQ
	// subsystem is that of a PE program: console or windows.
	subsystem string
}

// valueFlags take their value from the next argument if it is not attached.
// The flags that have a case of their own in parse are not listed.
var valueFlags = map[string]bool{
	"-D": true, "-U": true, "-I": true, "-isystem": true, "-iquote": true, "-idirafter": true, "-include": true,
	"-imacros": true, "-iprefix": true, "-iwithprefix": true, "-iwithprefixbefore": true, "-isystem-after": true,
	"-MF": true, "-MT": true, "-MQ": true, "-MJ": true,
	"-Xclang": true, "-Xpreprocessor": true, "-Xassembler": true, "-mllvm": true, "--param": true,
	"-dumpdir": true, "-dumpbase": true,
}

// includeFlags are those whose value is a folder of headers.
var includeFlags = []string{"-I", "-isystem", "-iquote", "-idirafter"}

// parse sorts a cc command line. It fails for a flag that cannot be honoured on
// the target and for one whose value is missing.
func (t *toolchain) parse(cxx bool, args []string) (*invocation, error) {
	inv := &invocation{cxx: cxx, subsystem: "console"}
	lang, onlyFiles := "", false
	for i := 0; i < len(args); i++ {
		arg := args[i]
		next := func() (string, error) {
			if i++; i < len(args) {
				return args[i], nil
			}
			return "", fmt.Errorf("%s: its value is missing", arg)
		}
		if onlyFiles || arg == "-" || !strings.HasPrefix(arg, "-") {
			inv.addFile(arg, lang)
			continue
		}
		if arg == "--" {
			onlyFiles = true
			continue
		}
		if err := t.refused(arg); err != nil {
			return nil, err
		}
		if t.byNature(arg) {
			continue
		}
		var err error
		switch {
		case arg == "-o" || arg == "--output":
			inv.output, err = next()
		case strings.HasPrefix(arg, "-o") && !strings.HasPrefix(arg, "-objc"):
			inv.output = arg[2:]
		case arg == "-x":
			lang, err = next()
		case strings.HasPrefix(arg, "-x"):
			lang = arg[2:]
		case inv.setStage(arg), inv.setLinkMode(arg):
		case arg == "-l":
			var name string
			name, err = next()
			inv.inputs = append(inv.inputs, input{kind: library, text: name})
		case strings.HasPrefix(arg, "-l"):
			inv.inputs = append(inv.inputs, input{kind: library, text: arg[2:]})
		case arg == "-L":
			var dir string
			if dir, err = next(); err == nil {
				err = inv.addLibDir("-L"+dir, dir)
			}
		case strings.HasPrefix(arg, "-L"):
			err = inv.addLibDir(arg, arg[2:])
		case arg == "-Xlinker":
			var word string
			word, err = next()
			inv.addLinker(word)
		case strings.HasPrefix(arg, "-Wl,"):
			inv.addLinker(strings.Split(arg[4:], ",")...)
		case arg == "-z" || arg == "-u" || arg == "-T" || arg == "-e":
			var word string
			word, err = next()
			inv.addLinker(arg, word)
		case strings.HasPrefix(arg, "-T"), strings.HasPrefix(arg, "-u"), strings.HasPrefix(arg, "-z"):
			inv.addLinker(arg[:2], arg[2:])
		case valueFlags[arg]:
			var value string
			if value, err = next(); err == nil {
				err = inv.addCompile(arg, value)
			}
		default:
			err = inv.addCompile(arg, "")
		}
		if err != nil {
			return nil, err
		}
	}
	return inv, nil
}

func (inv *invocation) setStage(arg string) bool {
	wanted, ok := map[string]stage{
		"-c": compile, "-S": assemble, "-E": preprocess, "-M": preprocess, "-MM": preprocess, "-fsyntax-only": check,
	}[arg]
	if !ok {
		return false
	}
	// The stage that stops first wins, whatever the order: `-c -E` preprocesses.
	if wanted > inv.stage {
		inv.stage = wanted
	}
	if strings.HasPrefix(arg, "-M") {
		inv.compile = append(inv.compile, arg)
	}
	return true
}

// setLinkMode takes the flags that say how to link.
func (inv *invocation) setLinkMode(arg string) bool {
	switch arg {
	case "-shared", "--shared", "-mdll":
		inv.shared = true
	case "-static":
		inv.staticLibs = true
		inv.addLinker("-Bstatic")
	case "-r":
		inv.relocatable = true
	case "-s":
		inv.strip = true
	case "-nostdlib":
		inv.noStdlib = true
	case "-nostartfiles":
		inv.noStartFiles = true
	case "-nodefaultlibs":
		inv.noDefaultLibs = true
	case "-mwindows":
		inv.subsystem = "windows"
	case "-mconsole":
		inv.subsystem = "console"
	case "-rdynamic":
		inv.addLinker("--export-dynamic")
	case "-symbolic":
		inv.addLinker("-Bsymbolic")
	default:
		return false
	}
	return true
}

// addCompile adds a flag of compilation, and notes what planning must know.
func (inv *invocation) addCompile(arg, value string) error {
	for _, include := range includeFlags {
		dir := value
		if arg != include {
			if dir = strings.TrimPrefix(arg, include); dir == arg {
				continue
			}
		}
		if isHostFolder(dir) {
			return fmt.Errorf("%s: a header folder of the machine that builds; use one of the target", strings.TrimSpace(arg+" "+value))
		}
	}
	switch {
	case arg == "-v":
		inv.verbose = true
	case arg == "-nostdinc":
		inv.noStdInc = true
	case arg == "-nostdinc++":
		inv.noStdIncCXX = true
	case arg == "-w" || arg == "-Qunused-arguments" || arg == "-Wno-unused-command-line-argument":
		inv.noWarnUnused = true
	case arg == "-MD" || arg == "-MMD":
		inv.depfile = true
	case strings.HasPrefix(arg, "-MF"):
		inv.depfileName = true
	case strings.HasPrefix(arg, "-MT"), strings.HasPrefix(arg, "-MQ"):
		inv.depTarget = true
	case arg == "-g0":
		inv.debug = false
	case arg == "-g" || strings.HasPrefix(arg, "-g") && len(arg) == 3 || strings.HasPrefix(arg, "-ggdb") || strings.HasPrefix(arg, "-gdwarf"):
		inv.debug = true
	}
	inv.compile = append(inv.compile, arg)
	if value != "" || valueFlags[arg] {
		inv.compile = append(inv.compile, value)
	}
	return nil
}

func (inv *invocation) addLinker(words ...string) {
	for _, word := range words {
		if word == "-shared" || word == "--shared" {
			inv.shared = true
			continue
		}
		inv.inputs = append(inv.inputs, input{kind: linkFlag, text: word})
	}
}

func (inv *invocation) addLibDir(arg, dir string) error {
	if isHostFolder(dir) {
		return fmt.Errorf("%s: a library folder of the machine that builds; use one of the target", arg)
	}
	inv.libDirs = append(inv.libDirs, dir)
	return nil
}

// isHostFolder recognises the folders where a Unix machine keeps its own
// headers and libraries, which are never those of the target.
func isHostFolder(dir string) bool {
	dir = path.Clean(strings.ReplaceAll(dir, `\`, "/"))
	for _, host := range []string{"/usr/include", "/usr/local/include", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64"} {
		if dir == host || strings.HasPrefix(dir, host+"/") {
			return true
		}
	}
	return false
}

// sourceExtensions are what clang takes for a source when no -x is given.
var sourceExtensions = map[string]bool{
	".c": true, ".i": true, ".cc": true, ".cp": true, ".cxx": true, ".cpp": true, ".CPP": true, ".c++": true, ".C": true,
	".ii": true, ".s": true, ".S": true, ".sx": true, ".asm": true, ".h": true, ".hh": true, ".hpp": true, ".m": true, ".mm": true,
	".ll": true, ".bc": true,
}

func (inv *invocation) addFile(name, lang string) {
	if lang == "none" {
		lang = ""
	}
	kind := file
	if lang != "" || name == "-" || sourceExtensions[path.Ext(name)] {
		kind = source
	}
	inv.inputs = append(inv.inputs, input{kind: kind, text: name, lang: lang})
}

// isCXX reports whether a source is C++ by its -x language or its name.
func (in input) isCXX() bool {
	if in.lang != "" {
		return strings.HasPrefix(in.lang, "c++")
	}
	switch path.Ext(in.text) {
	case ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii", ".hh", ".hpp":
		return true
	}
	return false
}

// sources are the inputs to compile.
func (inv *invocation) sources() []input {
	var out []input
	for _, in := range inv.inputs {
		if in.kind == source {
			out = append(out, in)
		}
	}
	return out
}
