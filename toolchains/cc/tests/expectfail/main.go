// Command expectfail runs a command that must fail and say why.
//
//	expectfail --message TEXT --out FILE -- COMMAND ARGUMENTS...
//
// It writes what the command said to FILE. Exit codes: 0 the command failed and
// its output holds TEXT; 1 it did not.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

func main() {
	message := flag.String("message", "", "text that the output of the command must hold")
	out := flag.String("out", "", "file for the output of the command")
	flag.Parse()
	if err := run(*message, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "expectfail:", err)
		os.Exit(1)
	}
}

func run(message, out string, command []string) error {
	if message == "" || out == "" || len(command) == 0 {
		return errors.New("--message, --out and a command are needed")
	}
	output, err := exec.Command(command[0], command[1:]...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return fmt.Errorf("the command succeeded: %s", strings.Join(command, " "))
	case !errors.As(err, &exit):
		return err
	case !strings.Contains(string(output), message):
		return fmt.Errorf("the command failed without saying %q:\n%s", message, output)
	}
	return os.WriteFile(out, output, 0o644)
}
