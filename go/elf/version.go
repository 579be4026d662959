package elf

import (
	"cmp"
	"strconv"
	"strings"
)

// SplitVersion takes a symbol version such as GLIBC_2.28 apart. Versions
// without a number, such as GLIBC_PRIVATE or GLIBC_ABI_DT_RELR, have number "".
func SplitVersion(version string) (family, number string) {
	at := strings.LastIndexByte(version, '_')
	if at < 0 || at+1 == len(version) || version[at+1] < '0' || version[at+1] > '9' {
		return version, ""
	}
	return version[:at], version[at+1:]
}

// CompareNumbers compares dotted numbers, so that 2.4 < 2.28.
func CompareNumbers(a, b string) int {
	for a != "" || b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		m, errX := strconv.Atoi(x)
		n, errY := strconv.Atoi(y)
		c := cmp.Compare(m, n)
		if errX != nil || errY != nil {
			c = strings.Compare(x, y)
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// CompareVersions orders symbol versions by family and then by number.
func CompareVersions(a, b string) int {
	familyA, numberA := SplitVersion(a)
	familyB, numberB := SplitVersion(b)
	if c := strings.Compare(familyA, familyB); c != 0 {
		return c
	}
	if c := CompareNumbers(numberA, numberB); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// Floor gives the highest number of one family that any library is asked for,
// such as 2.28 for GLIBC, or "" when none is.
func (i *Image) Floor(family string) string {
	floor := ""
	for _, versions := range i.Versions {
		for _, version := range versions {
			f, number := SplitVersion(version)
			if f == family && (floor == "" || CompareNumbers(number, floor) > 0) {
				floor = number
			}
		}
	}
	return floor
}
