package airgap

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/bazelbuild/buildtools/build"
	"golang.org/x/mod/modfile"
)

// useGoSDK replaces rules_go's default SDK, a download from Go's own site, by the same version from the Go module proxy
// (golang.org/toolchain, the form that the go command itself downloads). It is the same in both worlds because the
// bytes of a wheel are: compress/flate may change between releases of Go.
func useGoSDK(c Config, rulesGo *download, module string) (string, error) {
	data, err := rulesGo.read("go.mod")
	if err != nil {
		return "", err
	}
	sdk, err := sdkVersion(data)
	if err != nil {
		return "", err
	}
	platform := sdkPlatform()
	version := "v0.0.1-go" + sdk + "." + strings.Replace(platform, "_", "-", 1)
	c.Log("Go SDK %s", version)
	dl, err := fetchGoModule(c, "golang.org/toolchain", version)
	if err != nil {
		return "", err
	}
	sum, err := sha256File(dl.zip)
	if err != nil {
		return "", err
	}
	f, err := build.ParseModule("MODULE.bazel", []byte(module))
	if err != nil {
		return "", err
	}
	for _, r := range f.Rules("go_sdk.from_file") {
		if r.AttrString("name") != "go_default_sdk" {
			continue
		}
		text := fmt.Sprintf(`go_sdk.download(
    name = "go_default_sdk",
    sdks = {%q: [%q, %q]},
    strip_prefix = %q,
    urls = [%q],
    version = %q,
)
`, platform, filepath.Base(dl.zip), fmt.Sprintf("%x", sum), dl.prefix(), fileURL(filepath.Dir(dl.zip))+"/{}", sdk)
		start, end := r.Call.Span()
		return module[:start.Byte] + strings.TrimSuffix(text, "\n") + module[end.Byte:], nil
	}
	return "", fmt.Errorf("rules_go's MODULE.bazel has no go_sdk.from_file(name = \"go_default_sdk\"): adapt go/airgap/gosdk.go to this version")
}

// sdkVersion is the SDK that rules_go's default, from_file(go_mod = "//:go.mod"), means: the toolchain line, else the
// go line.
func sdkVersion(goMod []byte) (string, error) {
	f, err := modfile.Parse("go.mod", goMod, nil)
	if err != nil {
		return "", err
	}
	if f.Toolchain != nil {
		return strings.TrimPrefix(f.Toolchain.Name, "go"), nil
	}
	if f.Go == nil {
		return "", fmt.Errorf("rules_go's go.mod names no Go version")
	}
	return f.Go.Version, nil
}
