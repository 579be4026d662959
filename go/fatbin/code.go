package fatbin

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var codePattern = regexp.MustCompile(`^(sm|compute|lto)_([1-9][0-9]{1,3})([af]?)$`)

// ParseCode reads a name such as sm_121, sm_121a, compute_120f or lto_121.
func ParseCode(code string) (Kind, Arch, error) {
	match := codePattern.FindStringSubmatch(code)
	if match == nil {
		return "", Arch{}, fmt.Errorf("%q is no code: use sm_NNN for machine code or compute_NNN for PTX, with a or f behind it where nvcc had it, such as sm_121 or sm_121a", code)
	}
	number, err := strconv.ParseUint(match[2], 10, 32)
	if err != nil {
		return "", Arch{}, err
	}
	for kind, prefix := range prefixes {
		if strings.TrimSuffix(prefix, "_") == match[1] {
			return kind, Arch{uint32(number), match[3]}, nil
		}
	}
	return "", Arch{}, fmt.Errorf("%q has no kind", code) // the pattern has no other
}
