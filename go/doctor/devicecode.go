package doctor

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/fatbin"
	"github.com/sparkwheels/sparkwheels/go/native"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// refusedAlign is the alignment from which on Visual C++ refuses a parameter
// that is passed by value: error C2719, which is documented without a number.
// CUtensorMap passed until CUDA 13 raised its 64 bytes to 128
// (flash-attention's issue 2009, vllm-windows's issue 41).
const refusedAlign = 128

// verdict says whether Visual C++ refuses a kernel.
type verdict struct {
	// param counts from 1; 0 is a kernel that it takes.
	param, align int
	// certain is false where machine code alone is there, which does not say
	// how a parameter is aligned, and the parameter lies as if it were.
	certain bool
}

// DeviceCode tells whether nvcc with Visual C++ as its host compiler would take
// the kernels of a file: a wheel, a library, an object file, a .fatbin or PTX.
// The error says that the file cannot be read as any of them.
func DeviceCode(file string) ([]Finding, error) {
	if strings.HasSuffix(file, ".whl") {
		return deviceCodeOfWheel(file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	verdicts := map[string]verdict{}
	if strings.HasSuffix(file, ".ptx") {
		err = judgeKernels(verdicts, fatbin.Entry{Kind: fatbin.PTX}, data)
	} else {
		err = judgeImage(verdicts, data)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return deviceCodeFindings(file, verdicts), nil
}

func deviceCodeOfWheel(file string) ([]Finding, error) {
	archive, err := wheel.Open(file)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	verdicts := map[string]verdict{}
	for _, member := range archive.Members {
		if native.Suffix(path.Base(member.Name)) == native.None {
			continue
		}
		data, err := member.Read()
		if err == nil {
			err = judgeImage(verdicts, data)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, member.Name, err)
		}
	}
	return deviceCodeFindings(file, verdicts), nil
}

// judgeImage adds the verdicts on all kernels of a binary.
func judgeImage(verdicts map[string]verdict, data []byte) error {
	image, err := fatbin.Parse(data)
	if err != nil {
		return err
	}
	for _, entry := range image.Entries {
		if entry.Kind != fatbin.PTX && entry.Kind != fatbin.Cubin {
			continue
		}
		payload, err := entry.Payload(data)
		if err == nil {
			err = judgeKernels(verdicts, entry, payload)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// judgeKernels adds the verdicts on an entry's kernels. What PTX says of a
// kernel counts more than what machine code leaves open.
func judgeKernels(verdicts map[string]verdict, entry fatbin.Entry, payload []byte) error {
	kernels, err := entry.Kernels(payload)
	if err != nil {
		return err
	}
	for _, kernel := range kernels {
		before, known := verdicts[kernel.Name]
		if now := judgeKernel(kernel); !known || now.certain && !before.certain {
			verdicts[kernel.Name] = now
		}
	}
	return nil
}

func judgeKernel(kernel fatbin.Kernel) verdict {
	guess := verdict{certain: true}
	end := 0
	for i, param := range kernel.Params {
		switch {
		case param.Align >= refusedAlign:
			return verdict{i + 1, param.Align, true}
		// No smaller alignment leaves so large a gap.
		case param.Align == 0 && param.Offset-end >= refusedAlign/2:
			return verdict{i + 1, refusedAlign, true}
		case param.Align == 0 && param.Size > 0 && (param.Size|param.Offset)%refusedAlign == 0 && guess.param == 0:
			guess = verdict{i + 1, refusedAlign, false}
		}
		end = param.Offset + param.Size
	}
	return guess
}

// deviceCodeFindings makes at most two findings of all verdicts on a file.
func deviceCodeFindings(file string, verdicts map[string]verdict) []Finding {
	const name = "msvc-kernels"
	var refused, open []string
	for kernel, v := range verdicts {
		switch line := fmt.Sprintf("%s (parameter %d, %d bytes)", kernel, v.param, v.align); {
		case v.param == 0:
		case v.certain:
			refused = append(refused, line)
		default:
			open = append(open, line)
		}
	}
	const why = "Visual C++ refuses a parameter that is aligned to 128 bytes (error C2719 in nvcc's stub), so nvcc with cl.exe cannot compile these sources; clang, which compiles the wheels here, can"
	var findings []Finding
	if refused != nil {
		findings = append(findings, Finding{name, Problem, fmt.Sprintf("%s: kernels take by value what is aligned to 128 bytes or more: %s", file, some(refused)),
			why, "pass a pointer to it in device memory, or build with the toolchain of toolchains/cuda for the mingw ABI"})
	}
	if open != nil {
		findings = append(findings, Finding{name, Note, fmt.Sprintf("%s: kernels may take by value what is aligned to 128 bytes: %s", file, some(open)),
			why + ". Machine code does not say how parameters are aligned", "compile with PTX, too (archs with compute_NNN), and ask again"})
	}
	if findings == nil {
		findings = []Finding{{Name: name, Level: OK, What: fmt.Sprintf("%s: Visual C++ could pass the parameters of all %d kernels", file, len(verdicts))}}
	}
	return findings
}

// some lists the first few, sorted, and how many more there are.
func some(names []string) string {
	const most = 4
	slices.Sort(names)
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
