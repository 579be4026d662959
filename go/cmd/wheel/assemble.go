package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/stage"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// request is the file that assemble reads. Paths are those of files here;
// names are those in the wheel.
type request struct {
	// Metadata is the path of METADATA, or of an sdist's PKG-INFO.
	Metadata string `json:"metadata"`
	// Tags is the tag set, such as py3-none-win_arm64.
	Tags string `json:"tags"`
	// EntryPoints is the path of entry_points.txt, "" for none.
	EntryPoints string `json:"entry_points"`
	// Licences and Files are what goes into the wheel.
	Licences []requestFile `json:"licences"`
	Files    []requestFile `json:"files"`
}

type requestFile struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

func (t *tool) assemble() *cobra.Command {
	var in, out string
	cmd := &cobra.Command{
		Use:   "assemble --request REQUEST.json --out WHEEL",
		Short: "Make a wheel of files that no back end puts together",
		Long: `assemble writes a wheel from files that were built one by one, as a back end
would. The request is a JSON object; every key is needed:

  metadata      path of METADATA, or of an sdist's PKG-INFO
  tags          tag set, such as py3-none-win_arm64
  entry_points  path of entry_points.txt, or ""
  licences      list of {"name": name below .dist-info/licenses, "path": file}
  files         list of {"name": name in the wheel, "path": file}

WHEEL and RECORD are made. Where METADATA has License-File fields, the licences
must be those. The name of --out means nothing: pack gives the wheel
its own.`,
		Args:                  cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE: t.do(func([]string) error {
			assembly, err := readRequest(in)
			if err != nil {
				return err
			}
			return stage.Stream(out, assembly.Write)
		}),
	}
	cmd.Flags().StringVar(&in, "request", "", "JSON file that says what goes where")
	cmd.Flags().StringVar(&out, "out", "", "wheel to write")
	return require(cmd, "request", "out")
}

func readRequest(file string) (*wheel.Assembly, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var r request
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return nil, fmt.Errorf("request %s: %w", file, err)
	}
	assembly := &wheel.Assembly{Licences: sources(r.Licences), Files: sources(r.Files)}
	if assembly.Tags, err = wheel.ParseTags(r.Tags); err != nil {
		return nil, fmt.Errorf("request %s: tags: %w", file, err)
	}
	if assembly.Metadata, err = os.ReadFile(r.Metadata); err != nil {
		return nil, fmt.Errorf("request %s: metadata: %w", file, err)
	}
	if r.EntryPoints != "" {
		if assembly.EntryPoints, err = os.ReadFile(r.EntryPoints); err != nil {
			return nil, fmt.Errorf("request %s: entry_points: %w", file, err)
		}
	}
	return assembly, nil
}

func sources(files []requestFile) []wheel.Source {
	var out []wheel.Source
	for _, file := range files {
		out = append(out, wheel.Source{Name: file.Name, Read: func() ([]byte, error) { return os.ReadFile(file.Path) }})
	}
	return out
}
