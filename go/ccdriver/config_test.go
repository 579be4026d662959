package ccdriver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestConfigFromSidecar(t *testing.T) {
	dir := t.TempDir()
	sidecar := `{"zig": "tools/zig", "sysroot": "/abs/sysroot", "target": "win_arm64", "prefix_maps": ["/a=."]}`
	if err := os.WriteFile(filepath.Join(dir, SidecarName), []byte(sidecar), 0o644); err != nil {
		t.Fatal(err)
	}
	own, rest, err := parseOwnFlags([]string{"--prefix-map=/b=b", "-c", "a.c", "--target=aarch64-w64-windows-gnu"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"-c", "a.c", "--target=aarch64-w64-windows-gnu"}, rest); diff != "" {
		t.Errorf("rest (-want +got):\n%s", diff)
	}
	got, err := own.config(filepath.Join(dir, "cc"))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Zig:        filepath.Join(dir, "tools", "zig"),
		Sysroot:    "/abs/sysroot",
		Target:     "win_arm64",
		PrefixMaps: []string{"/b=b", "/a=."},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
}

func TestFlagsNeedNoSidecar(t *testing.T) {
	own, _, err := parseOwnFlags([]string{"--zig=z", "--sysroot=s", "--target=linux_aarch64"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := own.config(filepath.Join(t.TempDir(), "cc"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Config{Zig: "z", Sysroot: "s", Target: "linux_aarch64"}, got); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
}

func TestSidecarErrors(t *testing.T) {
	for _, tc := range []struct{ name, sidecar, want string }{
		{"absent", "", SidecarName},
		{"not JSON", "{", SidecarName},
		{"unknown key", `{"zig": "z", "sysroot": "s", "target": "win_arm64", "sysrot": "x"}`, "sysrot"},
		{"missing key", `{"zig": "z", "target": "win_arm64"}`, `"sysroot" is missing`},
		{"two values", `{"zig": "z", "sysroot": "s", "target": "win_arm64"} {}`, "more than one"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			if tc.sidecar != "" {
				if err := os.WriteFile(filepath.Join(dir, SidecarName), []byte(tc.sidecar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			_, err := (&ownFlags{}).config(filepath.Join(dir, "cc"))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error that says %q", err, tc.want)
			}
		})
	}
}

func TestMainErrors(t *testing.T) {
	for _, tc := range []struct {
		name string
		argv []string
		want string
	}{
		{"unknown mode", []string{"frobnicate"}, "no mode is called"},
		{"unknown target", []string{"cc", "--zig=z", "--sysroot=s", "--target=linux_aarch64", "--target=win_x64", "-c", "a.c"}, "--target=win_x64"},
		{"two sysroots", []string{"cc", "--sysroot=a", "--sysroot=b"}, "only one"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var stdout, stderr strings.Builder
			code := Main(tc.argv, strings.NewReader(""), &stdout, &stderr)
			if code != 1 || !strings.Contains(stderr.String(), tc.want) || strings.Count(stderr.String(), "\n") != 1 {
				t.Errorf("exit code %d, standard error %q; want 1 and one line that says %q", code, stderr.String(), tc.want)
			}
		})
	}
}

func TestEnvironmentHidesTheMachine(t *testing.T) {
	got := environment([]string{"PATH=/bin", "CPATH=/usr/include", "LIB=x", "Include=y", "LIBRARY_PATH=/lib"})
	if diff := cmp.Diff([]string{"PATH=/bin", epoch}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got = environment([]string{"SOURCE_DATE_EPOCH=7"})
	if diff := cmp.Diff([]string{"SOURCE_DATE_EPOCH=7"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
