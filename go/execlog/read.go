package execlog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/sparkwheels/sparkwheels/go/execlog/spawnpb"
)

// zstdMagic starts every zstd frame, and so a compact log.
var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// messageLimit is the largest entry that is read: one flat action of a big toolchain has some 20,000 inputs.
const messageLimit = 256 << 20

// Read reads a log of any of the three formats. An empty one has no actions; one that ends within an entry, as after a
// build that was killed, is an error.
func Read(r io.Reader) (*Log, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	head, err := b.Peek(len(zstdMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch {
	case len(head) == 0:
		return &Log{}, nil
	case bytes.Equal(head, zstdMagic):
		return readCompact(b)
	case head[0] == '{':
		return readJSON(b)
	}
	return readBinary(b)
}

func readCompact(r io.Reader) (*Log, error) {
	z, err := zstd.NewReader(r)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	b := bufio.NewReaderSize(z, 1<<16)
	c := &compact{entries: map[uint32]*spawnpb.ExecLogEntry{}, sets: map[uint32]map[string]File{}}
	log := &Log{links: map[string]string{}}
	for n := 1; ; n++ {
		e := &spawnpb.ExecLogEntry{}
		err := (protodelim.UnmarshalOptions{MaxSize: messageLimit}).UnmarshalFrom(b, e)
		if err == io.EOF {
			return log, nil
		}
		if err != nil {
			return nil, fmt.Errorf("entry %d of the compact execution log: %w", n, err)
		}
		if id := e.GetId(); id != 0 {
			c.entries[id] = e
		}
		if link := e.GetSymlinkAction(); link != nil {
			log.links[link.GetOutputPath()] = link.GetInputPath()
		}
		if s := e.GetSpawn(); s != nil {
			spawn, err := c.spawn(s)
			if err != nil {
				return nil, fmt.Errorf("entry %d of the compact execution log: %w", n, err)
			}
			log.Spawns = append(log.Spawns, spawn)
		}
	}
}

func readBinary(b *bufio.Reader) (*Log, error) {
	log := &Log{}
	for {
		s := &spawnpb.SpawnExec{}
		err := (protodelim.UnmarshalOptions{MaxSize: messageLimit}).UnmarshalFrom(b, s)
		if err == io.EOF {
			return log, nil
		}
		if err != nil {
			return nil, fmt.Errorf("action %d: not an execution log of Bazel: %w", len(log.Spawns)+1, err)
		}
		log.Spawns = append(log.Spawns, flat(s))
	}
}

func readJSON(r io.Reader) (*Log, error) {
	log, d := &Log{}, json.NewDecoder(r)
	for {
		var raw json.RawMessage
		err := d.Decode(&raw)
		if err == io.EOF {
			return log, nil
		}
		s := &spawnpb.SpawnExec{}
		if err == nil {
			err = protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(raw, s)
		}
		if err != nil {
			return nil, fmt.Errorf("action %d: not an execution log of Bazel: %w", len(log.Spawns)+1, err)
		}
		log.Spawns = append(log.Spawns, flat(s))
	}
}

// flat turns an entry of the binary or JSON format into a Spawn.
func flat(e *spawnpb.SpawnExec) *Spawn {
	s := &Spawn{
		Label: e.GetTargetLabel(), Mnemonic: e.GetMnemonic(), Runner: e.GetRunner(), CacheHit: e.GetCacheHit(),
		Cacheable: e.GetCacheable() && e.GetRemoteCacheable(), ExitCode: int(e.GetExitCode()), Status: e.GetStatus(), Args: e.GetCommandArgs(),
		Env: variables(e.GetEnvironmentVariables()), Platform: properties(e.GetPlatform()), Key: e.GetDigest().GetHash(),
		Outputs: files(e.GetActualOutputs()), Declared: e.GetListedOutputs(),
	}
	s.measure(e.GetMetrics())
	inputs := e.GetInputs()
	s.inputs = func() (map[string]File, error) { return files(inputs), nil }
	return s
}

func files(list []*spawnpb.File) map[string]File {
	m := make(map[string]File, len(list))
	for _, f := range list {
		m[f.GetPath()] = file(f.GetDigest(), f.GetSymlinkTargetPath(), f.GetIsTool())
	}
	return m
}

func file(d *spawnpb.Digest, target string, tool bool) File {
	if target != "" {
		return File{Hash: "-> " + target, Tool: tool}
	}
	return File{Hash: d.GetHash(), Size: d.GetSizeBytes(), Tool: tool}
}
