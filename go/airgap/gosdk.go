package airgap

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/bazelbuild/buildtools/build"
)

// useGoSDK replaces rules_go's default SDK, a download from Go's own site, by the same SDK from the Go module proxy
// (golang.org/toolchain, the form that the go command itself downloads).
func useGoSDK(c Config, module string) (string, error) {
	platform := sdkPlatform()
	version := "v0.0.1-go" + c.GoSDK + "." + strings.Replace(platform, "_", "-", 1)
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
`, platform, filepath.Base(dl.zip), fmt.Sprintf("%x", sum), dl.prefix(), fileURL(filepath.Dir(dl.zip))+"/{}", c.GoSDK)
		start, end := r.Call.Span()
		return module[:start.Byte] + strings.TrimSuffix(text, "\n") + module[end.Byte:], nil
	}
	return "", fmt.Errorf("rules_go's MODULE.bazel has no go_sdk.from_file(name = \"go_default_sdk\"): adapt go/airgap/gosdk.go to this version")
}
