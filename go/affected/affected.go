// Package affected tells which targets a change touches, from the keys of their actions and not from guesses.
//
// Its primary type is Graph, the actions of a checkout as `bazel aquery` prints them. Keys gives each target a key: a hash of
// its actions' own keys (command line, environment, parameters), of the contents of every source file that they read, and of
// the keys of the actions that make their other inputs. Two checkouts whose keys for a target are equal would build it
// alike, so Between names the targets whose keys differ.
package affected

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Graph is what aquery's jsonproto output says, as far as it is used (src/main/protobuf/analysis_v2.proto of Bazel).
type Graph struct {
	Artifacts []struct {
		ID             int64 `json:"id"`
		PathFragmentID int64 `json:"pathFragmentId"`
	} `json:"artifacts"`
	Actions []struct {
		TargetID       int64   `json:"targetId"`
		ActionKey      string  `json:"actionKey"`
		Mnemonic       string  `json:"mnemonic"`
		InputDepSetIDs []int64 `json:"inputDepSetIds"`
		OutputIDs      []int64 `json:"outputIds"`
	} `json:"actions"`
	Targets []struct {
		ID    int64  `json:"id"`
		Label string `json:"label"`
	} `json:"targets"`
	DepSetOfFiles []struct {
		ID                  int64   `json:"id"`
		TransitiveDepSetIDs []int64 `json:"transitiveDepSetIds"`
		DirectArtifactIDs   []int64 `json:"directArtifactIds"`
	} `json:"depSetOfFiles"`
	PathFragments []struct {
		ID       int64  `json:"id"`
		Label    string `json:"label"`
		ParentID int64  `json:"parentId"`
	} `json:"pathFragments"`
}

// Read decodes aquery's output.
func Read(r io.Reader) (*Graph, error) {
	g := &Graph{}
	if err := json.NewDecoder(r).Decode(g); err != nil {
		return nil, fmt.Errorf("bazel aquery --output=jsonproto: %w", err)
	}
	if len(g.Actions) == 0 {
		return nil, fmt.Errorf("bazel aquery named no action")
	}
	return g, nil
}

// Digest hashes a source file or folder by its path in the execution root, such as "go/x.go" or "external/soxr/file". It
// returns "" for one that is not there.
type Digest func(path string) (string, error)

// Keys returns the key of every target of the main repository that has actions.
func (g *Graph) Keys(digest Digest) (map[string]string, error) {
	k := newKeyer(g, digest)
	byTarget := map[int64][]string{}
	for i, a := range g.Actions {
		key, err := k.action(i)
		if err != nil {
			return nil, err
		}
		byTarget[a.TargetID] = append(byTarget[a.TargetID], key)
	}
	keys := map[string]string{}
	for _, t := range g.Targets {
		label := strings.TrimPrefix(t.Label, "@@")
		if all := byTarget[t.ID]; all != nil && strings.HasPrefix(label, "//") {
			slices.Sort(all)
			keys[label] = hash(all...)
		}
	}
	return keys, nil
}

// bookkeeping are actions that lay out runfiles: their keys hold the workspace's absolute path, which differs between two
// checkouts, and what they lay out is among the inputs of whoever uses it (Bazel 7).
var bookkeeping = map[string]bool{"RepoMappingManifest": true, "SourceSymlinkManifest": true, "SymlinkTree": true}

type keyer struct {
	g        *Graph
	digest   Digest
	paths    map[int64]string // by artifact
	made     map[int64]int    // artifact to the action that makes it
	sets     map[int64]int
	actions  map[int]string
	setKeys  map[int64]string
	sources  map[string]string
	visiting map[int]bool
}

func newKeyer(g *Graph, digest Digest) *keyer {
	k := &keyer{g: g, digest: digest, paths: map[int64]string{}, made: map[int64]int{}, sets: map[int64]int{},
		actions: map[int]string{}, setKeys: map[int64]string{}, sources: map[string]string{}, visiting: map[int]bool{}}
	fragments := map[int64]int{}
	for i, f := range g.PathFragments {
		fragments[f.ID] = i
	}
	var name func(id int64) string
	name = func(id int64) string {
		i, ok := fragments[id]
		if !ok {
			return ""
		}
		f := g.PathFragments[i]
		if f.ParentID == 0 {
			return f.Label
		}
		return path.Join(name(f.ParentID), f.Label)
	}
	for _, a := range g.Artifacts {
		k.paths[a.ID] = name(a.PathFragmentID)
	}
	for i, a := range g.Actions {
		for _, out := range a.OutputIDs {
			k.made[out] = i
		}
	}
	for i, s := range g.DepSetOfFiles {
		k.sets[s.ID] = i
	}
	return k
}

func (k *keyer) action(i int) (string, error) {
	if key, ok := k.actions[i]; ok {
		return key, nil
	}
	a := k.g.Actions[i]
	if k.visiting[i] {
		return "", fmt.Errorf("an action of mnemonic %s needs its own output", a.Mnemonic)
	}
	k.visiting[i] = true
	all := []string{a.Mnemonic, a.ActionKey}
	if bookkeeping[a.Mnemonic] {
		all = all[:1]
	}
	for _, out := range a.OutputIDs {
		all = append(all, k.paths[out])
	}
	for _, set := range a.InputDepSetIDs {
		key, err := k.set(set)
		if err != nil {
			return "", err
		}
		all = append(all, key)
	}
	k.actions[i] = hash(all...)
	return k.actions[i], nil
}

func (k *keyer) set(id int64) (string, error) {
	if key, ok := k.setKeys[id]; ok {
		return key, nil
	}
	s := k.g.DepSetOfFiles[k.sets[id]]
	var all []string
	for _, artifact := range s.DirectArtifactIDs {
		key, err := k.artifact(artifact)
		if err != nil {
			return "", err
		}
		all = append(all, k.paths[artifact], key)
	}
	for _, inner := range s.TransitiveDepSetIDs {
		key, err := k.set(inner)
		if err != nil {
			return "", err
		}
		all = append(all, key)
	}
	k.setKeys[id] = hash(all...)
	return k.setKeys[id], nil
}

func (k *keyer) artifact(id int64) (string, error) {
	if i, ok := k.made[id]; ok {
		return k.action(i)
	}
	name := k.paths[id]
	if key, ok := k.sources[name]; ok {
		return key, nil
	}
	key, err := k.digest(name)
	if err != nil {
		return "", err
	}
	k.sources[name] = key
	return key, nil
}

// hash makes one key of many; lengths keep ("ab", "c") and ("a", "bc") apart.
func hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Disk hashes files of a workspace, and of its external repositories below external.
func Disk(workspace, external string) Digest {
	return func(name string) (string, error) {
		file := filepath.Join(workspace, filepath.FromSlash(name))
		if rest, ok := strings.CutPrefix(name, "external/"); ok {
			file = filepath.Join(external, filepath.FromSlash(rest))
		}
		info, err := os.Stat(file)
		switch {
		case err != nil: // such as what only exists when it is built
			return "", nil
		case info.IsDir():
			return hashDir(file)
		}
		return hashFile(file)
	}
}

func hashFile(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

func hashDir(dir string) (string, error) {
	var all []string
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		if info, err := os.Stat(file); err != nil || info.IsDir() { // a link to nowhere, or to a folder
			all = append(all, filepath.ToSlash(name))
			return nil
		}
		sum, err := hashFile(file)
		all = append(all, filepath.ToSlash(name), sum)
		return err
	})
	return hash(all...), err
}

// Between returns the labels whose keys differ, or that only one side has, sorted.
func Between(before, after map[string]string) []string {
	var out []string
	for label, key := range after {
		if before[label] != key {
			out = append(out, label)
		}
	}
	for label := range before {
		if _, ok := after[label]; !ok {
			out = append(out, label)
		}
	}
	slices.Sort(out)
	return out
}
