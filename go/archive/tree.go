package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sparkwheels/sparkwheels/go/stage"
	"github.com/sparkwheels/sparkwheels/go/treepath"
)

// tree is the folder being filled. Fields of the first group live for the
// whole extraction, those of the second for one archive.
type tree struct {
	dir     string // temporary folder
	filter  *filter
	limits  Limits
	names   treepath.Set      // stripped names that exist in dir
	owner   map[string]string // archive that each file in dir is from
	bytes   int64             // written so far, all archives together
	members int64

	archive  string
	size     int64
	produced int64            // bytes written for this archive
	first    int64            // members before this archive
	seen     map[string]*node // by cleaned, unstripped name
	links    []string         // keys of seen, in the archive's order
}

// node is what the current archive says about one of its names.
type node struct {
	member
	extracted bool
}

func (n *node) isLink() bool { return n != nil && (n.kind == symlink || n.kind == hardlink) }

func (t *tree) begin(archive string, size int64) {
	t.archive, t.size = archive, max(size, 1)
	t.produced, t.first = 0, t.members
	t.seen, t.links = map[string]*node{}, nil
}

// blame makes err an *Error that names the current archive.
func (t *tree) blame(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return &Error{Archive: t.archive, Problem: "damaged or unreadable: " + err.Error()}
	}
	e.Archive = t.archive
	return e
}

// add takes the next member: files and folders at once, links in finish.
func (t *tree) add(m member) error {
	if err := t.take(m); err != nil {
		var e *Error
		if errors.As(err, &e) {
			return err
		}
		return &Error{Member: m.name, Problem: err.Error()}
	}
	return nil
}

func (t *tree) take(m member) error {
	name, err := treepath.Clean(m.name)
	if err != nil {
		return err
	}
	if err := t.count(); err != nil {
		return err
	}
	out := treepath.Strip(name, t.filter.strip)
	switch {
	case m.kind == folder && (out == "" || out == "."):
		return nil
	case out == "" || out == ".":
		return fmt.Errorf("strip %d leaves nothing of its name", t.filter.strip)
	}
	if err := t.underLink(name); err != nil {
		return err
	}
	old := t.seen[name]
	n := &node{m, t.filter.takes(out)}
	n.body = nil
	t.seen[name] = n
	if !n.extracted {
		return nil
	}
	if old != nil && old.extracted && (old.kind != m.kind || old.target != m.target) {
		return errors.New("is there twice, as different things")
	}
	if err := treepath.Portable(out); err != nil {
		return err
	}
	switch m.kind {
	case special:
		return fmt.Errorf("is a %s; only files, folders and links can be extracted", m.target)
	case folder:
		return t.mkdir(out)
	case file:
		return t.write(out, m.exec, m.body)
	}
	if old == nil {
		t.links = append(t.links, name)
	}
	return nil
}

// underLink refuses a member that would be written through a link.
func (t *tree) underLink(name string) error {
	if len(t.links) == 0 {
		return nil
	}
	for i := range name {
		if name[i] != '/' {
			continue
		}
		if up := t.seen[name[:i]]; up.isLink() && up.extracted {
			return fmt.Errorf("lies below %q, which is a link", up.name)
		}
	}
	return nil
}

func (t *tree) mkdir(out string) error {
	if _, err := t.names.Add(out, treepath.Dir); err != nil {
		return err
	}
	return os.MkdirAll(t.path(out), 0o755)
}

// write creates the file out, or checks that the one which is already there
// holds the same bytes.
func (t *tree) write(out string, exec bool, body io.Reader) error {
	known, err := t.names.Add(out, treepath.File)
	if err != nil {
		return err
	}
	if known {
		return t.same(out, exec, body)
	}
	if err := os.MkdirAll(filepath.Dir(t.path(out)), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(t.path(out), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, &meter{body, t})
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	t.owner[out] = t.archive
	return stage.Seal(t.path(out), exec)
}

// same checks a file that is already there against body.
func (t *tree) same(out string, exec bool, body io.Reader) error {
	old, err := os.Open(t.path(out))
	if err != nil {
		return err
	}
	defer old.Close()
	same, err := equal(old, &meter{body, t})
	switch {
	case err != nil:
		return err
	case !same:
		return fmt.Errorf("is already there with different bytes, from %s", t.owner[out])
	case exec:
		return stage.Seal(t.path(out), true)
	}
	return nil
}

func equal(a, b io.Reader) (bool, error) {
	const chunk = 64 << 10
	x, y := make([]byte, chunk), make([]byte, chunk)
	for {
		n, errA := io.ReadFull(a, x)
		m, errB := io.ReadFull(b, y)
		for _, err := range []error{errA, errB} {
			if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
				return false, err
			}
		}
		if !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		if n < chunk {
			return true, nil
		}
	}
}

func (t *tree) path(out string) string {
	return filepath.Join(t.dir, filepath.FromSlash(out))
}

func (t *tree) count() error {
	t.members++
	if m := t.limits.Members; m > 0 && t.members > m {
		return fmt.Errorf("more than %d members; raise the limit if the archive is to be trusted", m)
	}
	return nil
}

// meter counts what is read through it and stops at the tree's limits.
type meter struct {
	r io.Reader
	t *tree
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	t := m.t
	t.bytes += int64(n)
	t.produced += int64(n)
	if most := t.limits.Bytes; most > 0 && t.bytes > most {
		return n, fmt.Errorf("more than %d bytes in all; raise the limit if the archive is to be trusted", most)
	}
	if ratio := t.limits.Ratio; ratio > 0 && t.produced > RatioGrace && t.produced/t.size > ratio {
		return n, fmt.Errorf("expands to more than %d times the archive's %d bytes; raise the limit if the archive is to be trusted", ratio, t.size)
	}
	return n, err
}
