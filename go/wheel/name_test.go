package wheel_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

func TestParseName(t *testing.T) {
	for base, want := range map[string]wheel.Name{
		"soxr-1.1.0-cp312-cp312-win_arm64.whl": {
			Distribution: "soxr", Version: "1.1.0",
			Python: []string{"cp312"}, ABI: []string{"cp312"}, Platform: []string{"win_arm64"},
		},
		"flash_attn-2.8.3+cu134torch2.14-1abc-py2.py3-none-manylinux2014_aarch64.manylinux_2_17_aarch64.whl": {
			Distribution: "flash_attn", Version: "2.8.3+cu134torch2.14", Build: "1abc",
			Python: []string{"py2", "py3"}, ABI: []string{"none"}, Platform: []string{"manylinux2014_aarch64", "manylinux_2_17_aarch64"},
		},
		"PyWavelets-1!1.0.post1-cp312-abi3-any.whl": {
			Distribution: "PyWavelets", Version: "1!1.0.post1",
			Python: []string{"cp312"}, ABI: []string{"abi3"}, Platform: []string{"any"},
		},
	} {
		got, err := wheel.ParseName(base)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ParseName(%s) (-want +got):\n%s", base, diff)
		}
		if got.String() != base {
			t.Errorf("%s comes back as %s", base, got)
		}
	}
}

func TestParseNameRefuses(t *testing.T) {
	for base, want := range map[string]string{
		"soxr-1.1.0.tar.gz":                        "does not end in .whl",
		"soxr-1.1.0.whl":                           "has 2 parts",
		"so+xr-1.1.0-cp312-cp312-win_arm64.whl":    `"so+xr" is no distribution name`,
		"_soxr-1.1.0-cp312-cp312-win_arm64.whl":    `"_soxr" is no distribution name`,
		"soxr-latest-cp312-cp312-win_arm64.whl":    `"latest" is no version`,
		"soxr-1.1.0-b1-cp312-cp312-win_arm64.whl":  `"b1" is no build tag`,
		"soxr-1.1.0-cp312-cp312-win-arm64.whl":     `"cp312" is no build tag`,
		"soxr-1.1.0-cp312-cp312-win_ARM64.whl":     `"win_ARM64" is no tag`,
		"soxr-1.1.0-cp312.-cp312-win_arm64.whl":    `"" is no tag`,
		"soxr-1.1.0-cp312-cp312-win_arm64-1-2.whl": "has 7 parts",
	} {
		_, err := wheel.ParseName(base)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), base+": ") {
			t.Errorf("ParseName(%s) = %v, want %q", base, err, want)
		}
	}
}

func TestTagsAreExpanded(t *testing.T) {
	name, err := wheel.ParseName("x-1-py2.py3-none-linux_a.linux_b.whl")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, tag := range name.Tags() {
		got = append(got, tag.String())
	}
	want := []string{"py2-none-linux_a", "py2-none-linux_b", "py3-none-linux_a", "py3-none-linux_b"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Tags (-want +got):\n%s", diff)
	}
}

func TestCanonical(t *testing.T) {
	for version, want := range map[string]string{
		"1.1.0": "1.1.0", "v1.0-RC1": "1.0rc1", "1.0.alpha.2": "1.0a2", "2.8.3.POST2": "2.8.3.post2", "1.0-1": "1.0.post1",
		"1!2.0.dev3": "1!2.0.dev3", "1.0+CU134_torch-2.14": "1.0+cu134.torch.2.14", "1.0+cu134torch2.14": "1.0+cu134torch2.14", "01.02": "1.2",
	} {
		if got, err := wheel.CanonicalVersion(version); err != nil || got != want {
			t.Errorf("CanonicalVersion(%s) = %s, %v; want %s", version, got, err, want)
		}
	}
	for _, version := range []string{"", "x", "1.0+", "1..0", "1.0-x"} {
		if got, err := wheel.CanonicalVersion(version); err == nil {
			t.Errorf("CanonicalVersion(%q) = %q, want an error", version, got)
		}
	}
	if got := wheel.EscapeProject("Ruamel.yaml--Clib"); got != "ruamel_yaml_clib" {
		t.Errorf("EscapeProject gave %s", got)
	}
	name, _ := wheel.ParseName("PyWavelets-1.0.RC1-cp312-cp312-any.whl")
	if got := name.Canonical().String(); got != "pywavelets-1.0rc1-cp312-cp312-any.whl" {
		t.Errorf("Canonical gave %s", got)
	}
}

func TestManylinuxGlibc(t *testing.T) {
	for platform, want := range map[string]string{
		"manylinux_2_28_aarch64": "2.28", "manylinux2014_x86_64": "2.17", "manylinux1_x86_64": "2.5", "linux_aarch64": "", "win_arm64": "", "any": "",
	} {
		if got := wheel.ManylinuxGlibc(platform); got != want {
			t.Errorf("ManylinuxGlibc(%s) = %q, want %q", platform, got, want)
		}
	}
}

func FuzzParseName(f *testing.F) {
	f.Add("soxr-1.1.0-cp312-cp312-win_arm64.whl")
	f.Add("x-1!2+a.b-0-py2.py3-none-any.whl")
	f.Fuzz(func(t *testing.T, base string) {
		if name, err := wheel.ParseName(base); err == nil && name.String() != base {
			t.Errorf("%q comes back as %q", base, name)
		}
	})
}
