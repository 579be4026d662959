package wheel_test

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sparkwheels/sparkwheels/go/elf/elftest"
	"github.com/sparkwheels/sparkwheels/go/pe/petest"
	"github.com/sparkwheels/sparkwheels/go/wheel"
	"github.com/sparkwheels/sparkwheels/go/wheel/wheeltest"
)

func repack(t *testing.T, path string, changes wheel.Changes) (string, []byte, error) {
	t.Helper()
	archive, err := wheel.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer archive.Close()
	packed, err := wheel.Repack(archive, changes)
	if err != nil {
		return "", nil, err
	}
	var out bytes.Buffer
	err = packed.Write(&out)
	return packed.Name.String(), out.Bytes(), err
}

// entries gives a zip file's contents, each as "mode time method name", and
// the text of the members by name.
func entries(t *testing.T, data []byte) (list []string, text map[string]string) {
	t.Helper()
	reader, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	text = map[string]string{}
	for _, file := range reader.File {
		if len(file.Extra) > 0 || file.Flags != 0 || file.Comment != "" {
			t.Errorf("%s has extra fields %x, flags %x or the comment %q", file.Name, file.Extra, file.Flags, file.Comment)
		}
		list = append(list, file.Mode().String()+" "+file.Modified.UTC().Format("2006-01-02 15:04:05")+" "+file.Name)
		r, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		text[file.Name] = string(content)
	}
	return list, text
}

func backendWheel() wheeltest.Wheel {
	return wheeltest.Wheel{
		Name: "Fast.Thing-1.0.RC1-cp312-cp312-linux_aarch64.whl",
		Files: []wheeltest.File{
			{Name: "fast/_c.cpython-312-aarch64-linux-gnu.so", Data: string(elftest.Module("PyInit__c").Bytes())},
			{Name: "fast/z.py", Data: "#!/usr/bin/python\n"},
			{Name: "fast/A.py", Data: strings.Repeat("text\n", 100)},
			{Name: "fast/run.sh", Data: "#!/bin/sh\n"},
			{Name: "Fast.Thing-1.0.RC1.data/scripts/fast", Data: "#!python\n"},
		},
		Metadata: "Metadata-Version: 2.1\nName: Fast.Thing\nVersion: 1.0.RC1\n\nVersion: stays\n",
		Info:     "Wheel-Version: 1.0\nGenerator: g\nRoot-Is-Purelib: true\nTag: cp312-cp312-linux_aarch64\n",
	}
}

func TestRepackRewritesEverythingThatHoldsTheName(t *testing.T) {
	path := backendWheel().Write(t, t.TempDir())
	name, data, err := repack(t, path, wheel.Changes{Platform: "manylinux_2_28_aarch64", Local: "cu134torch2.14", Build: "2"})
	if err != nil {
		t.Fatal(err)
	}
	if want := "fast_thing-1.0rc1+cu134torch2.14-2-cp312-cp312-manylinux_2_28_aarch64.whl"; name != want {
		t.Errorf("the name is %s, want %s", name, want)
	}
	list, text := entries(t, data)
	want := []string{
		"-rw-r--r-- 1980-01-01 00:00:00 fast/A.py",
		"-rwxr-xr-x 1980-01-01 00:00:00 fast/_c.cpython-312-aarch64-linux-gnu.so",
		"-rwxr-xr-x 1980-01-01 00:00:00 fast/run.sh",
		"-rw-r--r-- 1980-01-01 00:00:00 fast/z.py",
		"-rwxr-xr-x 1980-01-01 00:00:00 fast_thing-1.0rc1+cu134torch2.14.data/scripts/fast",
		"-rw-r--r-- 1980-01-01 00:00:00 fast_thing-1.0rc1+cu134torch2.14.dist-info/METADATA",
		"-rw-r--r-- 1980-01-01 00:00:00 fast_thing-1.0rc1+cu134torch2.14.dist-info/WHEEL",
		"-rw-r--r-- 1980-01-01 00:00:00 fast_thing-1.0rc1+cu134torch2.14.dist-info/RECORD",
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
	dist := "fast_thing-1.0rc1+cu134torch2.14.dist-info/"
	if want := "Wheel-Version: 1.0\nGenerator: g\nRoot-Is-Purelib: false\nTag: cp312-cp312-manylinux_2_28_aarch64\nBuild: 2\n"; text[dist+"WHEEL"] != want {
		t.Errorf("WHEEL is %q, want %q", text[dist+"WHEEL"], want)
	}
	if want := "Metadata-Version: 2.1\nName: Fast.Thing\nVersion: 1.0rc1+cu134torch2.14\n\nVersion: stays\n"; text[dist+"METADATA"] != want {
		t.Errorf("METADATA is %q, want %q", text[dist+"METADATA"], want)
	}
	record, err := wheel.ParseRecord([]byte(text[dist+"RECORD"]))
	if err != nil {
		t.Fatal(err)
	}
	for i, entry := range record {
		if !strings.HasSuffix(list[i], " "+entry.Path) {
			t.Errorf("line %d of RECORD is %s, and the member there is %s", i+1, entry.Path, list[i])
		}
		content := text[entry.Path]
		if entry.Path != dist+"RECORD" && (entry.Hash != wheel.Hash([]byte(content)) || entry.Size != int64(len(content))) {
			t.Errorf("RECORD is not true of %s", entry.Path)
		}
	}
	if len(record) != len(list) {
		t.Errorf("RECORD has %d lines for %d members", len(record), len(list))
	}
}

func TestRepackIsDeterministic(t *testing.T) {
	first := backendWheel()
	_, a, err := repack(t, first.Write(t, t.TempDir()), wheel.Changes{})
	if err != nil {
		t.Fatal(err)
	}
	second := backendWheel()
	for i, j := 0, len(second.Files)-1; i < j; i, j = i+1, j-1 {
		second.Files[i], second.Files[j] = second.Files[j], second.Files[i]
	}
	second.Extra = []wheeltest.File{{Name: "fast/"}}
	_, b, err := repack(t, second.Write(t, t.TempDir()), wheel.Changes{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Error("the order of the back end's members, or a folder entry, changes the wheel")
	}
}

func TestPackedWheelIsClean(t *testing.T) {
	folder := t.TempDir()
	name, data, err := repack(t, backendWheel().Write(t, t.TempDir()), wheel.Changes{})
	if err != nil {
		t.Fatal(err)
	}
	path := wheeltest.WriteZip(t, folder+"/"+name, nil)
	wheeltest.Edit(t, path, func([]byte) []byte { return data })
	if got := unclean(t, path); got != "" {
		t.Errorf("the packed wheel is unclean: %s", got)
	}
	_, again, err := repack(t, path, wheel.Changes{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, again) {
		t.Error("packing a packed wheel changes it")
	}
}

func TestRepackRefuses(t *testing.T) {
	native := []wheeltest.File{{Name: "fast/_c.pyd", Data: string(petest.Module("PyInit__c").Bytes())}}
	for _, test := range []struct {
		name    string
		wheel   wheeltest.Wheel
		changes wheel.Changes
		want    string
	}{
		{"other system", wheeltest.Wheel{Name: "x-1-cp312-cp312-win_amd64.whl", Files: native}, wheel.Changes{Platform: "win_arm64"},
			"x-1.dist-info/WHEEL: the wheel was built for win_amd64 and cannot become one for win_arm64; "},
		{"other machine", wheeltest.Wheel{Name: "x-1-cp312-cp312-linux_x86_64.whl"}, wheel.Changes{Platform: "manylinux_2_28_aarch64"},
			"x-1.dist-info/WHEEL: the wheel was built for linux_x86_64 and cannot become one for manylinux_2_28_aarch64; "},
		{"pure", wheeltest.Wheel{Name: "x-1-py3-none-any.whl"}, wheel.Changes{Platform: "win_arm64"},
			"x-1.dist-info/WHEEL: the wheel is pure Python and cannot become one for win_arm64; "},
		{"second local version", wheeltest.Wheel{Name: "x-1+cpu-py3-none-any.whl"}, wheel.Changes{Local: "cu134"},
			"x-1+cpu.dist-info/METADATA: the version 1+cpu has a local part already, and +cu134 was to be added; "},
		{"odd local version", wheeltest.Wheel{Name: "x-1-py3-none-any.whl"}, wheel.Changes{Local: "CU_134"},
			`--local-version: "CU_134" is no normalised local version; `},
		{"signed", wheeltest.Wheel{Name: "x-1-py3-none-any.whl", Extra: []wheeltest.File{{Name: "x-1.dist-info/RECORD.jws", Data: ""}}}, wheel.Changes{},
			"x-1.dist-info/RECORD.jws: is a signature, which repacking makes false; "},
		{"no METADATA", wheeltest.Wheel{Name: "x-1-py3-none-any.whl", Without: []string{"x-1.dist-info/METADATA"}}, wheel.Changes{},
			"x-1.dist-info/METADATA: is missing; "},
		{"no WHEEL", wheeltest.Wheel{Name: "x-1-py3-none-any.whl", Without: []string{"x-1.dist-info/WHEEL"}}, wheel.Changes{},
			"x-1.dist-info/WHEEL: is missing; "},
		{"two .dist-info", wheeltest.Wheel{Name: "x-1-py3-none-any.whl", Files: []wheeltest.File{{Name: "y-1.dist-info/METADATA", Data: ""}}}, wheel.Changes{},
			"x-1-py3-none-any.whl: has 2 .dist-info folders and not 1; "},
		{"no version", wheeltest.Wheel{Name: "x-1-py3-none-any.whl", Metadata: "Name: x\nVersion: latest\n"}, wheel.Changes{},
			`x-1.dist-info/METADATA: "latest" is no version as PEP 440 has them; `},
		{"ragged tags", wheeltest.Wheel{Name: "x-1-py3-none-any.whl", Info: "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\nTag: cp312-cp312-any\n"}, wheel.Changes{},
			"x-1.dist-info/WHEEL: has tags that no file name can express: py3-none-any, cp312-cp312-any; "},
		{"case clash", wheeltest.Wheel{Name: "x-1-py3-none-any.whl", Files: []wheeltest.File{{Name: "x.py", Data: ""}, {Name: "X.py", Data: ""}}}, wheel.Changes{},
			"X.py: cannot stand beside another name: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := repack(t, test.wheel.Write(t, t.TempDir()), test.changes)
			if err == nil || !strings.HasPrefix(err.Error(), test.want) || strings.Count(err.Error(), "\n") > 0 {
				t.Errorf("got %v, want one line with %q", err, test.want)
			}
		})
	}
}

func TestAWheelWithNativeMembersMayLeaveAny(t *testing.T) {
	path := wheeltest.Wheel{
		Name:  "x-1-py3-none-any.whl",
		Files: []wheeltest.File{{Name: "x/lib.dll", Data: string(petest.Image{Machine: petest.ARM64}.Bytes())}},
		Info:  "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
	}.Write(t, t.TempDir())
	name, data, err := repack(t, path, wheel.Changes{Platform: "win_arm64"})
	if err != nil {
		t.Fatal(err)
	}
	_, text := entries(t, data)
	if want := "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-win_arm64\n"; name != "x-1-py3-none-win_arm64.whl" || text["x-1.dist-info/WHEEL"] != want {
		t.Errorf("got %s with %q", name, text["x-1.dist-info/WHEEL"])
	}
}

func TestDifference(t *testing.T) {
	archive, err := wheel.Open(backendWheel().Write(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	packed, err := wheel.Repack(archive, wheel.Changes{})
	if err != nil {
		t.Fatal(err)
	}
	for declared, want := range map[string]string{
		"fast_thing-1.0rc1-cp312-cp312-linux_aarch64.whl": "",
		"slow_thing-1.0-1-cp313-abi3-linux_x86_64.whl": "project fast_thing and not slow_thing, version 1.0rc1 and not 1.0, build tag none and not 1, " +
			"Python tag cp312 and not cp313, ABI tag cp312 and not abi3, platform tag linux_aarch64 and not linux_x86_64",
	} {
		name, err := wheel.ParseName(declared)
		if err != nil {
			t.Fatal(err)
		}
		if got := packed.Difference(name); got != want {
			t.Errorf("Difference(%s) = %q, want %q", declared, got, want)
		}
	}
}

func TestWriteRefusesNames(t *testing.T) {
	for _, names := range [][]string{{"a", "a"}, {"a", "A"}, {"/a"}, {"../a"}, {"a//b"}, {"x.dist-info/RECORD"}} {
		var sources []wheel.Source
		for _, name := range names {
			sources = append(sources, wheel.Bytes(name, nil))
		}
		var out bytes.Buffer
		if err := wheel.Write(&out, "x.dist-info", sources); err == nil || !strings.Contains(err.Error(), "has a name that is refused") {
			t.Errorf("Write(%q) = %v, want an error", names, err)
		}
		if out.Len() > 0 {
			t.Errorf("Write(%q) wrote %d bytes", names, out.Len())
		}
	}
}
