package toolkit

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// edit is one substitution in one header.
type edit struct {
	// file is the header, a slash path below the tree that the edits are for.
	file string
	// old is the text to replace, and new what takes its place.
	old, new string
	// count is how often old must stand in the file.
	count int
	// why is the reason.
	why string
}

// adapt applies the edits to the headers below dir, in order.
func adapt(dir string, edits []edit) error {
	for _, e := range edits {
		file := filepath.Join(dir, filepath.FromSlash(e.file))
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("the header %s is to be adapted (%s) and is not there: the headers changed; look where that went and correct go/toolkit: %w", e.file, e.why, err)
		}
		if n := bytes.Count(text, []byte(e.old)); n != e.count {
			return fmt.Errorf("%s: %q stands there %d times, not %d (%s): the headers changed; read what is new and correct the count in go/toolkit", e.file, e.old, n, e.count, e.why)
		}
		text = bytes.ReplaceAll(text, []byte(e.old), []byte(e.new))
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
