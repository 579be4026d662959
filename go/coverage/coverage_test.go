package coverage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/upstream"
)

func TestHolds(t *testing.T) {
	for marker, want := range map[string]string{
		`sys_platform == 'linux'`: "linux_aarch64",
		`(platform_machine == 'aarch64' or platform_machine == 'x86_64') and sys_platform == 'linux'`:                            "linux_aarch64",
		`sys_platform == 'win32' and platform_machine != 'AMD64'`:                                                                "win_arm64",
		`python_full_version < '3.13' and sys_platform == 'win32'`:                                                               "win_arm64",
		`python_full_version >= '3.13'`:                                                                                          "",
		`(python_full_version < '3.16' or platform_machine == 'x86_64') and sys_platform == 'linux' or sys_platform == 'linux2'`: "linux_aarch64",
		`python_version >= "3.9" and python_version < "3.13"`:                                                                    "linux_aarch64 win_arm64",
		`'3.10' <= python_version`:                                                                                               "linux_aarch64 win_arm64",
		`platform_python_implementation != 'PyPy'`:                                                                               "linux_aarch64 win_arm64",
		`platform_machine in 'arm64 aarch64 ARM64' and os_name == 'nt'`:                                                          "win_arm64",
		`platform_machine not in 'arm64 ARM64'`:                                                                                  "linux_aarch64",
		`extra == 'cuda'`:                                                                                                        "",
	} {
		for _, platform := range []string{"linux_aarch64", "win_arm64"} {
			got, err := holds(marker, platform)
			if err != nil || got != strings.Contains(want, platform) {
				t.Errorf("%s on %s: %v, %v", marker, platform, got, err)
			}
		}
	}
	for _, marker := range []string{"sys_platform ==", "(os_name == 'nt'", "os == 'nt'", "os_name == 'nt' os_name", "os_name ~ 'nt'", "os_name ~= 'nt'"} {
		if _, err := holds(marker, "win_arm64"); err == nil {
			t.Errorf("no error for %q", marker)
		}
	}
}

func TestParse(t *testing.T) {
	const out = `# comment
--index-url https://x.invalid
Flash_Attn==2.8.3.post2   # via -r /home/me/r.txt
colorama==0.4.6 ; sys_platform == 'win32'  # via tqdm, -r /home/me/r.txt
nvidia-cublas==13.4 ; sys_platform == 'linux'  # via torch
uvicorn[standard]==0.1
`
	got, err := parse([]byte(out), "win_arm64", []string{"flash-attn"})
	if err != nil {
		t.Fatal(err)
	}
	want := []resolved{
		{name: "flash-attn", version: "2.8.3.post2", via: []string{"r.txt"}, opaque: true},
		{name: "colorama", version: "0.4.6", via: []string{"tqdm", "r.txt"}},
		{name: "uvicorn", version: "0.1"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(resolved{})); diff != "" {
		t.Errorf("resolved (-want +got):\n%s", diff)
	}
	if _, err := parse([]byte("x @ https://x.invalid/x.whl\n"), "win_arm64", nil); err == nil {
		t.Error("no error for a requirement that is no index's")
	}
}

func TestUnbuilt(t *testing.T) {
	for said, want := range map[string]string{
		"  × Failed to build `natten==0.21.7`\n":                      "natten",
		"error: Failed to download and build `Flash_Attn==2.8`\n":     "flash-attn",
		"error: Failed to prepare metadata for `x-y==1`":              "x-y",
		"No solution found when resolving dependencies: `torch` gone": "",
	} {
		if got := unbuilt(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

func TestLook(t *testing.T) {
	release := func(version string, files ...string) upstream.Release {
		r := upstream.Release{Version: version}
		for _, f := range files {
			r.Files = append(r.Files, upstream.File{Name: f})
		}
		return r
	}
	const win, intel = "-cp312-cp312-win_arm64.whl", "-cp312-cp312-win_amd64.whl"
	all := []upstream.Release{
		release("1.0", "p-1.0"+win), release("1.1", "p-1.1.tar.gz"), release("1.2", "p-1.2.tar.gz", "p-1.2"+intel),
		release("1.3", "p-1.3"+win), release("2.0", "p-2.0"+intel), release("2.1", "p-2.1"+intel),
	}
	for name, c := range map[string]struct {
		version string
		ours    []string
		want    Package
	}{
		"upstream":              {"1.3", nil, Package{Where: Upstream, File: "p-1.3" + win}},
		"ours":                  {"1.2", []string{"1.2"}, Package{Where: Ours}},
		"ours with local part":  {"2.0", []string{"2.0+cu134"}, Package{Where: Ours}},
		"sdist, newer is near":  {"1.2", nil, Package{Where: SdistOnly, Nearest: "1.3", NearestWhere: Upstream}},
		"sdist, older is near":  {"1.1", nil, Package{Where: SdistOnly, Nearest: "1.0", NearestWhere: Upstream}},
		"nothing, ours is near": {"2.1", []string{"2.0"}, Package{Where: Nothing, Nearest: "2.0", NearestWhere: Ours}},
		"not on the index":      {"9.9", nil, Package{Where: Nothing, Nearest: "1.3", NearestWhere: Upstream}},
	} {
		t.Run(name, func(t *testing.T) {
			got := Package{Version: c.version}
			got.look(all, c.ours, "win_arm64")
			c.want.Version = c.version
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("package (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTable(t *testing.T) {
	r := &Report{Platform: "win_arm64", Packages: []Package{
		{Name: "soxr", Version: "1.1.0", Where: Ours}, {Name: "numpy", Version: "2.5.5", Where: Upstream},
		{Name: "torch", Version: "2.15.0", Where: Nothing, Via: []string{"r.txt"}},
		{Name: "natten", Version: "0.21.7", Where: SdistOnly, Via: []string{"a", "b"}, Nearest: "0.1", NearestWhere: Ours, Opaque: true},
	}}
	got, err := r.Table()
	if err != nil {
		t.Fatal(err)
	}
	want := `MISSING  VERSION  UPSTREAM HAS                                 REQUIRED BY  NEAREST WITH A WHEEL
torch    2.15.0   nothing for this platform                    r.txt        none
natten   0.21.7   only an sdist, its own requirements unknown  a, b         0.1 (our set)
win_arm64: 4 packages, 1 with a wheel upstream, 1 in our set: 2 missing
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}
