package bump

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/pins"
	"github.com/sparkwheels/sparkwheels/go/rebase"
	"github.com/sparkwheels/sparkwheels/go/upstream"
)

// Report is what a bump found and did.
type Report struct {
	// Steps are the pins that move.
	Steps []*Step
	// Patches are what became of the patches of each pin, by its name.
	Patches map[string][]rebase.Result
	// Written says whether pins.json was changed.
	Written bool
}

// PatchError says that patches keep a bump from being written.
type PatchError struct{ Pins []string }

func (e *PatchError) Error() string {
	return fmt.Sprintf("patches of %s do not fit the new source (above), so nothing was written; --with-conflicts writes the pins all the same", strings.Join(e.Pins, ", "))
}

// Bump is a bump to be run.
type Bump struct {
	// Root is the repository.
	Root string
	// Ask answers what upstream has, Store fetches it.
	Ask   Asker
	Store *Store
	// Check writes nothing; WithConflicts writes pins whose patches do not fit.
	Check, WithConflicts bool
}

// Run moves the wanted pins (name to version, "" for the newest) and those that move with them. pins.json and repositories.bzl
// change together, at the end, or not at all.
func (b *Bump) Run(ctx context.Context, wanted map[string]string) (*Report, error) {
	if !b.Check {
		unlock, err := Lock(b.Root)
		if err != nil {
			return nil, err
		}
		defer unlock()
		if err := writable(filepath.Join(b.Root, filepath.FromSlash(pins.PinsFile))); err != nil {
			return nil, err
		}
	}
	f, err := pins.Load(os.DirFS(b.Root))
	if err != nil {
		return nil, err
	}
	report := &Report{Patches: map[string][]rebase.Result{}}
	if report.Steps, err = Resolve(ctx, b.Ask, f.Pins, wanted); err != nil || len(report.Steps) == 0 {
		return report, err
	}
	before := map[string]*pins.Pin{}
	for _, p := range f.Pins {
		before[p.Name] = p
	}
	var edits []pins.Edit
	for _, s := range report.Steps {
		edits = append(edits, s.Edits...)
	}
	// What is wrong with the result is told before anything large is fetched.
	pinsText, repositories, err := Texts(b.Root, edits)
	if err != nil {
		return report, err
	}
	var stuck []string
	for _, s := range report.Steps {
		for _, file := range s.Files {
			if _, err := b.Store.Fetch(ctx, file); err != nil {
				return report, fmt.Errorf("pin %q: %w", s.Name, err)
			}
		}
		if len(s.After.Patches) == 0 || s.From == s.To {
			continue
		}
		results, err := TryPatches(ctx, b.Store, b.Root, before[s.Name], s.After)
		if err != nil {
			return report, fmt.Errorf("pin %q: %w", s.Name, err)
		}
		report.Patches[s.Name] = results
		for _, r := range results {
			if r.State == rebase.Conflict {
				stuck = append(stuck, s.Name)
				break
			}
		}
	}
	if len(stuck) > 0 && (!b.WithConflicts || b.Check) {
		return report, &PatchError{stuck}
	}
	if b.Check {
		return report, nil
	}
	if err := Write(ctx, b.Root, []string{pins.PinsFile, pins.RepositoriesFile}, [][]byte{pinsText, repositories}); err != nil {
		return report, err
	}
	report.Written = true
	return report, nil
}

// TryPatches tries the patches of a pin on the source that it will have. The source that it has now, if it can be had, makes a
// merge possible.
func TryPatches(ctx context.Context, store *Store, root string, before, after *pins.Pin) ([]rebase.Result, error) {
	dir, err := os.MkdirTemp("", "bump-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	fresh, old := filepath.Join(dir, "new"), ""
	if err := store.Tree(ctx, after, fresh); err != nil {
		return nil, err
	}
	if before != nil {
		old = filepath.Join(dir, "old")
		if err := store.Tree(ctx, before, old); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			old = ""
		}
	}
	var files []string
	for _, name := range after.Patches {
		files = append(files, filepath.Join(root, pins.PatchesDir, after.Name, name))
	}
	return rebase.Patches(ctx, old, fresh, files)
}

// Text is the report for people and, as it is Markdown too, for the text of a change.
func (r *Report) Text() string {
	if len(r.Steps) == 0 {
		return "Nothing is newer upstream.\n"
	}
	var b strings.Builder
	b.WriteString("| pin | from | to | with |\n| --- | --- | --- | --- |\n")
	for _, s := range r.Steps {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", s.Name, s.From, s.To, s.Because)
	}
	for _, s := range r.Steps {
		results, notes := r.Patches[s.Name], s.Notes
		if len(results)+len(notes) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s:\n\n", s.Name)
		for _, note := range notes {
			fmt.Fprintf(&b, "- %s\n", note)
		}
		needs := false
		for _, p := range results {
			fmt.Fprintf(&b, "- %s: %s\n", path.Join(pins.PatchesDir, s.Name, filepath.Base(p.Patch)), p.State)
			for _, d := range p.Details {
				fmt.Fprintf(&b, "  - %s\n", d)
			}
			needs = needs || p.State != rebase.Applies
		}
		if needs {
			fmt.Fprintf(&b, "\n`./bazelw run //go/cmd/patch -- refresh %s` writes what can be written.\n", s.Name)
		}
	}
	return b.String()
}

// NoAnswer tells whether an error is that upstream could not be asked, or that its answer makes no sense.
func NoAnswer(err error) bool {
	return errors.As(err, new(*upstream.UnreachableError)) || errors.As(err, new(*upstream.MalformedError)) || errors.As(err, new(*upstream.UnaskableError))
}
