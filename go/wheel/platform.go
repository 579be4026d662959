package wheel

import (
	"regexp"
	"strings"
)

// AnyPlatform is the platform tag of wheels without native members.
const AnyPlatform = "any"

var linuxTag = regexp.MustCompile(`^(?:linux|manylinux(?:1|2010|2014|_[0-9]+_[0-9]+))_(.+)$`)

// family gives the part of a platform tag that a retag must keep: the system
// and the architecture, not the libc that it promises.
func family(platform string) string {
	if m := linuxTag.FindStringSubmatch(platform); m != nil {
		return "linux_" + m[1]
	}
	return platform
}

// sameFamily tells whether every platform of one set has the family of every
// platform of the other.
func sameFamily(from, to []string) bool {
	for _, a := range from {
		for _, b := range to {
			if family(a) != family(b) {
				return false
			}
		}
	}
	return true
}

// ManylinuxGlibc gives the glibc version that a platform tag promises to be
// content with, such as 2.28 for manylinux_2_28_aarch64 (PEP 600), and "" for
// a tag that promises none.
func ManylinuxGlibc(platform string) string {
	for prefix, version := range map[string]string{
		"manylinux1_": "2.5", "manylinux2010_": "2.12", "manylinux2014_": "2.17",
	} {
		if strings.HasPrefix(platform, prefix) {
			return version
		}
	}
	parts := strings.SplitN(platform, "_", 4)
	if len(parts) == 4 && parts[0] == "manylinux" {
		return parts[1] + "." + parts[2]
	}
	return ""
}
