package audit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/audit"
	"github.com/sparkwheels/sparkwheels/go/elf/elftest"
	. "github.com/sparkwheels/sparkwheels/go/fatbin/fatbintest"
	"github.com/sparkwheels/sparkwheels/go/pe/petest"
	"github.com/sparkwheels/sparkwheels/go/wheel/wheeltest"
)

func TestDevice(t *testing.T) {
	for _, c := range deviceChecks() {
		t.Run(c.name, func(t *testing.T) { c.run(t, "linux_aarch64") })
	}
}

func TestDeviceOnWindows(t *testing.T) {
	withCode := func(data []byte) string {
		return module(func(i *petest.Image) { i.Sections = []petest.Section{{Name: ".nv_fatb", Data: data}} })
	}
	for _, c := range []check{
		{name: "good", options: audit.Options{Device: []string{"sm_121a"}},
			wheel: wheeltest.Wheel{Name: winName, Files: files(winC, withCode(Container(SASS(121, Specific|Zstd))))}},
		{name: "without the suffix", options: audit.Options{Device: []string{"sm_121a"}},
			wheel: wheeltest.Wheel{Name: winName, Files: files(winC, withCode(Container(SASS(121, 0))))},
			want:  []string{winC + ": holds no sm_121a (but sm_121); compile every .cu of the member with the whole list of archs"}},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, "win_arm64") })
	}
}

// withSection is a module with one more section.
func withSection(name string, containers ...[]byte) string {
	return object(func(i *elftest.Image) {
		section := elftest.Section{Name: name}
		for _, container := range containers {
			section.Data = append(section.Data, container...)
		}
		i.Sections = []elftest.Section{section}
	})
}

func deviceChecks() []check {
	sm := func(codes ...string) audit.Options { return audit.Options{Device: codes} }
	hostLib := object(func(i *elftest.Image) { i.Exports, i.Undefined = nil, nil })
	wheelOf := func(pairs ...string) wheeltest.Wheel { return wheeltest.Wheel{Name: linuxName, Files: files(pairs...)} }
	const archs = "compile every .cu of the member with the whole list of archs"
	return []check{
		{name: "good", options: sm("sm_121"), wheel: wheelOf(linuxC, withSection(".nv_fatbin", Container(SASS(121, 0))))},
		{name: "good, several", options: sm("sm_121", "compute_121", "sm_90a"),
			wheel: wheelOf(linuxC, withSection(".nv_fatbin", Container(Text(121, 0), SASS(121, LZ4), SASS(90, Specific), SASS(80, 0)), Container(SASS(90, Specific), SASS(121, 0), Text(121, 0))))},
		{name: "good, in the program's own data", options: sm("sm_121"), wheel: wheelOf(linuxC, withSection(".rodata", Container(SASS(121, 0))))},
		{name: "good, declared host member", options: audit.Options{Device: []string{"sm_121"}, HostMembers: []string{"fast/lib*.so"}},
			wheel: wheelOf(linuxC, withSection(".nv_fatbin", Container(SASS(121, 0))), "fast/libhost.so", hostLib)},

		{name: "not declared", wheel: wheelOf(linuxC, withSection(".nv_fatbin", Container(SASS(90, 0), Text(90, 0)))),
			want: []string{linuxC + ": holds device code (compute_90, sm_90), and the wheel declares none; say in sm what it must hold"}},
		{name: "none", options: sm("sm_121", "compute_121"), wheel: wheelOf(linuxC, object(nil)),
			want: []string{linuxC + ": holds no device code, and the wheel's sm is sm_121, compute_121; link the objects of the .cu files in, or name it in host_members if it is host code alone"}},
		{name: "missing sm", options: sm("sm_121"), wheel: wheelOf(linuxC, withSection(".nv_fatbin", Container(SASS(90, 0), SASS(120, 0), Text(121, 0)))),
			want: []string{linuxC + ": holds no sm_121 (but sm_90, sm_120, compute_121); " + archs}},
		{name: "missing PTX", options: sm("sm_121", "compute_121"), wheel: wheelOf(linuxC, withSection(".nv_fatbin", Container(SASS(121, 0)))),
			want: []string{linuxC + ": holds no compute_121 (but sm_121); " + archs}},
		{name: "missing in one source", options: sm("sm_121"), wheel: wheelOf(linuxC, withSection(".nv_fatbin", Container(SASS(121, 0)), Container(SASS(90, Specific)), Container(SASS(121, 0)))),
			want: []string{linuxC + ": holds in 1 of 3 fat binaries no sm_121 (but sm_90a); " + archs}},
		{name: "PTX alone", options: sm("sm_121"), wheel: wheelOf(linuxC, withSection(".nv_fatbin", Container(Text(121, 0), Text(90, 0)))),
			want: []string{linuxC + ": holds PTX and the like alone (compute_90, compute_121), and sm_121 is asked for; " + archs + " (-gencode arch=compute_NNN,code=sm_NNN)"}},
		{name: "PTX alone in one source", options: sm("sm_121"), wheel: wheelOf(linuxC, withSection(".nv_fatbin", Container(Text(121, 0)), Container(SASS(121, 0)))),
			want: []string{linuxC + ": holds in 1 of 2 fat binaries PTX and the like alone (compute_121), and sm_121 is asked for; …"}},
		{name: "relocatable alone", options: sm("sm_121"), wheel: wheelOf(linuxC, withSection("__nv_relfatbin", Container(SASS(121, 0)))),
			want: []string{linuxC + ": holds relocatable device code alone (sm_121), which no driver loads; link the device code (nvcc -dlink; rdc of cuda_library does it)"}},
		{name: "unreadable", options: sm("sm_121"), wheel: wheelOf(linuxC, withSection(".nv_fatbin", Container(SASS(121, 0))[:60])),
			want: []string{linuxC + ": has device code that cannot be read: section .nv_fatbin, byte 0: 88 bytes of entries do not fit into the 60 that are left; build the wheel again"}},
		{name: "host member with device code", options: audit.Options{Device: []string{"sm_121"}, HostMembers: []string{"fast/*.so"}},
			wheel: wheelOf(linuxC, withSection(".nv_fatbin", Container(SASS(121, 0)))),
			want:  []string{linuxC + ": holds device code (sm_121), and host_members says that it holds none; take it out of host_members"}},
		{name: "host member that is not there", options: audit.Options{Device: []string{"sm_121"}, HostMembers: []string{"fast/*.py"}},
			wheel: wheelOf(linuxC, withSection(".nv_fatbin", Container(SASS(121, 0))), "fast/a.py", ""),
			want:  []string{linuxName + ": --host-member fast/*.py matches nothing in the wheel; remove the option"}},
		{name: "host member of a plain wheel", options: audit.Options{HostMembers: []string{linuxC}}, wheel: wheelOf(linuxC, object(nil)),
			want: []string{linuxName + ": --host-member says nothing without --sm; remove the option"}},
		{name: "no native member", options: sm("sm_121"), wheel: wheelOf("fast/a.py", ""),
			want: []string{linuxName + ": --sm sm_121 is asked of a wheel without native members; …"}},
	}
}

func TestDeviceReport(t *testing.T) {
	containers := [][]byte{Container(SASS(121, Zstd|Debug), Text(121, 0)), Container(SASS(121, 0), Text(121, 0))}
	path := wheeltest.Wheel{Name: linuxName, Files: files(linuxC, withSection(".nv_fatbin", containers...))}.Write(t, t.TempDir())
	report, problems, err := audit.Run(path, policyOf(t, "linux_aarch64"), audit.Options{Device: []string{"sm_121"}})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	want := []audit.DeviceReport{
		{Code: "compute_121", Entries: 2, Stored: 32},
		{Code: "sm_121", Entries: 2, Stored: 34, Compressed: 1, Debug: 1},
	}
	if diff := cmp.Diff(want, report.Members[0].Native.Device); diff != "" {
		t.Errorf("device code (-want +got):\n%s", diff)
	}
}

func TestDeviceOptions(t *testing.T) {
	path := wheeltest.Wheel{Name: linuxName}.Write(t, t.TempDir())
	_, _, err := audit.Run(path, policyOf(t, "linux_aarch64"), audit.Options{Device: []string{"12.1"}})
	want := `--sm: "12.1" is no code: use sm_NNN for machine code or compute_NNN for PTX, with a or f behind it where nvcc had it, such as sm_121 or sm_121a`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
