package ccdriver

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// planCC plans a cc or c++ command.
func (t *toolchain) planCC(cxx bool, args []string) (*Plan, error) {
	if plan := t.answer(cxx, args); plan != nil {
		return plan, nil
	}
	show := false
	for i, arg := range args {
		if arg == "-###" {
			show = true
			args = append(append([]string{}, args[:i]...), args[i+1:]...)
			break
		}
	}
	inv, err := t.parse(cxx, args)
	if err != nil {
		return nil, err
	}
	plan, err := t.planInvocation(inv)
	if err != nil || !show {
		return plan, err
	}
	return &Plan{Output: plan.String()}, nil
}

func (t *toolchain) planInvocation(inv *invocation) (*Plan, error) {
	sources := inv.sources()
	if inv.stage != link || len(inv.inputs) == 0 {
		plan := newPlan(t.clang(inv, sources, inv.output))
		for _, in := range inv.inputs {
			if in.kind == file {
				plan.Warnings = append(plan.Warnings, in.text+": not used, because nothing is linked")
			}
		}
		return plan, nil
	}
	plan := &Plan{}
	objects := map[int]string{}
	for i, in := range inv.inputs {
		if in.kind != source {
			continue
		}
		object := tempMark + "/" + strconv.Itoa(len(objects)) + "/" + stem(in.text) + ".o"
		objects[i] = object
		one := *inv
		one.stage, one.inputs = compile, []input{in}
		if inv.depfile {
			// Named after the source, as if it had been compiled on its own.
			if !inv.depfileName {
				one.compile = append(one.compile[:len(one.compile):len(one.compile)], "-MF", stem(in.text)+".d")
			}
			if !inv.depTarget {
				one.compile = append(one.compile[:len(one.compile):len(one.compile)], "-MT", stem(in.text)+".o")
			}
		}
		plan.Commands = append(plan.Commands, t.clang(&one, []input{in}, object))
		plan.tempDirs = append(plan.tempDirs, path.Dir(object))
	}
	// What the linker sees: every source has become its object.
	linked := *inv
	linked.inputs = append([]input{}, inv.inputs...)
	for i, object := range objects {
		linked.inputs[i] = input{kind: file, text: object}
	}
	planLink := t.linkELF
	if t.pe {
		planLink = t.linkPE
	}
	command, err := planLink(&linked)
	if err != nil {
		return nil, err
	}
	plan.Commands = append(plan.Commands, command)
	return plan, nil
}

// stem is a file's name without folder and extension.
func stem(name string) string {
	base := path.Base(filepath.ToSlash(name))
	if base == "-" {
		return "stdin"
	}
	return strings.TrimSuffix(base, path.Ext(base))
}

// clang is the command that compiles, assembles or preprocesses.
func (t *toolchain) clang(inv *invocation, sources []input, output string) Command {
	args := []string{"--driver-mode=gcc"}
	// As with gcc, a C++ source is one whatever the driver is called.
	cxx := inv.cxx || slices.ContainsFunc(sources, input.isCXX)
	if inv.cxx {
		args[0] = "--driver-mode=g++"
	}
	args = append(args, "--no-default-config", "--target="+t.triple, "-nostdinc", "-no-canonical-prefixes")
	args = append(args, t.compileFlags()...)
	if cxx {
		args = append(args, cxxFlags...)
	}
	if inv.stage == compile && !inv.noWarnUnused && !assemblesOnly(sources) {
		// clang only warns of a flag that it does not honour.
		args = append(args, "-Werror=unused-command-line-argument", "-Werror=ignored-optimization-argument")
	}
	args = append(args, inv.compile...)
	if flag := map[stage]string{compile: "-c", assemble: "-S", preprocess: "-E", check: "-fsyntax-only"}[inv.stage]; flag != "" && !inv.onlyDeps() {
		args = append(args, flag)
	}
	if output != "" {
		args = append(args, "-o", output)
	}
	lang := ""
	for _, in := range sources {
		name := in.text
		if strings.HasPrefix(name, "-") && name != "-" {
			name = "./" + name // it came after "--"
		}
		if in.lang != lang {
			// Not after the last source: clang would warn that it has no effect.
			if lang = in.lang; lang == "" {
				args = append(args, "-x", "none")
			} else {
				args = append(args, "-x", lang)
			}
		}
		args = append(args, name)
	}
	args = append(args, t.includeFlags(inv, cxx)...)
	return t.zig("clang", args...)
}

// onlyDeps reports whether -M or -MM says all there is to say of the stage.
func (inv *invocation) onlyDeps() bool {
	for _, arg := range inv.compile {
		if arg == "-M" || arg == "-MM" {
			return true
		}
	}
	return false
}

// assemblesOnly reports whether all sources are plain assembly, for which the
// flags of the preprocessor and the optimiser mean nothing.
func assemblesOnly(sources []input) bool {
	for _, in := range sources {
		if in.lang != "assembler" && path.Ext(in.text) != ".s" {
			return false
		}
	}
	return len(sources) > 0
}

// compileFlags are the flags of every compilation: the target's, and the maps
// that keep the folders of this machine out of the output.
func (t *toolchain) compileFlags() []string {
	flags := append([]string{}, t.compile...)
	for _, p := range t.PrefixMaps {
		flags = append(flags, "-ffile-prefix-map="+p)
	}
	flags = append(flags, "-ffile-prefix-map="+filepath.ToSlash(t.cwd)+"=.")
	// Last, since the last map that fits is the one that is used: the sysroot may lie in the working folder.
	return append(flags, "-ffile-prefix-map="+filepath.ToSlash(t.Sysroot)+"=sysroot")
}

// includeFlags name the sysroot's headers. They come after the caller's own
// -isystem folders, as a compiler's built-in ones do.
func (t *toolchain) includeFlags(inv *invocation, cxx bool) []string {
	var flags []string
	if inv.noStdInc {
		return nil
	}
	if cxx && !inv.noStdIncCXX {
		flags = append(flags, "-isystem", t.inSysroot("include", "c++"), "-isystem", t.inSysroot("include", "c++abi"))
	}
	for _, dir := range t.include {
		flags = append(flags, "-isystem", t.inSysroot("include", dir))
	}
	return flags
}
