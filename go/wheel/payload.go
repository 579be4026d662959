package wheel

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Payload gives one digest, hex, for what a wheel installs, from RECORD's
// entries: the same for the wheel and for its installation. Files that
// installers make, move or rewrite do not count: .dist-info, .data, scripts,
// and compiled .pyc.
func Payload(entries []RecordEntry) string {
	var lines []string
	for _, entry := range entries {
		top, _, _ := strings.Cut(entry.Path, "/")
		switch {
		case strings.HasSuffix(top, ".dist-info"), strings.HasSuffix(top, ".data"), top == "..", strings.HasSuffix(entry.Path, ".pyc"):
		default:
			lines = append(lines, entry.Path+" "+entry.Hash+"\n")
		}
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "")))
	return hex.EncodeToString(sum[:])
}
