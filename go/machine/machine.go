// Package machine makes isolated machines out of this one, for tests of what goes from one machine to another.
//
// The primary type is Machine: mount, process, IPC, UTS, user and, unless Spec.Network is set, network namespaces, with a
// user, host name, up-time clock and environment of its own. Its life: Start makes it, Run runs programs in it one after
// the other while what they leave behind (Bazel's server) lives on, and Close ends every process in it. The only way
// out of it is a Link: a port on its own loopback that leads to one Unix socket of this machine, and which can be cut
// or throttled at any time. Linux only; root rights are not needed.
package machine

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// Spec is what a machine is like.
type Spec struct {
	// Host is its name.
	Host string
	// User is the numeric user that programs run as.
	User int
	// Env is the whole environment of programs, besides what Run adds.
	Env []string
	// Network leaves the machine in this one's network; links then need ports that are free here.
	Network bool
	// Overlays show folders of this machine at other, existing places; what is changed there stays in memory.
	Overlays []Overlay
	// Uptime is added to the time since start-up that programs see, in seconds.
	Uptime int
	// Scratch is an empty folder to mount things in.
	Scratch string
}

// Overlay is one folder shown at another place.
type Overlay struct{ Lower, Target string }

// Link is a port of the machine.
type Link struct {
	// Port on 127.0.0.1 in the machine.
	Port int
	// Socket is the path of the Unix socket that it leads to; "" cuts the link: open connections end, new ones are
	// refused.
	Socket string
	// Rate is how many bytes a second go through in each direction, over all connections; 0 is no limit.
	Rate int
}

// Result is how a program ended.
type Result struct {
	// Output is what it wrote to its standard output and error.
	Output string
	// Code is its exit status, or -1 if a signal ended it.
	Code int
}

// Unavailable is why this machine can make no others.
type Unavailable struct{ Reason string }

func (u *Unavailable) Error() string { return "no isolated machines can be made here: " + u.Reason }

// request is one line to the machine; answer is one line back.
type request struct {
	// Args, Dir and Env start a program.
	Args []string `json:",omitempty"`
	Dir  string   `json:",omitempty"`
	Env  []string `json:",omitempty"`
	// Link opens, changes or cuts a link.
	Link *Link `json:",omitempty"`
}

type answer struct {
	Result
	Err string
	// Ready is the first line, once the machine is there.
	Ready bool
}

// Machine is a running machine. Its methods may not be called at the same time.
type Machine struct {
	spec  Spec
	in    io.WriteCloser
	out   *json.Decoder
	close func() error
}

// Run runs the program in dir with env added to the machine's, to its end. That it fails is no error.
func (m *Machine) Run(dir string, env []string, args ...string) (*Result, error) {
	return m.ask(request{Args: args, Dir: dir, Env: append(append([]string{}, m.spec.Env...), env...)})
}

// Connect opens, changes or cuts a link.
func (m *Machine) Connect(l Link) error {
	_, err := m.ask(request{Link: &l})
	return err
}

// Close ends the machine and everything in it.
func (m *Machine) Close() error { return m.close() }

func (m *Machine) ask(r request) (*Result, error) {
	if err := json.NewEncoder(m.in).Encode(r); err != nil {
		return nil, fmt.Errorf("machine %s: %w", m.spec.Host, err)
	}
	var a answer
	if err := m.out.Decode(&a); err != nil {
		return nil, fmt.Errorf("machine %s ended: %w", m.spec.Host, err)
	}
	if a.Err != "" {
		return nil, fmt.Errorf("machine %s: %s", m.spec.Host, a.Err)
	}
	return &a.Result, nil
}

// Environment is the variables of this process that make downloads work, for Spec.Env of a machine with Spec.Network.
func Environment() []string {
	var out []string
	for _, name := range strings.Fields("PIP_INDEX_URL PIP_CERT GOPROXY SSL_CERT_FILE http_proxy https_proxy no_proxy") {
		if value, ok := os.LookupEnv(name); ok {
			out = append(out, name+"="+value)
		}
	}
	return out
}
