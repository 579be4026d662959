package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// loop is their side: one `pip wheel` after another, as build.py does it.
type loop struct {
	base  string
	ours  *bazel
	files []string // sdists or source folders
}

func newLoop(ours *bazel) (*loop, error) {
	l := &loop{base: filepath.Join(ours.base, "loop"), ours: ours}
	if err := os.Mkdir(l.base, 0o755); err != nil {
		return nil, err
	}
	for _, project := range projects {
		file, err := ours.sdist(project)
		if err != nil {
			return nil, err
		}
		l.files = append(l.files, file)
	}
	// What the builds require is in pip's cache from here on: on our side everything is fetched, too.
	return l, errors.Join(l.run(), l.forget())
}

func name(i int) string {
	project, _, _ := strings.Cut(projects[i], "==")
	return project
}

func (l *loop) env() []string {
	return []string{"CC=ccache gcc", "CXX=ccache g++", "CMAKE_C_COMPILER_LAUNCHER=ccache", "CMAKE_CXX_COMPILER_LAUNCHER=ccache",
		"CCACHE_DIR=" + filepath.Join(l.base, "ccache"), "CCACHE_NOHASHDIR=1", "CCACHE_BASEDIR=/tmp", "PIP_DISABLE_PIP_VERSION_CHECK=1"}
}

func (l *loop) run() error {
	for _, file := range l.files {
		if err := run(l.base, l.env(), "python3", "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", filepath.Join(l.base, "wheels"), file); err != nil {
			return err
		}
	}
	return nil
}

// forget empties ccache: another machine has none.
func (l *loop) forget() error { return os.RemoveAll(filepath.Join(l.base, "ccache")) }

func (l *loop) bump() (err error) {
	l.files[bumped], err = l.ours.sdist(name(bumped) + "==" + bumpedTo)
	return err
}

// change builds one wheel from its unpacked source with one line more.
func (l *loop) change() error {
	if err := run(l.base, nil, "tar", "-xzf", l.files[changed]); err != nil {
		return err
	}
	dir := filepath.Join(l.base, strings.TrimSuffix(filepath.Base(l.files[changed]), ".tar.gz"))
	file := filepath.Join(dir, filepath.FromSlash(changedIn))
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	l.files[changed] = dir
	return os.WriteFile(file, append([]byte(line), data...), 0o644)
}
