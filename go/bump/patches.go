package bump

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/patch"
	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/rebase"
	"github.com/sparkwheels/sparkwheels/go/stage"
)

// Refresh brings the patches of a pin to the source that it names now: moved ones get new line numbers, those that upstream
// has are dropped, the rest are merged with the help of the source that the pin named in the git revision since (where it can
// be had). Files of patches/NAME, pins.json and repositories.bzl change together, or none does. For a conflict, the file with
// both texts marked is written to the folder conflicts, and the patch stays as it is.
func Refresh(ctx context.Context, store *Store, root, name, since, conflicts string) ([]rebase.Result, error) {
	unlock, err := Lock(root)
	if err != nil {
		return nil, err
	}
	defer unlock()
	now, err := pinNamed(os.DirFS(root), name)
	if err != nil {
		return nil, err
	}
	if len(now.Patches) == 0 {
		return nil, fmt.Errorf("pin %q has no patches", name)
	}
	// A revision without the pin, or no git at all, only means that there is nothing to merge with.
	before, beforeErr := pinAt(ctx, root, name, since)
	if beforeErr != nil {
		before = nil
	}
	results, err := TryPatches(ctx, store, root, before, now)
	if err != nil {
		return nil, err
	}
	var names []string
	var texts [][]byte
	var dropped []string
	left := []string{}
	for i, r := range results {
		file := path.Join(pins.PatchesDir, name, now.Patches[i])
		if r.State == rebase.Upstream {
			dropped = append(dropped, file)
			continue
		}
		left = append(left, now.Patches[i])
		if r.Text != nil {
			names, texts = append(names, file), append(texts, r.Text)
		}
		for target, data := range r.Files {
			out := filepath.Join(conflicts, now.Patches[i], filepath.FromSlash(target))
			if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
				return results, err
			}
			if err := stage.File(out, data); err != nil {
				return results, err
			}
		}
	}
	if len(dropped) > 0 {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(pins.PinsFile)))
		if err != nil {
			return results, err
		}
		edits := []pins.Edit{{Pin: name, Path: []string{"patches"}, List: left}}
		if text, err = pins.Apply(text, edits); err != nil {
			return results, err
		}
		// The files of dropped patches are still there, which check would refuse: they go with this write.
		repositories, err := generateWithout(root, text, dropped)
		if err != nil {
			return results, err
		}
		names = append(names, pins.PinsFile, pins.RepositoriesFile)
		texts = append(texts, text, repositories)
	}
	if err := Write(ctx, root, names, texts); err != nil {
		return results, err
	}
	for _, file := range dropped {
		if err := os.Remove(filepath.Join(root, filepath.FromSlash(file))); err != nil {
			return results, err
		}
	}
	return results, nil
}

// hiding is a file system without some files, for a check of what will be.
type hiding struct {
	overlay
	gone []string
}

// Glob leaves the hidden files out.
func (h hiding) Glob(pattern string) ([]string, error) {
	found, err := h.overlay.Glob(pattern)
	return slices.DeleteFunc(found, func(name string) bool { return slices.Contains(h.gone, name) }), err
}

func generateWithout(root string, pinsText []byte, gone []string) ([]byte, error) {
	f, err := pins.Load(hiding{overlay{os.DirFS(root), pins.PinsFile, pinsText}, gone})
	if err != nil {
		return nil, err
	}
	return pins.Generate(f)
}

func pinNamed(fsys fs.FS, name string) (*pins.Pin, error) {
	f, err := pins.Load(fsys)
	if err != nil {
		return nil, err
	}
	for _, p := range f.Pins {
		if p.Name == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no pin is named %q", name)
}

// pinAt returns a pin as a git revision has it.
func pinAt(ctx context.Context, root, name, revision string) (*pins.Pin, error) {
	cmd := exec.CommandContext(ctx, "git", "show", revision+":"+pins.PinsFile)
	cmd.Dir = root
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git show %s:%s: %w", revision, pins.PinsFile, err)
	}
	return pins.Decode(text, name)
}

var whatRE = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

// NewPatch lets edit change a scratch copy of the pin's patched source, in the folder that it is given, and records the
// difference as the next patch of the pin, called what, with a header. It returns the patch's path, or "" if nothing changed.
func NewPatch(ctx context.Context, store *Store, root, name, what, subject string, edit func(dir string) error) (file string, err error) {
	if !whatRE.MatchString(what) {
		return "", fmt.Errorf("%q: a patch is called by lower-case letters, digits and . _ -, as in neon-on-windows", what)
	}
	p, err := pinNamed(os.DirFS(root), name)
	if err != nil {
		return "", err
	}
	unlock, err := Lock(root)
	if err != nil {
		return "", err
	}
	defer unlock()
	scratch, err := os.MkdirTemp("", "patch-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch)
	source := filepath.Join(scratch, "source")
	if err := store.Tree(ctx, p, source); err != nil {
		return "", err
	}
	var patches []string
	for _, one := range p.Patches {
		patches = append(patches, filepath.Join(root, pins.PatchesDir, name, one))
	}
	for _, side := range []string{"a", "b"} {
		if _, err := patch.Apply(source, filepath.Join(scratch, side), patch.Options{Strip: 1, AllowOffset: p.AllowOffset}, patches...); err != nil {
			return "", err
		}
	}
	if err := edit(filepath.Join(scratch, "b")); err != nil {
		return "", err
	}
	diff, err := rebase.Diff(ctx, scratch)
	if err != nil || len(diff) == 0 {
		return "", err
	}
	number := 1
	if n := len(p.Patches); n > 0 {
		if _, err := fmt.Sscanf(p.Patches[n-1], "%04d-", &number); err != nil {
			return "", err
		}
		number++
	}
	base := fmt.Sprintf("%04d-%s.patch", number, what)
	file = path.Join(pins.PatchesDir, name, base)
	if subject == "" {
		subject = what
	}
	text := fmt.Sprintf("Subject: %s\n\nUpstream: not sent yet\n\n%s", strings.TrimSpace(subject), diff)
	// What the build would refuse, such as a binary, is told now.
	if _, err := patch.Parse(file, []byte(text), 1); err != nil {
		return "", err
	}
	disk := filepath.Join(root, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(disk), 0o755); err != nil {
		return "", err
	}
	if err := stage.File(disk, []byte(text)); err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(disk))
		}
	}()
	pinsText, repositories, err := Texts(root, []pins.Edit{{Pin: name, Path: []string{"patches"}, List: append(slices.Clone(p.Patches), base)}})
	if err != nil {
		return file, err
	}
	return file, Write(ctx, root, []string{pins.PinsFile, pins.RepositoriesFile}, [][]byte{pinsText, repositories})
}
