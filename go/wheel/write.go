package wheel

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/elf"
	"github.com/sparkwheels/sparkwheels/go/treepath"
)

// Source is a file to be written into a wheel. Read gives its contents; it is
// called once, and not before the file's turn comes.
type Source struct {
	Name string
	Read func() ([]byte, error)
}

// Bytes is a Source with contents at hand.
func Bytes(name string, data []byte) Source {
	return Source{name, func() ([]byte, error) { return data, nil }}
}

const (
	// level is fixed: another one gives other bytes. So does another Go
	// release, which is why the tool is built with the pinned SDK.
	level = 6
	// madeBy is Unix in the upper byte, so that modes are honoured, and
	// version 2.0 of the zip format.
	madeBy = 3<<8 | 20
	// date is 1980-01-01 in the zip format, SOURCE_DATE_EPOCH 315532800.
	date = 1<<5 | 1
)

// Write writes a wheel with the sources and a RECORD of them in the folder
// distInfo. The bytes follow from the sources alone. The error names the first
// source that cannot be read or whose name is refused.
func Write(out io.Writer, distInfo string, sources []Source) error {
	record := path.Join(distInfo, "RECORD")
	sources = slices.Clone(sources)
	slices.SortFunc(sources, func(a, b Source) int {
		if x, y := inFolder(a.Name, distInfo), inFolder(b.Name, distInfo); x != y {
			if x {
				return 1
			}
			return -1
		}
		return strings.Compare(a.Name, b.Name)
	})
	if err := checkNames(append(slices.Clone(sources), Source{Name: record})); err != nil {
		return err
	}
	archive := zip.NewWriter(out)
	var entries []RecordEntry
	for _, source := range sources {
		data, err := source.Read()
		if err != nil {
			return err
		}
		if err := writeMember(archive, source.Name, data); err != nil {
			return fmt.Errorf("%s: %w", source.Name, err)
		}
		entries = append(entries, RecordEntry{source.Name, Hash(data), int64(len(data))})
	}
	entries = append(entries, RecordEntry{Path: record, Size: -1})
	if err := writeMember(archive, record, FormatRecord(entries)); err != nil {
		return err
	}
	return archive.Close()
}

func inFolder(name, folder string) bool { return strings.HasPrefix(name, folder+"/") }

func checkNames(sources []Source) error {
	names := &treepath.Set{}
	for _, source := range sources {
		clean, err := treepath.Clean(source.Name)
		if err == nil {
			err = treepath.Portable(clean)
		}
		if err == nil && clean != source.Name {
			err = fmt.Errorf("is not spelled %s", clean)
		}
		twice := false
		if err == nil {
			twice, err = names.Add(clean, treepath.File)
		}
		if twice {
			err = errors.New("is there twice")
		}
		if err != nil {
			return Problems{{Place: source.Name, What: "has a name that is refused: " + err.Error(), Fix: fixNames}}
		}
	}
	return nil
}

// writeMember writes one file with its sizes in the local header: CreateRaw
// adds neither a data descriptor nor an extra field for the time.
func writeMember(archive *zip.Writer, name string, data []byte) error {
	if len(data) >= math.MaxUint32 {
		return fmt.Errorf("has %d bytes, and 4 GiB is the most that a wheel's member can have", len(data))
	}
	header := &zip.FileHeader{
		Name: name, Method: zip.Deflate, CreatorVersion: madeBy, ReaderVersion: 20,
		ModifiedDate: date, CRC32: crc32.ChecksumIEEE(data),
		UncompressedSize64: uint64(len(data)),
	}
	header.SetMode(mode(name, data))
	if strings.ContainsFunc(name, func(r rune) bool { return r > 0x7e }) {
		header.Flags |= 0x800 // the name is UTF-8
	}
	body := data
	var packed bytes.Buffer
	deflater, err := flate.NewWriter(&packed, level)
	if err != nil {
		return err
	}
	deflater.Write(data)
	if err := deflater.Close(); err != nil {
		return err
	}
	if packed.Len() < len(data) {
		body = packed.Bytes()
	} else {
		header.Method = zip.Store
	}
	header.CompressedSize64 = uint64(len(body))
	out, err := archive.CreateRaw(header)
	if err != nil {
		return err
	}
	_, err = out.Write(body)
	return err
}

// mode gives a member's permissions. They follow from its name and contents,
// since a back end that runs on Windows knows no run bit: programs, shared
// objects and scripts may be run, everything else may not.
func mode(name string, data []byte) fs.FileMode {
	folder, _, _ := strings.Cut(name, "/")
	switch {
	case strings.HasSuffix(folder, ".data") && strings.HasPrefix(name, folder+"/scripts/"),
		elf.Sniff(data) && path.Ext(name) != ".o",
		bytes.HasPrefix(data, []byte("#!")) && path.Ext(name) != ".py":
		return 0o755
	}
	return 0o644
}
