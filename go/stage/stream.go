package stage

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Stream replaces the file out by what fill writes, at once, without holding
// it in memory. When fill or a later step fails, out is what it was before. A
// read-only out is replaced all the same, which Windows would refuse.
func Stream(out string, fill func(io.Writer) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(out), "."+filepath.Base(out)+".tmp-")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	buffer := bufio.NewWriterSize(tmp, 1<<20)
	if err = fill(buffer); err == nil {
		err = buffer.Flush()
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	if err := Seal(tmp.Name(), false); err != nil {
		return err
	}
	if info, err := os.Lstat(out); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o200 == 0 {
		if err := os.Chmod(out, 0o644); err != nil {
			return err
		}
	}
	return os.Rename(tmp.Name(), out)
}
