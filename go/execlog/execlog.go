// Package execlog reads the logs of executed actions that Bazel writes with --execution_log_compact_file,
// --execution_log_binary_file or --execution_log_json_file.
//
// The primary type is Log: the actions of one build. Its life: Open or Read tells the format by its first bytes and
// gathers the entries, Log.Spawns are then read, and Spawn.Inputs flattens what an action read, on demand, since a
// compact log shares sets between actions and a flat one is some hundred times larger.
package execlog

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/sparkwheels/sparkwheels/go/execlog/spawnpb"
)

// Log is what one build executed or took from a cache. Actions that Bazel found in its own output base are not in it.
type Log struct {
	// Spawns are the actions in the order of the log.
	Spawns []*Spawn
	// links are actions without a command that make one path a link to another: output to input.
	links map[string]string
}

// File is an input or output of an action.
type File struct {
	// Hash is the content's hash in hex; of a symbolic link that is an input as such, "-> " and its target; empty for
	// an empty file.
	Hash string
	// Size is in bytes.
	Size int64
	// Tool says that the file is an input as part of a tool.
	Tool bool
}

// Spawn is one executed or cached command.
type Spawn struct {
	// Label is the target that the action belongs to, Mnemonic the kind of action.
	Label, Mnemonic string
	// Runner is who ran it: "linux-sandbox", "remote", "remote cache hit", "disk cache hit", ...
	Runner string
	// CacheHit says that the result came from a cache.
	CacheHit bool
	// Cacheable says that the action may be taken from a remote cache.
	Cacheable bool
	// ExitCode and Status tell how it ended.
	ExitCode int
	Status   string
	// Args is the command, Env its environment, Platform the properties of the machine that it asks for.
	Args          []string
	Env, Platform map[string]string
	// Key is the hash under which caches know the action; empty without a cache.
	Key string
	// Outputs are the files made, by path; a folder's files each.
	Outputs map[string]File
	// Declared are the outputs that the action names, folders as folders, sorted. The first one identifies the action.
	Declared []string
	// Wall is how long the command ran; for a hit, how long it ran when it was made, if the cache tells.
	Wall time.Duration
	// Memory is Bazel's estimate in bytes; 0 if unknown.
	Memory int64

	inputs func() (map[string]File, error)
}

// Inputs is every file that the action may read, by its path below the execution root.
func (s *Spawn) Inputs() (map[string]File, error) { return s.inputs() }

// ID names the action within a build, the same on every machine: mnemonic and first output.
func (s *Spawn) ID() string {
	if len(s.Declared) == 0 {
		return s.Mnemonic + " " + s.Label
	}
	return s.Mnemonic + " " + s.Declared[0]
}

// Ran says that the command was executed by this build, here or on a remote machine.
func (s *Spawn) Ran() bool { return !s.CacheHit }

// Local says that it was executed on the machine of the build.
func (s *Spawn) Local() bool { return s.Ran() && s.Runner != "remote" }

// OutputBytes is the size of all outputs.
func (s *Spawn) OutputBytes() int64 {
	var n int64
	for _, f := range s.Outputs {
		n += f.Size
	}
	return n
}

// Link is the path that path is a link to, made by an action without a command; path itself otherwise.
func (l *Log) Link(path string) string {
	for range len(l.links) + 1 {
		to, ok := l.links[path]
		if !ok {
			break
		}
		path = to
	}
	return path
}

// Open reads the log in the file. Errors name the file.
func Open(path string) (*Log, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	log, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return log, nil
}

func variables(list []*spawnpb.EnvironmentVariable) map[string]string {
	m := make(map[string]string, len(list))
	for _, v := range list {
		m[v.GetName()] = v.GetValue()
	}
	return m
}

func properties(p *spawnpb.Platform) map[string]string {
	m := make(map[string]string, len(p.GetProperties()))
	for _, v := range p.GetProperties() {
		m[v.GetName()] = v.GetValue()
	}
	return m
}

func (s *Spawn) measure(m *spawnpb.SpawnMetrics) {
	s.Wall = m.GetExecutionWallTime().AsDuration()
	s.Memory = m.GetMemoryEstimateBytes()
	slices.Sort(s.Declared)
}
