package doctor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/doctor"
	"github.com/sparkwheels/sparkwheels/go/fatbin/fatbintest"
	"github.com/sparkwheels/sparkwheels/go/pe/petest"
	"github.com/sparkwheels/sparkwheels/go/wheel/wheeltest"
)

// ptx is a kernel with one parameter of this alignment.
func ptx(name, align string) string {
	return ".visible .entry " + name + "(\n\t.param .u64 p,\n\t.param .align " + align + " .b8 " + name + "_param_0[256]\n)\n{ ret; }\n"
}

// TestDeviceCode gives the doctor each kind of file. What nvcc makes is judged
// by //toolchains/cuda/tests, machine code without PTX among it.
func TestDeviceCode(t *testing.T) {
	fat := func(text string) string {
		return string(fatbintest.Container(fatbintest.Entry{Kind: fatbintest.PTX, SM: 121, Payload: text}))
	}
	dll := func(text string) string {
		image := petest.Module("f")
		image.Sections = []petest.Section{{Name: ".nv_fatb", Data: []byte(fat(text))}}
		return string(image.Bytes())
	}
	many := ptx("a", "128") + ptx("b", "128") + ptx("c", "256") + ptx("d", "128") + ptx("e", "128") + ptx("f", "64")
	for _, test := range []struct {
		file, data string
		level      doctor.Level
		part       string
	}{
		{"good.ptx", ptx("f", "64"), doctor.OK, "could pass the parameters of all 1 kernels"},
		{"bad.ptx", ptx("f", "128"), doctor.Problem, "bad.ptx: kernels take by value what is aligned to 128 bytes or more: f (parameter 2, 128 bytes)"},
		{"bad.fatbin", fat(ptx("f", "128")), doctor.Problem, "f (parameter 2, 128 bytes)"},
		{"bad.dll", dll(ptx("f", "256")), doctor.Problem, "f (parameter 2, 256 bytes)"},
		{"many.ptx", many, doctor.Problem, "b (parameter 2, 128 bytes), c (parameter 2, 256 bytes), d (parameter 2, 128 bytes) and 1 more"},
		{"none.dll", string(petest.Module("f").Bytes()), doctor.OK, "of all 0 kernels"},
		{"w-1-cp312-cp312-win_arm64.whl", dll(ptx("f", "128")), doctor.Problem, "f (parameter 2, 128 bytes)"},
	} {
		t.Run(test.file, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), test.file)
			if strings.HasSuffix(test.file, ".whl") {
				file = wheeltest.Wheel{Name: test.file, Files: []wheeltest.File{{Name: "w/lib/x.dll", Data: test.data}, {Name: "w/__init__.py", Data: ""}}}.Write(t, t.TempDir())
			} else if err := os.WriteFile(file, []byte(test.data), 0o644); err != nil {
				t.Fatal(err)
			}
			findings, err := doctor.DeviceCode(file)
			if err != nil || len(findings) != 1 {
				t.Fatal(findings, err)
			}
			if got := findings[0]; got.Name != "msvc-kernels" || got.Level != test.level || !strings.Contains(got.What, test.part) {
				t.Errorf("got %s, want %s with %q", got, test.level, test.part)
			}
		})
	}
}

func TestDeviceCodeRefuses(t *testing.T) {
	for name, want := range map[string]string{
		"text.cu":                       "text.cu: neither an ELF, a PE, a COFF nor a .fatbin file",
		"broken.ptx":                    `broken.ptx: kernel f: "int x" is no parameter`,
		"w-1-cp312-cp312-win_arm64.whl": "w-1-cp312-cp312-win_arm64.whl",
		"missing.dll":                   "missing.dll",
	} {
		file := filepath.Join(t.TempDir(), name)
		if name != "missing.dll" {
			write(t, file, ".entry f(int x)")
		}
		if _, err := doctor.DeviceCode(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}
