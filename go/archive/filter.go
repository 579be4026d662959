package archive

import (
	"fmt"

	"github.com/bmatcuk/doublestar/v4"
)

// filter decides which stripped names are extracted.
type filter struct {
	strip            int
	include, exclude []string
	matched          map[string]bool // include patterns that took a member
}

func newFilter(opts Options) (*filter, error) {
	if opts.Strip < 0 {
		return nil, fmt.Errorf("strip %d: must not be negative", opts.Strip)
	}
	for _, list := range [][]string{opts.Include, opts.Exclude} {
		for _, p := range list {
			if !doublestar.ValidatePattern(p) {
				return nil, fmt.Errorf("pattern %q is malformed", p)
			}
		}
	}
	return &filter{opts.Strip, opts.Include, opts.Exclude, map[string]bool{}}, nil
}

// takes reports whether the stripped name is to be extracted.
func (f *filter) takes(name string) bool {
	ok := len(f.include) == 0
	for _, p := range f.include {
		if doublestar.MatchUnvalidated(p, name) {
			f.matched[p] = true
			ok = true
		}
	}
	for _, p := range f.exclude {
		ok = ok && !doublestar.MatchUnvalidated(p, name)
	}
	return ok
}

// unused refuses an include pattern that took nothing: after a bump it most
// likely names a file that has moved.
func (f *filter) unused() error {
	for _, p := range f.include {
		if !f.matched[p] {
			return fmt.Errorf("include pattern %q matches no member", p)
		}
	}
	return nil
}
