package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"
)

// accept asks for JSON (PEP 691) and takes the page of PEP 503.
const accept = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"

// Project returns what the package index has of a project, whose name must be normalised (PEP 503).
func (c *Client) Project(ctx context.Context, project string) ([]Release, error) {
	ix, err := c.pipIndex(ctx)
	if err != nil {
		return nil, err
	}
	address := ix.base + "/" + project + "/"
	body, kind, err := c.get(ctx, address, accept, ix.login)
	if errors.Is(err, errNotFound) {
		return nil, &MalformedError{address, "the index has no project " + project}
	}
	if err != nil {
		return nil, err
	}
	files, err := parseListing(address, kind, body)
	if err != nil {
		return nil, err
	}
	return byVersion(files), nil
}

// parseListing reads a project's page, JSON or HTML.
func parseListing(address, kind string, body []byte) ([]File, error) {
	text := bytes.TrimLeft(body, " \t\r\n\ufeff")
	if strings.Contains(kind, "json") || bytes.HasPrefix(text, []byte("{")) {
		return parseJSON(address, text)
	}
	return parseHTML(address, text)
}

func parseJSON(address string, body []byte) ([]File, error) {
	var listing struct {
		Meta  json.RawMessage
		Files []struct {
			Filename, URL  string
			Hashes         map[string]string
			RequiresPython string          `json:"requires-python"`
			Yanked         json.RawMessage // a boolean, or the reason
		}
	}
	if err := json.Unmarshal(body, &listing); err != nil {
		what := "is not JSON"
		if bytes.HasPrefix(body, []byte("<")) {
			what = "says that it is JSON, but is a page of HTML: is there a log-in page or a proxy between?"
		}
		return nil, &MalformedError{address, what}
	}
	if listing.Files == nil {
		return nil, &MalformedError{address, "is JSON, but no listing of files (PEP 691)"}
	}
	var files []File
	for _, f := range listing.Files {
		yanked := string(f.Yanked)
		files = append(files, File{f.Filename, resolve(address, f.URL), f.Hashes["sha256"], f.RequiresPython, yanked != "" && yanked != "false" && yanked != "null"})
	}
	return files, nil
}

func parseHTML(address string, body []byte) ([]File, error) {
	var files []File
	anchors := 0
	base := address
	tokens := html.NewTokenizer(bytes.NewReader(body))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			// Pages of an index with no files still say what they are.
			if anchors > 0 && len(files) == 0 || anchors == 0 && !bytes.Contains(bytes.ToLower(body), []byte("links for")) {
				return nil, &MalformedError{address, "is a page of HTML, but no listing of files (PEP 503): is there a log-in page or a proxy between?"}
			}
			return files, nil
		case html.StartTagToken, html.SelfClosingTagToken:
			token := tokens.Token()
			attributes := map[string]string{}
			for _, a := range token.Attr {
				attributes[a.Key] = a.Val
			}
			if token.Data == "base" {
				base = resolve(address, attributes["href"])
			}
			if token.Data != "a" {
				continue
			}
			anchors++
			link, err := url.Parse(resolve(base, attributes["href"]))
			if err != nil {
				continue
			}
			name := path.Base(link.Path)
			if !strings.HasSuffix(name, ".whl") && !isSdist(name) {
				continue
			}
			hash, _ := strings.CutPrefix(link.Fragment, "sha256=")
			if hash == link.Fragment {
				hash = ""
			}
			link.Fragment = ""
			_, yanked := attributes["data-yanked"]
			files = append(files, File{name, link.String(), hash, attributes["data-requires-python"], yanked})
		}
	}
}

func resolve(base, reference string) string {
	b, err := url.Parse(base)
	if err != nil {
		return reference
	}
	r, err := b.Parse(reference)
	if err != nil {
		return reference
	}
	return r.String()
}

// byVersion sorts files into releases by the version in their names; a name without a version is none of ours.
func byVersion(files []File) []Release {
	var all []Release
	at := map[string]int{}
	for _, f := range files {
		version := FileVersion(f.Name)
		if version == "" {
			continue
		}
		i, ok := at[version]
		if !ok {
			i = len(all)
			at[version] = i
			all = append(all, Release{Version: version, Yanked: true})
		}
		all[i].Files = append(all[i].Files, f)
		all[i].Yanked = all[i].Yanked && f.Yanked
	}
	return all
}

// isSdist tells whether a file is a source distribution, by its name.
func isSdist(name string) bool {
	return strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".zip")
}

// FileVersion returns the version in the name of a wheel or an sdist, or "".
func FileVersion(name string) string {
	if base, ok := strings.CutSuffix(name, ".whl"); ok {
		if parts := strings.Split(base, "-"); len(parts) == 5 || len(parts) == 6 {
			return parts[1]
		}
		return ""
	}
	if !isSdist(name) {
		return ""
	}
	base := strings.TrimSuffix(strings.TrimSuffix(name, ".tar.gz"), ".zip")
	// Older sdists have a dash in the project's name; no version begins with a letter.
	for i := 0; i < len(base)-1; i++ {
		if base[i] == '-' && base[i+1] >= '0' && base[i+1] <= '9' {
			return base[i+1:]
		}
	}
	return ""
}
