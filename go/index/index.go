package index

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	pep440 "github.com/aquasecurity/go-pep440-version"
)

// Index is a set of wheels, by file name.
type Index struct {
	files map[string]*File
}

// New gives an empty index.
func New() *Index { return &Index{files: map[string]*File{}} }

// Changed says that a file which was published has other bytes now.
type Changed struct {
	// Name is the file; Published and New are the two digests.
	Name, Published, New string
}

// Error tells what to do: installers and lock files hold the old digest.
func (c *Changed) Error() string {
	return fmt.Sprintf("%s: was published with sha256 %s and has %s now; a published file never changes: give the new one another version, local version or build tag", c.Name, c.Published, c.New)
}

// Add puts a file in. The same file again is fine; another one of the same
// name is the error Changed.
func (x *Index) Add(file *File) error {
	known := x.files[file.Name]
	if known == nil {
		x.files[file.Name] = file
		return nil
	}
	if known.SHA256 != file.SHA256 {
		return &Changed{Name: file.Name, Published: known.SHA256, New: file.SHA256}
	}
	if known.path == "" && file.path != "" {
		// The address and the yank stay as they were published.
		known.path, known.metadata, known.provenance = file.path, file.metadata, file.provenance
	}
	return nil
}

// Merge takes in an index that was published before: its files stay, with
// their addresses and yanks. A file of x whose bytes differ is the error
// Changed, all of them together.
func (x *Index) Merge(published *Index) error {
	var errs []error
	for _, old := range published.Files() {
		own := x.files[old.Name]
		switch {
		case own == nil:
			x.files[old.Name] = old
		case own.SHA256 != old.SHA256:
			errs = append(errs, &Changed{Name: old.Name, Published: old.SHA256, New: own.SHA256})
		default:
			own.Yanked, own.Reason = old.Yanked, old.Reason
			if old.URL != "" {
				own.URL = old.URL
			}
		}
	}
	return errors.Join(errs...)
}

// Yank marks files (PEP 592); reasons maps a file name to the reason, which may
// be "". A name that the index does not have is an error.
func (x *Index) Yank(reasons map[string]string) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		file := x.files[name]
		if file == nil {
			errs = append(errs, fmt.Errorf("yank of %s: the index has no such file", name))
			continue
		}
		file.Yanked, file.Reason = true, reasons[name]
	}
	return errors.Join(errs...)
}

// Place gives every file that has no address yet the address base/NAME.
func (x *Index) Place(base string) {
	for _, file := range x.files {
		if file.URL == "" {
			file.URL = strings.TrimSuffix(base, "/") + "/" + Escape(file.Name)
		}
	}
}

// File finds a file by its name, nil when there is none.
func (x *Index) File(name string) *File { return x.files[name] }

// Files lists the files by project, version and name.
func (x *Index) Files() []*File {
	return slices.SortedFunc(maps.Values(x.files), func(a, b *File) int {
		return cmp.Or(strings.Compare(a.Project, b.Project), compareVersions(a.Version, b.Version), strings.Compare(a.Name, b.Name))
	})
}

// Projects lists the normalised names of all projects, sorted.
func (x *Index) Projects() []string {
	set := map[string]bool{}
	for _, file := range x.files {
		set[file.Project] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// project lists the files of one project.
func (x *Index) project(name string) []*File {
	return slices.DeleteFunc(x.Files(), func(file *File) bool { return file.Project != name })
}

// compareVersions orders as PEP 440 does; what is no version comes first.
func compareVersions(a, b string) int {
	x, errX := pep440.Parse(a)
	y, errY := pep440.Parse(b)
	if errX != nil || errY != nil {
		return strings.Compare(a, b)
	}
	return x.Compare(y)
}

// Drop takes files out by their names.
func (x *Index) Drop(names ...string) {
	for _, name := range names {
		delete(x.files, name)
	}
}

// DropUnplaced takes the files without an address out: those that could not be
// published.
func (x *Index) DropUnplaced() {
	maps.DeleteFunc(x.files, func(_ string, file *File) bool { return file.URL == "" })
}
