// Command ccdriver is the gcc-like compiler driver of package ccdriver.
package main

import (
	"os"

	"github.com/sparkwheels/sparkwheels/go/ccdriver"
)

func main() { os.Exit(ccdriver.Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) }
