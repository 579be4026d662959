package execlog

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/sparkwheels/sparkwheels/go/execlog/spawnpb"
)

func digest(hash string, size int64) *spawnpb.Digest {
	return &spawnpb.Digest{Hash: hash, SizeBytes: size}
}

// flatLog is one action as the binary and the JSON format have it.
func flatLog() *spawnpb.SpawnExec {
	return &spawnpb.SpawnExec{
		CommandArgs: []string{"cc", "-c"}, TargetLabel: "//a:b", Mnemonic: "Compile", Runner: "linux-sandbox",
		EnvironmentVariables: []*spawnpb.EnvironmentVariable{{Name: "LANG", Value: "C"}},
		Platform:             &spawnpb.Platform{Properties: []*spawnpb.Platform_Property{{Name: "os", Value: "linux"}}},
		Inputs: []*spawnpb.File{
			{Path: "a/x.c", Digest: digest("aa", 3)}, {Path: "tools/cc", Digest: digest("cc", 9), IsTool: true},
			{Path: "tree/y.h", Digest: digest("dd", 4)}, {Path: "link", SymlinkTargetPath: "a/x.c"}, {Path: "empty"},
		},
		ListedOutputs: []string{"out/x.o"}, ActualOutputs: []*spawnpb.File{{Path: "out/x.o", Digest: digest("bb", 7)}},
		Remotable: true, Cacheable: true, RemoteCacheable: true, Digest: digest("key", 100),
		Metrics: &spawnpb.SpawnMetrics{ExecutionWallTime: durationpb.New(2 * time.Second), TotalTime: durationpb.New(3 * time.Second)},
	}
}

// compactLog is the same action, with a shared set and a folder.
func compactLog() []*spawnpb.ExecLogEntry {
	f := flatLog()
	file := func(id uint32, path, hash string, size int64) *spawnpb.ExecLogEntry {
		e := &spawnpb.ExecLogEntry_File{Path: path}
		if hash != "" {
			e.Digest = digest(hash, size)
		}
		return &spawnpb.ExecLogEntry{Id: id, Type: &spawnpb.ExecLogEntry_File_{File: e}}
	}
	set := func(id uint32, sets []uint32, inputs ...uint32) *spawnpb.ExecLogEntry {
		return &spawnpb.ExecLogEntry{Id: id, Type: &spawnpb.ExecLogEntry_InputSet_{InputSet: &spawnpb.ExecLogEntry_InputSet{InputIds: inputs, TransitiveSetIds: sets}}}
	}
	return []*spawnpb.ExecLogEntry{
		{Type: &spawnpb.ExecLogEntry_Invocation_{Invocation: &spawnpb.ExecLogEntry_Invocation{HashFunctionName: "SHA-256"}}},
		file(1, "a/x.c", "aa", 3), file(2, "tools/cc", "cc", 9), file(3, "empty", "", 0), file(4, "out/x.o", "bb", 7),
		{Id: 5, Type: &spawnpb.ExecLogEntry_Directory_{Directory: &spawnpb.ExecLogEntry_Directory{Path: "tree",
			Files: []*spawnpb.ExecLogEntry_File{{Path: "y.h", Digest: digest("dd", 4)}}}}},
		{Id: 6, Type: &spawnpb.ExecLogEntry_UnresolvedSymlink_{UnresolvedSymlink: &spawnpb.ExecLogEntry_UnresolvedSymlink{Path: "link", TargetPath: "a/x.c"}}},
		set(7, nil, 3, 5), set(8, []uint32{7, 9}, 1, 6), set(9, nil, 2),
		{Type: &spawnpb.ExecLogEntry_SymlinkAction_{SymlinkAction: &spawnpb.ExecLogEntry_SymlinkAction{InputPath: "out/x.o", OutputPath: "out/y.o"}}},
		{Type: &spawnpb.ExecLogEntry_Spawn_{Spawn: &spawnpb.ExecLogEntry_Spawn{
			Args: f.CommandArgs, EnvVars: f.EnvironmentVariables, Platform: f.Platform, InputSetId: 8, ToolSetId: 9,
			Outputs:     []*spawnpb.ExecLogEntry_Output{{Type: &spawnpb.ExecLogEntry_Output_OutputId{OutputId: 4}}},
			TargetLabel: f.TargetLabel, Mnemonic: f.Mnemonic, Runner: f.Runner, Remotable: true, Cacheable: true, RemoteCacheable: true,
			Digest: f.Digest, Metrics: f.Metrics,
		}}},
	}
}

func encode(t *testing.T, messages ...proto.Message) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, m := range messages {
		if _, err := protodelim.MarshalTo(&b, m); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func compress(t *testing.T, data []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll(data, nil)
}

func formats(t *testing.T) map[string][]byte {
	t.Helper()
	text, err := protojson.MarshalOptions{Multiline: true}.Marshal(flatLog())
	if err != nil {
		t.Fatal(err)
	}
	var entries []proto.Message
	for _, e := range compactLog() {
		entries = append(entries, e)
	}
	return map[string][]byte{
		"binary":  encode(t, flatLog(), flatLog()),
		"JSON":    append(append(append([]byte{}, text...), '\n'), text...),
		"compact": compress(t, encode(t, append(entries, entries[len(entries)-1])...)),
	}
}

func TestAllFormatsSayTheSame(t *testing.T) {
	wantInputs := map[string]File{"a/x.c": {Hash: "aa", Size: 3}, "tools/cc": {Hash: "cc", Size: 9, Tool: true},
		"tree/y.h": {Hash: "dd", Size: 4}, "link": {Hash: "-> a/x.c"}, "empty": {}}
	for name, data := range formats(t) {
		t.Run(name, func(t *testing.T) {
			log, err := Read(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if len(log.Spawns) != 2 {
				t.Fatalf("%d actions, want 2", len(log.Spawns))
			}
			s := log.Spawns[1]
			inputs, err := s.Inputs()
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(wantInputs, inputs); d != "" {
				t.Errorf("inputs -want +got:\n%s", d)
			}
			if s.ID() != "Compile out/x.o" || s.Wall != 2*time.Second || !s.Cacheable || s.Env["LANG"] != "C" ||
				s.Platform["os"] != "linux" || s.Key != "key" || s.OutputBytes() != 7 || !s.Local() {
				t.Errorf("got %+v", s)
			}
			if name == "compact" && log.Link("out/y.o") != "out/x.o" {
				t.Error("the link is lost")
			}
		})
	}
}

// A log that ends within an entry, refers to nothing, or is none, is an error and not a shorter log.
func TestReadRefuses(t *testing.T) {
	f := formats(t)
	dangling := compactLog()
	for name, data := range map[string][]byte{
		"cut binary":    f["binary"][:len(f["binary"])-3],
		"cut JSON":      f["JSON"][:len(f["JSON"])-3],
		"cut compact":   f["compact"][:len(f["compact"])-9],
		"another file":  []byte("ELF, or whatever\nelse"),
		"dangling file": compress(t, encode(t, dangling[len(dangling)-1])),
	} {
		if log, err := Read(bytes.NewReader(data)); err == nil {
			t.Errorf("%s: no error, %d actions", name, len(log.Spawns))
		}
	}
	if log, err := Read(strings.NewReader("")); err != nil || len(log.Spawns) != 0 {
		t.Errorf("an empty log: %v, %v", log, err)
	}
}
