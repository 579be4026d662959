// Package sbom writes the software bill of materials that goes into a wheel at
// .dist-info/sboms (PEP 770), in CycloneDX 1.6.
//
// It is a description of the wheel's contents for the wheel's users: which
// upstream source, which patches, which libraries are linked in, which tools
// made it. It has no random serial number and no time, and nothing of the
// machine that builds, so that the wheel stays the same everywhere.
package sbom

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"

	"github.com/sparkwheels/sparkwheels/go/materials"
)

// File is the SBOM's path below .dist-info.
const File = "sboms/sparkwheels.cdx.json"

// Wheel is the wheel that an SBOM is of.
type Wheel struct {
	// Name is the file name, Project and Version are METADATA's.
	Name, Project, Version string
	// License is METADATA's License-Expression, or "".
	License string
}

// Generate gives the SBOM's text. inside are the runtimes that are in the
// wheel (materials.Present). The error is that of a patch that cannot be read.
func Generate(wheel Wheel, bill *materials.Bill, inside []materials.Component) ([]byte, error) {
	bom := cdx.NewBOM()
	bom.JSONSchema = "http://cyclonedx.org/schema/bom-1.6.schema.json"
	bom.SpecVersion = cdx.SpecVersion1_6
	patches, err := patchFiles(bill.Patches)
	if err != nil {
		return nil, err
	}
	main := cdx.Component{
		BOMRef: "wheel", Type: cdx.ComponentTypeLibrary, Name: wheel.Project, Version: wheel.Version,
		PackageURL: purl(wheel),
		Properties: &[]cdx.Property{{Name: "sparkwheels:platform", Value: bill.Platform}},
	}
	if wheel.License != "" {
		main.Licenses = &cdx.Licenses{{Expression: wheel.License}}
	}
	source := sourceComponent(&bill.Source)
	pedigree := &cdx.Pedigree{Ancestors: &[]cdx.Component{ancestor(source)}}
	if len(patches) > 0 {
		diffs := []cdx.Patch{}
		for _, patch := range bill.Patches {
			diffs = append(diffs, cdx.Patch{Type: cdx.PatchTypeUnofficial, Diff: &cdx.Diff{URL: patch.Name}})
		}
		pedigree.Patches = &diffs
	}
	main.Pedigree = pedigree

	var tools []cdx.Component
	for _, tool := range bill.Tools {
		tools = append(tools, cdx.Component{Type: cdx.ComponentTypeApplication, Name: tool.Name, Version: tool.Version, PackageURL: tool.PURL})
	}
	bom.Metadata = &cdx.Metadata{Component: &main}
	if tools != nil {
		bom.Metadata.Tools = &cdx.ToolsChoice{Components: &tools}
	}

	components := append([]cdx.Component{source}, patches...)
	linked := []string{source.BOMRef}
	for _, patch := range patches {
		linked = append(linked, patch.BOMRef)
	}
	for _, group := range []struct {
		kind string
		all  []materials.Component
	}{{"vendored", bill.Vendored}, {"runtime", inside}} {
		for _, one := range group.all {
			component := cdx.Component{
				BOMRef: group.kind + ":" + one.Name, Type: cdx.ComponentTypeLibrary, Name: one.Name, Version: one.Version,
				Licenses:   &cdx.Licenses{{Expression: one.License}},
				Properties: &[]cdx.Property{{Name: "sparkwheels:origin", Value: group.kind}},
			}
			components = append(components, component)
			linked = append(linked, component.BOMRef)
		}
	}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &linked}}
	var out bytes.Buffer
	err = cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false).EncodeVersion(bom, cdx.SpecVersion1_6)
	return out.Bytes(), err
}

// purl is the wheel's package URL, which names its file.
func purl(wheel Wheel) string {
	return fmt.Sprintf("pkg:pypi/%s@%s?file_name=%s", strings.ToLower(strings.ReplaceAll(wheel.Project, "_", "-")),
		strings.ReplaceAll(wheel.Version, "+", "%2B"), strings.ReplaceAll(wheel.Name, "+", "%2B"))
}

func sourceComponent(source *materials.Material) cdx.Component {
	component := cdx.Component{
		BOMRef: "source", Type: cdx.ComponentTypeFile, Name: source.File, Version: source.Version, PackageURL: source.PURL,
		Properties: &[]cdx.Property{{Name: "sparkwheels:origin", Value: "source"}},
	}
	if component.Name == "" {
		component.Name = source.Name
	}
	switch {
	case source.SHA256 != "":
		component.Hashes = sha256(source.SHA256)
	case source.Commit != "":
		component.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA1, Value: source.Commit}}
	}
	return component
}

// ancestor is the same component where a pedigree wants it, which may not
// repeat a reference.
func ancestor(source cdx.Component) cdx.Component {
	source.BOMRef = ""
	source.Properties = nil
	return source
}

func patchFiles(patches []materials.Patch) ([]cdx.Component, error) {
	var components []cdx.Component
	for _, patch := range patches {
		sum, err := patch.Digest()
		if err != nil {
			return nil, err
		}
		components = append(components, cdx.Component{
			BOMRef: "patch:" + path.Base(patch.Name), Type: cdx.ComponentTypeFile, Name: patch.Name, Hashes: sha256(sum),
			Properties: &[]cdx.Property{{Name: "sparkwheels:origin", Value: "patch"}},
		})
	}
	return components, nil
}

func sha256(sum string) *[]cdx.Hash {
	return &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: sum}}
}
