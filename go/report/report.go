// Package report renders one HTML page about a set of wheels: what there is for
// which platform, how large, with which patches and GPU code, what it cost to
// build, and what changed since another set.
//
// The page needs nothing from the network, is light or dark as the reader's
// system is, and its table can be sorted.
package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/index"
	"github.com/sparkwheels/sparkwheels/go/pins"
)

// Input is what a page is made of.
type Input struct {
	// Set is the set that the page is about.
	Set *index.Set
	// Plan says what is not in the set, and why.
	Plan *pins.Plan
	// Pins give the patches.
	Pins []*pins.Pin
	// Costs are the measured actions by Bazel label; nil when none were.
	Costs map[string]Cost
	// Base goes before addresses that are relative to set.json, such as index/.
	Base string
	// Previous is the set to compare with; nil for none.
	Previous *index.Set
}

// Row is one wheel on one platform.
type Row struct {
	Wheel, Version, Platform, State, Why string
	// File, URL, SHA256, Size and SM are those of the wheel; empty without one.
	File, URL, SHA256 string
	Size              int64
	SM                []string
	// Patches are the names of the patch files.
	Patches []string
	// Cost is what its build took; nil when that was not measured.
	Cost *Cost
	// Change says how it differs from the previous set, "" when it does not.
	Change string
}

// page is what the template sees.
type page struct {
	Rows                                    []Row
	Pins                                    string
	Built, Upstream, Missing, Hits, Actions int
	Total                                   int64
	Measured, Compared                      bool
	Gone                                    []string
}

//go:embed page.html
var text string

var tmpl = template.Must(template.New("page").Funcs(template.FuncMap{
	"join": strings.Join, "size": size, "short": func(sum string) string { return sum[:min(12, len(sum))] },
}).Parse(text))

// Render gives the page. The text follows from the input alone.
func Render(in *Input) ([]byte, error) {
	p := page{Pins: in.Set.PinsSHA256, Measured: in.Costs != nil, Compared: in.Previous != nil}
	for _, cost := range in.Costs {
		p.Actions += cost.Actions
		p.Hits += cost.Hits
	}
	patches := map[string][]string{}
	for _, pin := range in.Pins {
		patches[pin.Name] = pin.Patches
	}
	seen := map[string]bool{}
	for _, wheel := range in.Set.Wheels {
		row := Row{
			Wheel: wheel.Pin, Version: wheel.Version, Platform: wheel.Platform, State: wheel.Origin,
			File: wheel.File, URL: wheel.URL, SHA256: wheel.SHA256, Size: wheel.Size, SM: wheel.SM,
		}
		if row.URL != "" && !strings.Contains(row.URL, "://") {
			row.URL = in.Base + row.URL
		}
		if wheel.Origin == index.Built {
			p.Built++
			row.Patches = patches[wheel.Pin]
		} else {
			p.Upstream++
		}
		p.Total += wheel.Size
		if cost, ok := in.Costs[fmt.Sprintf("//wheels:%s.%s", wheel.Pin, wheel.Platform)]; ok {
			row.Cost = &cost
		}
		if in.Previous != nil {
			row.Change = change(&wheel, in.Previous)
		}
		seen[wheel.Pin+" "+wheel.Platform] = true
		p.Rows = append(p.Rows, row)
	}
	for _, line := range in.Plan.Wheels {
		if !seen[line.Wheel+" "+line.Platform] {
			p.Missing++
			p.Rows = append(p.Rows, Row{Wheel: line.Wheel, Version: line.Version, Platform: line.Platform, State: string(line.State), Why: line.Why})
		}
	}
	if in.Previous != nil {
		for _, old := range in.Previous.Wheels {
			if !seen[old.Pin+" "+old.Platform] {
				p.Gone = append(p.Gone, old.File)
			}
		}
	}
	slices.SortStableFunc(p.Rows, func(a, b Row) int { return strings.Compare(a.Wheel+"\x00"+a.Platform, b.Wheel+"\x00"+b.Platform) })
	var out bytes.Buffer
	err := tmpl.Execute(&out, p)
	return out.Bytes(), err
}

// change says how a wheel differs from the one of the same pin and platform.
func change(wheel *index.SetWheel, previous *index.Set) string {
	for _, old := range previous.Wheels {
		if old.Pin != wheel.Pin || old.Platform != wheel.Platform {
			continue
		}
		switch {
		case old.Version != wheel.Version:
			return old.Version + " → " + wheel.Version
		case old.SHA256 != wheel.SHA256:
			return fmt.Sprintf("other bytes (%+d)", wheel.Size-old.Size)
		}
		return ""
	}
	return "new"
}

// size gives bytes as people read them.
func size(bytes int64) string {
	switch {
	case bytes >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%.0f KiB", float64(bytes)/(1<<10))
}
