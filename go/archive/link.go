package archive

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/treepath"
)

// maxHops is how many links may lead to one file, as in Linux.
const maxHops = 40

// finish ends the current archive: it replaces each link by a copy of what
// the link leads to. Windows creates links for privileged users only, and a
// tree artifact with links inside is not the same on every executor.
func (t *tree) finish() error {
	if t.members == t.first {
		return &Error{Archive: t.archive, Problem: "holds no members"}
	}
	c := copier{tree: t}
	for _, name := range t.links {
		if err := c.link(name); err != nil {
			return &Error{Archive: t.archive, Member: t.seen[name].name, Problem: err.Error()}
		}
	}
	return nil
}

// copier materialises the links of one archive.
type copier struct {
	*tree
	children map[string][]string // of each folder, made on first use
	active   []string            // folders being copied, outermost first
}

func (c *copier) link(name string) error {
	hops := 0
	target, err := c.follow(name, &hops)
	if err != nil {
		return err
	}
	return c.copy(target, treepath.Strip(name, c.filter.strip))
}

// follow returns the name, in the archive, of what the link leads to in the
// end. Nothing on disk is consulted.
func (c *copier) follow(name string, hops *int) (string, error) {
	if *hops++; *hops > maxHops {
		return "", errors.New("is a link that leads to itself")
	}
	n := c.seen[name]
	at := "."
	if n.kind == symlink {
		at = path.Dir(name)
	}
	outward := fmt.Errorf("is a link that leads out of the archive, to %q", n.target)
	if treepath.Relative(n.target) != nil {
		return "", outward
	}
	for part := range strings.SplitSeq(n.target, "/") {
		switch {
		case part == "" || part == ".":
			continue
		case part == ".." && at == ".":
			return "", outward
		case part == "..":
			at = path.Dir(at)
			continue
		}
		at = path.Join(at, part)
		if c.seen[at].isLink() {
			var err error
			if at, err = c.follow(at, hops); err != nil {
				return "", err
			}
		}
	}
	return at, nil
}

// copy writes what the archive holds as from, file or folder, to the stripped
// name out.
func (c *copier) copy(from, out string) error {
	if err := c.count(); err != nil {
		return err
	}
	if err := treepath.Portable(out); err != nil {
		return err
	}
	n := c.seen[from]
	switch {
	case c.isFolder(from):
		return c.copyFolder(from, out)
	case n == nil:
		return fmt.Errorf("is a link to %q, which the archive does not hold", from)
	case !n.extracted:
		return fmt.Errorf("is a link to %q, which is left out: exclude the link too", from)
	}
	body, err := os.Open(c.path(treepath.Strip(from, c.filter.strip)))
	if err != nil {
		return err
	}
	defer body.Close()
	return c.write(out, n.exec, body)
}

func (c *copier) copyFolder(from, out string) error {
	if slices.Contains(c.active, from) {
		return fmt.Errorf("is a link to a folder, %q, that contains it", from)
	}
	c.active = append(c.active, from)
	defer func() { c.active = c.active[:len(c.active)-1] }()
	if kind, ok := c.names.Kind(out); ok {
		return fmt.Errorf("is a link to a folder and a %s as well", kind)
	}
	if err := c.mkdir(out); err != nil {
		return err
	}
	for _, child := range c.children[from] {
		to := path.Join(out, path.Base(child))
		n := c.seen[child]
		if n != nil && !n.extracted {
			continue
		}
		if n.isLink() {
			hops := 0
			end, err := c.follow(child, &hops)
			if err != nil {
				return err
			}
			child = end
		}
		if err := c.copy(child, to); err != nil {
			return err
		}
	}
	return nil
}

// isFolder reports whether the archive holds name as a folder, be it only as
// the parent of a member.
func (c *copier) isFolder(name string) bool {
	if c.children == nil {
		c.children = map[string][]string{}
		known := map[string]bool{}
		for n := range c.seen {
			for ; n != "." && !known[n]; n = path.Dir(n) {
				known[n] = true
				c.children[path.Dir(n)] = append(c.children[path.Dir(n)], n)
			}
		}
		for _, list := range c.children {
			slices.Sort(list)
		}
	}
	if n := c.seen[name]; n != nil {
		return n.kind == folder
	}
	return len(c.children[name]) > 0
}
