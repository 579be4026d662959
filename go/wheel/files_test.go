package wheel_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

func TestInfoGoesRound(t *testing.T) {
	text := "Wheel-Version: 1.0\nGenerator: setuptools (80.9.0)\nRoot-Is-Purelib: false\nTag: cp312-cp312-win_arm64\nBuild: 1\nX-Other: y\n"
	got, err := wheel.ParseInfo([]byte(strings.ReplaceAll(text, "\n", "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	want := wheel.Info{
		Version: "1.0", Generator: "setuptools (80.9.0)", Tags: []string{"cp312-cp312-win_arm64"}, Build: "1",
		Extra: wheel.Headers{{Key: "X-Other", Value: "y"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ParseInfo (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(text, string(got.Bytes())); diff != "" {
		t.Errorf("Bytes (-want +got):\n%s", diff)
	}
}

func TestParseInfoRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "has 0 Wheel-Version fields",
		"Wheel-Version: 2.0\n": "has Wheel-Version 2.0",
		"Wheel-Version: 1.0\n": "has 0 Root-Is-Purelib fields",
		" x\n":                 "line 1 continues a field",
		"Wheel-Version 1.0\n":  "line 1 is no",
		"Wheel-Version: 1.0\nRoot-Is-Purelib: maybe\n":                    `has Root-Is-Purelib "maybe"`,
		"Wheel-Version: 1.0\nRoot-Is-Purelib: true\n":                     "has no Tag field",
		"Wheel-Version: 1.0\nWheel-Version: 1.0\nRoot-Is-Purelib: true\n": "has 2 Wheel-Version fields",
	} {
		if _, err := wheel.ParseInfo([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("ParseInfo(%q) = %v, want %q", text, err, want)
		}
	}
}

func TestParseHeadersKeepsLongFields(t *testing.T) {
	got, err := wheel.ParseHeaders([]byte("Name: x\nLicense: MIT\n        more: text\nProject-URL: a, https://b\n\nDescription: not a field\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := wheel.Headers{{"Name", "x"}, {"License", "MIT\n        more: text"}, {"Project-URL", "a, https://b"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ParseHeaders (-want +got):\n%s", diff)
	}
}

func TestSetHeaderChangesOneLine(t *testing.T) {
	got, err := wheel.SetHeader([]byte("Name: x\r\nversion: 1\r\n\r\nVersion: 1 is told of here"), "Version", "1+a")
	if err != nil {
		t.Fatal(err)
	}
	if want := "Name: x\r\nversion: 1+a\r\n\r\nVersion: 1 is told of here"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for text, want := range map[string]string{
		"Name: x\n\nVersion: 1\n":       "has no Version field",
		"Version: 1\nVersion: 2\n\nx\n": "has more than one Version field",
	} {
		if _, err := wheel.SetHeader([]byte(text), "Version", "3"); err == nil || err.Error() != want {
			t.Errorf("SetHeader(%q) = %v, want %q", text, err, want)
		}
	}
}

func TestRecordGoesRound(t *testing.T) {
	want := []wheel.RecordEntry{
		{Path: `odd,"name".py`, Hash: wheel.Hash(nil), Size: 0},
		{Path: "x.dist-info/RECORD", Size: -1},
	}
	text := wheel.FormatRecord(want)
	if want := "\"odd,\"\"name\"\".py\",sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\nx.dist-info/RECORD,,\n"; string(text) != want {
		t.Errorf("got %q, want %q", text, want)
	}
	got, err := wheel.ParseRecord(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ParseRecord (-want +got):\n%s", diff)
	}
	for _, text := range []string{"a,b\n", "a,b,c\n", "a,b,-1\n", "\"a\n"} {
		if _, err := wheel.ParseRecord([]byte(text)); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("ParseRecord(%q) = %v, want an error for line 1", text, err)
		}
	}
}

func TestProblemIsOneLine(t *testing.T) {
	problem := wheel.Problem{Place: "a\nb", What: "has \x1b[31m", Fix: "mend it"}
	if got, want := problem.String(), `a\nb: has \x1b[31m; mend it`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
