// Package dist copies finished wheels into a folder for people: the wheels
// themselves and a SHA256SUMS file that `sha256sum -c` checks.
package dist

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/sparkwheels/sparkwheels/go/stage"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// Sums is the name of the file with the digests.
const Sums = "SHA256SUMS"

// Entry is one wheel in the folder.
type Entry struct {
	Name   string
	Size   int64
	SHA256 string
}

// Result tells what Copy did.
type Result struct {
	// Entries are the wheels, sorted by name.
	Entries []Entry
	// Removed are the wheels of an earlier Copy that are not among them.
	Removed []string
}

// Copy puts the wheels into the folder, which it creates where needed, and
// writes SHA256SUMS. Each file appears at once and complete, read-only files of
// the same name are replaced.
//
// A wheel that an earlier Copy put there is removed when it is not among the
// files any more: one that the old SHA256SUMS lists and whose digest still
// agrees. Everything else in the folder is left alone.
//
// It is an error, and nothing is written, when a file's name is no wheel's
// name, or when two different files have the same name.
func Copy(folder string, files []string) (*Result, error) {
	sources, entries, err := inspect(files)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	old, err := readSums(filepath.Join(folder, Sums))
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if err := copyFile(filepath.Join(folder, entry.Name), sources[entry.Name], entry.SHA256); err != nil {
			return nil, err
		}
	}
	result := &Result{Entries: entries}
	for _, entry := range old {
		if _, kept := sources[entry.Name]; kept {
			continue
		}
		removed, err := removeOurs(filepath.Join(folder, entry.Name), entry.SHA256)
		if err != nil {
			return nil, err
		}
		if removed {
			result.Removed = append(result.Removed, entry.Name)
		}
	}
	var sums strings.Builder
	for _, entry := range entries {
		fmt.Fprintf(&sums, "%s  %s\n", entry.SHA256, entry.Name)
	}
	return result, stage.Stream(filepath.Join(folder, Sums), func(out io.Writer) error {
		_, err := io.WriteString(out, sums.String())
		return err
	})
}

// inspect digests the files and gives their paths by name.
func inspect(files []string) (sources map[string]string, entries []Entry, err error) {
	sources = map[string]string{}
	digests := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		if _, err := wheel.ParseName(name); err != nil {
			return nil, nil, err
		}
		sum, size, err := digest(file)
		if err != nil {
			return nil, nil, err
		}
		if known, twice := digests[name]; twice {
			if known != sum {
				return nil, nil, fmt.Errorf("%s and %s have one name and different contents; give one of them a local version or a build tag", sources[name], file)
			}
			continue
		}
		sources[name], digests[name] = file, sum
		entries = append(entries, Entry{name, size, sum})
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return sources, entries, nil
}

func digest(file string) (sum string, size int64, err error) {
	f, err := os.Open(file)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	hash := sha256.New()
	size, err = io.Copy(hash, f)
	return hex.EncodeToString(hash.Sum(nil)), size, err
}

// copyFile copies unless the file there is the same already. It checks that
// what it copied is what was digested.
func copyFile(to, from, sum string) error {
	if have, _, err := digest(to); err == nil && have == sum {
		return nil
	}
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	return stage.Stream(to, func(out io.Writer) error {
		hash := sha256.New()
		if _, err := io.Copy(io.MultiWriter(out, hash), source); err != nil {
			return err
		}
		if hex.EncodeToString(hash.Sum(nil)) != sum {
			return fmt.Errorf("%s changed while it was copied; run the command again", from)
		}
		return nil
	})
}

// removeOurs removes a file that is still what an earlier Copy wrote.
func removeOurs(file, sum string) (bool, error) {
	have, _, err := digest(file)
	if errors.Is(err, fs.ErrNotExist) || err == nil && have != sum {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	// Windows removes no read-only file.
	if err := os.Chmod(file, 0o644); err != nil {
		return false, err
	}
	return true, os.Remove(file)
}

// readSums reads an earlier SHA256SUMS. Lines that Copy would not write are
// passed over, since they are somebody else's.
func readSums(file string) ([]Entry, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for line := range strings.Lines(string(data)) {
		sum, name, found := strings.Cut(strings.TrimRight(line, "\r\n"), "  ")
		if _, err := wheel.ParseName(name); !found || err != nil || len(sum) != 64 {
			continue
		}
		entries = append(entries, Entry{Name: name, SHA256: sum})
	}
	return entries, nil
}

// Print writes a table of the wheels, and a line for each one removed.
func (r *Result) Print(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "wheel\tbytes\tsha256")
	for _, entry := range r.Entries {
		fmt.Fprintf(table, "%s\t%d\t%s\n", entry.Name, entry.Size, entry.SHA256)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, name := range r.Removed {
		fmt.Fprintf(out, "removed %s, which is not built any more\n", name)
	}
	return nil
}
