// Command doctor tells whether this machine can use the wheels, and build them.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/audit"
	"github.com/sparkwheels/sparkwheels/go/cachestat"
	"github.com/sparkwheels/sparkwheels/go/command"
	"github.com/sparkwheels/sparkwheels/go/doctor"
	"github.com/sparkwheels/sparkwheels/go/execlog"
	"github.com/sparkwheels/sparkwheels/go/index"
	rules "github.com/sparkwheels/sparkwheels/wheels/policy"
)

const long = `doctor asks this machine what the wheels and their builds need to know: the
architecture of Windows and of Python, NVIDIA's driver and GPU, Visual C++, disk,
memory, and settings of Windows and git. It changes nothing.

With --venv and --set it also holds what is installed in an environment against
a set.json: whether the files are those of the set's wheels, whether every DLL
that they load is there, and whether they have code for the GPU.

With --device-code it tells whether nvcc with Visual C++ could compile the
kernels of a wheel, library, object file, .fatbin or .ptx.

docs/doctor.md lists the checks.

Exit codes:
  0  no problem; notes do not count
  1  a problem was found
  2  the command line is wrong
  3  the set, the environment or the device code cannot be read`

// largestCompile is the peak of flash-attn's backward kernels, the largest of
// the plan, with room beside it.
const largestCompile = 8 << 30

func main() {
	command.Main(func(args []string) int { return run(args, os.Stdout, os.Stderr, doctor.System()) })
}

// answer is the JSON output.
type answer struct {
	Facts    *doctor.Facts    `json:"facts"`
	Findings []doctor.Finding `json:"findings"`
}

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stdout, stderr io.Writer, probe *doctor.Probe) int {
	var venv, set, cache, log string
	var deviceCode []string
	var asJSON bool
	root := &cobra.Command{
		Use: "doctor [--venv DIR --set set.json] [--remote-cache URL] [--execution-log FILE] [--device-code FILE] [--json]", Short: "Tell whether this machine can use and build the wheels", Long: long,
		Args: cobra.NoArgs, DisableFlagsInUseLine: true,
		PreRunE: func(*cobra.Command, []string) error {
			if (venv == "") != (set == "") {
				return fmt.Errorf("--venv and --set belong together: the set says what should be installed")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			facts := doctor.Gather(cmd.Context(), probe, cache)
			if log != "" {
				hits, err := readHits(log)
				if err != nil {
					return err
				}
				facts.Hits = hits
			}
			findings := doctor.Judge(facts, largestCompile)
			if venv != "" {
				more, err := checkVenv(venv, set, facts)
				if err != nil {
					return err
				}
				findings = append(findings, more...)
			}
			for _, file := range deviceCode {
				more, err := doctor.DeviceCode(file)
				if err != nil {
					return err
				}
				findings = append(findings, more...)
			}
			if asJSON {
				encoder := json.NewEncoder(stdout)
				encoder.SetEscapeHTML(false)
				encoder.SetIndent("", "  ")
				if err := encoder.Encode(answer{facts, findings}); err != nil {
					return err
				}
			} else {
				for _, finding := range findings {
					fmt.Fprintln(stdout, finding)
				}
			}
			if doctor.Problems(findings) > 0 {
				return command.Quiet
			}
			return nil
		},
	}
	f := root.Flags()
	f.StringVar(&venv, "venv", "", "virtual environment to look at")
	f.StringVar(&set, "set", "", "set.json of the index that was installed from")
	f.StringVar(&cache, "remote-cache", "", "address of Bazel's remote cache, if builds use one")
	f.StringVar(&log, "execution-log", "", "execution log of the last build (--config=log writes execution.log): count what caches did for it")
	f.StringArrayVar(&deviceCode, "device-code", nil, "wheel, library, object file, .fatbin or .ptx whose kernels Visual C++ should be able to pass parameters to; may be given again")
	f.BoolVar(&asJSON, "json", false, "print the facts and the findings as JSON")
	return command.Run(root, args, stdout, stderr)
}

// readHits counts what caches did for a build.
func readHits(file string) (*doctor.Hits, error) {
	log, err := execlog.Open(file)
	if err != nil {
		return nil, err
	}
	total := cachestat.Summarize(log, nil, 0).Total
	return &doctor.Hits{Cached: total.Hits, Remote: total.RemoteHits, Ran: total.Ran() - total.Uncacheable}, nil
}

func checkVenv(venv, file string, facts *doctor.Facts) ([]doctor.Finding, error) {
	set, err := index.ReadSet(file)
	if err != nil {
		return nil, err
	}
	policies := map[string]*audit.Policy{}
	for _, platform := range []string{"linux_aarch64", "win_arm64"} {
		data, err := rules.Files.ReadFile(platform + ".json")
		if err != nil {
			return nil, err
		}
		if policies[platform], err = audit.ParsePolicy(platform, data); err != nil {
			return nil, err
		}
	}
	return doctor.Venv(venv, set, policies, facts.GPUs)
}
