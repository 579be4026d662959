// Command action is patch as the build runs it, without what works on pins (go/cmd/patch/command says why).
package main

import (
	"os"

	"github.com/sparkwheels/sparkwheels/go/cmd/patch/command"
)

func main() { os.Exit(command.Run(os.Args[1:], os.Stdout, os.Stderr, nil)) }
