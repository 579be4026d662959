package bump

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	pep440 "github.com/aquasecurity/go-pep440-version"

	"github.com/sparkwheels/sparkwheels/go/elf"
	"github.com/sparkwheels/sparkwheels/go/wheel"
)

const (
	// pythonMinor is the minor release of the Python that wheels are built for and that runs the back ends.
	pythonMinor = 12
	// mostGlibc is the newest glibc that a Linux wheel may need: that of the manylinux_2_28 tag.
	mostGlibc = "2.28"
)

// machines maps the names of platforms in pins.json to what a wheel's platform tag ends with.
var machines = map[string]string{
	"linux_aarch64": "_aarch64", "linux_x86_64": "_x86_64",
	"win_arm64": "win_arm64", "windows_arm64": "win_arm64", "windows_x86_64": "win_amd64",
}

// Installs tells whether pip on our Python on the platform would take the wheel, by its file name.
func Installs(file, platform string) bool {
	name, err := wheel.ParseName(file)
	return err == nil && slices.ContainsFunc(name.Tags(), func(t wheel.Tag) bool {
		return pythonTag(t.Python, t.ABI) && platformTag(t.Platform, platform)
	})
}

func pythonTag(python, abi string) bool {
	if minor, ok := strings.CutPrefix(python, "cp3"); ok {
		n, err := strconv.Atoi(minor)
		return err == nil && (n == pythonMinor && (abi == fmt.Sprintf("cp3%d", pythonMinor) || abi == "none") || n <= pythonMinor && abi == "abi3")
	}
	return abi == "none" && (python == "py3" || python == fmt.Sprintf("py3%d", pythonMinor))
}

func platformTag(tag, platform string) bool {
	if tag == wheel.AnyPlatform {
		return true
	}
	if !strings.HasPrefix(platform, "linux") {
		return tag == machines[platform]
	}
	glibc := wheel.ManylinuxGlibc(tag)
	return glibc != "" && strings.HasSuffix(tag, machines[platform]) && elf.CompareNumbers(glibc, mostGlibc) <= 0
}

// sameShape tells whether a wheel is for the platform that another wheel is for, and loads in our Python.
func sameShape(file, pinned string) bool {
	name, err := wheel.ParseName(file)
	old, err2 := wheel.ParseName(pinned)
	if err != nil || err2 != nil || name.Build != old.Build {
		return false
	}
	return slices.ContainsFunc(name.Tags(), func(t wheel.Tag) bool {
		return slices.ContainsFunc(old.Tags(), func(o wheel.Tag) bool {
			return (pythonTag(t.Python, t.ABI) || t.Python == o.Python && t.ABI == o.ABI) && family(t.Platform) == family(o.Platform)
		})
	})
}

// family is a platform tag without its age: linux:_aarch64 for manylinux_2_17_aarch64.
func family(tag string) string {
	for _, end := range []string{"_aarch64", "_x86_64"} {
		if strings.HasSuffix(tag, end) {
			system, _, _ := strings.Cut(strings.TrimSuffix(tag, end), "_")
			return strings.TrimRight(system, "0123456789") + ":" + end
		}
	}
	return tag
}

// admitsPython tells whether a Requires-Python takes some release of our Python; one that cannot be read does not.
func admitsPython(specifier string) bool {
	if specifier == "" {
		return true
	}
	specifiers, err := pep440.NewSpecifiers(specifier)
	if err != nil {
		return false
	}
	for micro := range 50 {
		if v, err := pep440.Parse(fmt.Sprintf("3.%d.%d", pythonMinor, micro)); err == nil && specifiers.Check(v) {
			return true
		}
	}
	return false
}
