package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/fatbin"
)

// DeviceReport is what a member holds of one kind of device code.
type DeviceReport struct {
	// Code is the architecture as nvcc's -gencode spells it: sm_121 is machine
	// code and compute_121 PTX.
	Code string `json:"code"`
	// Entries counts the pieces, one for each source, as a rule.
	Entries int `json:"entries"`
	// Stored is their length in the member, in bytes.
	Stored uint64 `json:"stored"`
	// Compressed, Debug and Relocatable count the entries that are so.
	Compressed  int `json:"compressed,omitempty"`
	Debug       int `json:"debug,omitempty"`
	Relocatable int `json:"relocatable,omitempty"`
}

// newDeviceReports counts entries by code, sorted.
func newDeviceReports(image *fatbin.Image) []DeviceReport {
	counts := map[string]*DeviceReport{}
	for _, entry := range image.Entries {
		one := counts[entry.Code]
		if one == nil {
			one = &DeviceReport{Code: entry.Code}
			counts[entry.Code] = one
		}
		one.Entries++
		one.Stored += entry.Stored
		for _, count := range []struct {
			to *int
			is bool
		}{{&one.Compressed, entry.Compression != ""}, {&one.Debug, entry.Debug}, {&one.Relocatable, entry.Relocatable}} {
			if count.is {
				*count.to++
			}
		}
	}
	codes := sortedKeys(counts)
	fatbin.SortCodes(codes)
	var reports []DeviceReport
	for _, code := range codes {
		reports = append(reports, *counts[code])
	}
	return reports
}

const recompile = "compile every .cu of the member with the whole list of archs"

// checkDevice judges a member's device code against the wheel's: what a GPU
// finds at run time, and not what a build script says that it asked for.
func (a *auditor) checkDevice(name string, data []byte, report *NativeReport) {
	image, err := fatbin.Parse(data)
	if err != nil {
		a.add("device-code", name, rebuild, "has device code that cannot be read: %v", err)
		return
	}
	report.Device = newDeviceReports(image)
	host := matches(a.options.HostMembers, name, strings.Clone)
	switch {
	case len(a.options.Device) == 0 && len(image.Entries) > 0 && !a.options.Upstream && !a.options.AnyDevice:
		a.add("device-code", name, "say in sm what it must hold", "holds device code (%s), and the wheel declares none", held(image.Entries))
	case len(a.options.Device) == 0:
	case host && len(image.Entries) > 0:
		a.add("device-code", name, "take it out of host_members", "holds device code (%s), and host_members says that it holds none", held(image.Entries))
	case host:
	case len(image.Entries) == 0:
		a.add("device-code", name, "link the objects of the .cu files in, or name it in host_members if it is host code alone", "holds no device code, and the wheel's sm is %s", strings.Join(a.options.Device, ", "))
	default:
		a.checkCodes(name, image)
	}
}

// checkCodes looks for each code that the wheel needs in each container, since
// the runtime takes a kernel from its own source's container alone.
func (a *auditor) checkCodes(name string, image *fatbin.Image) {
	containers := loadable(image)
	if len(containers) == 0 {
		a.add("device-code", name, "link the device code (nvcc -dlink; rdc of cuda_library does it)",
			"holds relocatable device code alone (%s), which no driver loads", held(image.Entries))
		return
	}
	for _, code := range a.options.Device {
		var without [][]fatbin.Entry
		for _, entries := range containers {
			if !slices.ContainsFunc(entries, func(entry fatbin.Entry) bool { return entry.Code == code }) {
				without = append(without, entries)
			}
		}
		if without == nil {
			continue
		}
		count := ""
		if len(without) < len(containers) {
			count = fmt.Sprintf("in %d of %d fat binaries ", len(without), len(containers))
		}
		others := slices.Concat(without...)
		if strings.HasPrefix(code, "sm_") && !slices.ContainsFunc(others, func(entry fatbin.Entry) bool { return entry.Kind == fatbin.Cubin }) {
			a.add("device-code", name, recompile+" (-gencode arch=compute_NNN,code=sm_NNN)",
				"holds %sPTX and the like alone (%s), and %s is asked for", count, held(others), code)
			continue
		}
		a.add("device-code", name, recompile, "holds %sno %s (but %s)", count, code, held(others))
	}
}

// loadable gives the entries that a driver can load, by container: those in the
// sections for it, and only where there are none the program's own data.
func loadable(image *fatbin.Image) [][]fatbin.Entry {
	for _, loose := range []bool{false, true} {
		var containers [][]fatbin.Entry
		last := 0
		for _, entry := range image.Entries {
			switch {
			case entry.Relocatable || entry.Loose != loose:
			case entry.Container == last:
				containers[len(containers)-1] = append(containers[len(containers)-1], entry)
			default:
				last = entry.Container
				containers = append(containers, []fatbin.Entry{entry})
			}
		}
		if containers != nil {
			return containers
		}
	}
	return nil
}

// held lists the codes of entries, each once.
func held(entries []fatbin.Entry) string {
	var codes []string
	for _, entry := range entries {
		codes = append(codes, entry.Code)
	}
	fatbin.SortCodes(codes)
	return strings.Join(slices.Compact(codes), ", ")
}
