package index

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"slices"
)

// The media types of PEP 691.
const (
	TypeJSON = "application/vnd.pypi.simple.v1+json"
	TypeHTML = "application/vnd.pypi.simple.v1+html"
)

// apiVersion is that of PEP 700: sizes and versions are on the pages.
const apiVersion = "1.1"

const head = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="pypi:repository-version" content="` + apiVersion + `">
<title>%s</title>
</head>
<body>
<h1>%s</h1>
`

const foot = "</body>\n</html>\n"

// page wraps lines of HTML into a page.
func page(title string, body func(out *bytes.Buffer)) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, head, html.EscapeString(title), html.EscapeString(title))
	body(&out)
	out.WriteString(foot)
	return out.Bytes()
}

// projectsHTML is simple/index.html.
func (x *Index) projectsHTML() []byte {
	return page("Simple index", func(out *bytes.Buffer) {
		for _, name := range x.Projects() {
			fmt.Fprintf(out, "<a href=\"%s/\">%s</a><br>\n", name, name)
		}
	})
}

// projectHTML is simple/PROJECT/index.html.
func (x *Index) projectHTML(name string) []byte {
	return page("Links for "+name, func(out *bytes.Buffer) {
		for _, file := range x.project(name) {
			file.anchor(out, "../../")
		}
	})
}

// linksHTML is links.html.
func (x *Index) linksHTML() []byte {
	return page("All wheels", func(out *bytes.Buffer) {
		for _, file := range x.Files() {
			file.anchor(out, "")
		}
	})
}

// anchor writes one link. The text is the file name as it is: html.EscapeString
// leaves "+" alone, which html/template would not, and resolvers that do not
// decode entities would see another name.
func (f *File) anchor(out *bytes.Buffer, up string) {
	fmt.Fprintf(out, `<a href="%s#sha256=%s"`, html.EscapeString(f.address(up)), f.SHA256)
	if f.RequiresPython != "" {
		fmt.Fprintf(out, ` data-requires-python="%s"`, html.EscapeString(f.RequiresPython))
	}
	if f.MetadataSHA256 != "" {
		// The first name is PEP 714's, the second the older one of PEP 658.
		fmt.Fprintf(out, ` data-core-metadata="sha256=%s" data-dist-info-metadata="sha256=%s"`, f.MetadataSHA256, f.MetadataSHA256)
	}
	if f.Yanked {
		fmt.Fprintf(out, ` data-yanked="%s"`, html.EscapeString(f.Reason))
	}
	fmt.Fprintf(out, ">%s</a><br>\n", html.EscapeString(f.Name))
}

// The JSON forms of PEP 691; the order of the fields is that of the output.
type (
	projectsPage struct {
		Meta     metaPart       `json:"meta"`
		Projects []projectEntry `json:"projects"`
	}
	projectEntry struct {
		Name string `json:"name"`
	}
	metaPart struct {
		APIVersion string `json:"api-version"`
	}
	projectPage struct {
		Meta     metaPart    `json:"meta"`
		Name     string      `json:"name"`
		Versions []string    `json:"versions"`
		Files    []fileEntry `json:"files"`
	}
	fileEntry struct {
		Filename       string            `json:"filename"`
		URL            string            `json:"url"`
		Hashes         map[string]string `json:"hashes"`
		RequiresPython string            `json:"requires-python,omitempty"`
		Size           int64             `json:"size"`
		CoreMetadata   any               `json:"core-metadata"`
		DistInfo       any               `json:"dist-info-metadata"`
		Yanked         any               `json:"yanked"`
	}
)

func (x *Index) projectsJSON() []byte {
	page := projectsPage{Meta: metaPart{apiVersion}, Projects: []projectEntry{}}
	for _, name := range x.Projects() {
		page.Projects = append(page.Projects, projectEntry{name})
	}
	return encode(page)
}

func (x *Index) projectJSON(name string) []byte {
	page := projectPage{Meta: metaPart{apiVersion}, Name: name, Versions: []string{}, Files: []fileEntry{}}
	for _, file := range x.project(name) {
		if !slices.Contains(page.Versions, file.Version) {
			page.Versions = append(page.Versions, file.Version)
		}
		entry := fileEntry{
			Filename: file.Name, URL: file.address("../../"), Hashes: map[string]string{"sha256": file.SHA256},
			RequiresPython: file.RequiresPython, Size: file.Size, CoreMetadata: false, DistInfo: false, Yanked: false,
		}
		if file.MetadataSHA256 != "" {
			sums := map[string]string{"sha256": file.MetadataSHA256}
			entry.CoreMetadata, entry.DistInfo = sums, sums
		}
		switch {
		case file.Yanked && file.Reason != "":
			entry.Yanked = file.Reason
		case file.Yanked:
			entry.Yanked = true
		}
		page.Files = append(page.Files, entry)
	}
	return encode(page)
}

// encode renders JSON for people too; the values here hold nothing that JSON
// cannot.
func encode(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	encoder.Encode(value)
	return out.Bytes()
}
