package upstream

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/pins"
)

// serve answers paths with bodies; a body that begins with a status, such as "503", is that status.
func serve(t *testing.T, pages map[string]string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		switch {
		case !ok:
			http.NotFound(w, r)
		case body == "503":
			w.WriteHeader(http.StatusServiceUnavailable)
		case strings.HasPrefix(body, "secret:"):
			if user, password, _ := r.BasicAuth(); user+":"+password != "me:secret" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			_, _ = w.Write([]byte(strings.TrimPrefix(body, "secret:")))
		default:
			_, _ = w.Write([]byte(body))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func client(variables map[string]string) *Client {
	c := NewClient(5 * time.Second)
	c.Env = func(name string) string { return variables[name] }
	return c
}

const (
	sumA     = "9f228ae21c78fa9359ca98d8a5e8e91f30639e438e574133dace62c5b5309e44"
	htmlPage = `<!DOCTYPE html><html><head><title>Links for soxr</title></head><body>
<!-- <a href="soxr-9.tar.gz">old</a> -->
<a href="../../files/soxr-1.0.tar.gz#sha256=` + sumA + `" data-requires-python="&gt;=3.9">soxr-1.0.tar.gz</a>
<a href="/files/soxr-1.1-cp312-cp312-win_arm64.whl" data-yanked="broken">x</a>
</body></html>`
	listing = `{"meta": {"api-version": "1.1"}, "files": [
 {"filename": "soxr-1.0.tar.gz", "url": "../../files/soxr-1.0.tar.gz", "hashes": {"sha256": "` + sumA + `"}, "requires-python": ">=3.9", "yanked": false},
 {"filename": "soxr-1.1-cp312-cp312-win_arm64.whl", "url": "/files/soxr-1.1-cp312-cp312-win_arm64.whl", "hashes": {}, "requires-python": null, "yanked": "broken"}]}`
)

// A page says the same in JSON and in HTML.
func TestProject(t *testing.T) {
	for kind, body := range map[string]string{"JSON": listing, "HTML": htmlPage} {
		t.Run(kind, func(t *testing.T) {
			base := serve(t, map[string]string{"/simple/soxr/": body})
			got, err := client(map[string]string{"PIP_INDEX_URL": base + "/simple/"}).Project(t.Context(), "soxr")
			if err != nil {
				t.Fatal(err)
			}
			want := []Release{
				{Version: "1.0", Files: []File{{"soxr-1.0.tar.gz", base + "/files/soxr-1.0.tar.gz", sumA, ">=3.9", false}}},
				{Version: "1.1", Yanked: true, Files: []File{{"soxr-1.1-cp312-cp312-win_arm64.whl", base + "/files/soxr-1.1-cp312-cp312-win_arm64.whl", "", "", true}}},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("releases (-want +got):\n%s", diff)
			}
		})
	}
}

func TestProjectBad(t *testing.T) {
	for name, c := range map[string]struct {
		body, want  string
		unreachable bool
	}{
		"log-in page":         {`<html><a href="/login">log in</a></html>`, "is a page of HTML, but no listing of files (PEP 503)", false},
		"empty":               {``, "is a page of HTML, but no listing", false},
		"JSON of another API": {`{"info": {}}`, "is JSON, but no listing of files (PEP 691)", false},
		"JSON cut off":        {`{"files": [`, "is not JSON", false},
		"server out of order": {`503`, "answered 503", true},
	} {
		t.Run(name, func(t *testing.T) {
			base := serve(t, map[string]string{"/simple/soxr/": c.body})
			_, err := client(map[string]string{"PIP_INDEX_URL": base + "/simple"}).Project(t.Context(), "soxr")
			if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, new(*UnreachableError)) != c.unreachable {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// A password reaches the index and no message.
func TestCredentials(t *testing.T) {
	base := serve(t, map[string]string{"/simple/soxr/": "secret:" + listing})
	with := strings.Replace(base, "://", "://me:secret@", 1)
	if _, err := client(map[string]string{"PIP_INDEX_URL": with + "/simple"}).Project(t.Context(), "soxr"); err != nil {
		t.Error(err)
	}
	wrong := strings.Replace(base, "://", "://me:hunter2@", 1)
	_, err := client(map[string]string{"PIP_INDEX_URL": wrong + "/simple"}).Project(t.Context(), "soxr")
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v, want an error without the password", err)
	}
}

func TestPipConfiguration(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "pip.conf")
	if err := os.WriteFile(file, []byte("[global]\nindex-url = https://a.invalid/simple\n[install]\n# x\nindex_url: https://b.invalid/simple/\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := client(map[string]string{"PIP_CONFIG_FILE": file, "HOME": home}).Index(t.Context())
	if err != nil || got != "https://b.invalid/simple" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestSparseIndex(t *testing.T) {
	base := serve(t, map[string]string{"/li/bz/libz-sys": `{"name":"libz-sys","vers":"1.1.33","cksum":"` + sumA + `","yanked":false}
{"name":"libz-sys","vers":"1.1.34","cksum":"x","yanked":true}
`, "/3/a/abc": "<html>"})
	c := client(map[string]string{"CRATES_INDEX_URL": "sparse+" + base + "/"})
	got, err := c.Releases(t.Context(), &pins.Pin{Source: pins.Source{Crate: &pins.Crate{Crate: "libz-sys"}}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Release{{Version: "1.1.33", SHA256: sumA}, {Version: "1.1.34", SHA256: "x", Yanked: true}}, got); diff != "" {
		t.Errorf("releases (-want +got):\n%s", diff)
	}
	for crate, want := range map[string]string{"gone": "the registry has no crate gone", "abc": "is no file of a crate index"} {
		if _, err := c.Releases(t.Context(), &pins.Pin{Source: pins.Source{Crate: &pins.Crate{Crate: crate}}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", crate, err, want)
		}
	}
}

func TestRedist(t *testing.T) {
	manifest := func(version string) string {
		return `{"release_date": "x", "libcufft": {"version": "` + version + `", "linux-sbsa": {"relative_path": "libcufft/linux-sbsa/libcufft-linux-sbsa-` + version + `-archive.tar.xz", "sha256": "` + version + `"}},
		"cudnn": {"version": "9.1.0.2", "linux-sbsa": {"cuda12": {"relative_path": "c/cudnn-9.1.0.2_cuda12.zip", "sha256": "12"}, "cuda13": {"relative_path": "c/cudnn-9.1.0.2_cuda13.zip", "sha256": "13"}}}}`
	}
	base := serve(t, map[string]string{
		"/cuda/":                      `<a href="redistrib_13.4.1.json">x</a><a href="redistrib_13.4.2.json">x</a><a href="redistrib_13.10.0.json">x</a>`,
		"/cuda/redistrib_13.4.2.json": manifest("12.4.0.43"), "/cuda/redistrib_13.10.0.json": manifest("12.5.0.1"),
	})
	c := client(map[string]string{"NVIDIA_REDIST_URL": base + "/"})
	ask := func(r pins.Redist) ([]Release, error) {
		return c.Releases(t.Context(), &pins.Pin{Source: pins.Source{Redist: &r}})
	}
	got, err := ask(pins.Redist{Product: "cuda", Release: "13.4.2", Component: "libcufft", Platform: "linux-sbsa"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Release{
		{Version: "12.4.0.43", SHA256: "12.4.0.43", Manifest: "13.4.2", Archive: "libcufft-linux-sbsa-12.4.0.43-archive.tar.xz"},
		{Version: "12.5.0.1", SHA256: "12.5.0.1", Manifest: "13.10.0", Archive: "libcufft-linux-sbsa-12.5.0.1-archive.tar.xz"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("releases (-want +got):\n%s", diff)
	}
	got, err = ask(pins.Redist{Product: "cuda", Release: "13.10.0", Component: "cudnn", Platform: "linux-sbsa", Archive: "cudnn-9.0.0.1_cuda13.zip"})
	if err != nil || len(got) != 1 || got[0].SHA256 != "13" {
		t.Errorf("variant: %v, %v", got, err)
	}
	if _, err = ask(pins.Redist{Product: "cuda", Release: "13.10.0", Component: "cudnn", Platform: "linux-sbsa"}); err == nil || !strings.Contains(err.Error(), "several archives") {
		t.Errorf("several archives: %v", err)
	}
}

// remote makes a git repository with the tags v1.0 and release-2.0 (annotated), and returns its address and a runner.
func remote(t *testing.T) (dir string, git func(args ...string) string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here to ask remotes with")
	}
	dir = t.TempDir()
	git = func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@t.invalid"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "--quiet", "-b", "main")
	git("commit", "--quiet", "--allow-empty", "-m", "one")
	git("tag", "v1.0")
	git("tag", "nightly")
	git("commit", "--quiet", "--allow-empty", "-m", "two")
	git("tag", "-a", "-m", "two", "release-2.0")
	git("config", "uploadpack.allowAnySHA1InWant", "true")
	git("config", "uploadpack.allowFilter", "true")
	return dir, git
}

func TestGit(t *testing.T) {
	dir, git := remote(t)
	head := git("rev-parse", "HEAD")
	c := client(nil)
	got, err := c.Releases(t.Context(), &pins.Pin{Source: pins.Source{Git: &pins.Git{Remote: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	want := []Release{{Version: "0+git." + head[:8], Commit: head}, {Version: "2.0", Commit: head}, {Version: "1.0", Commit: git("rev-parse", "v1.0")}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("releases (-want +got):\n%s", diff)
	}
	if err := c.HasCommit(t.Context(), &pins.Git{Remote: dir, Commit: head}); err != nil {
		t.Error(err)
	}
	gone := &pins.Git{Remote: dir, Commit: strings.Repeat("1", 40)}
	if err := c.HasCommit(t.Context(), gone); err == nil || !strings.Contains(err.Error(), "has no commit "+gone.Commit+" any more: was it force-pushed away?") {
		t.Errorf("a commit that is gone: %v", err)
	}
	if _, err := c.Releases(t.Context(), &pins.Pin{Source: pins.Source{Git: &pins.Git{Remote: dir + "-not"}}}); !errors.As(err, new(*UnreachableError)) {
		t.Errorf("a remote that is not there: %v", err)
	}
}

func TestCompare(t *testing.T) {
	for _, c := range [][2]string{{"1.9", "1.10"}, {"1.0rc1", "1.0"}, {"1.0", "1.0.post1"}, {"12.4.0.43", "12.10.0.1"}, {"1.0.8-alpha", "1.0.8"}, {"0.1.13+1.0.8", "0.1.13+1.0.9"}, {"1.0-b", "1.0-1"}} {
		if Compare(c[0], c[1]) >= 0 || Compare(c[1], c[0]) <= 0 || Compare(c[0], c[0]) != 0 {
			t.Errorf("%s is not before %s", c[0], c[1])
		}
	}
}

func TestFileVersion(t *testing.T) {
	for name, want := range map[string]string{
		"soxr-1.0.tar.gz": "1.0", "flash-attn-2.8.tar.gz": "2.8", "a-b-1.0.zip": "1.0", "x-1.0-py3-none-any.whl": "1.0",
		"x.whl": "", "x-1.0.exe": "", "nothing.tar.gz": "",
	} {
		if got := FileVersion(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
