// Package wheeltest makes wheels for tests: good ones, and ones that are wrong
// in exactly one way.
package wheeltest

import (
	"archive/zip"
	"bytes"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// File is one entry of a wheel.
type File struct{ Name, Data string }

// Wheel describes a wheel. The zero value of a field stands for a good one.
type Wheel struct {
	// Name is the file name; it decides what METADATA and WHEEL say.
	Name string
	// Files are the members outside .dist-info.
	Files []File
	// Metadata and Info replace METADATA and WHEEL.
	Metadata, Info string
	// RequiresPython is a field of METADATA, left out when "".
	RequiresPython string
	// Record changes RECORD before it is written.
	Record func(record string) string
	// Extra are members that RECORD does not list.
	Extra []File
	// Without leaves the members with these names out, after RECORD is made.
	Without []string
}

// Write writes the wheel into a folder and returns its path.
func (w Wheel) Write(t testing.TB, folder string) string {
	t.Helper()
	name, err := wheel.ParseName(w.Name)
	if err != nil {
		t.Fatal(err)
	}
	dist := name.Stem() + ".dist-info/"
	metadata := w.Metadata
	if metadata == "" {
		metadata = "Metadata-Version: 2.1\nName: " + strings.ReplaceAll(name.Distribution, "_", "-") + "\nVersion: " + name.Version + "\n"
		if w.RequiresPython != "" {
			metadata += "Requires-Python: " + w.RequiresPython + "\n"
		}
		metadata += "\nA description.\n"
	}
	info := w.Info
	if info == "" {
		info = "Wheel-Version: 1.0\nGenerator: test (1)\nRoot-Is-Purelib: false\n"
		for _, tag := range name.Tags() {
			info += "Tag: " + tag.String() + "\n"
		}
	}
	files := append([]File{}, w.Files...)
	files = append(files, File{dist + "METADATA", metadata}, File{dist + "WHEEL", info})
	var entries []wheel.RecordEntry
	for _, file := range files {
		entries = append(entries, wheel.RecordEntry{Path: file.Name, Hash: wheel.Hash([]byte(file.Data)), Size: int64(len(file.Data))})
	}
	entries = append(entries, wheel.RecordEntry{Path: dist + "RECORD", Size: -1})
	record := string(wheel.FormatRecord(entries))
	if w.Record != nil {
		record = w.Record(record)
	}
	files = append(files, w.Extra...)
	files = append(files, File{dist + "RECORD", record})
	var kept []File
	for _, file := range files {
		if !slices.Contains(w.Without, file.Name) {
			kept = append(kept, file)
		}
	}
	return WriteZip(t, filepath.Join(folder, w.Name), kept)
}

// WriteZip writes a zip file as most back ends do: sizes in the local headers,
// no data descriptors.
func WriteZip(t testing.TB, path string, files []File) string {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, file := range files {
		raw := []byte(file.Data)
		header := &zip.FileHeader{Name: file.Name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(raw), UncompressedSize64: uint64(len(raw)), CompressedSize64: uint64(len(raw))}
		header.SetMode(0o644)
		w, err := archive.CreateRaw(header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(raw); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Edit changes the bytes of a file.
func Edit(t testing.TB, path string, change func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(data), 0o644); err != nil {
		t.Fatal(err)
	}
}
