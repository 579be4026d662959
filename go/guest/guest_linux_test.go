package guest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// here is a guest without qemu that borrows this machine's /usr.
func here(t *testing.T) *Guest {
	t.Helper()
	err := probe(t.Context())
	if unavailable := (*Unavailable)(nil); errors.As(err, &unavailable) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for _, name := range []string{"bin", "lib", "lib64"} {
		if err := os.Symlink("usr/"+name, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"dev", "proc", "tmp"} {
		if err := os.Mkdir(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return &Guest{root: root}
}

func sh(script string, mounts ...Mount) Command {
	mounts = append([]Mount{{Source: "/usr", Target: "/usr"}}, mounts...)
	return Command{Args: []string{"/bin/sh", "-c", script}, Mounts: mounts, Timeout: 30 * time.Second}
}

func run(t *testing.T, g *Guest, c Command) *Result {
	t.Helper()
	r, err := g.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRunGivesOutputExitCodeAndAnEmptyEnvironment(t *testing.T) {
	c := sh("echo $$ $HOME $MINE $USER; echo err >&2; exit 7")
	c.Env = []string{"MINE=1"}
	r := run(t, here(t), c)
	if want := "1 /tmp 1\nerr\n"; r.Output != want || r.ExitCode != 7 {
		t.Errorf("got %q, exit code %d; want %q, 7", r.Output, r.ExitCode, want)
	}
}

func TestRunChangesWritableMountsOnly(t *testing.T) {
	g := here(t)
	inputs, outputs := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(inputs, "a"), []byte("old\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := run(t, g, sh("cat /in/a; echo new >/in/a; cat /in/a; echo out >/out/b; echo x >/usr/mark && echo rooted",
		Mount{Source: inputs, Target: "/in"}, Mount{Source: outputs, Target: "/out", Writable: true}))
	if want := "old\nnew\nrooted\n"; r.Output != want {
		t.Errorf("output %q, want %q", r.Output, want)
	}
	for path, want := range map[string]string{filepath.Join(inputs, "a"): "old\n", filepath.Join(outputs, "b"): "out\n"} {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", path, got, err, want)
		}
	}
	if _, err := os.Stat("/usr/mark"); err == nil {
		t.Error("the root itself was changed")
	}
}

func TestRunTriesAgainAfterATimeOut(t *testing.T) {
	g := here(t)
	dir := t.TempDir()
	tries := Mount{Source: dir, Target: "/tries", Writable: true}
	c := sh("echo try; if [ -e /tries/first ]; then exit 0; fi; touch /tries/first; sleep 60 & wait", tries)
	c.Timeout = time.Second
	start := time.Now()
	if r := run(t, g, c); r.ExitCode != 0 || r.Output != "try\n" {
		t.Errorf("second try: %q, exit code %d", r.Output, r.ExitCode)
	}
	c = sh("echo stuck; sleep 60 & wait")
	c.Timeout = time.Second
	_, err := g.Run(t.Context(), c)
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "stuck") {
		t.Errorf("got %v, want a time-out that shows the output", err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %s: what the program started was not killed", took)
	}
}

func TestRunReportsWhatCannotBeEntered(t *testing.T) {
	g := here(t)
	for _, c := range []Command{
		{Args: []string{"/no/such/program"}, Timeout: time.Minute},
		sh("true", Mount{Source: "/no/such/folder", Target: "/in"}),
	} {
		_, err := g.Run(t.Context(), c)
		if failed := (*failedEntry)(nil); !errors.As(err, &failed) || !strings.Contains(err.Error(), "/no/such/") {
			t.Errorf("%v: got %v, want the path that is missing", c.Args, err)
		}
	}
}
