package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/pins"
)

func checkCommand(root func() (string, error)) *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Report everything that is wrong with the pins",
		Long: `check reads third_party/pins.json, the patches and overlays that it names, and wheels/BUILD.bazel.
It reports all problems together, sorted: one line each with the file, the pin and the key.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			dir, err := root()
			if err != nil {
				return err
			}
			_, err = pins.NewPlan(os.DirFS(dir))
			return err
		},
	}
}

func generateCommand(root func() (string, error)) *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Write third_party/repositories.bzl",
		Long: `generate writes third_party/repositories.bzl: one repository per pin, and the table PINS for BUILD files.
The file is replaced as a whole or not at all. With --check nothing is written; a difference is shown and the exit code is 4.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			dir, err := root()
			if err != nil {
				return err
			}
			f, err := pins.Load(os.DirFS(dir))
			if err != nil {
				return err
			}
			want, err := pins.Generate(f)
			if err != nil {
				return err
			}
			file := filepath.Join(dir, filepath.FromSlash(pins.RepositoriesFile))
			have, err := os.ReadFile(file)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			switch {
			case bytes.Equal(have, want):
				return nil
			case check:
				return staleError{cmp.Diff(strings.Split(string(have), "\n"), strings.Split(string(want), "\n"))}
			}
			return replaceFile(file, want)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; exit 4 and show the difference if the file is stale")
	return cmd
}

func planCommand(root func() (string, error)) *cobra.Command {
	format := "table"
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Print for each wheel and platform whether it is built here, and why not",
		Long: `plan prints the wheels in an order in which each comes after all that it requires, with one line per platform.
"built here" is read from the targets of wheels/BUILD.bazel; everything else comes from the pins.
Formats: table, markdown, and json, which also has the order of all pins and what each requires.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			write, ok := map[string]func(*pins.Plan) (string, error){
				"json":     (*pins.Plan).JSON,
				"markdown": (*pins.Plan).Markdown,
				"table":    (*pins.Plan).Table,
			}[format]
			if !ok {
				return usageError{fmt.Errorf("--format %q is not one of json, markdown, table", format)}
			}
			dir, err := root()
			if err != nil {
				return err
			}
			plan, err := pins.NewPlan(os.DirFS(dir))
			if err != nil {
				return err
			}
			text, err := write(plan)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), text)
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "table, markdown or json")
	return cmd
}

// replaceFile writes to a temporary name beside file and renames it, so that nobody sees half a file.
func replaceFile(file string, data []byte) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(file), ".pins-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(tmp.Name()))
		}
	}()
	if _, err = tmp.Write(data); err != nil {
		return errors.Join(err, tmp.Close())
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	if err = os.Chmod(tmp.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}
