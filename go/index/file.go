package index

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"

	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// FilesFolder is the folder of a site that holds the wheels.
const FilesFolder = "files"

// MetadataSuffix is what PEP 658 appends to a wheel's address for its METADATA.
const MetadataSuffix = ".metadata"

// ProvenanceSuffix is what a wheel's SLSA statement is called after the wheel.
const ProvenanceSuffix = ".provenance.json"

// File is one wheel of an index.
type File struct {
	// Name is the wheel's file name.
	Name string
	// Project is the normalised name of its project (PEP 503).
	Project string
	// Version is the version of the file name.
	Version string
	// SHA256 is the digest of the whole file, hex; Size its length in bytes.
	SHA256 string
	Size   int64
	// RequiresPython is METADATA's field, "" when there is none.
	RequiresPython string
	// MetadataSHA256 is the digest of the METADATA member, hex; "" when no
	// METADATA file lies beside the wheel.
	MetadataSHA256 string
	// URL is the wheel's absolute address; "" for one in FilesFolder.
	URL string
	// Yanked is set when installers should pass the file over unless it is
	// asked for by its exact version (PEP 592); Reason may say why.
	Yanked bool
	Reason string

	// Payload is the digest of what the wheel installs (wheel.Payload); "" for
	// one that was only read from a page.
	Payload string

	// path is where the wheel lies on this machine, "" when it does not.
	path string
	// provenance is where its SLSA statement lies, "" when there is none.
	provenance string
	// metadata is the METADATA member where the wheel was read.
	metadata []byte
}

// FromWheel reads what an index says of a wheel. The error names the file when
// its name is no wheel's or its metadata cannot be read.
func FromWheel(path string) (*File, error) {
	base := filepath.Base(path)
	name, err := wheel.ParseName(base)
	if err != nil {
		return nil, err
	}
	archive, err := wheel.Open(path)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	meta, err := wheel.ReadMeta(archive)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", base, err)
	}
	if wheel.NormalizeProject(meta.Project) != wheel.NormalizeProject(name.Distribution) {
		return nil, fmt.Errorf("%s: METADATA is that of %s; audit the wheel before it is published", base, meta.Project)
	}
	metadata, err := archive.Member(meta.DistInfo + "/METADATA").Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", base, err)
	}
	file := &File{
		Name: base, Project: wheel.NormalizeProject(name.Distribution), Version: name.Version,
		MetadataSHA256: sum(metadata), path: path, metadata: metadata,
	}
	if member := archive.Member(meta.DistInfo + "/RECORD"); member != nil {
		record, err := member.Read()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", base, err)
		}
		entries, err := wheel.ParseRecord(record)
		if err != nil {
			return nil, fmt.Errorf("%s: RECORD: %w", base, err)
		}
		file.Payload = wheel.Payload(entries)
	}
	if values := meta.Headers.Values("Requires-Python"); len(values) > 0 {
		file.RequiresPython = values[0]
	}
	file.SHA256, file.Size, err = digest(path)
	return file, err
}

// address is the wheel's address on a page that lies up folders below the
// site's root: relative, or absolute where the wheel lies elsewhere. A "+" is
// percent-encoded, since some servers take it for a space.
func (f *File) address(up string) string {
	if f.URL != "" {
		return f.URL
	}
	return up + FilesFolder + "/" + Escape(f.Name)
}

// Escape percent-encodes a file name for an address, "+" too.
func Escape(name string) string {
	// A query's encoding differs from a path's in the space alone, which no
	// wheel's name has.
	return url.QueryEscape(name)
}

// Beside lists the files that go where the wheel goes: METADATA and the
// provenance, by the name that they have there.
func (f *File) Beside() (map[string][]byte, error) {
	beside := map[string][]byte{}
	if f.metadata != nil {
		beside[f.Name+MetadataSuffix] = f.metadata
	}
	if f.provenance != "" {
		data, err := os.ReadFile(f.provenance)
		if err != nil {
			return nil, err
		}
		beside[f.Name+ProvenanceSuffix] = data
	}
	return beside, nil
}

// Path is where the wheel lies on this machine, "" when it does not.
func (f *File) Path() string { return f.path }

func sum(data []byte) string {
	digest := sha256.Sum256(data)
	return hex.EncodeToString(digest[:])
}

func digest(path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	hash := sha256.New()
	size, err = io.Copy(hash, f)
	return hex.EncodeToString(hash.Sum(nil)), size, err
}
