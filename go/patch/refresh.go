package patch

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sparkwheels/sparkwheels/go/stage"
)

// WriteRefreshed writes each patch file to the folder out, under its own base
// name, with the line numbers that its hunks have in src after the patches
// before it; all else in it stays as it is. It writes nothing unless all
// patches apply as [Apply] with [Options.AllowOffset] would have it.
func WriteRefreshed(src, out string, opts Options, patches ...string) error {
	origin := map[string]string{}
	for _, name := range patches {
		base := filepath.Base(name)
		if other, ok := origin[base]; ok {
			return fmt.Errorf("%s and %s would both become %s", other, name, filepath.Join(out, base))
		}
		origin[base] = name
	}
	texts, err := refresh(src, opts, patches)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for i, name := range patches {
		if err := stage.File(filepath.Join(out, filepath.Base(name)), texts[i]); err != nil {
			return err
		}
	}
	return nil
}

// WriteFirstRefreshed writes to file the first of the patches whose line
// numbers are not those of src, refreshed, and returns that patch's name. It
// returns "" and writes nothing when there is none.
func WriteFirstRefreshed(src, file string, opts Options, patches ...string) (string, error) {
	texts, err := refresh(src, opts, patches)
	// An error may be of a later patch: those before it are in texts.
	for i, text := range texts {
		old, rerr := os.ReadFile(patches[i])
		if rerr != nil {
			return "", rerr
		}
		if !bytes.Equal(old, text) {
			return patches[i], stage.File(file, text)
		}
	}
	return "", err
}

// refresh returns the refreshed text of each patch, as far as they apply.
func refresh(src string, opts Options, patches []string) (texts [][]byte, err error) {
	opts.AllowOffset = true
	t, err := openTree(src)
	if err != nil {
		return nil, err
	}
	for _, name := range patches {
		p, err := load(name, opts.Strip)
		if err != nil {
			return texts, err
		}
		if _, err := t.apply(p, opts); err != nil {
			return texts, err
		}
		texts = append(texts, p.refreshed())
	}
	return texts, nil
}
