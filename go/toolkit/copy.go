package toolkit

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/sparkwheels/sparkwheels/go/stage"
)

// copyFile copies a file and whether it is executable.
func copyFile(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if _, err := os.Stat(to); err == nil {
		return sameBytes(from, to)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return stage.Seal(to, info.Mode()&0o111 != 0)
}

// sameBytes is an error unless both files hold the same.
func sameBytes(a, b string) error {
	one, err := os.ReadFile(a)
	if err != nil {
		return err
	}
	other, err := os.ReadFile(b)
	if err != nil {
		return err
	}
	if !bytes.Equal(one, other) {
		return errors.New("another component has a file of this name with other bytes")
	}
	return nil
}
