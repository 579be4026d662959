module github.com/sparkwheels/sparkwheels

go 1.24.0

require (
	github.com/CycloneDX/cyclonedx-go v0.11.0
	github.com/aquasecurity/go-pep440-version v0.0.1
	github.com/bazelbuild/buildtools v0.0.0-20260904073137-eaa4d125b423
	github.com/bazelbuild/rules_go v0.60.0
	github.com/bluekeyes/go-gitdiff v0.9.0
	github.com/bmatcuk/doublestar/v4 v4.10.4
	github.com/go-json-experiment/json v0.0.0-20250813233538-9b1f9ea2e11b
	github.com/gofrs/flock v0.12.1
	github.com/google/go-cmp v0.7.0
	github.com/hashicorp/go-retryablehttp v0.7.8
	github.com/in-toto/attestation v1.1.2
	github.com/klauspost/compress v1.18.0
	github.com/rhysd/actionlint v1.7.10
	github.com/spf13/cobra v1.10.2
	github.com/ulikunitz/xz v0.5.17
	golang.org/x/mod v0.25.0
	golang.org/x/net v0.41.0
	golang.org/x/sync v0.19.0
	golang.org/x/sys v0.39.0
	google.golang.org/protobuf v1.36.10
)

require (
	github.com/aquasecurity/go-version v0.0.1 // indirect
	github.com/fatih/color v1.18.0 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/mattn/go-runewidth v0.0.17 // indirect
	github.com/mattn/go-shellwords v1.0.12 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/robfig/cron/v3 v3.0.1 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	go.yaml.in/yaml/v4 v4.0.0-rc.3 // indirect
	golang.org/x/xerrors v0.0.0-20231012003039-104605ab7028 // indirect
)
