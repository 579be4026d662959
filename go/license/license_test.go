package license_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/license"
	"github.com/sparkwheels/sparkwheels/go/treetest"
	"github.com/sparkwheels/sparkwheels/go/wheel"
	"github.com/sparkwheels/sparkwheels/go/wheel/wheeltest"
)

func TestCollectAndMissing(t *testing.T) {
	tree := treetest.Write(t, treetest.Tree{
		"LICENSE": "the  licence\n", "COPYING.LGPL": "lgpl", "licenses.py": "code", "LICENSES.third-party": "third",
		"lib/World/LICENSE.txt": "world", "lib/other/LICENCE": "world\n", "tests/COPYING": "test", "lsr-tests/COPYING": "test",
		"NOTICE": "", "AUTHORS.md": "people", "licensed.txt": "no licence",
	})
	texts, err := license.Collect(tree)
	if err != nil {
		t.Fatal(err)
	}
	path := wheeltest.Wheel{Name: "fast-1.0-cp312-cp312-win_arm64.whl", Files: []wheeltest.File{{Name: "fast-1.0.dist-info/licenses/LICENSE", Data: "the licence"}}}.Write(t, t.TempDir())
	archive, err := wheel.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	missing, err := license.Missing(archive, texts)
	if err != nil {
		t.Fatal(err)
	}
	names := func(texts []license.Text) []string {
		var list []string
		for _, text := range texts {
			list = append(list, text.Name)
		}
		return list
	}
	if diff := cmp.Diff([]string{"AUTHORS.md", "COPYING.LGPL", "LICENSE", "LICENSES.third-party", "NOTICE", "lib/World/LICENSE.txt", "lib/other/LICENCE"}, names(texts)); diff != "" {
		t.Errorf("Collect (-want +got):\n%s", diff)
	}
	// What the wheel has, what is empty and what is there twice is left out.
	if diff := cmp.Diff([]string{"AUTHORS.md", "COPYING.LGPL", "LICENSES.third-party", "lib/World/LICENSE.txt"}, names(missing)); diff != "" {
		t.Errorf("Missing (-want +got):\n%s", diff)
	}
}
