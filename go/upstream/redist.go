package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/pins"
)

// redistBases are NVIDIA's own servers; NVIDIA_REDIST_URL is a mirror of both.
var redistBases = map[string]string{
	"cuda":  "https://developer.download.nvidia.com/compute/cuda/redist",
	"cudnn": "https://developer.download.nvidia.com/compute/cudnn/redist",
}

var manifestName = regexp.MustCompile(`redistrib_([0-9]+(?:\.[0-9]+)*)\.json`)

// redist returns the component's versions in NVIDIA's manifests, from the pinned release on. Releases that do not have the
// component for the platform are left out.
func (c *Client) redist(ctx context.Context, r *pins.Redist) ([]Release, error) {
	base := redistBases[r.Product]
	if mirror := strings.TrimRight(c.Env("NVIDIA_REDIST_URL"), "/"); mirror != "" {
		base = mirror + "/" + r.Product
	}
	body, _, err := c.get(ctx, base+"/", "text/html", nil)
	if errors.Is(err, errNotFound) {
		return nil, &MalformedError{base + "/", "there is no list of NVIDIA's manifests"}
	}
	if err != nil {
		return nil, err
	}
	var releases []string
	for _, m := range manifestName.FindAllStringSubmatch(string(body), -1) {
		if Compare(m[1], r.Release) >= 0 && !slices.Contains(releases, m[1]) {
			releases = append(releases, m[1])
		}
	}
	if len(releases) == 0 {
		return nil, &MalformedError{base + "/", fmt.Sprintf("names no manifest redistrib_%s.json or newer", r.Release)}
	}
	var all []Release
	for _, release := range releases {
		address := fmt.Sprintf("%s/redistrib_%s.json", base, release)
		body, _, err := c.get(ctx, address, "application/json", nil)
		if err != nil {
			return nil, err
		}
		found, err := readManifest(body, r)
		if err != nil {
			return nil, &MalformedError{address, err.Error()}
		}
		if found != nil {
			found.Manifest = release
			all = append(all, *found)
		}
	}
	return all, nil
}

// archiveEntry is one archive of a manifest.
type archiveEntry struct {
	Path   string `json:"relative_path"`
	SHA256 string `json:"sha256"`
}

// readManifest returns the component for the platform, or nil if the manifest does not have it. An entry holds an archive, or
// one per variant (third_party/rules/manifest.bzl); where it holds several, the pinned variant is meant.
func readManifest(body []byte, r *pins.Redist) (*Release, error) {
	var manifest map[string]json.RawMessage
	if err := json.Unmarshal(body, &manifest); err != nil {
		return nil, errors.New("is not JSON")
	}
	var component map[string]json.RawMessage
	if manifest[r.Component] == nil || json.Unmarshal(manifest[r.Component], &component) != nil || component[r.Platform] == nil {
		return nil, nil
	}
	out := &Release{}
	if err := json.Unmarshal(component["version"], &out.Version); err != nil {
		return nil, fmt.Errorf("gives %s no version", r.Component)
	}
	var flat archiveEntry
	var nested map[string]json.RawMessage
	if json.Unmarshal(component[r.Platform], &flat) != nil || json.Unmarshal(component[r.Platform], &nested) != nil {
		return nil, fmt.Errorf("names no archive of %s for %s", r.Component, r.Platform)
	}
	archives := map[string]archiveEntry{}
	for _, raw := range nested {
		var inner archiveEntry
		if json.Unmarshal(raw, &inner) == nil && inner.Path != "" {
			archives[path.Base(inner.Path)] = inner
		}
	}
	if flat.Path != "" {
		archives[path.Base(flat.Path)] = flat
	}
	for name, entry := range archives {
		// A pinned archive is known by what is not its version.
		if len(archives) == 1 || r.Archive != "" && variant(name, out.Version) == variantOf(r.Archive) {
			out.Archive, out.SHA256 = name, entry.SHA256
		}
	}
	if out.SHA256 == "" {
		return nil, fmt.Errorf("has several archives of %s for %s, or none", r.Component, r.Platform)
	}
	return out, nil
}

var numbers = regexp.MustCompile(`[0-9]+(\.[0-9]+){2,}`)

func variant(name, version string) string { return strings.ReplaceAll(name, version, "") }

func variantOf(name string) string { return numbers.ReplaceAllString(name, "") }
