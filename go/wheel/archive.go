package wheel

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/treepath"
)

// Archive is an opened wheel. Its members are read on demand, one at a time.
type Archive struct {
	// Base is the file's name without its folder.
	Base string
	// Members are the files inside in the order of the central directory.
	// Folder entries are not among them.
	Members []*Member

	file     *os.File
	size     int64
	problems Problems
}

// Member is one file of a wheel.
type Member struct {
	// Name is the path inside the wheel, with slashes.
	Name string
	// Size is the length of the contents.
	Size int64

	file   io.ReaderAt
	header *zip.FileHeader
	at     int64
}

// Open reads a wheel's directory. What is wrong with it, but does not keep it
// from being read, is told by Problems; a file that is no zip is an error.
func Open(path string) (*Archive, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	archive, err := read(filepath.Base(path), file)
	if err != nil {
		file.Close()
		return nil, err
	}
	return archive, nil
}

// Close closes the file; members cannot be read any more.
func (a *Archive) Close() error { return a.file.Close() }

// Problems lists what is unclean about the zip file: bytes before, between or
// after the members, headers that disagree, names that are repeated, clash,
// lead outside or cannot exist on Windows, folders, links, encryption. It does
// not read the contents; Member.Read does.
func (a *Archive) Problems() Problems { return a.problems }

// Member finds a file by its name, nil when there is none.
func (a *Archive) Member(name string) *Member {
	for _, member := range a.Members {
		if member.Name == name {
			return member
		}
	}
	return nil
}

const fixNames = "give each file of the wheel one portable path of its own"

func read(base string, file *os.File) (*Archive, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	broken := func(err error) error {
		return Problems{{Place: base, What: "is no readable zip file: " + err.Error(), Fix: "build or fetch the wheel again"}}
	}
	reader, err := zip.NewReader(file, info.Size())
	// The names are judged below, whatever GODEBUG's zipinsecurepath says.
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, broken(err)
	}
	a := &Archive{Base: base, file: file, size: info.Size()}
	if err := a.checkLayout(reader); err != nil {
		return nil, broken(err)
	}
	names := &treepath.Set{}
	var folders []string
	for _, entry := range reader.File {
		header := &entry.FileHeader
		clean, err := treepath.Clean(header.Name)
		folder := strings.HasSuffix(header.Name, "/")
		if err == nil {
			err = treepath.Portable(clean)
		}
		switch {
		case err != nil:
			a.problems.Add(header.Name, fixNames, "has a name that is refused: %v", err)
			continue
		case folder:
			folders = append(folders, header.Name)
			continue
		case clean != header.Name:
			a.problems.Add(header.Name, fixNames, "is not spelled %s", clean)
			continue
		}
		twice, err := names.Add(clean, treepath.File)
		switch {
		case twice:
			a.problems.Add(header.Name, fixNames, "is in the wheel twice")
			continue
		case err != nil:
			a.problems.Add(header.Name, fixNames, "cannot stand beside another name: %v", err)
			continue
		}
		if mode := header.Mode(); mode&fs.ModeType != 0 {
			a.problems.Add(header.Name, "put the file itself into the wheel", "is no plain file but %s", mode)
			continue
		}
		if header.Flags&1 != 0 || header.Method != zip.Store && header.Method != zip.Deflate {
			a.problems.Add(header.Name, "pack the wheel again with `wheel pack`", "is encrypted or compressed with method %d, which pip cannot read", header.Method)
			continue
		}
		at, err := entry.DataOffset()
		if err != nil {
			return nil, broken(err)
		}
		a.Members = append(a.Members, &Member{
			Name: clean, Size: int64(header.UncompressedSize64),
			file: file, header: header, at: at,
		})
	}
	if folders != nil {
		a.problems = append(a.problems, Problem{
			Place: base, What: fmt.Sprintf("has %d entries for folders, the first is %s", len(folders), folders[0]),
			Fix: "pack the wheel with `wheel pack`, which leaves folders out", folders: true,
		})
	}
	return a, nil
}

// Mode gives the permissions that the zip directory records, 0 when the
// program that wrote it knows none.
func (m *Member) Mode() fs.FileMode {
	if m.header.ExternalAttrs>>16 == 0 {
		return 0
	}
	return m.header.Mode()
}

// Read gives the contents. It is an error, which names the member, when the
// compressed data are damaged, are shorter or longer than the directory says,
// or do not have its checksum.
func (m *Member) Read() ([]byte, error) {
	data, err := m.read(m.Size)
	if err == nil && int64(len(data)) != m.Size {
		err = fmt.Errorf("has %d bytes and not %d", len(data), m.Size)
	}
	if err == nil && crc32.ChecksumIEEE(data) != m.header.CRC32 {
		err = errors.New("does not have the checksum that the zip directory says")
	}
	if err != nil {
		return nil, Problems{{Place: m.Name, What: err.Error(), Fix: "build or fetch the wheel again"}}
	}
	return data, nil
}

// Head gives the first bytes, at most n of them, without checking the rest.
func (m *Member) Head(n int64) ([]byte, error) {
	_, inflated := m.open()
	data, err := io.ReadAll(io.LimitReader(inflated, min(n, m.Size)))
	if err != nil {
		return nil, Problems{{Place: m.Name, What: "is damaged: " + err.Error(), Fix: "build or fetch the wheel again"}}
	}
	return data, nil
}

// open gives the compressed bytes and a reader of the contents above them.
// bufio.Reader is an io.ByteReader, so that flate takes no byte too many.
func (m *Member) open() (raw *bufio.Reader, inflated io.Reader) {
	raw = bufio.NewReader(io.NewSectionReader(m.file, m.at, int64(m.header.CompressedSize64)))
	if m.header.Method == zip.Store {
		return raw, raw
	}
	return raw, flate.NewReader(raw)
}

func (m *Member) read(limit int64) ([]byte, error) {
	raw, inflated := m.open()
	var out bytes.Buffer
	// The directory's size is a claim: room is made for it only so far.
	out.Grow(int(min(limit, 16<<20)))
	if _, err := io.Copy(&out, io.LimitReader(inflated, limit+1)); err != nil {
		return nil, fmt.Errorf("is damaged: %w", err)
	}
	if int64(out.Len()) > limit {
		return nil, fmt.Errorf("is longer than the %d bytes that the zip directory says", limit)
	}
	if _, err := raw.ReadByte(); err != io.EOF {
		return nil, errors.New("has bytes after the end of its compressed data")
	}
	return out.Bytes(), nil
}
