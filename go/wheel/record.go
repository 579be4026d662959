package wheel

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"strconv"
)

// RecordEntry is one line of a RECORD file.
type RecordEntry struct {
	// Path is the member's name.
	Path string
	// Hash is algorithm=digest, as Hash makes it; "" for RECORD itself.
	Hash string
	// Size is the member's length, -1 where the line gives none.
	Size int64
}

// Hash gives the digest of RECORD files: sha256, URL-safe base64, no padding.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:])
}

// ParseRecord reads a RECORD file. The error names the line.
func ParseRecord(data []byte) ([]RecordEntry, error) {
	reader := csv.NewReader(bytes.NewReader(data))
	reader.FieldsPerRecord = 3
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, err
	}
	entries := make([]RecordEntry, len(rows))
	for i, row := range rows {
		entry := RecordEntry{Path: row[0], Hash: row[1], Size: -1}
		if row[2] != "" {
			if entry.Size, err = strconv.ParseInt(row[2], 10, 64); err != nil || entry.Size < 0 {
				return nil, fmt.Errorf("record on line %d: %q is no size", i+1, row[2])
			}
		}
		entries[i] = entry
	}
	return entries, nil
}

// FormatRecord renders a RECORD file, lines in the order of the entries.
func FormatRecord(entries []RecordEntry) []byte {
	var out bytes.Buffer
	writer := csv.NewWriter(&out)
	for _, entry := range entries {
		size := ""
		if entry.Size >= 0 {
			size = strconv.FormatInt(entry.Size, 10)
		}
		// A bytes.Buffer takes everything, so that there is no error.
		writer.Write([]string{entry.Path, entry.Hash, size})
	}
	writer.Flush()
	return out.Bytes()
}
