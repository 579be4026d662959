package audit_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/audit"
	"github.com/sparkwheels/sparkwheels/go/pe/petest"
	"github.com/sparkwheels/sparkwheels/go/wheel/wheeltest"
)

// moreChecks are about what people upload, whatever the platform.
func moreChecks() []check {
	meta := func(fields string) wheeltest.Wheel {
		return wheeltest.Wheel{Name: winName, Metadata: "Metadata-Version: 2.4\nName: fast\nVersion: 1.0\n" + fields + "\nText\n"}
	}
	entry := func(text string) wheeltest.Wheel {
		return wheeltest.Wheel{Name: winName, Files: files("fast/__init__.py", "", "fast/cli.py", "", dist+"entry_points.txt", text)}
	}
	stable := func(symbols ...string) wheeltest.Wheel {
		return wheeltest.Wheel{Name: "fast-1.0-cp38-abi3-win_arm64.whl", Files: files("fast/_c.pyd", module(func(i *petest.Image) {
			i.Imports[0] = petest.Import{DLL: "python3.dll", Symbols: symbols}
		}))}
	}
	omp := func(dll string) string {
		return string(petest.Image{Machine: petest.ARM64, Name: dll, Exports: []petest.Export{{Name: "f"}}}.Bytes())
	}
	sum := sha256.Sum256([]byte("a toolkit's file"))
	return []check{
		{name: "vendor's file", options: audit.Options{Digests: map[string]string{hex.EncodeToString(sum[:8]): "bin/ptxas"}},
			wheel: wheeltest.Wheel{Name: winName, Files: files("fast/tool.dat", "a toolkit's file")},
			want:  []string{"fast/tool.dat: is NVIDIA's bin/ptxas, which may not be redistributed here; …"}},
		{name: "good metadata", wheel: meta("Summary: One line\nRequires-Dist: numpy>=1.2,<3; extra == 'x'\nRequires-Dist: a[b] @ https://example.org/a.whl\nProvides-Extra: x\nProject-URL: Home, https://example.org\nDescription-Content-Type: text/markdown; charset=UTF-8; variant=GFM\n")},
		{name: "unknown metadata version", wheel: wheeltest.Wheel{Name: winName, Metadata: "Metadata-Version: 3.0\nName: fast\nVersion: 1.0\n"},
			want: []string{dist + `METADATA: has the Metadata-Version "3.0", which no index knows; …`}},
		{name: "two summaries", wheel: meta("Summary: a\nSummary: b\n"), want: []string{dist + "METADATA: has 2 Summary fields and not 1; …"}},
		{name: "summary of two lines", wheel: meta("Summary: a\n  b\n"), want: []string{dist + "METADATA: has a Summary of several lines or more than 512 characters; …"}},
		{name: "no requirement", wheel: meta("Requires-Dist: numpy >> 1\n"), want: []string{dist + `METADATA: has the Requires-Dist "numpy >> 1", which is no requirement as PEP 508 has them; …`}},
		{name: "no extra", wheel: meta("Provides-Extra: a b\n"), want: []string{dist + `METADATA: has the Provides-Extra "a b", which is no name; …`}},
		{name: "no project URL", wheel: meta("Project-URL: https://example.org\n"), want: []string{dist + `METADATA: has the Project-URL "https://example.org", which is no…`}},
		{name: "unknown markup", wheel: meta("Description-Content-Type: text/html\n"), want: []string{dist + `METADATA: has the Description-Content-Type "text/html", which no index renders; …`}},
		{name: "other charset", wheel: meta("Description-Content-Type: text/plain; charset=latin-1\n"), want: []string{dist + "METADATA: has a description in latin-1 and not in UTF-8; …"}},
		{name: "unknown Markdown", wheel: meta("Description-Content-Type: text/markdown; variant=Mine\n"), want: []string{dist + "METADATA: has the Markdown variant Mine, which no index renders; …"}},
		{name: "not UTF-8", wheel: meta("Author: \xff\n"), want: []string{dist + "METADATA: is not UTF-8; …"}},
		{name: "two kinds of licence", wheel: meta("License: MIT\nLicense-Expression: MIT\nClassifier: License :: OSI Approved\n"),
			want: []string{dist + "METADATA: has both License and License-Expression; …", dist + `METADATA: has both License-Expression and the classifier "License :: OSI Approved"; …`}},
		{name: "licence that is not there", wheel: meta("License-File: LICENSE\n"), want: []string{dist + "METADATA: lists the License-File LICENSE, which is not in .dist-info/licenses; …"}},

		{name: "good entry points", wheel: entry("[console_scripts]\nfast = fast.cli:main [x]\n# note\n[other]\nplugin = numpy.core\n")},
		{name: "no entry point", wheel: entry("[console_scripts]\nfast\n"), want: []string{dist + `entry_points.txt: has the line "fast", which is no entry point; …`}},
		{name: "script without function", wheel: entry("[console_scripts]\nfast = fast.cli\n"), want: []string{dist + "entry_points.txt: has the script fast without a function; …"}},
		{name: "entry point twice", wheel: entry("[console_scripts]\nfast = fast.cli:a\nfast = fast.cli:b\n"), want: []string{dist + "entry_points.txt: has fast twice in [console_scripts]; …"}},
		{name: "entry point to nothing", wheel: entry("[console_scripts]\nfast = fast.gone:main\n"), want: []string{dist + "entry_points.txt: names the module fast.gone for fast, which the wheel does not have; …"}},

		{name: "limited API", wheel: stable("PyModule_Create2", "PyArg_Parse")},
		{name: "symbol of a later limited API", wheel: stable("PyModule_AddType"), want: []string{"fast/_c.pyd: uses (PyModule_AddType of 3.10), which the limited API of Python 3.8 does not have; …"}},
		{name: "symbol outside the limited API", wheel: stable("PyUnicode_AsUTF8Secret"), want: []string{"fast/_c.pyd: uses (PyUnicode_AsUTF8Secret), which the limited API does not have; …"}},

		{name: "two OpenMP runtimes", wheel: wheeltest.Wheel{Name: winName, Files: files("fast/libomp140.dll", omp("libomp140.dll"), "fast/libgomp-1.dll", omp("libgomp-1.dll"))},
			want: []string{winName + ": has or loads 2 OpenMP runtimes: GNU's libgomp, LLVM's libomp140; …"}},
		{name: "over the limit", options: audit.Options{SizeLimit: 10}, wheel: wheeltest.Wheel{Name: winName}, want: []string{winName + ": has …"}},
	}
}

func TestMore(t *testing.T) {
	for _, c := range moreChecks() {
		t.Run(c.name, func(t *testing.T) { c.run(t, "win_arm64") })
	}
}

func TestFileModes(t *testing.T) {
	path := wheeltest.Wheel{Name: winName, Files: files("a.py", "")}.Write(t, t.TempDir())
	wheeltest.Edit(t, path, func(data []byte) []byte {
		at := strings.Index(string(data), "PK\x01\x02")
		data[at+40] |= 0o2 // others may write: bit 1 of the mode, the third byte of the external attributes
		return data
	})
	_, problems, err := audit.Run(path, policyOf(t, "win_arm64"), audit.Options{})
	if err != nil || len(problems) != 1 || problems[0].Name != "file-mode" || problems[0].What != "is one of 1 members that everybody may write" {
		t.Errorf("got %v, %v", problems, err)
	}
}

// TestVendorDigests holds the list of digests against the wheels that it is of:
// each line is a file of a toolkit that is pinned.
func TestVendorDigests(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("data", "vendor_digests.txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
	if len(lines) < 300 {
		t.Errorf("only %d digests", len(lines))
	}
	for _, line := range lines {
		digest, path, found := strings.Cut(line, " ")
		if _, err := hex.DecodeString(digest); !found || err != nil || len(digest) != 16 || !strings.HasPrefix(path, "nvidia/") {
			t.Errorf("malformed line %q", line)
		}
	}
}

// TestEveryFindingHasAName: a finding without one could not be looked up.
func TestEveryFindingHasAName(t *testing.T) {
	known := map[string]bool{}
	for _, rule := range audit.Rules {
		if known[rule] {
			t.Errorf("%s is listed twice", rule)
		}
		known[rule] = true
	}
	docs, err := os.ReadFile(filepath.Join("..", "..", "docs", "audit.md"))
	if err != nil {
		t.Fatal(err)
	}
	for rule := range known {
		if !strings.Contains(string(docs), "`"+rule+"`") {
			t.Errorf("docs/audit.md does not explain %s", rule)
		}
	}
	for platform, checks := range map[string][]check{
		"win_arm64": append(append(windowsChecks(), recordChecks()...), moreChecks()...), "linux_aarch64": append(linuxChecks(), deviceChecks()...),
	} {
		for _, c := range checks {
			for _, problem := range c.findings(t, platform) {
				if !known[problem.Name] {
					t.Errorf("%s: %q has the name %q, which is not among Rules", c.name, problem.What, problem.Name)
				}
			}
		}
	}
}
