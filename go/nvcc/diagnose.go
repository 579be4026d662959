package nvcc

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// dropped are parts of the warnings with which nvcc says that it does not do
// what it was asked for.
var dropped = []string{
	"will be ignored",
	"is ignored",
	"incompatible redefinition",
	"is not supported with the configured host compiler",
}

// diagnoser passes nvcc's messages on and remembers those that a careful build
// must not overlook.
type diagnoser struct {
	to    io.Writer
	rest  []byte
	found []string
}

func (d *diagnoser) Write(p []byte) (int, error) {
	d.rest = append(d.rest, p...)
	for {
		line, rest, ok := bytes.Cut(d.rest, []byte("\n"))
		if !ok {
			break
		}
		d.rest = rest
		d.line(string(line))
	}
	return d.to.Write(p)
}

func (d *diagnoser) line(line string) {
	if !strings.HasPrefix(line, "nvcc warning") {
		return
	}
	for _, part := range dropped {
		if strings.Contains(line, part) {
			d.found = append(d.found, line)
			return
		}
	}
}

// problem is an error if nvcc dropped a flag.
func (d *diagnoser) problem() error {
	d.line(string(d.rest))
	if len(d.found) == 0 {
		return nil
	}
	return fmt.Errorf("nvcc did not do what a flag asks for, and only warned: %s; correct the target's copts", strings.Join(d.found, "; "))
}
