package pins

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Edit is one value of one pin to be replaced.
type Edit struct {
	// Pin is the pin's name.
	Pin string
	// Path names the value, such as {"source", "pypi", "file"}; it must be there.
	Path []string
	// Value is the new string.
	Value string
	// List, if not nil, is the new list of strings instead: an empty one removes the key, and a key of the pin itself that is
	// not there is added.
	List []string
}

// Apply replaces values in the text of PinsFile and leaves every other byte as it is: order, layout, and what this package
// does not know. It is an error if a pin or a value is not there.
func Apply(data []byte, edits []Edit) ([]byte, error) {
	spans, err := pinSpans(data)
	if err != nil {
		return nil, err
	}
	type change struct {
		from, to int
		text     string
	}
	var changes []change
	for _, e := range edits {
		span, ok := spans[e.Pin]
		if !ok {
			return nil, fmt.Errorf("%s: pin %q: is not there", PinsFile, e.Pin)
		}
		from, to, err := find(data, span, e.Path)
		if errors.Is(err, errAbsent) && len(e.List) > 0 && len(e.Path) == 1 {
			at, text, err := insertion(data, span, e.Path[0], e.List)
			if err != nil {
				return nil, fmt.Errorf("%s: pin %q: %w", PinsFile, e.Pin, err)
			}
			changes = append(changes, change{at, at, text})
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: pin %q: %s: %w", PinsFile, e.Pin, strings.Join(e.Path, "."), err)
		}
		text := quoted(e.Value)
		if e.List != nil {
			if text = layoutLike(data[from:to], e.List); len(e.List) == 0 {
				from, to, text = member(data, from, to)
			}
		}
		changes = append(changes, change{from, to, text})
	}
	slices.SortFunc(changes, func(a, b change) int { return a.from - b.from })
	var out bytes.Buffer
	at := 0
	for _, c := range changes {
		if c.from < at {
			return nil, fmt.Errorf("%s: two edits of one value", PinsFile)
		}
		out.Write(data[at:c.from])
		out.WriteString(c.text)
		at = c.to
	}
	out.Write(data[at:])
	return out.Bytes(), nil
}

// quoted is a JSON string.
func quoted(s string) string {
	text, err := jsontext.AppendQuote(nil, s)
	if err != nil { // not UTF-8: the caller's values come from JSON and Go source
		panic(err)
	}
	return string(text)
}

// span is where a pin's object stands in the file.
type span struct{ from, to int }

// pinSpans finds each pin by its name.
func pinSpans(data []byte) (map[string]span, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	spans := map[string]span{}
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		if key.String() != "pins" || dec.PeekKind() != '[' {
			if err := dec.SkipValue(); err != nil {
				return nil, err
			}
			continue
		}
		if _, err := dec.ReadToken(); err != nil {
			return nil, err
		}
		for dec.PeekKind() != ']' {
			value, err := dec.ReadValue()
			if err != nil {
				return nil, err
			}
			var named struct {
				Name string `json:"name"`
			}
			if err := json.Unmarshal(value, &named); err != nil {
				return nil, err
			}
			end := int(dec.InputOffset())
			spans[named.Name] = span{end - len(value), end}
		}
		if _, err := dec.ReadToken(); err != nil {
			return nil, err
		}
	}
	return spans, nil
}

// find returns where the value at the path stands.
func find(data []byte, s span, path []string) (from, to int, err error) {
	if len(path) == 0 {
		return s.from, s.to, nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(data[s.from:s.to]))
	if dec.PeekKind() != '{' {
		return 0, 0, fmt.Errorf("%q is in no object", path[0])
	}
	if _, err := dec.ReadToken(); err != nil {
		return 0, 0, err
	}
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return 0, 0, err
		}
		name := key.String()
		value, err := dec.ReadValue()
		if err != nil {
			return 0, 0, err
		}
		if name == path[0] {
			end := s.from + int(dec.InputOffset())
			return find(data, span{end - len(value), end}, path[1:])
		}
	}
	return 0, 0, fmt.Errorf("%w %q", errAbsent, path[0])
}

var errAbsent = errors.New("has no")

// insertion returns where a list that a pin lacks goes, after its hash or source, and its text with the comma, laid out as its
// neighbour is.
func insertion(data []byte, s span, key string, list []string) (at int, text string, err error) {
	for _, after := range []string{"sha256", "source"} {
		_, to, err := find(data, s, []string{after})
		if err != nil {
			continue
		}
		start := s.from + bytes.LastIndex(data[s.from:to], []byte("\""+after+"\""))
		space := data[:start]
		space = space[len(bytes.TrimRight(space, " \t\r\n")):]
		old := []byte("[]")
		if bytes.ContainsRune(space, '\n') {
			old = []byte("[" + string(space) + "  " + string(space) + "]")
		} else if len(space) == 0 {
			space = []byte(" ")
		}
		return to, "," + string(space) + quoted(key) + ": " + layoutLike(old, list), nil
	}
	return 0, "", fmt.Errorf("has neither a hash nor a source to put %q after", key)
}

// layoutLike writes a list on one line, or on a line per value, as the old one is.
func layoutLike(old []byte, list []string) string {
	values := make([]string, len(list))
	for i, v := range list {
		values[i] = quoted(v)
	}
	i := bytes.IndexByte(old, '\n')
	if i < 0 {
		return "[" + strings.Join(values, ", ") + "]"
	}
	indent := old[i : i+1+len(old[i+1:])-len(bytes.TrimLeft(old[i+1:], " \t"))]
	last := old[bytes.LastIndexByte(old, '\n') : len(old)-1]
	return "[" + string(indent) + strings.Join(values, ","+string(indent)) + string(last) + "]"
}

// member widens a value's place to the whole member with the comma before it: the first key of a pin is its name, so there is one.
func member(data []byte, from, to int) (int, int, string) {
	comma := bytes.LastIndexByte(data[:from], ',')
	return comma, to, ""
}
