package index_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/index"
	"github.com/sparkwheels/sparkwheels/go/treetest"
	"github.com/sparkwheels/sparkwheels/go/wheel/wheeltest"
)

const plain, local = "fast-1.0-cp312-cp312-win_arm64.whl", "fast-1.0+cu134torch2.14-cp312-cp312-win_arm64.whl"

func fileOf(t *testing.T, name, text string) *index.File {
	t.Helper()
	file, err := index.FromWheel(wheeltest.Wheel{Name: name, RequiresPython: ">=3.9,<4", Files: []wheeltest.File{{Name: "fast.py", Data: text}}}.Write(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func of(t *testing.T, files ...*index.File) *index.Index {
	t.Helper()
	x := index.New()
	for _, file := range files {
		if err := x.Add(file); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func write(t *testing.T, x *index.Index) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "site")
	if err := x.Write(dir, &index.Set{Schema: index.SetSchema}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestPages(t *testing.T) {
	x := of(t, fileOf(t, plain, "1"), fileOf(t, local, "2"))
	if err := x.Yank(map[string]string{plain: `broken & "bad"`}); err != nil {
		t.Fatal(err)
	}
	site := write(t, x)
	file := x.File(local)
	want := `<a href="../../files/fast-1.0%2Bcu134torch2.14-cp312-cp312-win_arm64.whl#sha256=` + file.SHA256 + `" data-requires-python="&gt;=3.9,&lt;4"` +
		` data-core-metadata="sha256=` + file.MetadataSHA256 + `" data-dist-info-metadata="sha256=` + file.MetadataSHA256 + `">` + local + "</a><br>\n"
	page := read(t, site, "simple", "fast", "index.html")
	if !strings.Contains(page, want) {
		t.Errorf("the page lacks %s:\n%s", want, page)
	}
	if !strings.Contains(page, ` data-yanked="broken &amp; &#34;bad&#34;">`+plain) {
		t.Errorf("the yank is missing:\n%s", page)
	}
	if links := read(t, site, "links.html"); !strings.Contains(links, strings.Replace(want, "../../", "", 1)) {
		t.Errorf("links.html is\n%s", links)
	}
	var listing map[string]any
	if err := json.Unmarshal([]byte(read(t, site, "simple", "fast", "index.json")), &listing); err != nil {
		t.Fatal(err)
	}
	first := listing["files"].([]any)[0].(map[string]any)
	got := []any{first["filename"], first["size"], first["yanked"], first["requires-python"], listing["versions"]}
	if diff := cmp.Diff([]any{plain, float64(x.File(plain).Size), `broken & "bad"`, ">=3.9,<4", []any{"1.0", "1.0+cu134torch2.14"}}, got); diff != "" {
		t.Errorf("JSON page (-want +got):\n%s", diff)
	}
	if sum := read(t, site, "files", local+index.MetadataSuffix); !strings.HasPrefix(sum, "Metadata-Version") {
		t.Errorf("METADATA beside the wheel is %q", sum)
	}
	if diff := cmp.Diff(treetest.Read(t, site), treetest.Read(t, write(t, x))); diff != "" {
		t.Errorf("two sites of one index differ:\n%s", diff)
	}
}

func TestMerge(t *testing.T) {
	old := of(t, fileOf(t, plain, "1"))
	if err := old.Yank(map[string]string{plain: "old"}); err != nil {
		t.Fatal(err)
	}
	published, err := index.ReadSite(write(t, old))
	if err != nil {
		t.Fatal(err)
	}
	x := of(t, fileOf(t, local, "2"))
	if err := x.Merge(published); err != nil {
		t.Fatal(err)
	}
	site := write(t, x)
	if got := read(t, site, "simple", "fast", "index.html"); !strings.Contains(got, plain) || !strings.Contains(got, local) || !strings.Contains(got, `data-yanked="old"`) {
		t.Errorf("the merged page is\n%s", got)
	}
	if diff := cmp.Diff(old.File(plain).SHA256, again(t, site).File(plain).SHA256); diff != "" {
		t.Error(diff)
	}

	err = of(t, fileOf(t, plain, "other")).Merge(published)
	var changed *index.Changed
	if !errors.As(err, &changed) || changed.Name != plain || changed.Published != old.File(plain).SHA256 {
		t.Errorf("other bytes under a published name: %v", err)
	}
	if err := of(t, fileOf(t, plain, "1")).Merge(published); err != nil {
		t.Errorf("the same bytes: %v", err)
	}
}

func again(t *testing.T, site string) *index.Index {
	t.Helper()
	x, err := index.ReadSite(site)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestReadSiteNoticesDamage(t *testing.T) {
	for _, name := range []string{plain, plain + index.MetadataSuffix} {
		site := write(t, of(t, fileOf(t, plain, "1")))
		file := filepath.Join(site, "files", name)
		os.Chmod(file, 0o644)
		wheeltest.Edit(t, file, func(data []byte) []byte { data[20] ^= 1; return data })
		if _, err := index.ReadSite(site); err == nil || !strings.Contains(err.Error(), "restore the published file") {
			t.Errorf("%s with a flipped byte: %v", name, err)
		}
	}
	if _, err := index.ReadSite(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no index of ours") {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestYankOfNothing(t *testing.T) {
	if err := of(t, fileOf(t, plain, "1")).Yank(map[string]string{"gone.whl": ""}); err == nil || err.Error() != "yank of gone.whl: the index has no such file" {
		t.Errorf("got %v", err)
	}
}

func TestPlace(t *testing.T) {
	x := of(t, fileOf(t, local, "2"))
	x.Place("https://example.org/v1/")
	site := write(t, x)
	want := `href="https://example.org/v1/fast-1.0%2Bcu134torch2.14-cp312-cp312-win_arm64.whl#sha256=`
	if page := read(t, site, "simple", "fast", "index.html"); !strings.Contains(page, want) {
		t.Errorf("the page lacks %s:\n%s", want, page)
	}
	if _, err := os.Stat(filepath.Join(site, "files")); err == nil {
		t.Error("wheels that lie elsewhere were copied")
	}
}

func TestHandler(t *testing.T) {
	server := httptest.NewServer(index.Handler(write(t, of(t, fileOf(t, local, "2")))))
	defer server.Close()
	for _, test := range []struct{ path, accept, kind, part string }{
		{"/simple/", "", "text/html; charset=utf-8", `<a href="fast/">fast</a>`},
		{"/simple/fast/", index.TypeJSON + ", text/html;q=0.1", index.TypeJSON, `"filename": "fast-1.0+cu134`},
		{"/simple/fast/", index.TypeHTML, index.TypeHTML, "<a href="},
		{"/files/fast-1.0%2Bcu134torch2.14-cp312-cp312-win_arm64.whl", "", "application/octet-stream", "PK"},
		{"/files/fast-1.0%2Bcu134torch2.14-cp312-cp312-win_arm64.whl.metadata", "", "text/plain; charset=utf-8", "Name: fast"},
	} {
		request, err := http.NewRequest("GET", server.URL+test.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", test.accept)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != 200 || response.Header.Get("Content-Type") != test.kind || !strings.Contains(string(body), test.part) {
			t.Errorf("%s as %q: %d %s %q", test.path, test.accept, response.StatusCode, response.Header.Get("Content-Type"), body)
		}
	}
	if response, err := http.Get(server.URL + "/simple/none/"); err != nil || response.StatusCode != 404 {
		t.Errorf("a project that is not there: %v %v", response, err)
	}
}

// Wheels from elsewhere have no pins.
func TestLoadWithoutPins(t *testing.T) {
	path := wheeltest.Wheel{Name: plain}.Write(t, t.TempDir())
	x, set, err := (&index.Listing{Wheels: []index.Listed{{Wheel: path}}}).Load()
	if err != nil || x.File(plain) == nil || len(set.Wheels) != 1 || set.PinsSHA256 != "" {
		t.Errorf("got %v %v", set, err)
	}
}
