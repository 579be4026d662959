package wheeldiff

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Print writes the differences for a person, one a line. "-" marks what only A
// has and "+" what only B has.
func (d *Diff) Print(out io.Writer) {
	fmt.Fprintf(out, "- %s\n+ %s\n", d.A, d.B)
	if d.Empty() {
		fmt.Fprintln(out, "no difference")
		return
	}
	sides := func(what string, s Sides) {
		for _, text := range s.OnlyA {
			fmt.Fprintf(out, "- %s %s\n", what, oneLine(text))
		}
		for _, text := range s.OnlyB {
			fmt.Fprintf(out, "+ %s %s\n", what, oneLine(text))
		}
	}
	sides("tag", d.Tags)
	sides("metadata", d.Metadata)
	sides("member", d.Members)
	for _, member := range d.Changed {
		if !member.Native {
			fmt.Fprintf(out, "~ member %s has other contents\n", member.Name)
			continue
		}
		sides(member.Name+": machine", member.Machines)
		sides(member.Name+": import", member.Imports)
		sides(member.Name+": export", member.Exports)
	}
}

// oneLine cuts a field of several lines, such as a licence, to its first.
func oneLine(text string) string {
	first, _, more := strings.Cut(text, "\n")
	if more {
		return first + " …"
	}
	return first
}

// JSON renders the differences for a program.
func (d *Diff) JSON() []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	// A Diff holds nothing that JSON cannot, and a Buffer takes everything.
	encoder.Encode(d)
	return out.Bytes()
}
