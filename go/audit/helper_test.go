package audit_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sparkwheels/sparkwheels/go/audit"
	"github.com/sparkwheels/sparkwheels/go/elf/elftest"
	"github.com/sparkwheels/sparkwheels/go/wheel/wheeltest"
)

func rename(t *testing.T, path, base string) string {
	t.Helper()
	renamed := filepath.Join(filepath.Dir(path), base)
	if err := os.Rename(path, renamed); err != nil {
		t.Fatal(err)
	}
	return renamed
}

func TestUncleanZip(t *testing.T) {
	path := wheeltest.Wheel{Name: winName, Files: files(winC, module(nil))}.Write(t, t.TempDir())
	for name, test := range map[string]struct {
		change func([]byte) []byte
		want   string
	}{
		"trailing data": {func(d []byte) []byte { return append(bytes.Clone(d), "junk"...) },
			winName + ": the zip file has a comment or other bytes after its end; pack the wheel again with `wheel pack`"},
		"no zip": {func([]byte) []byte { return []byte("<html>") },
			winName + ": is no readable zip file: zip: not a valid zip file; build or fetch the wheel again"},
		"flipped bit": {func(d []byte) []byte { return bytes.Replace(d, []byte("A description"), []byte("B description"), 1) },
			"fast-1.0.dist-info/METADATA: does not have the checksum that the zip directory says; build or fetch the wheel again"},
	} {
		original, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		wheeltest.Edit(t, path, test.change)
		_, problems, err := audit.Run(path, policyOf(t, "win_arm64"), audit.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(test.want, strings.Split(problems.Error(), "\n")[0]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		wheeltest.Edit(t, path, func([]byte) []byte { return original })
	}
}

func TestReport(t *testing.T) {
	path := wheeltest.Wheel{Name: linuxName, RequiresPython: ">=3.9", Files: files(linuxC, object(func(i *elftest.Image) { i.RunPath = "$ORIGIN" }))}.Write(t, t.TempDir())
	first, problems, err := audit.Run(path, policyOf(t, "linux_aarch64"), audit.Options{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	moved := filepath.Join(t.TempDir(), linuxName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(moved, data, 0o600); err != nil {
		t.Fatal(err)
	}
	second, _, err := audit.Run(moved, policyOf(t, "linux_aarch64"), audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(first.JSON()), string(second.JSON())); diff != "" {
		t.Errorf("the report depends on where the wheel is (-first +second):\n%s", diff)
	}
	want := &audit.NativeReport{
		Format: "ELF", Machine: "aarch64", Module: "_c", Imports: []string{"libc.so.6"}, Exports: 1,
		Versions: map[string][]string{"libc.so.6": {"GLIBC_2.17"}}, RunPath: []string{"$ORIGIN"},
	}
	if diff := cmp.Diff(want, first.Members[0].Native); diff != "" {
		t.Errorf("native member (-want +got):\n%s", diff)
	}
	if first.Wheel != linuxName || first.Name != "fast" || first.Version != "1.0" || first.RequiresPython != ">=3.9" || len(first.Members) != 4 || len(first.SHA256) != 64 {
		t.Errorf("report %s", first.JSON())
	}
}

func TestReadPolicyRefuses(t *testing.T) {
	good, err := os.ReadFile(filepath.Join("..", "..", "wheels", "policy", "win_arm64.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ old, new, want string }{
		"unknown key":    {`"machine"`, `"machnie"`, `unknown field "machnie"`},
		"no JSON":        {`{`, `[`, "invalid character ':'"},
		"two documents":  {"\n  }\n}\n", "\n  }\n}\n{}\n", "has more after its end"},
		"no machine":     {`"ARM64"`, `""`, "machine is missing"},
		"unknown format": {`"PE"`, `"COFF"`, `format is "COFF" and neither PE nor ELF`},
		"empty path":     {`"/execroot/"`, `""`, "build_paths.everywhere has an empty text"},
		"broken pattern": {`"advapi32.dll"`, `"[.dll"`, `libraries has the malformed pattern "[.dll"`},
		"missing tags":   {"\"win_arm64\"\n  ]", "]", "tags is empty"},
		"missing suffix": {`".cp{version}-win_arm64.pyd"`, `""`, "python.suffix and python.stable_suffixes are needed"},
		"no platform":    {`"platform": "win_arm64"`, `"platform": ""`, "platform is missing"},
	} {
		text := strings.Replace(string(good), test.old, test.new, 1)
		if text == string(good) {
			t.Errorf("%s: the test changes nothing", name)
		}
		file := filepath.Join(t.TempDir(), "policy.json")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := audit.ReadPolicy(file); err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "policy "+file) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}

// zipMessages gives what an audit says of unclean zip files.
func zipMessages(t *testing.T) []string {
	t.Helper()
	wheelOf := func(extra ...string) wheeltest.Wheel {
		return wheeltest.Wheel{Name: winName, Files: files(append([]string{"a.py", "one"}, extra...)...)}
	}
	central := func(data []byte) int { return bytes.Index(data, []byte("PK\x01\x02")) }
	keep := func(data []byte) []byte { return data }
	var said []string
	for _, test := range []struct {
		wheel wheeltest.Wheel
		edit  func([]byte) []byte
	}{
		{wheelOf(), func(d []byte) []byte { return append(d, "junk"...) }},
		{wheelOf(), func(d []byte) []byte { return bytes.Replace(d, []byte("a.py"), []byte("x.py"), 1) }},
		{wheelOf(), func(d []byte) []byte { d[22] = 9; return d }},
		{wheelOf(), func(d []byte) []byte { return bytes.Replace(d, []byte("one"), []byte("0ne"), 1) }},
		{wheelOf(), func(d []byte) []byte { d[8], d[central(d)+10] = 14, 14; return d }},
		{wheelOf(), func(d []byte) []byte { d[8], d[central(d)+10] = 8, 8; return d }},
		{wheelOf(), func(d []byte) []byte { d[22], d[central(d)+24] = 2, 2; return d }},
		{wheelOf(), func(d []byte) []byte { d[central(d)+41] = 0xa1; return d }},
		{wheelOf("a/", ""), keep},
		{wheelOf("/a", ""), keep},
		{wheelOf("A.py", ""), keep},
		{wheelOf("a.py", ""), keep},
		{wheelOf("other-1.dist-info/METADATA", ""), keep},
	} {
		path := test.wheel.Write(t, t.TempDir())
		wheeltest.Edit(t, path, test.edit)
		_, problems, err := audit.Run(path, policyOf(t, "win_arm64"), audit.Options{})
		if err != nil || len(problems) == 0 {
			t.Fatalf("an unclean wheel gives %v, %v", problems, err)
		}
		for _, problem := range problems {
			said = append(said, problem.Place+": "+problem.What)
		}
	}
	return said
}
