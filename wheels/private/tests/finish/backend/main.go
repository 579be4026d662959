// Command backend writes a win_arm64 wheel such as a PEP 517 back end leaves:
// right in its contents, but neither packed nor tagged as declared.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/sparkwheels/sparkwheels/go/pe/petest"
	"github.com/sparkwheels/sparkwheels/go/stage"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

func main() {
	err := stage.Stream(os.Args[1], func(out io.Writer) error {
		return wheel.Write(out, "Fast-1.0.dist-info", []wheel.Source{
			wheel.Bytes("fast/_c.cp312-win_arm64.pyd", petest.Module("PyInit__c").Bytes()),
			wheel.Bytes("Fast-1.0.dist-info/METADATA", []byte("Metadata-Version: 2.1\nName: Fast\nVersion: 1.0\n")),
			wheel.Bytes("Fast-1.0.dist-info/WHEEL", []byte("Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: cp312-cp312-win_arm64\n")),
		})
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
