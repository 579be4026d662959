package pins

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const layout = `{
	"schema": 1,
  "pins": [
    { "name":"a" , "version"  : "1.0",
      "source": {"pypi": {"project": "a", "file": "a-1.0.tar.gz"}}, "unknown": [ 1,2 ],
      "patches": [
        "0001-x.patch",
        "0002-y.patch"
      ],
      "note": "é \u00e9" },
    {"name": "b", "version": "1.0", "patches": ["0001-z.patch"]}
  ]
}
`

func TestApply(t *testing.T) {
	got, err := Apply([]byte(layout), []Edit{
		{Pin: "b", Path: []string{"version"}, Value: "2.0"},
		{Pin: "a", Path: []string{"source", "pypi", "file"}, Value: "a-1.1.tar.gz"},
		{Pin: "a", Path: []string{"patches"}, List: []string{"0002-y.patch"}},
		{Pin: "b", Path: []string{"patches"}, List: []string{}},
		{Pin: "a", Path: []string{"version"}, Value: "1.1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer(
		`"version"  : "1.0"`, `"version"  : "1.1"`, `a-1.0.tar.gz`, `a-1.1.tar.gz`, "\n        \"0001-x.patch\",", "",
		`"b", "version": "1.0", "patches": ["0001-z.patch"]`, `"b", "version": "2.0"`).Replace(layout)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestApplyAddsAList(t *testing.T) {
	for before, want := range map[string]string{
		`{"pins": [{"name": "a", "sha256": "x", "note": "y"}]}`:    `{"pins": [{"name": "a", "sha256": "x", "patches": ["0001-a.patch"], "note": "y"}]}`,
		"{\"pins\": [{\n  \"name\": \"a\",\n  \"source\": {}\n}]}": "{\"pins\": [{\n  \"name\": \"a\",\n  \"source\": {},\n  \"patches\": [\n    \"0001-a.patch\"\n  ]\n}]}",
	} {
		got, err := Apply([]byte(before), []Edit{{Pin: "a", Path: []string{"patches"}, List: []string{"0001-a.patch"}}})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("text (-want +got):\n%s", diff)
		}
	}
}

func TestApplyNothingThere(t *testing.T) {
	for want, edit := range map[string]Edit{
		PinsFile + `: pin "c": is not there`:                   {Pin: "c", Path: []string{"version"}},
		PinsFile + `: pin "a": sha256: has no "sha256"`:        {Pin: "a", Path: []string{"sha256"}},
		PinsFile + `: pin "a": version.x: "x" is in no object`: {Pin: "a", Path: []string{"version", "x"}},
	} {
		if _, err := Apply([]byte(layout), []Edit{edit}); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// The real file: an edit and its reverse give back every byte.
func TestApplyKeepsTheRealFile(t *testing.T) {
	data, err := os.ReadFile("../../third_party/pins.json")
	if err != nil {
		t.Fatal(err)
	}
	there := []Edit{{Pin: "soxr", Path: []string{"sha256"}, Value: strings.Repeat("0", 64)}}
	changed, err := Apply(data, there)
	if err != nil {
		t.Fatal(err)
	}
	f, problems := decode(data)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, p := range f.Pins {
		if p.Name == "soxr" {
			there[0].Value = p.SHA256
		}
	}
	back, err := Apply(changed, there)
	if err != nil {
		t.Fatal(err)
	}
	if string(back) != string(data) || string(changed) == string(data) {
		t.Error("an edit and its reverse do not give the file back")
	}
}
