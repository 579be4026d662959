package sysroot

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/ar"
)

func TestRuntimeInputs(t *testing.T) {
	const verbose = `ar
rcs
c/o/1/c++.lib
ld.lld -m aarch64linux -shared -o c/o/8/libm.so.6 -soname libm.so.6 c/o/2/m.o
ld.lld --eh-frame-hdr -m aarch64linux -pie -o probe c/o/3/Scrt1.o --dynamic-linker /lib/ld.so.1 c/o/4/sysroot_probe.o --as-needed -L/ c/o/5/libc++.a c/o/8/libm.so.6
lld-link -lldmingw -DLL -OUT:probe.dll -IMPLIB:./probe.lib c/o/6/sysroot_probe.obj c\o\7\dllcrt2.obj c/o/1/c++.lib
`
	for _, tc := range []struct {
		linker, output string
		want           []string
	}{
		{"ld.lld", "probe", []string{"c/o/3/Scrt1.o", "c/o/5/libc++.a", "c/o/8/libm.so.6"}},
		{"lld-link", "probe.dll", []string{`c\o\7\dllcrt2.obj`, "c/o/1/c++.lib"}},
	} {
		got, err := runtimeInputs(verbose, tc.linker, tc.output)
		if err != nil {
			t.Errorf("%s: %v", tc.output, err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.output, diff)
		}
	}
	if _, err := runtimeInputs(verbose, "lld-link", "other.dll"); err == nil || !strings.Contains(err.Error(), "other.dll") {
		t.Errorf("got %v, want an error that names other.dll", err)
	}
	if _, err := runtimeInputs("lld-link -OUT:x.dll -DLL", "lld-link", "x.dll"); err == nil {
		t.Error("a link line without runtimes: want an error")
	}
}

func TestStripStackSizes(t *testing.T) {
	got := stripStackSizes([]byte("LIBRARY ws2_32.dll\nEXPORTS\naccept@12\n  bind@4 @2\nWSAStartup@8 = x\n?f@@YAXXZ\nplain DATA\n"))
	want := "LIBRARY ws2_32.dll\nEXPORTS\naccept\n  bind @2\nWSAStartup = x\n?f@@YAXXZ\nplain DATA\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMemberNames(t *testing.T) {
	got := memberNames([]ar.Member{{Name: "c/o/1/a.obj"}, {Name: `c\o\2\A.obj`}, {Name: "b.obj"}, {Name: "x/a.obj"}})
	if diff := cmp.Diff([]string{"a.obj", "2.A.obj", "b.obj", "3.a.obj"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHeaderRules(t *testing.T) {
	for name, want := range map[string]bool{
		"stdint.h": true, "arm_neon.h": true, "arm64intr.h": true, "intrin.h": true, "unwind.h": true, "__stddef_null.h": true,
		"immintrin.h": false, "arm_mve.h": false, "altivec.h": false, "cuda_wrappers": false,
	} {
		if got := clangHeader(name); got != want {
			t.Errorf("clangHeader(%q) = %v", name, got)
		}
	}
	for name, want := range map[string]bool{
		"windows.h": true, "winsock2.h": true, "pthread.h": true, "psdk_inc": true, "d3d11.h": false, "windows.ui.h": false, "GL": false,
	} {
		if got := windowsHeader(name); got != want {
			t.Errorf("windowsHeader(%q) = %v", name, got)
		}
	}
}

func TestLinkName(t *testing.T) {
	for base, want := range map[string]string{"libm.so.6": "libm.so", "libld.so.2": "libld.so", "libc++.a": "libc++.a", "Scrt1.o": "Scrt1.o"} {
		if got := linkName(base); got != want {
			t.Errorf("linkName(%q) = %q, want %q", base, got, want)
		}
	}
}

func TestMakeRefuses(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	for _, half := range halves {
		if err := os.Mkdir(filepath.Join(empty, half), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	lib := t.TempDir()
	if err := os.Mkdir(filepath.Join(lib, "std"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		o    Options
		want string
	}{
		{"unknown target", Options{Target: "win_x64", Out: full}, "linux_aarch64, win_arm64"},
		{"full folder", Options{Target: "win_arm64", ZigLib: lib, Out: full}, "not empty"},
		{"not zig's library", Options{Target: "win_arm64", ZigLib: full, Out: empty}, "not zig's library folder"},
		{"no zig", Options{Target: "win_arm64", Zig: filepath.Join(full, "zig"), ZigLib: lib, Out: empty}, "zig c++"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := Make(context.Background(), tc.o)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error that says %q", err, tc.want)
			}
			if entries, _ := os.ReadDir(filepath.Dir(tc.o.Out)); len(entries) == 0 {
				t.Error("the folder of the output is gone")
			}
		})
	}
	if entries, err := os.ReadDir(filepath.Join(empty, "include")); err != nil || len(entries) != 0 {
		t.Errorf("a failed Make left %v, %v", entries, err)
	}
}
