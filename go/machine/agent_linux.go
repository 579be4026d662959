package machine

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
)

// becomeAgent runs as the machine's user and does what requests say until there are no more.
func becomeAgent() error {
	requests := json.NewDecoder(os.NewFile(requestFd, "requests"))
	answers := json.NewEncoder(os.NewFile(answerFd, "answers"))
	links := map[int]*forwarder{}
	if err := answers.Encode(answer{Ready: true}); err != nil {
		return err
	}
	for {
		var r request
		if requests.Decode(&r) != nil {
			return nil
		}
		var a answer
		if r.Link != nil {
			f, ok := links[r.Link.Port]
			if !ok {
				f = &forwarder{}
				links[r.Link.Port] = f
			}
			if err := f.set(*r.Link); err != nil {
				a.Err = err.Error()
			}
		} else {
			a = program(r)
		}
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
}

func program(r request) answer {
	// A file, not a pipe: Bazel's server would keep a pipe open.
	output, err := os.CreateTemp("", "output-")
	if err != nil {
		return answer{Err: err.Error()}
	}
	defer os.Remove(output.Name())
	defer output.Close()
	cmd := exec.Command(r.Args[0], r.Args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.Dir, r.Env, output, output
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return answer{Err: err.Error()}
	}
	text, err := os.ReadFile(output.Name())
	if err != nil {
		return answer{Err: err.Error()}
	}
	return answer{Result: Result{Output: string(bytes.ToValidUTF8(text, nil)), Code: cmd.ProcessState.ExitCode()}}
}
