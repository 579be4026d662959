package pins

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Load reads PinsFile from the repository at fsys and checks everything that can be known without the network and without
// wheels/: the JSON itself, each pin, the pins among each other, and the patches and overlays on disk. It returns the pins
// sorted by name. If anything is wrong it returns Problems with all of it; an unreadable file is an error of package fs.
func Load(fsys fs.FS) (*File, error) {
	data, err := fs.ReadFile(fsys, PinsFile)
	if err != nil {
		return nil, err
	}
	f, problems := decode(data)
	whole := len(problems) == 0
	for _, p := range f.Pins {
		p.check(&problems)
	}
	// With pins missing because they could not be decoded, these would complain about what is in order.
	if whole {
		checkSet(f.Pins, &problems)
		checkToolkits(f.Pins, &problems)
		if err := checkDisk(fsys, f.Pins, &problems); err != nil {
			return nil, err
		}
	}
	if err := problems.err(); err != nil {
		return nil, err
	}
	slices.SortFunc(f.Pins, func(a, b *Pin) int { return strings.Compare(a.Name, b.Name) })
	return f, nil
}

// decode decodes pin by pin, so that a mistake is reported under the name of its pin and does not hide those of others.
func decode(data []byte) (*File, Problems) {
	var problems Problems
	var raw struct {
		Schema int              `json:"schema"`
		Pins   []jsontext.Value `json:"pins"`
	}
	if err := json.Unmarshal(data, &raw, json.RejectUnknownMembers(true), jsontext.AllowDuplicateNames(true)); err != nil {
		key, text := explain(err)
		problems.add("", key, "%s", text)
		return new(File), problems
	}
	// The pass above tolerates duplicates inside pins; those of the file's own keys are caught here.
	if keys := topLevelDuplicates(data); len(keys) > 0 {
		for _, key := range keys {
			problems.add("", key, "key given twice")
		}
	}
	if raw.Schema != Schema {
		problems.add("", "schema", "is %d, this tool reads %d", raw.Schema, Schema)
	}
	f := &File{Schema: raw.Schema}
	for i, value := range raw.Pins {
		p := new(Pin)
		if err := json.Unmarshal(value, p, json.RejectUnknownMembers(true)); err != nil {
			key, text := explain(err)
			problems.add(pinName(value, i), key, "%s", text)
			continue
		}
		if p.Name == "" {
			problems.add(pinName(value, i), "name", "missing")
			continue
		}
		f.Pins = append(f.Pins, p)
	}
	return f, problems
}

// pinName is what a pin that cannot be decoded calls itself, or its place in the file.
func pinName(value jsontext.Value, i int) string {
	var named struct {
		Name string `json:"name"`
	}
	// What is wrong with it has been reported.
	_ = json.Unmarshal(value, &named, jsontext.AllowDuplicateNames(true))
	if named.Name == "" {
		return fmt.Sprintf("#%d", i+1)
	}
	return named.Name
}

// topLevelDuplicates returns the keys that the outermost object holds twice.
func topLevelDuplicates(data []byte) []string {
	dec := jsontext.NewDecoder(strings.NewReader(string(data)), jsontext.AllowDuplicateNames(true))
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	seen := map[string]int{}
	var out []string
	for dec.PeekKind() == '"' {
		tok, err := dec.ReadToken()
		if err != nil {
			return out
		}
		name := tok.String()
		if seen[name]++; seen[name] == 2 {
			out = append(out, name)
		}
		if err := dec.SkipValue(); err != nil {
			return out
		}
	}
	return out
}

// explain turns an error of the JSON package into the key at fault and a text without the package's jargon.
func explain(err error) (key, text string) {
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &syntactic):
		key = dotted(syntactic.JSONPointer)
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return key, "key given twice"
		}
		return key, fmt.Sprintf("not JSON: %v (at byte %d)", syntactic.Err, syntactic.ByteOffset)
	case errors.As(err, &semantic):
		key = dotted(semantic.JSONPointer)
		if errors.Is(err, json.ErrUnknownName) {
			return key, "unknown key; docs/pins.md lists the known ones"
		}
		return key, fmt.Sprintf("a JSON %s where Go wants %v", kindName(semantic.JSONKind), semantic.GoType)
	}
	return "", err.Error()
}

// dotted turns "/source/pypi/file" into "source.pypi.file".
func dotted(p jsontext.Pointer) string {
	return strings.Join(slices.Collect(p.Tokens()), ".")
}

func kindName(k jsontext.Kind) string {
	switch k {
	case '"':
		return "string"
	case '0':
		return "number"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	}
	return "null"
}

// Decode returns one pin of the text of a PinsFile, which may be that of another day: nothing is checked but that it is read.
func Decode(data []byte, name string) (*Pin, error) {
	f, problems := decode(data)
	for _, p := range f.Pins {
		if p.Name == name {
			return p, nil
		}
	}
	if err := problems.err(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%s: no pin is named %q", PinsFile, name)
}
