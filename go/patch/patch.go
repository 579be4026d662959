// Package patch applies patches exactly, or not at all.
//
// A [Patch] is parsed from a file ([Parse]: unified diffs as git, diff and
// quilt write them) and applied to a tree in memory ([Apply], [Check],
// [WriteRefreshed]); only when every patch has applied is anything written. A hunk
// applies where its lines stand, byte for byte, at the line that its header
// names. There is no fuzz. Text that has merely moved is taken only with
// [Options.AllowOffset], and then reported as an [Offset].
//
// Renames, copies, mode changes, new, deleted and empty files, and a missing
// final newline are honoured as git defines them. What could be meant in two
// ways is refused: binary changes, symbolic links, insertions without context,
// line ends that differ, hunks whose header miscounts.
//
// Errors are a [FormatError] when no tree could take the patch, an
// [ApplyError] when this tree cannot, and anything else for reading and
// writing.
package patch

import (
	"fmt"
	"os"
)

// Options says how patches are applied.
type Options struct {
	// Strip is the number of leading components to remove from each name, as
	// in patch -p. Git's own patches ("a/x", "b/x") need 1.
	Strip int
	// AllowOffset accepts a hunk whose lines stand elsewhere, if they stand
	// at one place only.
	AllowOffset bool
}

// FormatError is a patch that is wrong in itself.
type FormatError struct {
	// Patch is the file as the caller named it.
	Patch string
	// Line is the line of Patch; 0 when the fault is of the whole.
	Line int
	// Problem is what is wrong.
	Problem string
}

func (e *FormatError) Error() string {
	return place(e.Patch, e.Line) + e.Problem
}

// ApplyError is a patch that does not apply to the tree.
type ApplyError struct {
	// Patch is the file as the caller named it, Line the line in it of the
	// hunk or, when Hunk is 0, of the target's header.
	Patch string
	Line  int
	// Target is the file in the tree.
	Target string
	// Hunk of Hunks is the one at fault, counted from 1 in Target; 0 when
	// the fault is not a hunk's.
	Hunk, Hunks int
	// Problem is what was expected and what was found.
	Problem string
	// Moved reports that the hunk's text stands elsewhere, once: an offset
	// would make it apply.
	Moved bool
}

func (e *ApplyError) Error() string {
	at := e.Target
	if e.Hunk > 0 {
		at = fmt.Sprintf("hunk %d/%d of %s", e.Hunk, e.Hunks, e.Target)
	}
	return place(e.Patch, e.Line) + at + ": " + e.Problem
}

// Offset is a hunk that was applied elsewhere than at its line.
type Offset struct {
	// Patch, Line, Target, Hunk and Hunks say which, as in [ApplyError].
	Patch       string
	Line        int
	Target      string
	Hunk, Hunks int
	// Expected and Found are lines of the target as it was before the patch.
	Expected, Found int
}

func (o Offset) String() string {
	return fmt.Sprintf("%shunk %d/%d of %s: expected at line %d, applied at line %d",
		place(o.Patch, o.Line), o.Hunk, o.Hunks, o.Target, o.Expected, o.Found)
}

func place(file string, line int) string {
	if line == 0 {
		return file + ": "
	}
	return fmt.Sprintf("%s:%d: ", file, line)
}

// Apply applies the patch files, in the given order, to a copy of the tree src
// and writes the result to out, which must not exist or be empty. On error out
// is left as it was; src never changes.
func Apply(src, out string, opts Options, patches ...string) ([]Offset, error) {
	t, offsets, err := applyAll(src, opts, patches)
	if err != nil {
		return nil, err
	}
	return offsets, t.write(out)
}

// Check does what [Apply] does, except for writing.
func Check(src string, opts Options, patches ...string) ([]Offset, error) {
	_, offsets, err := applyAll(src, opts, patches)
	return offsets, err
}

func applyAll(src string, opts Options, patches []string) (*tree, []Offset, error) {
	t, err := openTree(src)
	if err != nil {
		return nil, nil, err
	}
	var all []Offset
	for _, name := range patches {
		p, err := load(name, opts.Strip)
		if err != nil {
			return nil, nil, err
		}
		offsets, err := t.apply(p, opts)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, offsets...)
	}
	return t, all, nil
}

func load(name string, strip int) (*Patch, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Parse(name, data, strip)
}
