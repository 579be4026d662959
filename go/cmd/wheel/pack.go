package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/stage"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// changeFlags declares the flags that pack and retag share.
func changeFlags(cmd *cobra.Command, changes *wheel.Changes) {
	f := cmd.Flags()
	f.StringVar(&changes.Platform, "platform-tag", "", "platform tag to give the wheel, such as win_arm64; the system and the architecture must stay")
	f.StringVar(&changes.Python, "python-tag", "", "Python tag to give the wheel, such as cp312")
	f.StringVar(&changes.ABI, "abi-tag", "", "ABI tag to give the wheel, such as cp312 or abi3")
	f.StringVar(&changes.Build, "build-tag", "", "build tag to give the wheel; it starts with a digit")
	f.StringVar(&changes.Local, "local-version", "", "local version to append, such as cu134torch2.14")
}

func (t *tool) pack() *cobra.Command {
	var in, out string
	var changes wheel.Changes
	var describe description
	cmd := &cobra.Command{
		Use:   "pack --in WHEEL|DIR --out WHEEL [flags]",
		Short: "Make a back end's wheel the same on every machine",
		Long: `pack writes the contents of a back end's wheel as the one wheel that these
contents have: members sorted, .dist-info last and RECORD at its end, the time
1980-01-01, permissions that follow from the contents, no extra fields, no
folders. RECORD, the WHEEL file's tags and Root-Is-Purelib, and METADATA's
version are rewritten to fit the new name.

With --bill, which says what went into the wheel, an SBOM goes into
.dist-info/sboms (PEP 770), and the licence texts of the source tree and of the
runtimes inside that the back end left out go into .dist-info/licenses (PEP 639).

The name of --out is a declaration: project, version and tags that the wheel's
own metadata, with the changes of the flags, do not have are an error. The name
of --in means nothing. A folder must hold exactly one wheel.`,
		Args:                  cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE: t.do(func([]string) error {
			declared, err := wheel.ParseName(filepath.Base(out))
			if err != nil {
				return wheel.Problems{{Place: "--out", What: err.Error(), Fix: "declare a wheel's name"}}
			}
			return repack(in, changes, &describe, func(packed *wheel.Packed) (string, error) {
				if difference := packed.Difference(declared); difference != "" {
					return "", wheel.Problems{{
						Place: filepath.Base(out),
						What:  "the back end made a wheel with " + difference + " as declared",
						Fix:   "correct the declaration, or make the back end build what it says",
					}}
				}
				return out, nil
			})
		}),
	}
	cmd.Flags().StringVar(&in, "in", "", "wheel of the back end, or a folder with that one wheel")
	cmd.Flags().StringVar(&out, "out", "", "wheel to write")
	cmd.Flags().StringVar(&describe.bill, "bill", "", "JSON file with the bill of materials (go/materials)")
	cmd.Flags().StringVar(&describe.source, "source", "", "folder of the patched source, searched for licence texts")
	changeFlags(cmd, &changes)
	return require(cmd, "in", "out")
}

func (t *tool) retag() *cobra.Command {
	var out string
	var changes wheel.Changes
	cmd := &cobra.Command{
		Use:   "retag --out DIR [flags] WHEEL",
		Short: "Rename a wheel, and its metadata with it",
		Long: `retag writes the wheel into a folder under the name that its metadata, with the
changes of the flags, ask for, and prints that name. WHEEL, METADATA and RECORD
follow; a wheel that was renamed by hand becomes consistent again.`,
		Args:                  cobra.ExactArgs(1),
		DisableFlagsInUseLine: true,
		RunE: t.do(func(args []string) error {
			return repack(args[0], changes, &description{}, func(packed *wheel.Packed) (string, error) {
				path := filepath.Join(out, packed.Name.String())
				_, err := fmt.Fprintln(t.stdout, packed.Name)
				return path, err
			})
		}),
	}
	cmd.Flags().StringVar(&out, "out", "", "existing folder to write to")
	changeFlags(cmd, &changes)
	return require(cmd, "out")
}

// repack opens a wheel, prepares it, asks for the path to write to, and writes.
func repack(in string, changes wheel.Changes, describe *description, target func(*wheel.Packed) (string, error)) error {
	file, err := oneWheel(in)
	if err != nil {
		return err
	}
	archive, err := wheel.Open(file)
	if err != nil {
		return err
	}
	defer archive.Close()
	if err := describe.add(archive, &changes); err != nil {
		return err
	}
	packed, err := wheel.Repack(archive, changes)
	if err != nil {
		return err
	}
	out, err := target(packed)
	if err != nil {
		return err
	}
	return stage.Stream(out, packed.Write)
}

// oneWheel gives the wheel in a folder, or the path itself when it is no
// folder.
func oneWheel(in string) (string, error) {
	info, err := os.Stat(in)
	if err != nil || !info.IsDir() {
		return in, err
	}
	entries, err := os.ReadDir(in)
	if err != nil {
		return "", err
	}
	var wheels []string
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".whl") {
			wheels = append(wheels, entry.Name())
		}
	}
	if len(wheels) != 1 {
		return "", wheel.Problems{{
			Place: in, What: fmt.Sprintf("the back end left %d wheels and not 1 (%s)", len(wheels), strings.Join(wheels, ", ")),
			Fix: "look at the back end's messages",
		}}
	}
	return filepath.Join(in, wheels[0]), nil
}
