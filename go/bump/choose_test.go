package bump

import (
	"context"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/upstream"
)

// release is a version with files, without hashes.
func release(version string, files ...string) upstream.Release {
	r := upstream.Release{Version: version}
	for _, f := range files {
		r.Files = append(r.Files, upstream.File{Name: f})
	}
	return r
}

func pypi(version, file string) *pins.Pin {
	return &pins.Pin{Name: "p", Version: version, Source: pins.Source{PyPI: &pins.PyPI{Project: "p", File: file}}}
}

func TestNewest(t *testing.T) {
	const win = "-cp312-cp312-win_arm64.whl"
	yanked := release("1.3", "p-1.3.tar.gz")
	yanked.Yanked = true
	yankedFile := release("1.3", "p-1.3.tar.gz")
	yankedFile.Files[0].Yanked = true
	python := release("1.3", "p-1.3.tar.gz")
	python.Files[0].RequiresPython = ">=3.13"
	sdist := pypi("1.0", "p-1.0.tar.gz")
	wheel := pypi("1.0", "p-1.0"+win)
	git := &pins.Pin{Name: "p", Version: "0+git.aaaaaaaa", Source: pins.Source{Git: &pins.Git{}}}
	for name, c := range map[string]struct {
		pin      *pins.Pin
		releases []upstream.Release
		wanted   string
		version  string // the choice
		file     string
		note     string // part of what was passed over, or of the error
	}{
		"PEP 440 order":             {sdist, []upstream.Release{release("1.9", "p-1.9.tar.gz"), release("1.10", "p-1.10.tar.gz"), release("1.2", "p-1.2.tar.gz")}, "", "1.10", "p-1.10.tar.gz", ""},
		"post release":              {sdist, []upstream.Release{release("1.0", "p-1.0.tar.gz"), release("1.0.post1", "p-1.0.post1.tar.gz")}, "", "1.0.post1", "p-1.0.post1.tar.gz", ""},
		"pre-release passed":        {sdist, []upstream.Release{release("1.1", "p-1.1.tar.gz"), release("2.0rc1", "p-2.0rc1.tar.gz")}, "", "1.1", "p-1.1.tar.gz", "2.0rc1 is a pre-release"},
		"pre-release pinned":        {pypi("2.0b1", "p-2.0b1.tar.gz"), []upstream.Release{release("2.0b1", "p-2.0b1.tar.gz"), release("2.0rc1", "p-2.0rc1.tar.gz")}, "", "2.0rc1", "p-2.0rc1.tar.gz", ""},
		"pre-release asked for":     {sdist, []upstream.Release{release("2.0rc1", "p-2.0rc1.tar.gz")}, "2.0rc1", "2.0rc1", "p-2.0rc1.tar.gz", ""},
		"yanked newest":             {sdist, []upstream.Release{yanked, release("1.2", "p-1.2.tar.gz")}, "", "1.2", "p-1.2.tar.gz", "1.3 was yanked"},
		"yanked file":               {sdist, []upstream.Release{yankedFile, release("1.2", "p-1.2.tar.gz")}, "", "1.2", "p-1.2.tar.gz", "p-1.3.tar.gz was yanked"},
		"our Python refused":        {sdist, []upstream.Release{python, release("1.2", "p-1.2.tar.gz")}, "", "1.2", "p-1.2.tar.gz", "1.3 wants Python >=3.13"},
		"no sdist":                  {sdist, []upstream.Release{release("1.3", "p-1.3"+win), release("1.2", "p-1.2.tar.gz")}, "", "1.2", "p-1.2.tar.gz", "1.3 has no sdist"},
		"other platform":            {wheel, []upstream.Release{release("1.3", "p-1.3-cp312-cp312-win_amd64.whl"), release("1.2", "p-1.2"+win, "p-1.2.tar.gz")}, "", "1.2", "p-1.2" + win, "1.3 has no wheel for the platform of"},
		"other Python":              {wheel, []upstream.Release{release("1.3", "p-1.3-cp313-cp313-win_arm64.whl"), release("1.2", "p-1.2-cp39-abi3-win_arm64.whl")}, "", "1.2", "p-1.2-cp39-abi3-win_arm64.whl", "1.3 has no wheel"},
		"version is not PEP 440":    {sdist, []upstream.Release{release("2004d", "p-2004d.tar.gz"), release("1.0", "p-1.0.tar.gz")}, "", "1.0", "p-1.0.tar.gz", `"2004d" is not a PEP 440 version`},
		"asked for what is not":     {sdist, []upstream.Release{release("1.2", "p-1.2.tar.gz")}, "9", "", "", "upstream has no version 9; the newest are 1.2"},
		"asked for what was yanked": {sdist, []upstream.Release{yanked}, "1.3", "", "", "1.3: was yanked"},
		"a commit without a tag":    {git, []upstream.Release{{Version: "1.0", Commit: "c"}, {Version: "0+git.bbbbbbbb", Commit: "b"}}, "", "0+git.bbbbbbbb", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			choice, err := Newest(c.pin, c.releases, c.wanted)
			if err != nil {
				if c.version != "" || !strings.Contains(err.Error(), c.note) {
					t.Errorf("got error %q, want version %q or an error with %q", err, c.version, c.note)
				}
				return
			}
			if choice.Release.Version != c.version || choice.File.Name != c.file || !strings.Contains(strings.Join(choice.Passed, "; "), c.note) {
				t.Errorf("chose %s, %s, passing over %q", choice.Release.Version, choice.File.Name, choice.Passed)
			}
		})
	}
}

func TestInstalls(t *testing.T) {
	for file, want := range map[string]string{
		"p-1-cp312-cp312-win_arm64.whl":                                  "win_arm64",
		"p-1-cp39-abi3-manylinux_2_17_aarch64.manylinux2014_aarch64.whl": "linux_aarch64",
		"p-1-py3-none-any.whl":                                           "linux_aarch64 win_arm64",
		"p-1-cp313-abi3-win_arm64.whl":                                   "",
		"p-1-cp312-cp312t-win_arm64.whl":                                 "",
		"p-1-cp312-cp312-musllinux_1_2_aarch64.whl":                      "",
		"p-1-cp312-cp312-manylinux_2_31_aarch64.whl":                     "",
		"p-1-cp312-cp312-manylinux_2_28_x86_64.whl":                      "",
		"p-1-py3-none-manylinux_2_28_aarch64.musllinux_1_1_aarch64.whl":  "linux_aarch64",
		"p-1-pp310-pypy310_pp73-win_arm64.whl":                           "",
		"p-1-cp310-none-win_arm64.whl":                                   "",
		"p-1-py2.py3-none-win_arm64.whl":                                 "win_arm64",
	} {
		for _, platform := range []string{"linux_aarch64", "win_arm64"} {
			if got := Installs(file, platform); got != strings.Contains(want, platform) {
				t.Errorf("%s on %s: %v", file, platform, got)
			}
		}
	}
}

func TestTogether(t *testing.T) {
	toolkit := func(name, project, version string) *pins.Pin {
		p := pypi(version, "x")
		p.Name, p.Kind, p.Source.PyPI.Project = name, pins.Toolkit, project
		return p
	}
	backend := func(name, project, version string) *pins.Pin {
		p := toolkit(name, project, version)
		p.Kind = pins.Backend
		return p
	}
	torch := &pins.Pin{Name: "torch", Version: "2.0", Source: pins.Source{Unknown: "x"}}
	vision := &pins.Pin{Name: "vision", Version: "0.1", Source: pins.Source{Unknown: "x"}, BuiltFor: map[string]string{"torch": "2.0"}}
	flash := &pins.Pin{Name: "flash", Version: "2", Source: pins.Source{Unknown: "x"}, BuiltFor: map[string]string{"vision": "0.1"}}
	all := []*pins.Pin{torch, vision, flash, toolkit("nvcc_a", "nvcc", "13.4"), toolkit("cccl_a", "cccl", "13.3"),
		backend("cffi_a", "cffi", "2.1"), backend("cffi_b", "cffi", "2.1"), backend("cffi_old", "cffi", "1.0")}
	for i, want := range []string{"torch", "vision", "flash", "cccl_a", "cccl_a", "cffi_a", "cffi_a", "cffi_old"} {
		if got := Group(all, all[i]); got != want {
			t.Errorf("%s stands for %s, want %s", got, all[i].Name, want)
		}
	}
	for name, want := range map[string]string{
		"torch": "flash torch vision", "vision": "flash vision", "flash": "flash", "nvcc_a": "cccl_a nvcc_a", "cffi_a": "cffi_a cffi_b", "cffi_old": "cffi_old",
	} {
		if got := strings.Join(Together(all, name), " "); got != want {
			t.Errorf("%s moves %s, want %s", name, got, want)
		}
	}
}

// A tag that was moved since the pin and a commit that was force-pushed away are told, with both commits.
func TestOutdatedGit(t *testing.T) {
	pinned, now := strings.Repeat("a", 40), strings.Repeat("b", 40)
	pin := &pins.Pin{Name: "p", Version: "1.0", Source: pins.Source{Git: &pins.Git{Remote: "https://x.invalid/p", Commit: pinned}}}
	for want, ask := range map[string]*answers{
		"the tag of 1.0 was moved: it was commit " + pinned + " when it was pinned and is " + now + " now": {releases: []upstream.Release{{Version: "1.0", Commit: now}}},
		"force-pushed": {releases: []upstream.Release{{Version: "1.0", Commit: pinned}}, gone: true},
	} {
		rows, err := Outdated(t.Context(), ask, []*pins.Pin{pin})
		if err == nil || rows[0].State != Failed || !strings.Contains(rows[0].Note, want) {
			t.Errorf("got %+v, %v, want %q", rows, err, want)
		}
	}
}

// answers is an upstream that says the same to everybody.
type answers struct {
	releases []upstream.Release
	gone     bool
}

func (a *answers) Releases(context.Context, *pins.Pin) ([]upstream.Release, error) {
	return a.releases, nil
}

func (a *answers) Project(context.Context, string) ([]upstream.Release, error) {
	return a.releases, nil
}

func (a *answers) HasCommit(_ context.Context, g *pins.Git) error {
	if a.gone {
		return &upstream.MalformedError{What: g.Remote, Problem: "force-pushed"}
	}
	return nil
}
