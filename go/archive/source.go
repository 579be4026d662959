package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/ulikunitz/xz"
)

// kind is what a member is.
type kind int

const (
	file kind = iota
	folder
	symlink  // target is relative to the link's own folder
	hardlink // target is relative to the archive's root
	special  // a device or the like, which cannot be extracted
)

// member is one entry of an archive of whatever format.
type member struct {
	name   string // as written in the archive
	kind   kind
	exec   bool
	target string    // of a link; of a special member, what it is
	body   io.Reader // of a file
}

// magics tells formats apart by content, since a pin's file can be named
// anything and an error page is often named like the archive it replaces.
var magics = []struct {
	magic []byte
	open  func(io.Reader) (io.Reader, error)
}{
	{[]byte{0x1f, 0x8b}, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{[]byte("\xfd7zXZ\x00"), func(r io.Reader) (io.Reader, error) { return xz.NewReader(r) }},
	{[]byte("BZh"), func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
}

// maxTarget bounds the target of a zip's symbolic link, which is stored as
// the member's bytes.
const maxTarget = 4096

// read calls add for each member of the archive.
func read(f *os.File, size int64, add func(member) error) error {
	head := make([]byte, 262)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return err
	}
	head = head[:n]
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06")) {
		return readZip(f, size, add)
	}
	for _, m := range magics {
		if bytes.HasPrefix(head, m.magic) {
			r, err := m.open(f)
			if err != nil {
				return err
			}
			return readTar(r, add)
		}
	}
	if bytes.HasSuffix(head, []byte("ustar")) {
		return readTar(f, add)
	}
	return &Error{Problem: fmt.Sprintf("neither tar (plain, gzip, xz, bzip2) nor zip: it starts with %q", head[:min(24, n)])}
}

func readTar(r io.Reader, add func(member) error) error {
	tr := tar.NewReader(r)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			// The checksum of the compressed stream comes after the end
			// of the tar archive: read on, or it is never checked.
			_, err := io.Copy(io.Discard, io.LimitReader(r, RatioGrace))
			return err
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return err
		}
		m := member{name: h.Name, exec: h.Mode&0o111 != 0, target: h.Linkname, body: tr}
		switch h.Typeflag {
		case tar.TypeReg, tar.TypeGNUSparse:
		case tar.TypeDir:
			m.kind = folder
		case tar.TypeSymlink:
			m.kind = symlink
		case tar.TypeLink:
			m.kind = hardlink
		case tar.TypeXGlobalHeader: // git archive's note of its commit
			continue
		default:
			m.kind, m.target = special, describe(h.Typeflag)
		}
		if err := add(m); err != nil {
			return err
		}
	}
}

func describe(flag byte) string {
	switch flag {
	case tar.TypeChar, tar.TypeBlock:
		return "device"
	case tar.TypeFifo:
		return "fifo"
	}
	return fmt.Sprintf("member of unknown type %q", flag)
}

func readZip(f *os.File, size int64, add func(member) error) error {
	zr, err := zip.NewReader(f, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return err
	}
	for _, zf := range zr.File {
		if err := readZipMember(zf, add); err != nil {
			return err
		}
	}
	return nil
}

func readZipMember(zf *zip.File, add func(member) error) error {
	fail := func(problem string) error { return &Error{Member: zf.Name, Problem: problem} }
	mode := zf.Mode()
	m := member{name: zf.Name, exec: mode&0o111 != 0}
	const encrypted = 1
	switch {
	case zf.Flags&encrypted != 0:
		m.kind, m.target = special, "member under a password"
		return add(m)
	case strings.HasSuffix(zf.Name, "/") || mode.IsDir():
		m.kind = folder
		return add(m)
	case mode&fs.ModeSymlink != 0:
		m.kind = symlink
	case mode.Type() != 0:
		m.kind, m.target = special, "device or fifo"
		return add(m)
	}
	body, err := zf.Open()
	if err != nil {
		return fail(err.Error())
	}
	defer body.Close()
	if m.kind != symlink {
		m.body = body
		return add(m)
	}
	target, err := io.ReadAll(io.LimitReader(body, maxTarget))
	if err != nil {
		return fail(err.Error())
	}
	if len(target) == maxTarget {
		return fail("is a link with an absurdly long target")
	}
	m.target = string(target)
	return add(m)
}
