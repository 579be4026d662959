package stage_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sparkwheels/sparkwheels/go/stage"
)

func TestStream(t *testing.T) {
	folder := t.TempDir()
	out := filepath.Join(folder, "out")
	write := func(text string, failure error) error {
		return stage.Stream(out, func(w io.Writer) error {
			if _, err := io.WriteString(w, text); err != nil {
				return err
			}
			return failure
		})
	}
	check := func(want string) {
		t.Helper()
		data, err := os.ReadFile(out)
		if err != nil || string(data) != want {
			t.Errorf("the file holds %q, %v; want %q", data, err, want)
		}
		entries, err := os.ReadDir(folder)
		if err != nil || len(entries) != 1 {
			t.Errorf("the folder holds %v, %v; want one file", entries, err)
		}
	}
	if err := write("first", nil); err != nil {
		t.Fatal(err)
	}
	check("first")
	failure := errors.New("no")
	if err := write("half", failure); !errors.Is(err, failure) {
		t.Errorf("got %v, want the failure", err)
	}
	check("first")
	if err := os.Chmod(out, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := write("second", nil); err != nil {
		t.Fatal(err)
	}
	check("second")
	info, err := os.Stat(out)
	if err != nil || time.Since(info.ModTime()) > time.Hour {
		t.Errorf("the time is %v, %v", info.ModTime(), err)
	}
}
