package loader_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sparkwheels/sparkwheels/go/doctor"
	"github.com/sparkwheels/sparkwheels/go/guest"
	"github.com/sparkwheels/sparkwheels/go/loader"
)

// TestDoctor runs doctor.exe, which asks Windows itself: its calls and the
// registry are Wine's there.
func TestDoctor(t *testing.T) {
	w, err := loader.New(t.Context(), open(t), input(t, "HOST"))
	if err != nil {
		t.Fatal(err)
	}
	program := input(t, "DOCTOR")
	result, err := w.Run(t.Context(), guest.Command{
		Args:    []string{"/doctor/" + filepath.Base(program), "--json"},
		Mounts:  []guest.Mount{{Source: filepath.Dir(program), Target: "/doctor"}},
		Timeout: 3 * time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(result.Output, "{")
	var answer struct {
		Facts    doctor.Facts
		Findings []doctor.Finding
	}
	if err := json.NewDecoder(strings.NewReader("{" + text)).Decode(&answer); !found || err != nil {
		t.Fatalf("exit code %d, %v:\n%s", result.ExitCode, err, result.Output)
	}
	facts := answer.Facts
	t.Logf("%+v", facts)
	if facts.OS != "windows" || facts.Arch != "arm64" || facts.Memory == 0 || facts.Disk == 0 {
		t.Errorf("facts of Windows on ARM: %+v", facts)
	}
	levels := map[string]doctor.Level{}
	for _, finding := range answer.Findings {
		levels[finding.Name] = finding.Level
	}
	if levels["machine"] != doctor.OK || levels["python"] != doctor.Problem || levels["driver"] != doctor.Note {
		t.Errorf("findings %+v", answer.Findings)
	}
	// A problem was found: there is no Python.
	if result.ExitCode != 1 {
		t.Errorf("exit code %d", result.ExitCode)
	}
}
