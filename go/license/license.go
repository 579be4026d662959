// Package license collects the texts that the licences of a wheel's contents
// ask to be passed on, and says where PEP 639 wants them.
//
// Collect finds them in the source tree, and Missing says which of them the
// back end left out of its wheel.
package license

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// Text is one licence text.
type Text struct {
	// Name is its path below .dist-info/licenses, with slashes.
	Name string
	// Data is the text.
	Data []byte
}

// form is what licence files are called: the patterns of PEP 639 and what
// Debian, NASM and others use. A program's source, such as license.py, is none.
var form = regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright|notice|authors|patents)s?([-_.].*)?$`)

var sources = []string{".py", ".pyi", ".pyx", ".c", ".cc", ".cpp", ".h", ".hpp", ".go", ".rs", ".js", ".json", ".in", ".sh", ".html", ".png", ".svg", ".yml", ".yaml", ".xml", ".bat", ".cmake"}

// passed are folders whose files do not go into a wheel.
var passed = []string{"test", "tests", "testing", "doc", "docs", "example", "examples", "benchmark", "benchmarks", ".github"}

// Named tells whether a file's name is that of a licence text.
func Named(base string) bool {
	return form.MatchString(base) && !slices.Contains(sources, strings.ToLower(path.Ext(base)))
}

// Collect finds the licence texts of a source tree, sorted by name. Texts in
// folders for tests, documentation and examples are passed over. The error is
// one of reading.
func Collect(tree string) ([]Text, error) {
	var texts []Text
	err := filepath.WalkDir(tree, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			base := strings.ToLower(entry.Name())
			if name != tree && (slices.Contains(passed, base) || strings.HasSuffix(base, "-tests")) {
				return fs.SkipDir
			}
			return nil
		}
		if !Named(entry.Name()) {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(tree, name)
		if err != nil {
			return err
		}
		texts = append(texts, Text{filepath.ToSlash(relative), data})
		return nil
	})
	return texts, err
}

// Missing gives those texts that are not in the wheel yet under any name, each
// content once. Texts that differ in white space alone are the same.
func Missing(archive *wheel.Archive, texts []Text) ([]Text, error) {
	have := map[string]bool{}
	for _, member := range archive.Members {
		// Texts that lie elsewhere than in .dist-info count too, but no licence
		// has a megabyte.
		if member.Size > 1<<20 {
			continue
		}
		data, err := member.Read()
		if err != nil {
			return nil, err
		}
		have[normal(data)] = true
	}
	var missing []Text
	for _, text := range texts {
		key := normal(text.Data)
		if key == "" || have[key] {
			continue
		}
		have[key] = true
		missing = append(missing, text)
	}
	return missing, nil
}

func normal(data []byte) string { return strings.Join(strings.Fields(string(data)), " ") }
