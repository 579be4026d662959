package pins

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const (
	goodHash   = "9f228ae21c78fa9359ca98d8a5e8e91f30639e438e574133dace62c5b5309e44"
	goodCommit = "37d2a9387f7146ccb85517ff45c665d345bfda79"
)

// soxr is a valid pin as text, for tests to spoil.
const soxr = `{"name": "soxr", "version": "1.1.0", "kind": "wheel",
	"source": {"pypi": {"project": "soxr", "file": "soxr-1.1.0.tar.gz"}}, "sha256": "` + goodHash + `",
	"platforms": ["win_arm64"], "build": "scikit-build-core", "retire_when": "upstream ships it"}`

// zig is a valid unpacked pin.
const zig = `{"name": "zig", "version": "0.17.0.post0", "kind": "tool",
	"source": {"pypi": {"project": "ziglang", "file": "ziglang-0.17.0.post0-py3-none-win_arm64.whl"}}, "sha256": "` + goodHash + `",
	"exec_platforms": ["windows_arm64"], "unpack": true, "overlay": "ziglang"}`

// repository returns a repository whose pins file holds the given pins.
func repository(pins ...string) fstest.MapFS {
	return withFile(`{"schema": 1, "pins": [` + strings.Join(pins, ", ") + `]}`)
}

func withFile(text string) fstest.MapFS {
	return fstest.MapFS{PinsFile: {Data: []byte(text)}, "third_party/ziglang/" + OverlayName: {}}
}

// change returns the text with old replaced by new, which it must hold.
func change(t *testing.T, text, old, new string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("%q is not in %s", old, text)
	}
	return strings.Replace(text, old, new, 1)
}

func TestLoad(t *testing.T) {
	fsys := repository(zig, change(t, soxr, `"platforms"`, `"patches": ["0001-a.patch", "0002-b.patch"], "platforms"`))
	fsys["patches/soxr/0001-a.patch"] = &fstest.MapFile{}
	fsys["patches/soxr/0002-b.patch"] = &fstest.MapFile{}
	f, err := Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	want := []*Pin{{
		Name: "soxr", Version: "1.1.0", Kind: Wheel, SHA256: goodHash,
		Source:  Source{PyPI: &PyPI{Project: "soxr", File: "soxr-1.1.0.tar.gz"}},
		Patches: []string{"0001-a.patch", "0002-b.patch"}, Platforms: []string{"win_arm64"},
		Build: "scikit-build-core", RetireWhen: "upstream ships it",
	}, {
		Name: "zig", Version: "0.17.0.post0", Kind: Tool, SHA256: goodHash,
		Source:        Source{PyPI: &PyPI{Project: "ziglang", File: "ziglang-0.17.0.post0-py3-none-win_arm64.whl"}},
		ExecPlatforms: []string{"windows_arm64"}, Unpack: true, Overlay: "ziglang",
	}}
	if diff := cmp.Diff(want, f.Pins); diff != "" {
		t.Errorf("pins (-want +got):\n%s", diff)
	}
}

func TestLoadMissingFile(t *testing.T) {
	if _, err := Load(fstest.MapFS{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want fs.ErrNotExist", err)
	}
}

// Each case spoils the pin soxr at one place and expects that one message.
func TestLoadBadPin(t *testing.T) {
	const in = PinsFile + `: pin "soxr": `
	for name, c := range map[string]struct{ old, new, want string }{
		"unknown key":           {`"build"`, `"biuld"`, in + `biuld: unknown key; docs/pins.md lists the known ones`},
		"unknown nested key":    {`"file"`, `"fille"`, in + `source.pypi.fille: unknown key; docs/pins.md lists the known ones`},
		"key in other case":     {`"build"`, `"Build"`, in + `Build: unknown key; docs/pins.md lists the known ones`},
		"duplicate key":         {`"build"`, `"kind": "wheel", "build"`, in + `kind: key given twice`},
		"duplicate nested key":  {`"project"`, `"file": "x", "project"`, in + `source.pypi.file: key given twice`},
		"wrong type":            {`"1.1.0"`, `1.1`, in + `version: a JSON number where Go wants string`},
		"missing version":       {`"1.1.0"`, `""`, in + `version: missing`},
		"63 digits":             {goodHash, goodHash[1:], in + `sha256: 63 hex digits, want 64`},
		"65 digits":             {goodHash, goodHash + "0", in + `sha256: 65 hex digits, want 64`},
		"no hash":               {goodHash, "", in + `sha256: missing, want 64 hex digits`},
		"upper-case hash":       {goodHash, strings.ToUpper(goodHash), in + `sha256: want 64 lower-case hex digits, have other characters`},
		"unknown kind":          {`"wheel"`, `"wheal"`, in + `kind: "wheal" is not one of "wheel", "backend", "tool", "toolkit", "library"` + "\n" + in + `retire_when: is for pins of kind "wheel"`},
		"bad platform":          {`"win_arm64"`, `"win_arm46"`, in + `platforms: "win_arm46" is not one of "linux_aarch64", "win_arm64"`},
		"platform twice":        {`"win_arm64"`, `"win_arm64", "win_arm64"`, in + `platforms: "win_arm64" given twice`},
		"no platforms":          {`["win_arm64"]`, `[]`, in + `platforms: missing: a wheel is wanted for at least one of "linux_aarch64", "win_arm64"`},
		"bad build":             {`"scikit-build-core"`, `"scons"`, in + `build: "scons" is not one of "cffi", "cmake", "cuda", "maturin", "meson-python", "none", "scikit-build-core", "setuptools"`},
		"no retire_when":        {`"upstream ships it"`, `""`, in + `retire_when: missing: say what upstream must publish for our build to become unnecessary`},
		"bad version":           {`"1.1.0"`, `"1.1.x"`, in + `version: "1.1.x" is not a PEP 440 version`},
		"other version in file": {`"1.1.0"`, `"1.2.0"`, in + `source.pypi.file: "soxr-1.1.0.tar.gz" is a file of version "1.1.0", not of "1.2.0"`},
		"other project in file": {`"project": "soxr"`, `"project": "sox"`, in + `source.pypi.file: "soxr-1.1.0.tar.gz" is a file of project "soxr", not of "sox"`},
		"project not normal":    {`"project": "soxr"`, `"project": "Soxr"`, in + `source.pypi.project: "Soxr" is not a normalised project name (PEP 503): lower-case letters, digits and single -`},
		"file is no sdist":      {`soxr-1.1.0.tar.gz`, `soxr-1.1.0.exe`, in + `source.pypi.file: "soxr-1.1.0.exe" is neither a wheel (.whl) nor an sdist (.tar.gz, .zip)`},
		"file is no wheel":      {`soxr-1.1.0.tar.gz`, `soxr-1.1.0.whl`, in + `source.pypi.file: "soxr-1.1.0.whl" is not a wheel's name (PEP 427)`},
		"no source":             {`"pypi": {"project": "soxr", "file": "soxr-1.1.0.tar.gz"}`, ``, in + `source: want exactly one of archive, crate, debian, git, maven, pypi, redist, unknown; have 0`},
		"two sources":           {`{"pypi"`, `{"unknown": "why", "pypi"`, in + `source: want exactly one of archive, crate, debian, git, maven, pypi, redist, unknown; have 2`},
		"requires unknown":      {`"build"`, `"requires": ["nump"], "build"`, in + `requires: no pin is named "nump"`},
		"requires itself":       {`"build"`, `"requires": ["soxr"], "build"`, in + `requires: goes round in a circle: soxr -> soxr`},
		"patch missing":         {`"build"`, `"patches": ["0001-x.patch"], "build"`, in + `patches: patches/soxr/0001-x.patch does not exist`},
		"patch name":            {`"build"`, `"patches": ["x.diff"], "build"`, in + `patches: "x.diff": want NNNN-what.patch` + "\n" + in + `patches: patches/soxr/x.diff does not exist`},
		"patch outside":         {`"build"`, `"patches": ["../../../0001-x.patch"], "build"`, in + `patches: "../../../0001-x.patch": want NNNN-what.patch` + "\n" + in + `patches: ../0001-x.patch does not exist`},
		"offset without patch":  {`"build"`, `"allow_offset": true, "build"`, in + `allow_offset: there is no patch to allow it for`},
		"overlay alone":         {`"build"`, `"overlay": "x", "build"`, in + `overlay: is for pins with "unpack": true`},
		"overlay missing":       {`"build"`, `"unpack": true, "build"`, in + `unpack: third_party/soxr/overlay.BUILD.bazel does not exist: an unpacked pin needs a BUILD file`},
		"patches unpacked":      {`"build"`, `"unpack": true, "overlay": "ziglang", "patches": ["0001-x.patch"], "build"`, in + `patches: an unpacked pin is used as it comes: patches are for what source_tree unpacks` + "\n" + in + `patches: patches/soxr/0001-x.patch does not exist`},
		"blocked elsewhere":     {`"build"`, `"blocked": {"linux_aarch64": "x"}, "build"`, in + `blocked.linux_aarch64: not among the pin's platforms`},
		"never run elsewhere":   {`"build"`, `"never_run": {"linux_aarch64": "x"}, "build"`, in + `never_run.linux_aarch64: not among the pin's platforms`},
		"never run, blocked":    {`"build"`, `"never_run": {"win_arm64": "x"}, "blocked": {"win_arm64": "y"}, "build"`, in + `never_run.win_arm64: is blocked, too: a wheel that cannot be built is never run`},
		"cost unknown":          {`"build"`, `"cost": "days", "build"`, in + `cost: "days" is not one of "minutes", "hours"`},
		"blocked without why":   {`"build"`, `"blocked": {"win_arm64": " "}, "build"`, in + `blocked.win_arm64: is empty`},
		"no name":               {`"name": "soxr"`, `"name": ""`, PinsFile + `: pin "#1": name: missing`},
		"bad name":              {`"name": "soxr"`, `"name": "so-xr"`, PinsFile + `: pin "so-xr": name: want lower-case letters, digits and _, starting with a letter, as Bazel's repository names`},
		"name of the hub":       {`"name": "soxr"`, `"name": "pins"`, PinsFile + `: pin "pins": name: is the name of the repository that holds an alias for each pin`},
	} {
		t.Run(name, func(t *testing.T) {
			wantProblems(t, repository(change(t, soxr, c.old, c.new)), c.want)
		})
	}
}

// Each case retires soxr, which is wanted for both platforms, in a wrong way.
func TestLoadBadRetirement(t *testing.T) {
	const in = PinsFile + `: pin "soxr": retired.win_arm64`
	retired := func(since, file, hash string) string {
		return `"retired": {"win_arm64": {"since": "` + since + `", "use": {"file": "` + file + `", "sha256": "` + hash + `"}}}, "build"`
	}
	const file = "soxr-1.1.0-cp312-abi3-win_arm64.whl"
	for name, c := range map[string]struct{ with, want string }{
		"as it should be":   {retired("1.1.0", file, goodHash), ""},
		"since what":        {retired("soon", file, goodHash), in + `.since: "soon" is not a PEP 440 version`},
		"no hash":           {retired("1.1.0", file, ""), in + `.use.sha256: missing, want 64 hex digits`},
		"an sdist":          {retired("1.1.0", "soxr-1.1.0.tar.gz", goodHash), in + `.use.file: "soxr-1.1.0.tar.gz" is not a wheel's name (PEP 427)`},
		"other machine":     {retired("1.1.0", "soxr-1.1.0-cp312-abi3-win_amd64.whl", goodHash), in + `.use.file: "soxr-1.1.0-cp312-abi3-win_amd64.whl" is not for win_arm64`},
		"other project":     {retired("1.1.0", "sox-1.1.0-cp312-abi3-win_arm64.whl", goodHash), in + `.use.file: "sox-1.1.0-cp312-abi3-win_arm64.whl" is a file of project "sox", not of "soxr"`},
		"before it shipped": {retired("1.1.1", file, goodHash), in + `.use.file: is of version 1.1.0, before 1.1.1, since when upstream ships it`},
		"two versions":      {retired("1.1.0", "soxr-1.2.0-cp312-abi3-win_arm64.whl", goodHash), in + `.use.file: is of version 1.2.0, but the pin builds 1.1.0: the set would hold two versions`},
		"null":              {`"retired": {"win_arm64": null}, "build"`, in + `: is null, want {"since", "use"}`},
		"old form":          {`"retired": {"win_arm64": "1.1.0"}, "build"`, in + `: a JSON string where Go wants pins.Retirement`},
	} {
		t.Run(name, func(t *testing.T) {
			text := change(t, change(t, soxr, `"build"`, c.with), `["win_arm64"]`, `["linux_aarch64", "win_arm64"]`)
			if c.want != "" {
				wantProblems(t, repository(text), c.want)
			} else if _, err := Load(repository(text)); err != nil {
				t.Error(err)
			}
		})
	}
}

// What is built for a version of another pin moves with it.
func TestLoadCoupled(t *testing.T) {
	torch := `{"name": "torch", "version": "2.15.0", "kind": "wheel", "source": {"unknown": "not released"}, "platforms": ["win_arm64"], "build": "cmake", "retire_when": "x"}`
	for name, c := range map[string]struct{ builtFor, want string }{
		"together": {`{"torch": "2.15.0"}`, ""},
		"apart":    {`{"torch": "2.14.1"}`, PinsFile + `: pin "soxr": built_for.torch: is "2.14.1", but torch is pinned at "2.15.0": the two move together (pins bump torch)`},
		"unknown":  {`{"torhc": "2.15.0"}`, PinsFile + `: pin "soxr": built_for: no pin is named "torhc"`},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := repository(torch, change(t, soxr, `"build"`, `"built_for": `+c.builtFor+`, "build"`))
			if c.want != "" {
				wantProblems(t, fsys, c.want)
			} else if _, err := Load(fsys); err != nil {
				t.Error(err)
			}
		})
	}
}

// Sources other than the Python index, each with one mistake.
func TestLoadBadSource(t *testing.T) {
	const old = `{"pypi": {"project": "soxr", "file": "soxr-1.1.0.tar.gz"}}, "sha256": "` + goodHash + `"`
	const in = PinsFile + `: pin "soxr": `
	hash := `, "sha256": "` + goodHash + `"`
	for name, c := range map[string]struct{ source, want string }{
		"short commit":     {`{"git": {"remote": "https://x.org/a", "commit": "37d2a93"}}`, in + `source.git.commit: 7 hex digits, want 40`},
		"branch":           {`{"git": {"remote": "https://x.org/a", "commit": "main"}}`, in + `source.git.commit: want 40 lower-case hex digits, have other characters`},
		"git with hash":    {`{"git": {"remote": "https://x.org/a", "commit": "` + goodCommit + `"}}` + hash, in + `sha256: a source of kind "git" has none`},
		"ssh remote":       {`{"git": {"remote": "git@x.org:a", "commit": "` + goodCommit + `"}}`, in + `source.git.remote: "git@x.org:a" is not an https URL`},
		"secret in URL":    {`{"git": {"remote": "https://u:p@x.org/a", "commit": "` + goodCommit + `"}}`, in + `source.git.remote: holds a user name or password: credentials belong into ~/.netrc`},
		"no URL":           {`{"archive": {"urls": []}}` + hash, in + `source.archive.urls: missing`},
		"different files":  {`{"archive": {"urls": ["https://x.org/a.zip", "https://y.org/b.zip"]}}` + hash, in + `source.archive.urls: "a.zip" and "b.zip" name different files`},
		"unknown product":  {`{"redist": {"product": "cudda", "release": "13.4.2", "component": "libcufft", "platform": "linux-sbsa"}}` + hash, in + `source.redist.product: "cudda" is not one of "cuda", "cudnn"`},
		"unknown platform": {`{"redist": {"product": "cuda", "release": "13.4.2", "component": "libcufft", "platform": "win-arm64"}}` + hash, in + `source.redist.platform: "win-arm64" is not one of "linux-sbsa", "linux-x86_64", "windows-arm64", "windows-x86_64"`},
		"maven without id": {`{"maven": {"group": "org.x", "artifact": ""}}` + hash, in + `source.maven.artifact: "": want letters, digits and . _ + - only`},
		"crate with path":  {`{"crate": {"crate": "../x"}}` + hash, in + `source.crate.crate: "../x": want letters, digits and . _ + - only`},
		"debian names": {`{"debian": {"package": "Libc6", "source": "x/y"}}` + hash, in + `source.debian.architecture: "" is not an architecture of Debian's, such as "arm64" or "all"
` + in + `source.debian.package: "Libc6" is not a package's name: lower-case letters, digits and . + -
` + in + `source.debian.source: "x/y" is not a package's name: lower-case letters, digits and . + -`},
		"debian source": {`{"debian": {"package": "libc6", "source": "libc6", "architecture": "arm64"}}` + hash, in + `source.debian.source: is the package's own name: leave it out`},
		"unknown, hash": {`{"unknown": "not released"}` + hash, in + `sha256: a source of kind "unknown" has none`},
	} {
		t.Run(name, func(t *testing.T) {
			wantProblems(t, repository(change(t, soxr, old, c.source)), c.want)
		})
	}
}

func TestLoadBadSet(t *testing.T) {
	require := func(name, other string) string {
		return change(t, change(t, soxr, `"name": "soxr"`, `"name": "`+name+`"`), `"build"`, `"requires": ["`+other+`"], "build"`)
	}
	orphan := repository(soxr)
	orphan["patches/soxr/0001-left.patch"] = &fstest.MapFile{}
	orphan["patches/sxor/0001-x.patch"] = &fstest.MapFile{}
	for name, c := range map[string]struct {
		fsys fs.FS
		want string
	}{
		"duplicate name": {repository(soxr, soxr), PinsFile + `: pin "soxr": name: given twice`},
		"cycle":          {repository(require("c", "a"), require("a", "b"), require("b", "c")), PinsFile + `: pin "a": requires: goes round in a circle: a -> b -> c -> a`},
		"patch order": {repository(change(t, soxr, `"build"`, `"patches": ["0002-a.patch", "0001-b.patch"], "build"`)),
			PinsFile + `: pin "soxr": patches: "0001-b.patch" does not come after "0002-a.patch": numbers must rise` + "\n" +
				PinsFile + `: pin "soxr": patches: patches/soxr/0001-b.patch does not exist` + "\n" +
				PinsFile + `: pin "soxr": patches: patches/soxr/0002-a.patch does not exist`},
		"orphan patches": {orphan, `patches/soxr/0001-left.patch: no pin names this patch: list it under "patches" of pin "soxr" in third_party/pins.json, or delete it` + "\n" +
			`patches/sxor/0001-x.patch: no pin names this patch: list it under "patches" of pin "sxor" in third_party/pins.json, or delete it`},
		"all together, sorted": {repository(change(t, zig, `"zig"`, `"zag"`), change(t, zig, goodHash, "12"), change(t, soxr, `"kind"`, `"knid"`)),
			PinsFile + `: pin "soxr": knid: unknown key; docs/pins.md lists the known ones` + "\n" +
				PinsFile + `: pin "zig": sha256: 2 hex digits, want 64`},
		"other schema":    {withFile(`{"schema": 2, "pins": []}`), PinsFile + `: schema: is 2, this tool reads 1`},
		"unknown top key": {withFile(`{"schema": 1, "pin": []}`), PinsFile + `: pin: unknown key; docs/pins.md lists the known ones`},
		"top key twice":   {withFile(`{"schema": 1, "pins": [], "pins": []}`), PinsFile + `: pins: key given twice`},
		"cut off":         {withFile(`{"schema": 1, "pins": [`), PinsFile + `: pins: not JSON: unexpected EOF (at byte 23)`},
		"merge conflict":  {withFile("<<<<<<< HEAD\n"), PinsFile + `: not JSON: invalid character '<' at start of value (at byte 0)`},
	} {
		t.Run(name, func(t *testing.T) { wantProblems(t, c.fsys, c.want) })
	}
}

// Without one of the five components nvcc fails late and far from the cause.
func TestLoadToolkit(t *testing.T) {
	five := map[string]string{}
	for component := range nvccFive {
		five[component] = `{"name": "` + component + `", "version": "13.4.92", "kind": "toolkit", "source": {"redist": {"product": "cuda",
			"release": "13.4.2", "component": "` + component + `", "platform": "windows-arm64"}}, "sha256": "` + goodHash + `"}`
	}
	without := func(missing string) fs.FS {
		var all []string
		for component, text := range five {
			if component != missing {
				all = append(all, text)
			}
		}
		return repository(all...)
	}
	if _, err := Load(without("")); err != nil {
		t.Errorf("all five: %v", err)
	}
	for component, why := range nvccFive {
		t.Run(component, func(t *testing.T) {
			wantProblems(t, without(component), PinsFile+`: pins: CUDA 13.4.2 for windows-arm64: component "`+component+`" is not pinned; `+why)
		})
	}
	index := `{"name": "nvcc", "version": "13.4.92", "kind": "toolkit", "exec_platforms": ["linux_x86_64"], "sha256": "` + goodHash + `", "source":
		{"pypi": {"project": "nvidia-cuda-nvcc", "file": "nvidia_cuda_nvcc-13.4.92-py3-none-win_amd64.whl"}}}`
	var want []string
	for _, component := range []string{"cccl", "cuda_crt", "cuda_cudart", "libnvvm"} {
		want = append(want, PinsFile+`: pins: CUDA from the Python index for linux_x86_64: component "`+component+`" is not pinned; `+nvccFive[component])
	}
	wantProblems(t, repository(index), strings.Join(want, "\n"))
}

// wantProblems loads the pins and expects Problems with exactly this text.
func wantProblems(t *testing.T, fsys fs.FS, want string) {
	t.Helper()
	_, err := Load(fsys)
	var problems Problems
	if !errors.As(err, &problems) {
		t.Fatalf("got error %v, want Problems", err)
	}
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(problems.Error(), "\n")); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
