// Package archive unpacks upstream archives without trusting them.
//
// [Extract] takes tar archives (plain, gzip, xz or bzip2) and zip archives,
// which is what sdists, crates, wheels, jars and NVIDIA's redistributables
// are, and writes one new folder. Its life: each archive is recognised by its
// first bytes and read as a stream of members (source.go); each member is
// judged and written below a temporary folder (tree.go); links are then
// replaced by copies of what they lead to (link.go), so that the result holds
// files and folders only; at last the temporary folder takes its final name.
//
// The first member that could write outside the folder, that another
// operating system could not hold, or that exceeds a limit ends the
// extraction with one [Error], and nothing is left on disk.
package archive

import (
	"fmt"
	"os"

	"github.com/sparkwheels/sparkwheels/go/stage"
)

// Options says what to extract and how much of it to believe.
type Options struct {
	// Strip is the number of leading components to remove from each name.
	// A file of which nothing would remain is an error.
	Strip int
	// Include, unless empty, names the members to extract: patterns as in
	// github.com/bmatcuk/doublestar, matched against the stripped name.
	// A pattern that matches no member is an error.
	Include []string
	// Exclude names the members to leave out, after Include. An excluded
	// member may have a name that Windows cannot hold, or be a device or a
	// link; a name that leads out of the folder is refused all the same.
	Exclude []string
	// Limits bounds what an archive may expand to.
	Limits Limits
}

// Limits stop decompression bombs. A zero field means no limit.
type Limits struct {
	// Bytes is the most that all files together may hold.
	Bytes int64
	// Members is the most files, folders and links there may be.
	Members int64
	// Ratio is the most bytes that may come out of each archive for one
	// byte of it. It counts only beyond the first [RatioGrace] bytes.
	Ratio int64
}

// DefaultLimits hold the largest trees we know (LLVM's sources, the toolkit's
// libraries) several times over; real archives compress up to about 30 to 1.
var DefaultLimits = Limits{Bytes: 16 << 30, Members: 500_000, Ratio: 200}

// RatioGrace is how much may come out of an archive before [Limits.Ratio]
// counts, so that a small file of zeros is not taken for a bomb.
const RatioGrace = 16 << 20

// Error is why an archive was refused.
type Error struct {
	// Archive is the file as the caller named it.
	Archive string
	// Member is the name inside the archive as it is written there; empty
	// when the fault is the archive's as a whole.
	Member string
	// Problem is what is wrong, and the way out where there is one.
	Problem string
}

func (e *Error) Error() string {
	if e.Member == "" {
		return fmt.Sprintf("%s: %s", e.Archive, e.Problem)
	}
	return fmt.Sprintf("%s: member %q: %s", e.Archive, e.Member, e.Problem)
}

// Extract unpacks the archives, in the given order, into the folder out,
// which must not exist or be empty. Files keep whether they are executable;
// modes are otherwise 0644 or 0755, times those of writing. Archives may share
// folders and identical files; a file that two of them hold with different
// bytes is an error. On error, out is left as it was.
func Extract(out string, opts Options, archives ...string) error {
	filter, err := newFilter(opts)
	if err != nil {
		return err
	}
	return stage.Dir(out, func(dir string) error {
		t := &tree{dir: dir, filter: filter, limits: opts.Limits, owner: map[string]string{}}
		for _, name := range archives {
			if err := extractOne(t, name); err != nil {
				return err
			}
		}
		return filter.unused()
	})
}

func extractOne(t *tree, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	t.begin(name, info.Size())
	if err := read(f, info.Size(), t.add); err != nil {
		return t.blame(err)
	}
	return t.finish()
}
