package sysroot

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/ar"
)

// repack writes an archive again with the bare names of its members. zig stores
// their path in its cache, which would otherwise enter every binary's debug
// data and make the archive depend on where the cache was.
//
// `zig ar` writes the new archive, because it knows the symbols of every object
// format; its D modifier leaves out times and owners.
func (m *maker) repack(archive string, format ...string) error {
	data, err := os.ReadFile(archive)
	if err != nil {
		return err
	}
	members, err := ar.Read(data)
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	dir, err := os.MkdirTemp(m.work, "repack")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var list strings.Builder
	for i, name := range memberNames(members) {
		if err := os.WriteFile(filepath.Join(dir, name), members[i].Data, 0o644); err != nil {
			return err
		}
		list.WriteString(name + "\n")
	}
	// A response file: a thousand names do not fit on a Windows command line.
	if err := os.WriteFile(filepath.Join(dir, "@members"), []byte(list.String()), 0o644); err != nil {
		return err
	}
	if err := os.Remove(archive); err != nil {
		return err
	}
	args := append([]string{"ar"}, format...)
	_, err = m.zig(dir, append(args, "rcsD", archive, "@@members")...)
	return err
}

// memberNames returns one file name per member: its base name, made unique
// without regard to case, since the members pass through files on Windows too.
func memberNames(members []ar.Member) []string {
	seen := map[string]int{}
	names := make([]string, len(members))
	for i, member := range members {
		name := member.Name[strings.LastIndexAny(member.Name, `/\`)+1:]
		key := strings.ToLower(name)
		seen[key]++
		if n := seen[key]; n > 1 {
			name = fmt.Sprintf("%d.%s", n, name)
		}
		names[i] = name
	}
	return names
}
