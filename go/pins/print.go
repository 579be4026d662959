package pins

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// status returns the state and its reason as one text.
func (l Line) status() string {
	switch l.State {
	case Built, BuiltFull:
		return string(l.State)
	case Retired:
		text := fmt.Sprintf("upstream's wheel, shipped since %s", l.Upstream)
		switch {
		case l.Own && l.Why != "":
			return text + "; ours was never run: " + l.Why
		case l.Own:
			return text + "; ours with --config=own"
		}
		return text + "; not built here"
	}
	return fmt.Sprintf("%s: %s", l.State, l.Why)
}

var header = []string{"step", "wheel", "version", "platform", "cost", "after", "status"}

func (l Line) cells() []string {
	return []string{strconv.Itoa(l.Step), l.Wheel, l.Version, l.Platform, l.Cost, strings.Join(l.After, ", "), l.status()}
}

// Table returns the wheels as aligned columns.
func (p *Plan) Table() (string, error) {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.ToUpper(strings.Join(header, "\t")))
	for _, l := range p.Wheels {
		fmt.Fprintln(w, strings.Join(l.cells(), "\t"))
	}
	err := w.Flush()
	return b.String(), err
}

// Markdown returns the wheels as a table for GitHub.
func (p *Plan) Markdown() (string, error) {
	var b strings.Builder
	row := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	row(header)
	row(slices.Repeat([]string{"---"}, len(header)))
	for _, l := range p.Wheels {
		cells := l.cells()
		for i, c := range cells {
			cells[i] = strings.ReplaceAll(c, "|", `\|`)
		}
		row(cells)
	}
	return b.String(), nil
}

// JSON returns the whole plan.
func (p *Plan) JSON() (string, error) {
	data, err := json.MarshalIndent(p, "", "  ")
	return string(data) + "\n", err
}
