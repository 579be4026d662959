package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/materials"
	"github.com/sparkwheels/sparkwheels/go/provenance"
	"github.com/sparkwheels/sparkwheels/go/stage"
)

func (t *tool) provenance() *cobra.Command {
	var in, out, bill, builder string
	var chain []string
	cmd := &cobra.Command{
		Use:   "provenance --in WHEEL --bill BILL.json --out FILE [--builder URI] [--built-with STATEMENT]...",
		Short: "Write the SLSA statement that goes beside a wheel",
		Long: `provenance writes an in-toto statement with the SLSA provenance predicate: the
wheel's digest, and those of all that its build read from outside. It says
level 1: nobody but the build itself vouches for it. docs/sbom.md tells how to
sign it.`,
		Args:                  cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE: t.do(func([]string) error {
			list, err := materials.Read(bill)
			if err != nil {
				return err
			}
			data, err := os.ReadFile(in)
			if err != nil {
				return err
			}
			var links []provenance.Link
			for _, statement := range chain {
				name, sum, err := provenance.Subject(statement)
				if err != nil {
					return err
				}
				text, err := os.ReadFile(statement)
				if err != nil {
					return err
				}
				links = append(links, provenance.Link{Name: name, SHA256: sum, Statement: hexSum(text)})
			}
			text, err := provenance.Generate(filepath.Base(in), hexSum(data), list, builder, links)
			if err != nil {
				return err
			}
			return stage.File(out, text)
		}),
	}
	f := cmd.Flags()
	f.StringVar(&in, "in", "", "wheel that the statement is about")
	f.StringVar(&bill, "bill", "", "JSON file with the bill of materials (go/materials)")
	f.StringVar(&out, "out", "", "statement to write")
	f.StringVar(&builder, "builder", provenance.Builder, "URI of whoever builds and vouches")
	f.StringArrayVar(&chain, "built-with", nil, "statement of a wheel that this one was built with; repeatable")
	return require(cmd, "in", "bill", "out")
}

func hexSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
