package wheel

import (
	"bytes"
	"fmt"
	"strings"
)

// Header is one field of a METADATA or WHEEL file.
type Header struct{ Key, Value string }

// Headers are the fields of a METADATA or WHEEL file in their order. They look
// like a mail's headers, but net/mail and net/textproto refuse what real
// METADATA files hold, so they are read here.
type Headers []Header

// ParseHeaders reads fields up to the first empty line; what follows it, a
// project's description, is not looked at. The error names the line.
func ParseHeaders(data []byte) (Headers, error) {
	var headers Headers
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line == "" {
			break
		}
		if line[0] == ' ' || line[0] == '\t' {
			if len(headers) == 0 {
				return nil, fmt.Errorf("line %d continues a field, but there is none before it", i+1)
			}
			headers[len(headers)-1].Value += "\n" + line
			continue
		}
		key, value, found := strings.Cut(line, ":")
		if !found || key == "" || strings.ContainsAny(key, " \t") {
			return nil, fmt.Errorf("line %d is no \"Key: value\" field", i+1)
		}
		headers = append(headers, Header{key, strings.TrimSpace(value)})
	}
	return headers, nil
}

// Values gives the values of every field with that key, whatever its case.
func (h Headers) Values(key string) []string {
	var values []string
	for _, header := range h {
		if strings.EqualFold(header.Key, key) {
			values = append(values, header.Value)
		}
	}
	return values
}

// One gives the value of a field that must be there exactly once.
func (h Headers) One(key string) (string, error) {
	values := h.Values(key)
	if len(values) != 1 {
		return "", fmt.Errorf("has %d %s fields and not 1", len(values), key)
	}
	return values[0], nil
}

// SetHeader replaces the value of the one field with that key and keeps every
// other byte, the description included.
func SetHeader(data []byte, key, value string) ([]byte, error) {
	var out bytes.Buffer
	done, rest := false, data
	for len(rest) > 0 {
		line, after, newline := bytes.Cut(rest, []byte("\n"))
		if len(bytes.TrimSuffix(line, []byte("\r"))) == 0 {
			break
		}
		field, _, _ := bytes.Cut(line, []byte(":"))
		if strings.EqualFold(string(field), key) {
			if done {
				return nil, fmt.Errorf("has more than one %s field", key)
			}
			done = true
			ending := ""
			if bytes.HasSuffix(line, []byte("\r")) {
				ending = "\r"
			}
			line = []byte(string(field) + ": " + value + ending)
		}
		out.Write(line)
		if newline {
			out.WriteByte('\n')
		}
		rest = after
	}
	if !done {
		return nil, fmt.Errorf("has no %s field", key)
	}
	out.Write(rest)
	return out.Bytes(), nil
}
