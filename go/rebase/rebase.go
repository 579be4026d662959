// Package rebase tries patches on a new version of a source, and writes them anew where that can be done without guessing.
//
// Its primary type is Result, what became of one patch. Patches tries them in order: a patch that applies stays; one whose
// text only moved gets new line numbers; one that the new source has already is dropped; where the old source is at hand,
// the rest are merged by three ways (git merge-file), and what then overlaps is a conflict that shows both texts. Nothing is
// ever applied with fuzz.
package rebase

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/patch"
)

// State is what became of a patch.
type State string

// The states of a patch.
const (
	// Applies is a patch that applies as it is.
	Applies State = "applies"
	// Moved is a patch whose text stands elsewhere; Text has the new line numbers.
	Moved State = "applies at an offset"
	// Merged is a patch that was merged by three ways without overlap; Text is written anew.
	Merged State = "merged anew"
	// Upstream is a patch whose change the source has already.
	Upstream State = "already upstream"
	// Conflict is a patch that a person must make again.
	Conflict State = "conflicts"
)

// Result is what became of one patch.
type Result struct {
	// Patch is the file as the caller named it.
	Patch string
	// State sums it up.
	State State
	// Text is the patch for the new source; of Moved and Merged only.
	Text []byte
	// Details are lines that say where: an offset, or a conflict's place and both texts.
	Details []string
	// Files are the merged files with their conflicts marked as git does, by name in the tree.
	Files map[string][]byte
}

// opts is how patches of this repository are written: git's names, no offset unless asked.
var opts = patch.Options{Strip: 1}

// Patches tries the patch files in order on the tree at fresh. old is the tree that they were made for, or "" if it is not at
// hand. After a conflict the later patches are tried on the tree without that patch.
func Patches(ctx context.Context, old, fresh string, files []string) ([]Result, error) {
	r := &rebaser{ctx: ctx}
	var err error
	if r.fresh, err = patch.OpenSeries(fresh); err != nil {
		return nil, err
	}
	if old != "" {
		if r.old, err = patch.OpenSeries(old); err != nil {
			return nil, err
		}
	}
	var all []Result
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		result, err := r.one(file, text)
		if err != nil {
			return nil, err
		}
		all = append(all, result)
	}
	return all, nil
}

type rebaser struct {
	ctx        context.Context
	old, fresh *patch.Series // old is nil if there is none, or if a patch does not apply to it
}

func (r *rebaser) one(file string, text []byte) (result Result, err error) {
	result.Patch = file
	// The tree before this patch, for the merge; the old tree goes on in any case.
	base, oldErr := r.before(text)
	_, _, err = r.fresh.Add(file, text, opts)
	var apply *patch.ApplyError
	switch {
	case err == nil:
		result.State = Applies
		return result, nil
	case !errors.As(err, &apply):
		return result, err
	}
	if held, err := r.fresh.Holds(text, opts); err != nil {
		return result, err
	} else if held {
		result.State = Upstream
		return result, nil
	}
	offsets, refreshed, offsetErr := r.fresh.Add(file, text, patch.Options{Strip: opts.Strip, AllowOffset: true})
	if offsetErr == nil {
		result.State, result.Text = Moved, refreshed
		for _, o := range offsets {
			result.Details = append(result.Details, fmt.Sprintf("%s: hunk %d/%d moved from line %d to line %d", o.Target, o.Hunk, o.Hunks, o.Expected, o.Found))
		}
		return result, nil
	}
	if base == nil {
		result.State = Conflict
		result.Details = []string{fmt.Sprintf("%s:%d: hunk %d/%d: %s", apply.Target, apply.Line, apply.Hunk, apply.Hunks, apply.Problem)}
		if oldErr != nil {
			result.Details = append(result.Details, "cannot be merged: "+oldErr.Error())
		}
		return result, nil
	}
	return r.merge(result, text, base)
}

// versions holds one file before and after the patch in the old tree.
type versions struct{ base, ours []byte }

// before applies the patch to the old tree and returns the files that it changes, before and after.
func (r *rebaser) before(text []byte) (map[string]versions, error) {
	if r.old == nil {
		return nil, errors.New("the source that the patch was made for is not at hand")
	}
	names, err := patch.Changed(text, opts)
	if err != nil {
		_, _, addErr := r.old.Add("patch", text, opts)
		return nil, errors.Join(err, addErr)
	}
	out := map[string]versions{}
	for _, name := range names {
		data, _, err := r.old.File(name)
		if err != nil {
			return nil, err
		}
		out[name] = versions{base: data}
	}
	if _, _, err := r.old.Add("patch", text, opts); err != nil {
		r.old = nil
		return nil, fmt.Errorf("the patch does not apply to its own source: %w", err)
	}
	for _, name := range names {
		data, _, err := r.old.File(name)
		if err != nil {
			return nil, err
		}
		out[name] = versions{out[name].base, data}
	}
	return out, nil
}

// merge merges each file by three ways and writes the patch anew, or reports the conflicts.
func (r *rebaser) merge(result Result, text []byte, base map[string]versions) (Result, error) {
	dir, err := os.MkdirTemp("", "rebase-*")
	if err != nil {
		return result, err
	}
	defer os.RemoveAll(dir)
	result.Files = map[string][]byte{}
	names := slices.Sorted(maps.Keys(base))
	for _, name := range names {
		v := base[name]
		theirs, there, err := r.fresh.File(name)
		if err != nil {
			return result, err
		}
		if !there {
			result.State = Conflict
			result.Details = append(result.Details, name+": is not in the new source")
			continue
		}
		merged, conflicts, err := r.mergeFile(dir, v.ours, v.base, theirs)
		if err != nil {
			return result, err
		}
		if conflicts > 0 {
			result.State = Conflict
			result.Files[name] = merged
			result.Details = append(result.Details, describe(name, merged)...)
		}
		for side, data := range map[string][]byte{"a": theirs, "b": merged} {
			if err := write(filepath.Join(dir, side, filepath.FromSlash(name)), data); err != nil {
				return result, err
			}
		}
	}
	if result.State == Conflict {
		return result, nil
	}
	diff, err := Diff(r.ctx, dir)
	if err != nil {
		return result, err
	}
	if len(diff) == 0 {
		result.State = Upstream
		return result, nil
	}
	result.Text = append([]byte(patch.Header(text)), diff...)
	if _, _, err := r.fresh.Add(result.Patch, result.Text, opts); err != nil {
		return result, err
	}
	result.State = Merged
	for _, name := range names {
		result.Details = append(result.Details, name+": merged by three ways; read the new patch")
	}
	return result, nil
}

// mergeFile merges by git merge-file and returns the number of conflicts.
func (r *rebaser) mergeFile(dir string, ours, base, theirs []byte) (merged []byte, conflicts int, err error) {
	names := []string{"ours", "base", "theirs"}
	for i, data := range [][]byte{ours, base, theirs} {
		names[i] = filepath.Join(dir, names[i])
		if err := write(names[i], data); err != nil {
			return nil, 0, err
		}
	}
	cmd := exec.CommandContext(r.ctx, "git", append([]string{"merge-file", "-p", "--diff3", "-L", "the patch", "-L", "the old source", "-L", "the new source"}, names...)...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 && exit.ExitCode() < 128 {
		return out, exit.ExitCode(), nil
	}
	return out, 0, err
}

// describe turns marked conflicts into lines: where in the new source, and both texts.
func describe(name string, merged []byte) (out []string) {
	var ours, theirs []string
	side, line, start := "", 0, 0 // line counts lines of the new source
	for text := range strings.Lines(string(merged)) {
		text = strings.TrimRight(text, "\r\n")
		switch {
		case strings.HasPrefix(text, "<<<<<<< "):
			side, ours, theirs, start = "ours", nil, nil, line+1
		case side != "" && strings.HasPrefix(text, "||||||| "):
			side = "base"
		case side != "" && text == "=======":
			side = "theirs"
		case side == "theirs" && strings.HasPrefix(text, ">>>>>>> "):
			side = ""
			out = append(out, fmt.Sprintf("%s:%d: the patch wants %s, the new source has %s", name, start, shorten(ours), shorten(theirs)))
		case side == "ours":
			ours = append(ours, text)
		case side == "base":
		default:
			line++
			if side == "theirs" {
				theirs = append(theirs, text)
			}
		}
	}
	return out
}

// shorten quotes lines, but not more than a report can show; the marked file has them all.
func shorten(lines []string) string {
	const most = 200
	text := []rune(strings.Join(lines, "\n"))
	if len(text) > most {
		return fmt.Sprintf("%q… (%d lines)", string(text[:most]), len(lines))
	}
	return fmt.Sprintf("%q", string(text))
}

// Diff returns what turns dir/a into dir/b, as git writes it with three lines of context and no user's settings.
func Diff(ctx context.Context, dir string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", "-c", "core.autocrlf=false", "-c", "core.quotePath=false", "-c", "diff.noprefix=false",
		"diff", "--no-index", "--no-color", "--no-ext-diff", "--no-textconv", "--no-prefix", "--no-renames", "--full-index", "-U3", "a", "b")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 { // they differ
		err = nil
	}
	return withoutIndex(out), err
}

// withoutIndex drops the lines that name blobs, which exist in no repository.
func withoutIndex(diff []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(diff) {
		if !bytes.HasPrefix(line, []byte("index ")) || bytes.Contains(line, []byte(" 120000")) {
			out.Write(line)
		}
	}
	return out.Bytes()
}

func write(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}
