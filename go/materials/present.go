package materials

import (
	"bytes"
	"slices"

	"github.com/sparkwheels/sparkwheels/go/native"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// Present gives those of the components that the wheel's native members hold,
// by their markers. The error is that of a member that cannot be read.
func Present(archive *wheel.Archive, components []Component) ([]Component, error) {
	found := make([]bool, len(components))
	for _, member := range archive.Members {
		head, err := member.Head(64 << 10)
		if err != nil {
			return nil, err
		}
		if native.Sniff(head) == native.None {
			continue
		}
		data, err := member.Read()
		if err != nil {
			return nil, err
		}
		for i, component := range components {
			found[i] = found[i] || len(component.Markers) == 0 ||
				slices.ContainsFunc(component.Markers, func(marker string) bool { return bytes.Contains(data, []byte(marker)) })
		}
	}
	var present []Component
	for i, component := range components {
		if found[i] {
			present = append(present, component)
		}
	}
	return present, nil
}
