package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/archive"
	"github.com/sparkwheels/sparkwheels/go/bump"
	"github.com/sparkwheels/sparkwheels/go/coverage"
	"github.com/sparkwheels/sparkwheels/go/pins"
)

func coverageCommand(root func() (string, error)) *cobra.Command {
	platform, format, uv, set := "win_arm64", "table", "", ""
	cmd := &cobra.Command{
		Use:   "coverage REQUIREMENTS...",
		Short: "Print which packages of a project have no wheel on a Spark machine",
		Long: `coverage resolves requirement files (requirements.txt, pyproject.toml) with uv for CPython 3.12 on the platform, and says for
every package whether a wheel exists upstream, in our set, or nowhere: only an sdist, or nothing; what requires it; and the
nearest version that does have a wheel. Nothing is built or installed. uv is the pinned one, fetched by its hash, unless --uv
names another; it needs some Python on the machine. Our set is what "pins plan" has a wheel of, or the folder --set, as
"bazel run //wheels:dist" fills it. The exit code is 6 if anything is missing. Formats: table, json.`,
	}
	client := asking(cmd)
	f := cmd.Flags()
	f.StringVar(&platform, "platform", platform, "win_arm64 or linux_aarch64")
	f.StringVar(&format, "format", format, "table or json")
	f.StringVar(&uv, "uv", uv, "`PROGRAM` to use as uv")
	f.StringVar(&set, "set", set, "`DIR` with our wheels; they are resolved with, too")
	cmd.RunE = func(cmd *cobra.Command, files []string) error {
		write, ok := map[string]func(*coverage.Report) (string, error){"json": (*coverage.Report).JSON, "table": (*coverage.Report).Table}[format]
		switch {
		case !ok:
			return usageError{fmt.Errorf("--format %q is not one of json, table", format)}
		case platform != "win_arm64" && platform != "linux_aarch64":
			return usageError{fmt.Errorf("--platform %q is not one of linux_aarch64, win_arm64", platform)}
		case len(files) == 0:
			return usageError{errors.New("want a file of requirements: pins coverage requirements.txt")}
		}
		for i, file := range files {
			files[i] = fromCaller(file)
			if _, err := os.Stat(files[i]); err != nil {
				return usageError{err}
			}
		}
		if set != "" {
			set = fromCaller(set)
		}
		ctx, c := cmd.Context(), client()
		dir, err := root()
		if err != nil {
			return err
		}
		plan, err := pins.NewPlan(os.DirFS(dir))
		if err != nil {
			return err
		}
		if uv == "" {
			store, err := bump.NewStore(c)
			if err != nil {
				return err
			}
			if uv, err = pinnedUV(ctx, dir, store); err != nil {
				return askError{err}
			}
		}
		ours, err := ourSet(plan, set, platform)
		if err != nil {
			return err
		}
		index, err := c.IndexWithLogin(ctx)
		if err != nil {
			return askError{err}
		}
		report, err := coverage.Check(ctx, &coverage.UV{Program: uv, Index: index, Set: set}, c, ours, platform, files)
		if err != nil {
			return askError{err}
		}
		text, err := write(report)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprint(cmd.OutOrStdout(), text); err != nil {
			return err
		}
		if !report.Complete {
			return newsError{}
		}
		return nil
	}
	return cmd
}

// ourSet is what the plan has a wheel of, or the wheels of a folder.
func ourSet(plan *pins.Plan, folder, platform string) (coverage.Set, error) {
	if folder == "" {
		set := coverage.Set{}
		for _, line := range plan.Wheels {
			if line.Platform == platform && (line.State == pins.Built || line.State == pins.Retired) {
				project := strings.ReplaceAll(line.Wheel, "_", "-")
				set[project] = append(set[project], line.Version)
			}
		}
		return set, nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return coverage.FromFiles(names, platform), nil
}

// pinnedUV returns the path of the uv that is pinned for this machine, unpacked into the store.
func pinnedUV(ctx context.Context, root string, store *bump.Store) (string, error) {
	system := map[string]string{"linux/amd64": "linux_x86_64", "linux/arm64": "linux_aarch64", "windows/amd64": "windows_x86_64", "windows/arm64": "windows_arm64"}[runtime.GOOS+"/"+runtime.GOARCH]
	f, err := pins.Load(os.DirFS(root))
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(f.Pins, func(p *pins.Pin) bool { return p.Name == "uv_"+system })
	if i < 0 {
		return "", fmt.Errorf("no uv is pinned for %s/%s: name one with --uv", runtime.GOOS, runtime.GOARCH)
	}
	p := f.Pins[i]
	file, err := store.File(ctx, p)
	if err != nil {
		return "", err
	}
	base := "uv"
	if runtime.GOOS == "windows" {
		base = "uv.exe"
	}
	dir := filepath.Join(filepath.Dir(file), "tree")
	program := filepath.Join(dir, fmt.Sprintf("uv-%s.data", p.Version), "scripts", base)
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	if err := archive.Extract(dir, archive.Options{Limits: archive.DefaultLimits}, file); err != nil {
		return "", err
	}
	return program, os.Chmod(program, 0o755)
}
