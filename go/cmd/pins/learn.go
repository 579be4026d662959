package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/bump"
	"github.com/sparkwheels/sparkwheels/go/nvcc"
	"github.com/sparkwheels/sparkwheels/go/pins"
)

const learnLong = `learn-memory records what compiling a pin's .cu files took at its peak, so that Bazel schedules by it.

Every CudaCompile action writes that beside its object, in NAME.o.usage.json:

  bazel build --output_groups=cuda_usage //third_party/PIN:TARGET
  pins learn-memory PIN bazel-bin/third_party/PIN

A PATH is such a file or a folder to look for them in. The key memory_gb of the
pin gets the figures, rounded up to tenths of a GiB; of a source that it has
already, the larger figure stays, unless --fresh. BUILD files pass
PINS["PIN"].memory_gb to source_memory_gb.`

// usageSuffix ends the names of what go/nvcc writes, after the source's name.
const usageSuffix = ".usage.json"

func learnCommand(open func() (string, error)) *cobra.Command {
	var fresh, check bool
	cmd := &cobra.Command{
		Use:   "learn-memory PIN PATH...",
		Short: "Record the measured memory of CUDA compilations",
		Long:  learnLong,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usageError{errors.New("pins learn-memory: want a pin and where its usage files are")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := open()
			if err != nil {
				return err
			}
			named, err := loadPins(open, args[:1])
			if err != nil {
				return err
			}
			pin := named[0]
			peaks, err := readPeaks(args[1:])
			if err != nil {
				return err
			}
			edit := pin.LearnMemory(peaks, fresh)
			for _, line := range edit.List {
				fmt.Fprintln(cmd.OutOrStdout(), line)
			}
			if check || slices.Equal(edit.List, pin.MemoryGB) {
				return nil
			}
			unlock, err := bump.Lock(root)
			if err != nil {
				return err
			}
			defer unlock()
			text, repositories, err := bump.Texts(root, []pins.Edit{edit})
			if err != nil {
				return err
			}
			return bump.Write(cmd.Context(), root, []string{pins.PinsFile, pins.RepositoriesFile}, [][]byte{text, repositories})
		},
	}
	cmd.Flags().BoolVar(&fresh, "fresh", false, "forget the figures that are there")
	cmd.Flags().BoolVar(&check, "check", false, "print the figures and change nothing")
	return cmd
}

// readPeaks finds the usage files and gives the peak of each source, in bytes by the source's file name.
func readPeaks(paths []string) (map[string]int64, error) {
	peaks := map[string]int64{}
	for _, path := range paths {
		// Bazel's output folders are links.
		resolved, err := filepath.EvalSymlinks(fromCaller(path))
		if err != nil {
			return nil, err
		}
		err = filepath.WalkDir(resolved, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, usageSuffix) {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			var usage nvcc.Usage
			if err := json.Unmarshal(data, &usage); err != nil || usage.PeakBytes <= 0 {
				return fmt.Errorf("%s: not what a compilation took: %w", name, errors.Join(err, errors.New("peak_bytes must be positive")))
			}
			object := strings.TrimSuffix(filepath.Base(name), usageSuffix)
			source := strings.TrimSuffix(object, filepath.Ext(object)) + ".cu"
			peaks[source] = max(peaks[source], usage.PeakBytes)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(peaks) == 0 {
		return nil, fmt.Errorf("there is no *%s in %s: build the output group cuda_usage", usageSuffix, strings.Join(paths, ", "))
	}
	return peaks, nil
}
