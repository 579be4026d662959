package index

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"

	"github.com/sparkwheels/sparkwheels/go/stage"
)

// Write renders the site into a new folder, which appears complete or not at
// all. set becomes set.json; METADATA and provenance lie beside the
// wheels that are in FilesFolder. A wheel without an address that is not on this machine is an
// error.
func (x *Index) Write(folder string, set *Set) error {
	return stage.Dir(folder, func(dir string) error {
		pages := map[string][]byte{
			"index.html":        x.frontHTML(set),
			"links.html":        x.linksHTML(),
			"set.json":          set.JSON(),
			"simple/index.html": x.projectsHTML(),
			"simple/index.json": x.projectsJSON(),
		}
		for _, name := range x.Projects() {
			pages["simple/"+name+"/index.html"] = x.projectHTML(name)
			pages["simple/"+name+"/index.json"] = x.projectJSON(name)
		}
		for name, data := range pages {
			if err := put(filepath.Join(dir, filepath.FromSlash(name)), bytes.NewReader(data)); err != nil {
				return err
			}
		}
		for _, file := range x.Files() {
			if file.URL != "" {
				continue
			}
			if file.path == "" {
				return fmt.Errorf("%s: has no address and is not on this machine", file.Name)
			}
			to := filepath.Join(dir, FilesFolder, file.Name)
			if err := copyFile(to, file.path); err != nil {
				return err
			}
			if file.metadata != nil {
				if err := put(to+MetadataSuffix, bytes.NewReader(file.metadata)); err != nil {
					return err
				}
			}
			if file.provenance != "" {
				if err := copyFile(to+ProvenanceSuffix, file.provenance); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// frontHTML is index.html: how to use the site, for somebody who lands on it.
func (x *Index) frontHTML(set *Set) []byte {
	return page("sparkwheels", func(out *bytes.Buffer) {
		fmt.Fprintf(out, "<p>%d wheels of %d projects.</p>\n<ul>\n", len(x.files), len(x.Projects()))
		for _, link := range [][2]string{
			{"simple/", "pip install --index-url …/simple/"},
			{"links.html", "pip install --find-links …/links.html"},
			{"set.json", "the wheels of this set with their digests"},
		} {
			fmt.Fprintf(out, "<li><a href=\"%s\">%s</a>: %s</li>\n", link[0], link[0], html.EscapeString(link[1]))
		}
		out.WriteString("</ul>\n")
		if set.PinsSHA256 != "" {
			fmt.Fprintf(out, "<p>Pins: <code>%s</code></p>\n", html.EscapeString(set.PinsSHA256))
		}
	})
}

func copyFile(to, from string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	return put(to, source)
}

func put(name string, data io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, data); err != nil {
		out.Close()
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return stage.Seal(name, false)
}
