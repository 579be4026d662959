// Package loader tells whether Windows on ARM loads the native members of a
// wheel, without such a machine: ARM64 Wine runs in a [guest.Guest].
//
// Its primary type is [Wine]: a Wine prefix in the guest ([New]), in which
// [Wine.Load] starts a small host program (host/host.c) that stands for python.exe.
// The host loads stubs of Python's own DLLs first, then each [Module] with the
// flags that CPython uses, and looks up its init function. That proves that
// every DLL a module names is found and that its static constructors run. It
// does not prove that each imported function exists, since Wine makes up the
// missing ones; [stubdll.DLL.Missing] and the audit of the wheel do.
package loader

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sparkwheels/sparkwheels/go/guest"
)

// prefix is the folder of the guest that holds Windows's disk and registry.
const prefix = "/prefix"

// Where Debian's releases put the programs that the wrappers in /usr/bin start.
var (
	winePaths   = []string{"/usr/lib/wine/wine64", "/usr/lib/aarch64-linux-gnu/wine/wine", "/usr/lib/wine/wine"}
	serverPaths = []string{"/usr/lib/wine/wineserver64", "/usr/lib/aarch64-linux-gnu/wine/wineserver", "/usr/lib/wine/wineserver"}
)

// The times are a multiple of what two loaded cores took: 30 s for a first
// start, 2 s for the host and under one for a module.
const (
	startTime  = 5 * time.Minute
	hostTime   = 60 * time.Second
	moduleTime = 10 * time.Second
)

// The errors of LoadLibrary that tests look for.
const (
	// ErrorModNotFound is ERROR_MOD_NOT_FOUND: the DLL or one it needs is missing.
	ErrorModNotFound = 126
	// ErrorBadExeFormat is ERROR_BAD_EXE_FORMAT: the DLL is for another processor.
	ErrorBadExeFormat = 193
)

// Module is one native member of a wheel.
type Module struct {
	// Path is relative to the wheel's root, with slashes.
	Path string
	// Init is the function that Python would look up, "" for a plain DLL.
	Init string
}

// Outcome is what became of one module.
type Outcome struct {
	Module
	// Err is Windows's error code of LoadLibrary, 0 when the module loaded.
	Err uint32
	// Found is set when Init was found or there is none.
	Found bool
}

// OK tells whether Python could go on with the module.
func (o Outcome) OK() bool { return o.Err == 0 && o.Found }

func (o Outcome) String() string {
	switch {
	case o.Err != 0:
		return fmt.Sprintf("%s: Windows error %d", o.Path, o.Err)
	case !o.Found:
		return fmt.Sprintf("%s: loads, but has no %s", o.Path, o.Init)
	}
	return o.Path + ": loads"
}

// Modules lists the .pyd and .dll files below root, sorted by path.
func Modules(root string) ([]Module, error) {
	var modules []Module
	err := filepath.WalkDir(root, func(p string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		m := Module{Path: filepath.ToSlash(rel)}
		switch path.Ext(m.Path) {
		case ".pyd":
			// name.cp312-win_arm64.pyd
			name, _, _ := strings.Cut(path.Base(m.Path), ".")
			m.Init = "PyInit_" + name
		case ".dll":
		default:
			return nil
		}
		modules = append(modules, m)
		return nil
	})
	return modules, err
}

// Wine loads modules in one Wine prefix.
type Wine struct {
	guest *guest.Guest
	// host and prefix are paths here, wine is one in the guest.
	host, prefix, wine string
}

// New finds or makes the Wine prefix (half a minute) beside the guest's root.
// The host is host/host.c's program for Windows on ARM.
func New(ctx context.Context, g *guest.Guest, host string) (*Wine, error) {
	stamp, err := os.ReadFile(filepath.Join(g.Root(), ".debroot", "stamp"))
	if err != nil {
		return nil, err
	}
	w := &Wine{guest: g, host: host, prefix: g.Root() + ".wine-" + strings.TrimSpace(string(stamp))[:12]}
	var server string
	if w.wine, err = program(g, winePaths); err != nil {
		return nil, err
	}
	if server, err = program(g, serverPaths); err != nil {
		return nil, err
	}
	unlock, err := lock(g.Root() + ".wine.lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	if _, err := os.Stat(w.prefix); err == nil {
		return w, nil
	}
	// What an interrupted start or a root of other packages left.
	stale, err := filepath.Glob(g.Root() + ".wine-*")
	if err != nil {
		return nil, err
	}
	for _, dir := range stale {
		if err := os.RemoveAll(dir); err != nil {
			return nil, err
		}
	}
	made, err := os.MkdirTemp(filepath.Dir(w.prefix), filepath.Base(w.prefix)+".tmp-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(made)
	result, err := g.Run(ctx, guest.Command{
		// The server ends, and with it all writing, when the last program has.
		Args:    []string{"/bin/sh", "-c", `"$0" wineboot --init && "$1" --wait`, w.wine, server},
		Env:     environ(),
		Mounts:  []guest.Mount{{Source: made, Target: prefix, Writable: true}},
		Timeout: startTime,
	})
	if err != nil {
		return nil, fmt.Errorf("starting Wine for the first time: %w", err)
	}
	if _, err := os.Stat(filepath.Join(made, "system.reg")); result.ExitCode != 0 || err != nil {
		return nil, fmt.Errorf("starting Wine for the first time: exit code %d: %s", result.ExitCode, result.Output)
	}
	return w, os.Rename(made, w.prefix)
}

// program is the first of the paths that the guest has.
func program(g *guest.Guest, paths []string) (string, error) {
	for _, p := range paths {
		if _, err := os.Stat(filepath.Join(g.Root(), p)); err == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("%s holds none of %s", g.Root(), strings.Join(paths, ", "))
}

// environ is what Wine needs: no messages of its own, and no Mono, Gecko or
// desktop integration at the first start.
func environ() []string {
	return []string{"WINEPREFIX=" + prefix, "WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml,winemenubuilder.exe=", "XDG_RUNTIME_DIR=/tmp"}
}

// The folders of a load, in the guest.
const (
	hostDir  = "/host"
	stubsDir = "/stubs"
	treeDir  = "/tree"
)

// Load loads the modules of the unpacked wheel in tree, in order and in one
// process, after all the DLLs in stubs. The outcomes are in the modules' order.
// An error is a failure of Wine, of the host or of a stub.
func (w *Wine) Load(ctx context.Context, stubs, tree string, modules []Module) ([]Outcome, error) {
	dir, err := os.MkdirTemp("", "loader-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	orders, err := orders(stubs, tree, modules)
	if err != nil {
		return nil, err
	}
	program, err := os.ReadFile(w.host)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(
		os.WriteFile(filepath.Join(dir, "host.exe"), program, 0o755),
		os.WriteFile(filepath.Join(dir, "orders"), []byte(strings.Join(orders, "\n")+"\n"), 0o644),
	); err != nil {
		return nil, err
	}
	result, err := w.Run(ctx, guest.Command{
		Args: []string{hostDir + "/host.exe", hostDir + "/orders"},
		Mounts: []guest.Mount{
			{Source: dir, Target: hostDir},
			{Source: stubs, Target: stubsDir},
			{Source: tree, Target: treeDir},
		},
		Timeout: hostTime + time.Duration(len(modules))*moduleTime,
	})
	if err != nil {
		return nil, err
	}
	return outcomes(result, modules)
}

// Run runs another program for Windows on ARM in the prefix: c.Args holds its
// path in the guest and its arguments. What it changes in the prefix is lost.
func (w *Wine) Run(ctx context.Context, c guest.Command) (*guest.Result, error) {
	c.Args = append([]string{w.wine}, c.Args...)
	c.Env = append(environ(), c.Env...)
	c.Mounts = append([]guest.Mount{{Source: w.prefix, Target: prefix}}, c.Mounts...)
	return w.guest.Run(ctx, c)
}

// orders are the host's lines: what to do, a Windows path, a symbol.
func orders(stubs, tree string, modules []Module) ([]string, error) {
	var lines []string
	entries, err := os.ReadDir(stubs)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		lines = append(lines, "preload\t"+WindowsPath(path.Join(stubsDir, entry.Name()))+"\t")
	}
	// delvewheel puts a wheel's own DLLs into NAME.libs and has the package add
	// that folder to the search path.
	libs, err := filepath.Glob(filepath.Join(tree, "*.libs"))
	if err != nil {
		return nil, err
	}
	slices.Sort(libs)
	for _, lib := range libs {
		lines = append(lines, "search\t"+WindowsPath(path.Join(treeDir, filepath.Base(lib)))+"\t")
	}
	for _, m := range modules {
		lines = append(lines, "load\t"+WindowsPath(path.Join(treeDir, m.Path))+"\t"+m.Init)
	}
	return lines, nil
}

// WindowsPath is the path under which Wine shows a file of the guest.
func WindowsPath(path string) string { return "Z:" + strings.ReplaceAll(path, "/", `\`) }

// outcomes reads the host's answers: "loaded", error code and whether the
// symbol was found, one line for each module. The host fails only for a stub.
func outcomes(result *guest.Result, modules []Module) ([]Outcome, error) {
	var all []Outcome
	for _, line := range strings.Split(result.Output, "\n") {
		words := strings.Fields(line)
		if len(words) != 3 || words[0] != "loaded" || len(all) == len(modules) {
			continue
		}
		code, err := strconv.ParseUint(words[1], 10, 32)
		if err != nil {
			return nil, fmt.Errorf("the host printed %q: %w", line, err)
		}
		all = append(all, Outcome{Module: modules[len(all)], Err: uint32(code), Found: words[2] == "1"})
	}
	if result.ExitCode != 0 || len(all) != len(modules) {
		at := "before the first module"
		if len(all) > 0 {
			at = "after " + all[len(all)-1].Path
		}
		return nil, fmt.Errorf("the host ended %s with exit code %d: %s", at, result.ExitCode, result.Output)
	}
	return all, nil
}
