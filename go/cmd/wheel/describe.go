package main

import (
	"os"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/license"
	"github.com/sparkwheels/sparkwheels/go/materials"
	"github.com/sparkwheels/sparkwheels/go/sbom"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// description is what pack adds to a wheel about the wheel itself; without a
// bill it is nothing.
type description struct{ bill, source string }

// add puts the licence texts that the wheel lacks, and its SBOM, into changes.
func (d *description) add(archive *wheel.Archive, changes *wheel.Changes) error {
	if d.bill == "" {
		return nil
	}
	bill, err := materials.Read(d.bill)
	if err != nil {
		return err
	}
	inside, err := materials.Present(archive, bill.Runtimes)
	if err != nil {
		return err
	}
	var texts []license.Text
	if d.source != "" {
		if texts, err = license.Collect(d.source); err != nil {
			return err
		}
	}
	for _, runtime := range inside {
		data, err := os.ReadFile(runtime.Text)
		if err != nil {
			return err
		}
		texts = append(texts, license.Text{Name: "runtime/" + runtime.Name + ".txt", Data: data})
	}
	missing, err := license.Missing(archive, texts)
	if err != nil {
		return err
	}
	for _, text := range missing {
		changes.Licenses = append(changes.Licenses, wheel.Bytes(text.Name, text.Data))
	}
	changes.Describe = func(name wheel.Name, meta *wheel.Meta) ([]wheel.Source, error) {
		text, err := sbom.Generate(sbom.Wheel{
			Name: name.String(), Project: wheel.NormalizeProject(meta.Project), Version: name.Version,
			License: strings.Join(meta.Headers.Values("License-Expression"), ""),
		}, bill, inside)
		return []wheel.Source{wheel.Bytes(sbom.File, text)}, err
	}
	return nil
}
