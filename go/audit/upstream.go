package audit

import (
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/elf"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// acceptsUpstream tells whether one of the platform tags of an upstream wheel
// is good for the policy's platform: a tag of the policy, "any", or a manylinux
// tag of the same machine that promises to need no newer glibc. Upstream's
// wheels carry several tags at once (PEP 425), and older ones than ours.
func (a *auditor) acceptsUpstream(platforms []string) bool {
	return slices.ContainsFunc(platforms, func(platform string) bool {
		if platform == wheel.AnyPlatform || slices.Contains(a.policy.Tags, platform) {
			return true
		}
		glibc := wheel.ManylinuxGlibc(platform)
		return glibc != "" && slices.ContainsFunc(a.policy.Tags, func(tag string) bool {
			return strings.HasSuffix(platform, "_"+a.policy.Machine) && elf.CompareNumbers(glibc, wheel.ManylinuxGlibc(tag)) <= 0
		})
	})
}
