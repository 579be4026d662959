package wheel

import "strings"

// Meta is what a wheel's .dist-info folder says of it.
type Meta struct {
	// DistInfo is the folder's name.
	DistInfo string
	// Info is the WHEEL file.
	Info Info
	// Headers are the fields of METADATA; Project and Version are two of them.
	Headers          Headers
	Project, Version string

	metadata []byte
}

// stem is the folder's name without its suffix, which a .data folder shares.
func (m *Meta) stem() string { return strings.TrimSuffix(m.DistInfo, ".dist-info") }

// ReadMeta reads the one .dist-info folder of a wheel. The error names the file
// that is missing or wrong.
func ReadMeta(archive *Archive) (*Meta, error) {
	const fix = "build the wheel again with a back end that writes complete metadata"
	folders := map[string]bool{}
	meta := &Meta{}
	for _, member := range archive.Members {
		if folder, _, found := strings.Cut(member.Name, "/"); found && strings.HasSuffix(folder, ".dist-info") {
			folders[folder] = true
			meta.DistInfo = folder
		}
	}
	if len(folders) != 1 {
		var problems Problems
		problems.Add(archive.Base, fix, "has %d .dist-info folders and not 1", len(folders))
		return nil, problems
	}
	get := func(name string, parse func([]byte) error) error {
		place := meta.DistInfo + "/" + name
		member := archive.Member(place)
		if member == nil {
			return Problems{{Place: place, What: "is missing", Fix: fix}}
		}
		data, err := member.Read()
		if err != nil {
			return err
		}
		if err := parse(data); err != nil {
			return Problems{{Place: place, What: err.Error(), Fix: fix}}
		}
		return nil
	}
	if err := get("WHEEL", func(data []byte) (err error) {
		meta.Info, err = ParseInfo(data)
		return err
	}); err != nil {
		return nil, err
	}
	err := get("METADATA", func(data []byte) (err error) {
		meta.metadata = data
		if meta.Headers, err = ParseHeaders(data); err != nil {
			return err
		}
		if meta.Project, err = meta.Headers.One("Name"); err != nil {
			return err
		}
		meta.Version, err = meta.Headers.One("Version")
		return err
	})
	if err != nil {
		return nil, err
	}
	return meta, nil
}
