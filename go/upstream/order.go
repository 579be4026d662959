package upstream

import (
	"strconv"
	"strings"

	pep440 "github.com/aquasecurity/go-pep440-version"
)

// Compare orders two versions: by PEP 440 where both are such versions, else by their numbers and letters, part by part. The
// result is negative, zero or positive.
func Compare(a, b string) int {
	va, errA := pep440.Parse(a)
	vb, errB := pep440.Parse(b)
	if errA == nil && errB == nil {
		return va.Compare(vb)
	}
	return compareParts(parts(a), parts(b))
}

// PreRelease tells whether a version is a pre-release: by PEP 440, or for other versions, as of crates, by a dash.
func PreRelease(version string) bool {
	if v, err := pep440.Parse(version); err == nil {
		return v.IsPreRelease()
	}
	return strings.ContainsAny(version, "-") || strings.Contains(version, "rc")
}

func parts(version string) []string {
	return strings.FieldsFunc(version, func(r rune) bool { return strings.ContainsRune(".-_+", r) })
}

func compareParts(a, b []string) int {
	for i := 0; i < max(len(a), len(b)); i++ {
		switch {
		case i >= len(a):
			return -1
		case i >= len(b):
			return 1
		}
		x, errX := strconv.Atoi(a[i])
		y, errY := strconv.Atoi(b[i])
		c := strings.Compare(a[i], b[i])
		switch {
		case errX == nil && errY == nil:
			c = x - y
		case errX == nil: // a number is newer than a word: 1.0.1 and 1.0.rc1
			c = 1
		case errY == nil:
			c = -1
		}
		if c != 0 {
			return c
		}
	}
	return 0
}
