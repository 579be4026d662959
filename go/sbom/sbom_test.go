package sbom_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/materials"
	"github.com/sparkwheels/sparkwheels/go/sbom"
)

func bill(t *testing.T) *materials.Bill {
	t.Helper()
	patch := filepath.Join(t.TempDir(), "0001-fix.patch")
	if err := os.WriteFile(patch, []byte("a patch"), 0o644); err != nil {
		t.Fatal(err)
	}
	return &materials.Bill{
		Pin: "fast", Platform: "win_arm64",
		Source:       materials.Material{Name: "fast", Version: "1.0", PURL: "pkg:pypi/fast@1.0", File: "fast-1.0.tar.gz", SHA256: strings.Repeat("ab", 32)},
		Patches:      []materials.Patch{{Name: "patches/fast/0001-fix.patch", Path: patch}},
		Vendored:     []materials.Component{{Name: "libfast", Version: "2", License: "MIT"}},
		Tools:        []materials.Material{{Name: "ziglang", Version: "0.17.0", PURL: "pkg:pypi/ziglang@0.17.0"}},
		Dependencies: []materials.Material{{Name: "ziglang_linux_x86_64", File: "ziglang-linux.whl"}},
	}
}

func generate(t *testing.T, bill *materials.Bill) []byte {
	t.Helper()
	text, err := sbom.Generate(sbom.Wheel{Name: "fast-1.0+cu134-cp312-cp312-win_arm64.whl", Project: "fast", Version: "1.0+cu134", License: "MIT"}, bill,
		[]materials.Component{{Name: "libcxx", Version: "22", License: "Apache-2.0 WITH LLVM-exception"}})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestGenerate(t *testing.T) {
	text := generate(t, bill(t))
	bom := new(cdx.BOM)
	if err := cdx.NewBOMDecoder(bytes.NewReader(text), cdx.BOMFileFormatJSON).Decode(bom); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, component := range *bom.Components {
		line := component.BOMRef + " " + component.Name + " " + component.Version
		for _, hash := range deref(component.Hashes) {
			line += " " + string(hash.Algorithm) + " " + hash.Value
		}
		for _, license := range deref(component.Licenses) {
			line += " " + license.Expression
		}
		got = append(got, line)
	}
	want := []string{
		"source fast-1.0.tar.gz 1.0 SHA-256 " + strings.Repeat("ab", 32),
		"patch:0001-fix.patch patches/fast/0001-fix.patch",
		"vendored:libfast libfast 2 MIT",
		"runtime:libcxx libcxx 22 Apache-2.0 WITH LLVM-exception",
	}
	sum, err := bill(t).Patches[0].Digest()
	if err != nil {
		t.Fatal(err)
	}
	want[1] = "patch:0001-fix.patch patches/fast/0001-fix.patch  SHA-256 " + sum
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("components (-want +got):\n%s", diff)
	}
	if bom.Metadata.Component.PackageURL != "pkg:pypi/fast@1.0%2Bcu134?file_name=fast-1.0%2Bcu134-cp312-cp312-win_arm64.whl" {
		t.Errorf("purl %s", bom.Metadata.Component.PackageURL)
	}
	if len(*bom.Metadata.Component.Pedigree.Patches) != 1 {
		t.Error("the patch is not in the pedigree")
	}
}

// TestNothingOfTheMachine: wheels are the same whatever machine builds them.
func TestNothingOfTheMachine(t *testing.T) {
	first, second := bill(t), bill(t)
	second.Dependencies[0] = materials.Material{Name: "ziglang_windows_arm64", File: "ziglang-windows.whl"}
	if diff := cmp.Diff(string(generate(t, first)), string(generate(t, second))); diff != "" {
		t.Errorf("the SBOM depends on the machine:\n%s", diff)
	}
	text := string(generate(t, first))
	for _, bad := range []string{"serialNumber", "timestamp", os.TempDir()} {
		if strings.Contains(text, bad) {
			t.Errorf("the SBOM holds %q", bad)
		}
	}
}

func TestMissingPatch(t *testing.T) {
	b := bill(t)
	b.Patches[0].Path = "none.patch"
	if _, err := sbom.Generate(sbom.Wheel{}, b, nil); err == nil || !strings.Contains(err.Error(), "none.patch") {
		t.Errorf("got %v", err)
	}
}

func deref[S ~[]E, E any](list *S) S {
	if list == nil {
		return nil
	}
	return *list
}
