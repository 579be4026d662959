package wheel

import (
	"bytes"
	"fmt"
	"strings"
)

// Info is the content of a WHEEL file.
type Info struct {
	// Version is the format's version, 1.0.
	Version string
	// Generator names the back end.
	Generator string
	// Purelib is Root-Is-Purelib: whether the wheel goes to purelib.
	Purelib bool
	// Tags are the expanded tags in the order of the file.
	Tags []string
	// Build is the build tag, or "".
	Build string
	// Extra are fields that the specification does not know.
	Extra Headers
}

// ParseInfo reads a WHEEL file. The error says which field is wrong.
func ParseInfo(data []byte) (Info, error) {
	headers, err := ParseHeaders(data)
	if err != nil {
		return Info{}, err
	}
	var info Info
	if info.Version, err = headers.One("Wheel-Version"); err != nil {
		return Info{}, err
	}
	if major, _, _ := strings.Cut(info.Version, "."); major != "1" {
		return Info{}, fmt.Errorf("has Wheel-Version %s, and only 1.x is known", info.Version)
	}
	purelib, err := headers.One("Root-Is-Purelib")
	if err != nil {
		return Info{}, err
	}
	switch strings.ToLower(purelib) {
	case "true":
		info.Purelib = true
	case "false":
	default:
		return Info{}, fmt.Errorf("has Root-Is-Purelib %q, which is neither true nor false", purelib)
	}
	for _, header := range headers {
		switch strings.ToLower(header.Key) {
		case "wheel-version", "root-is-purelib":
		case "generator":
			info.Generator = header.Value
		case "tag":
			info.Tags = append(info.Tags, header.Value)
		case "build":
			info.Build = header.Value
		default:
			info.Extra = append(info.Extra, header)
		}
	}
	if len(info.Tags) == 0 {
		return Info{}, fmt.Errorf("has no Tag field")
	}
	return info, nil
}

// Bytes renders the WHEEL file, fields in the order that setuptools writes.
func (i Info) Bytes() []byte {
	var out bytes.Buffer
	field := func(key, value string) { fmt.Fprintf(&out, "%s: %s\n", key, value) }
	field("Wheel-Version", i.Version)
	if i.Generator != "" {
		field("Generator", i.Generator)
	}
	field("Root-Is-Purelib", fmt.Sprint(i.Purelib))
	for _, tag := range i.Tags {
		field("Tag", tag)
	}
	if i.Build != "" {
		field("Build", i.Build)
	}
	for _, header := range i.Extra {
		field(header.Key, header.Value)
	}
	return out.Bytes()
}

// tagSets gives back the three sets whose product the tags are. The error
// says that they are no such product, which no file name could express.
func tagSets(tags []string) (python, abi, platform []string, err error) {
	add := func(set *[]string, tag string) {
		for _, known := range *set {
			if known == tag {
				return
			}
		}
		*set = append(*set, tag)
	}
	seen := map[string]bool{}
	for _, tag := range tags {
		parts := strings.Split(tag, "-")
		if len(parts) != 3 {
			return nil, nil, nil, fmt.Errorf("has the tag %q, which is not python-abi-platform", tag)
		}
		// A Tag line may hold compressed sets, although it should not.
		for i, set := range []*[]string{&python, &abi, &platform} {
			for _, one := range strings.Split(parts[i], ".") {
				add(set, one)
			}
		}
		for _, one := range (Name{Python: strings.Split(parts[0], "."), ABI: strings.Split(parts[1], "."), Platform: strings.Split(parts[2], ".")}).Tags() {
			seen[one.String()] = true
		}
	}
	if len(seen) != len(python)*len(abi)*len(platform) {
		return nil, nil, nil, fmt.Errorf("has tags that no file name can express: %s", strings.Join(tags, ", "))
	}
	return python, abi, platform, nil
}
