package execlog

import (
	"fmt"
	"maps"
	"path"

	"github.com/sparkwheels/sparkwheels/go/execlog/spawnpb"
)

// compact resolves what entries of a compact log refer to.
type compact struct {
	entries map[uint32]*spawnpb.ExecLogEntry
	// sets are flattened input sets, kept because many actions share the large ones.
	sets map[uint32]map[string]File
}

func (c *compact) spawn(e *spawnpb.ExecLogEntry_Spawn) (*Spawn, error) {
	s := &Spawn{
		Label: e.GetTargetLabel(), Mnemonic: e.GetMnemonic(), Runner: e.GetRunner(), CacheHit: e.GetCacheHit(),
		Cacheable: e.GetCacheable() && e.GetRemoteCacheable(), ExitCode: int(e.GetExitCode()), Status: e.GetStatus(), Args: e.GetArgs(),
		Env: variables(e.GetEnvVars()), Platform: properties(e.GetPlatform()), Key: e.GetDigest().GetHash(),
		Outputs: map[string]File{},
	}
	for _, o := range e.GetOutputs() {
		if bad := o.GetInvalidOutputPath(); bad != "" {
			s.Declared = append(s.Declared, bad)
			continue
		}
		entry, ok := c.entries[o.GetOutputId()]
		if !ok {
			return nil, fmt.Errorf("output %d of %s is not in the log", o.GetOutputId(), e.GetTargetLabel())
		}
		s.Declared = append(s.Declared, entryPath(entry))
		if err := c.add(s.Outputs, entry); err != nil {
			return nil, err
		}
	}
	s.measure(e.GetMetrics())
	inputs, tools := e.GetInputSetId(), e.GetToolSetId()
	s.inputs = func() (map[string]File, error) {
		all, err := c.set(inputs)
		if err != nil {
			return nil, err
		}
		toolSet, err := c.set(tools)
		if err != nil {
			return nil, err
		}
		all = maps.Clone(all)
		for p, f := range toolSet {
			f.Tool = true
			all[p] = f
		}
		return all, nil
	}
	return s, nil
}

func entryPath(e *spawnpb.ExecLogEntry) string {
	switch {
	case e.GetFile() != nil:
		return e.GetFile().GetPath()
	case e.GetDirectory() != nil:
		return e.GetDirectory().GetPath()
	}
	return e.GetUnresolvedSymlink().GetPath()
}

// set flattens one input set; 0 is the empty one.
func (c *compact) set(id uint32) (map[string]File, error) {
	if id == 0 {
		return map[string]File{}, nil
	}
	if known, ok := c.sets[id]; ok {
		return known, nil
	}
	entry, ok := c.entries[id]
	if !ok || entry.GetInputSet() == nil {
		return nil, fmt.Errorf("input set %d is not in the log", id)
	}
	all := map[string]File{}
	for _, sub := range entry.GetInputSet().GetTransitiveSetIds() {
		files, err := c.set(sub)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, files)
	}
	for _, input := range entry.GetInputSet().GetInputIds() {
		e, ok := c.entries[input]
		if !ok {
			return nil, fmt.Errorf("input %d is not in the log", input)
		}
		if err := c.add(all, e); err != nil {
			return nil, err
		}
	}
	c.sets[id] = all
	return all, nil
}

// add puts the files of a file, folder, link or runfiles tree into all.
func (c *compact) add(all map[string]File, e *spawnpb.ExecLogEntry) error {
	switch {
	case e.GetFile() != nil:
		all[e.GetFile().GetPath()] = file(e.GetFile().GetDigest(), "", false)
	case e.GetDirectory() != nil:
		for _, f := range e.GetDirectory().GetFiles() {
			all[path.Join(e.GetDirectory().GetPath(), f.GetPath())] = file(f.GetDigest(), "", false)
		}
	case e.GetUnresolvedSymlink() != nil:
		all[e.GetUnresolvedSymlink().GetPath()] = file(nil, e.GetUnresolvedSymlink().GetTargetPath(), false)
	case e.GetRunfilesTree() != nil:
		// The files at their own paths: what changed matters here, not where a runfiles tree shows it.
		t := e.GetRunfilesTree()
		files, err := c.set(t.GetInputSetId())
		if err != nil {
			return err
		}
		maps.Copy(all, files)
		if m := t.GetRepoMappingManifest(); m != nil {
			all[path.Join(t.GetPath(), "_repo_mapping")] = file(m.GetDigest(), "", false)
		}
		for _, empty := range t.GetEmptyFiles() {
			all[path.Join(t.GetPath(), empty)] = File{}
		}
		for _, links := range []uint32{t.GetSymlinksId(), t.GetRootSymlinksId()} {
			if err := c.links(all, t.GetPath(), links); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("entry %d is neither a file, a folder, a link nor a runfiles tree", e.GetId())
	}
	return nil
}

// links adds the extra names of a runfiles tree.
func (c *compact) links(all map[string]File, tree string, id uint32) error {
	if id == 0 {
		return nil
	}
	set := c.entries[id].GetSymlinkEntrySet()
	if set == nil {
		return fmt.Errorf("symlink set %d is not in the log", id)
	}
	for _, sub := range set.GetTransitiveSetIds() {
		if err := c.links(all, tree, sub); err != nil {
			return err
		}
	}
	for name, target := range set.GetDirectEntries() {
		e, ok := c.entries[target]
		if !ok {
			return fmt.Errorf("target %d of the runfile %s is not in the log", target, name)
		}
		one := map[string]File{}
		if err := c.add(one, e); err != nil {
			return err
		}
		for _, f := range one {
			all[path.Join(tree, name)] = f
		}
	}
	return nil
}
