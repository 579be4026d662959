package provenance_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/materials"
	"github.com/sparkwheels/sparkwheels/go/provenance"
)

var digest = strings.Repeat("12", 32)

func generate(t *testing.T, chain ...provenance.Link) string {
	t.Helper()
	text, err := provenance.Generate("fast-1.0-cp312-cp312-win_arm64.whl", digest, &materials.Bill{
		Pin: "fast", Platform: "win_arm64", Target: "//wheels:fast.win_arm64",
		Source:       materials.Material{Name: "fast", PURL: "pkg:github/x/fast@" + strings.Repeat("c", 40), Commit: strings.Repeat("c", 40)},
		Dependencies: []materials.Material{{Name: "zig", PURL: "pkg:pypi/ziglang@1", SHA256: strings.Repeat("ab", 32)}},
		Parameters:   map[string]any{"env": map[string]any{"X": "1"}},
	}, provenance.Builder, chain)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestStatement(t *testing.T) {
	text := generate(t, provenance.Link{Name: "base.whl", SHA256: strings.Repeat("ef", 32), Statement: strings.Repeat("01", 32)})
	if text != generate(t, provenance.Link{Name: "base.whl", SHA256: strings.Repeat("ef", 32), Statement: strings.Repeat("01", 32)}) {
		t.Error("two statements of one build differ")
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"_type":         "https://in-toto.io/Statement/v1",
		"predicateType": "https://slsa.dev/provenance/v1",
		"subject":       []any{map[string]any{"name": "fast-1.0-cp312-cp312-win_arm64.whl", "digest": map[string]any{"sha256": digest}}},
		"predicate": map[string]any{
			"buildDefinition": map[string]any{
				"buildType":          provenance.BuildType,
				"externalParameters": map[string]any{"pin": "fast", "platform": "win_arm64", "target": "//wheels:fast.win_arm64", "env": map[string]any{"X": "1"}},
				"resolvedDependencies": []any{
					map[string]any{"name": "source", "uri": "pkg:github/x/fast@" + strings.Repeat("c", 40), "digest": map[string]any{"gitCommit": strings.Repeat("c", 40)}},
					map[string]any{"name": "zig", "uri": "pkg:pypi/ziglang@1", "digest": map[string]any{"sha256": strings.Repeat("ab", 32)}},
					map[string]any{"name": "base.whl", "digest": map[string]any{"sha256": strings.Repeat("ef", 32)}, "annotations": map[string]any{"provenance_sha256": strings.Repeat("01", 32)}},
				},
			},
			"runDetails": map[string]any{"builder": map[string]any{"id": provenance.Builder}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statement (-want +got):\n%s", diff)
	}
}

func TestSubject(t *testing.T) {
	file := filepath.Join(t.TempDir(), "statement.json")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(generate(t))
	if name, sum, err := provenance.Subject(file); err != nil || name != "fast-1.0-cp312-cp312-win_arm64.whl" || sum != digest {
		t.Errorf("got %s %s %v", name, sum, err)
	}
	for _, bad := range []string{"{", "{}", strings.Replace(generate(t), "provenance/v1", "provenance/v9", 1)} {
		write(bad)
		if _, _, err := provenance.Subject(file); err == nil || !strings.HasPrefix(err.Error(), file) {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
}
