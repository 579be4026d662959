package command_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/command"
)

func TestRun(t *testing.T) {
	for _, test := range []struct {
		name   string
		args   []string
		err    error
		code   int
		stderr string
	}{
		{"fine", []string{"sub", "--need", "x"}, nil, command.OK, ""},
		{"failure", []string{"sub", "--need", "x"}, errors.New("disk on fire"), command.Failed, "tool: disk on fire\n"},
		{"finding", []string{"sub", "--need", "x"}, command.Finding{Err: errors.New("it is bad")}, command.Found, "tool: it is bad\n"},
		{"quiet finding", []string{"sub", "--need", "x"}, command.Quiet, command.Found, ""},
		{"no command", nil, nil, command.Usage, "tool: say which command (see tool --help)\n"},
		{"unknown command", []string{"bus"}, nil, command.Usage, "tool: there is no command \"bus\" (see tool --help)\n"},
		{"missing flag", []string{"sub"}, nil, command.Usage, "tool: required flag(s) \"need\" not set (see tool --help)\n"},
		{"unknown flag", []string{"sub", "--no"}, nil, command.Usage, "tool: unknown flag: --no (see tool --help)\n"},
		{"argument too many", []string{"sub", "--need", "x", "y"}, nil, command.Usage, "tool: unknown command \"y\" for \"tool sub\" (see tool --help)\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := &cobra.Command{Use: "tool"}
			sub := &cobra.Command{Use: "sub", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error { return test.err }}
			sub.Flags().String("need", "", "")
			sub.MarkFlagRequired("need")
			root.AddCommand(sub)
			var stderr bytes.Buffer
			code := command.Run(root, test.args, &bytes.Buffer{}, &stderr)
			if diff := cmp.Diff(test.stderr, stderr.String()); diff != "" || code != test.code {
				t.Errorf("exit code %d, want %d; stderr (-want +got):\n%s", code, test.code, diff)
			}
		})
	}
}
