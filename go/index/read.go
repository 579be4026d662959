package index

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sparkwheels/sparkwheels/go/wheel"
)

// ReadSite reads an index that Write wrote into a folder, to merge with. It
// goes by the JSON pages. A wheel in FilesFolder must have the digest that the
// page says; the error names the page or the file.
func ReadSite(folder string) (*Index, error) {
	projects := projectsPage{}
	if err := readPage(filepath.Join(folder, "simple", "index.json"), &projects); err != nil {
		return nil, err
	}
	x := New()
	for _, project := range projects.Projects {
		place := filepath.Join(folder, "simple", project.Name, "index.json")
		listing := projectPage{}
		if err := readPage(place, &listing); err != nil {
			return nil, err
		}
		for _, entry := range listing.Files {
			file, err := entry.file(project.Name)
			if err == nil && file.URL == "" {
				err = file.find(folder)
			}
			if err == nil {
				err = x.Add(file)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", place, err)
			}
		}
	}
	return x, nil
}

func readPage(place string, into any) error {
	data, err := os.ReadFile(place)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is missing: this folder is no index of ours", place)
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	return nil
}

// file turns an entry of a page back into a File.
func (e *fileEntry) file(project string) (*File, error) {
	name, err := wheel.ParseName(e.Filename)
	if err != nil {
		return nil, err
	}
	file := &File{
		Name: e.Filename, Project: project, Version: name.Version, SHA256: e.Hashes["sha256"], Size: e.Size,
		RequiresPython: e.RequiresPython,
	}
	if len(file.SHA256) != 64 || wheel.NormalizeProject(name.Distribution) != project {
		return nil, fmt.Errorf("%s: has no sha256, or is on the page of another project", e.Filename)
	}
	switch yanked := e.Yanked.(type) {
	case bool:
		file.Yanked = yanked
	case string:
		file.Yanked, file.Reason = true, yanked
	}
	if sums, ok := e.CoreMetadata.(map[string]any); ok {
		file.MetadataSHA256, _ = sums["sha256"].(string)
	}
	if strings.Contains(e.URL, "://") {
		file.URL = e.URL
	}
	return file, nil
}

// find checks a wheel in FilesFolder, and its METADATA file.
func (f *File) find(folder string) error {
	path := filepath.Join(folder, FilesFolder, f.Name)
	have, size, err := digest(path)
	if err != nil {
		return err
	}
	if have != f.SHA256 || size != f.Size {
		return fmt.Errorf("%s: has sha256 %s, and the page says %s; restore the published file", path, have, f.SHA256)
	}
	f.path = path
	if _, err := os.Stat(path + ProvenanceSuffix); err == nil {
		f.provenance = path + ProvenanceSuffix
	}
	if f.MetadataSHA256 == "" {
		return nil
	}
	if f.metadata, err = os.ReadFile(path + MetadataSuffix); err != nil {
		return err
	}
	if have := sum(f.metadata); have != f.MetadataSHA256 {
		return fmt.Errorf("%s: has sha256 %s, and the page says %s; restore the published file", path+MetadataSuffix, have, f.MetadataSHA256)
	}
	return nil
}
