// Package fetch tests the repository rules of //third_party/rules in a Bazel of their own, against servers on this machine:
// what they fetch, in which order they look, and the one error for each thing that can go wrong.
package fetch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/pins"
)

const secret = "s3cret"

// tool is the body of a wheel with a program in it.
func tool(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	header := &zip.FileHeader{Name: "bin/tool"}
	header.SetMode(0o755)
	f, err := w.CreateHeader(header)
	if err == nil {
		_, err = f.Write([]byte("#!/bin/sh\n"))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// deb is the body of a Debian package with one file, as deb(5) describes it.
func deb(t *testing.T, name, text string) string {
	t.Helper()
	pack := func(name, text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		w := tar.NewWriter(z)
		err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))})
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err := errors.Join(err, w.Close(), z.Close()); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	out := "!<arch>\n"
	for _, m := range []struct{ name, body string }{{"debian-binary", "2.0\n"}, {"control.tar.gz", pack("./control", "Package: x\n")}, {"data.tar.gz", pack(name, text)}} {
		out += fmt.Sprintf("%-16s%-12d%-6d%-6d%-8o%-10d`\n", m.name, 0, 0, 0, 0o100644, len(m.body)) + m.body + strings.Repeat("\n", len(m.body)%2)
	}
	return out
}

func pypi(name, file, body string) *pins.Pin {
	return &pins.Pin{Name: name, Version: "1.0", Kind: pins.Library, SHA256: hash(body), Source: pins.Source{
		PyPI: &pins.PyPI{Project: strings.ReplaceAll(name, "_", "-"), File: file}}}
}

func redist(name, archive, body string) *pins.Pin {
	return &pins.Pin{Name: name, Version: "9.27.0.1", Kind: pins.Toolkit, SHA256: hash(body), Source: pins.Source{
		Redist: &pins.Redist{Product: "cudnn", Release: "9.27.0", Component: "cudnn", Platform: "windows-arm64", Archive: archive}}}
}

func pinsFile(t *testing.T, all ...*pins.Pin) string {
	t.Helper()
	text, err := json.Marshal(pins.File{Schema: pins.Schema, Pins: all})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// wantFile expects that the pin's repository holds the file with the text.
func wantFile(t *testing.T, w *workspace, pin, name, text string) {
	t.Helper()
	if diff := cmp.Diff(text, read(t, filepath.Join(w.external(t, pin), name))); diff != "" {
		t.Errorf("%s of %s (-want +got):\n%s", name, pin, diff)
	}
}

// wantError expects that Bazel failed, said text exactly once as an error, and never the password.
func wantError(t *testing.T, code int, said, text string) {
	t.Helper()
	if code == 0 || !strings.Contains(said, text) {
		t.Errorf("exit code %d, want a failure that says %q; Bazel said:\n%s", code, text, said)
	}
	if strings.Contains(said, secret) {
		t.Errorf("the password is in:\n%s", said)
	}
}

func wantSuccess(t *testing.T, code int, said string) {
	t.Helper()
	if code != 0 {
		t.Fatalf("exit code %d; Bazel said:\n%s", code, said)
	}
}

func TestFetch(t *testing.T) {
	s := newServer(t)
	html, jsn, bad, liar, private := "html body", "json body", "bad body", "liar body", "private body"
	wheel := tool(t)
	mixed := `{"cudnn": {"version": "9.27.0.1", "windows-arm64": {"cuda13": {"relative_path": "cudnn/a_cuda13.zip", "sha256": "` + hash("nested") + `"},
		"relative_path": "cudnn/a_cuda13.4.zip", "sha256": "` + hash("flat") + `"}}}`
	s.put("/simple/html/", "text/html", `<!DOCTYPE html><body><!-- <a href="../../files/no/html-1.0.tar.gz">html-1.0.tar.gz</a> -->
		<a href="../../files/html-1.0.tar.gz.metadata">x</a><a data-x="a" href="../../files/html-1.0.tar.gz?a=1&amp;b=2#sha256=`+hash(html)+`">html-1.0.tar.gz</a>`)
	s.put("/files/html-1.0.tar.gz", "application/gzip", html)
	s.put("/simple/jsn/", "application/vnd.pypi.simple.v1+json", `{"files": [{"filename": "jsn-1.0.tar.gz", "url": "/files/jsn", "hashes": {}}]}`)
	s.put("/files/jsn", "application/gzip", jsn)
	s.put("/simple/bad/", "text/html", `<a href="/files/bad-1.0.tar.gz#sha256=`+hash("other")+`">bad-1.0.tar.gz</a>`)
	s.put("/simple/liar/", "text/html", `<a href="/files/liar-1.0.tar.gz#sha256=`+hash(liar)+`">liar-1.0.tar.gz</a>`)
	s.put("/files/liar-1.0.tar.gz", "application/gzip", "something else")
	s.putSecret("/simple/private/", "text/html", `<a href="/files/private-1.0.tar.gz">private-1.0.tar.gz</a>`, secret)
	s.putSecret("/files/private-1.0.tar.gz", "application/gzip", private, secret)
	s.put("/simple/tool/", "text/html", `<a href="/files/tool-1.0-py3-none-any.whl">tool-1.0-py3-none-any.whl</a>`)
	s.put("/files/tool-1.0-py3-none-any.whl", "application/zip", wheel)
	s.put("/maven/org/x/jar/1.0/jar-1.0-linux.jar", "application/zip", "jar body")
	s.put("/crates/config.json", "application/json", `{"dl": "`+s.URL+`/crates/{prefix}/{crate}-{version}"}`)
	s.put("/crates/li/bz/libz-sys-1.0", "application/gzip", "crate body")
	s.put("/archive/plain.tar.gz", "application/gzip", "archive body")
	s.put("/redist/cudnn/redistrib_9.27.0.json", "application/json", mixed)
	s.put("/redist/cudnn/cudnn/a_cuda13.zip", "application/zip", "nested")

	debFile, debPath := deb(t, "./bin/tool", "#!/bin/deb\n"), "/debian/pool/main/libd/libdeb++/libdeb++-dev_1.0~a_all.deb"
	s.put(debPath, "application/vnd.debian.binary-package", debFile)
	s.put("/security/pool/updates/main/d/deb/deb_1.0_arm64.deb", "application/vnd.debian.binary-package", "security body")
	unpacked := pypi("tool", "tool-1.0-py3-none-any.whl", wheel)
	unpacked.Unpack = true
	w := newWorkspace(t, pinsFile(t,
		pypi("html", "html-1.0.tar.gz", html), pypi("jsn", "jsn-1.0.tar.gz", jsn), pypi("bad", "bad-1.0.tar.gz", bad),
		pypi("liar", "liar-1.0.tar.gz", liar), pypi("private", "private-1.0.tar.gz", private), unpacked,
		pypi("absent", "absent-1.0.tar.gz", ""), &pins.Pin{Name: "short", Version: "1.0", Kind: pins.Library, SHA256: hash("x"),
			Source: pins.Source{PyPI: &pins.PyPI{Project: "html", File: "html-1.0.zip"}}},
		&pins.Pin{Name: "jar", Version: "1.0", Kind: pins.Tool, SHA256: hash("jar body"), Source: pins.Source{
			Maven: &pins.Maven{Group: "org.x", Artifact: "jar", Classifier: "linux"}}},
		&pins.Pin{Name: "crate", Version: "1.0", Kind: pins.Library, SHA256: hash("crate body"), Source: pins.Source{
			Crate: &pins.Crate{Crate: "libz-sys"}}},
		&pins.Pin{Name: "plain", Version: "1.0", Kind: pins.Library, SHA256: hash("archive body"), Source: pins.Source{
			Archive: &pins.Archive{URLs: []string{s.URL + "/archive/plain.tar.gz"}}}},
		&pins.Pin{Name: "deb", Version: "2:1.0~a", Kind: pins.Library, SHA256: hash(debFile), Unpack: true, Overlay: "tool", Source: pins.Source{
			Debian: &pins.Debian{Package: "libdeb++-dev", Source: "libdeb++", Architecture: "all"}}},
		&pins.Pin{Name: "update", Version: "1.0", Kind: pins.Library, SHA256: hash("security body"), Source: pins.Source{
			Debian: &pins.Debian{Package: "deb", Architecture: "arm64", Security: true}}},
		redist("ambiguous", "", "nested"), redist("named", "a_cuda13.zip", "nested"), redist("flat", "a_cuda13.4.zip", "nested"),
	))
	credentials := strings.Replace(s.URL, "://", "://me:"+secret+"@", 1)
	index, down := "--repo_env=PIP_INDEX_URL="+s.URL+"/simple", "--repo_env=PIP_INDEX_URL=http://127.0.0.1:1/simple"
	private_, cache := "--repo_env=PIP_INDEX_URL="+credentials+"/simple/", "--repository_cache="+filepath.Join(w.home, "cache")
	const noCache = "--repository_cache="

	t.Run("errors", func(t *testing.T) {
		manifest := s.URL + "/redist/cudnn/redistrib_9.27.0.json"
		for _, c := range []struct{ name, target, env, want string }{
			{"no such file", "short", index, `pin "short": project "html" of the index ` + s.URL + `/simple has no file "html-1.0.zip"`},
			{"no such project", "absent", index, `pin "absent": could not read the listing of project "absent" from the index ` + s.URL + `/simple`},
			{"index down", "html", down, `pin "html": could not read the listing of project "html" from the index http://127.0.0.1:1/simple`},
			{"wrong hash in the listing", "bad", index, fmt.Sprintf(`pin "bad": wrong hash: the index %s/simple says that bad-1.0.tar.gz has sha256 %s, third_party/pins.json says %s`, s.URL, hash("other"), hash(bad))},
			{"wrong hash of the file", "liar", index, "Checksum was " + hash("something else") + " but wanted " + hash(liar)},
			{"wrong password", "private", "--repo_env=PIP_INDEX_URL=" + strings.Replace(credentials, "3", "33", 1) + "/simple", `pin "private": could not read the listing`},
			{"no Maven", "jar", "--repo_env=MAVEN_REPOSITORY_URL=http://127.0.0.1:1", "Error downloading [http://127.0.0.1:1/org/x/jar/1.0/jar-1.0-linux.jar]"},
			{"no crate index", "crate", "--repo_env=CRATES_INDEX_URL=http://127.0.0.1:1", `pin "crate": could not read http://127.0.0.1:1/config.json`},
			{"no package in the archive", "update", "--repo_env=SPARKWHEELS_APT_SECURITY_URI=" + s.URL + "/debian", "Error downloading [" + s.URL + "/debian/pool/updates/main/d/deb/deb_1.0_arm64.deb]"},
			{"mixed shape", "ambiguous", "--repo_env=NVIDIA_REDIST_URL=" + s.URL + "/redist", `pin "ambiguous": the manifest ` + manifest +
				` has several archives of cudnn for windows-arm64: name one of them as "archive" in the pin: a_cuda13.4.zip, a_cuda13.zip`},
			{"other hash in the manifest", "flat", "--repo_env=NVIDIA_REDIST_URL=" + s.URL + "/redist", `pin "flat": the manifest ` + manifest +
				fmt.Sprintf(` says that a_cuda13.4.zip has sha256 %s, third_party/pins.json says %s`, hash("flat"), hash("nested"))},
			{"no manifest", "named", "--repo_env=NVIDIA_REDIST_URL=http://127.0.0.1:1", `pin "named": could not read NVIDIA's manifest http://127.0.0.1:1/cudnn/redistrib_9.27.0.json`},
		} {
			t.Run(c.name, func(t *testing.T) {
				code, said := w.build(t, noCache, c.env, "@pins//:"+c.target)
				wantError(t, code, said, c.want)
			})
		}
	})

	t.Run("distdir without an index", func(t *testing.T) {
		dist := filepath.Join(w.home, "dist")
		if err := os.MkdirAll(dist, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, body := range map[string]string{"absent-1.0.tar.gz": "", "jsn-1.0.tar.gz": jsn} {
			if err := os.WriteFile(filepath.Join(dist, name), []byte(body), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		code, said := w.build(t, noCache, down, "--distdir="+dist, "@pins//:jsn")
		wantSuccess(t, code, said)
		wantFile(t, w, "jsn", "jsn-1.0.tar.gz", jsn)
	})

	t.Run("fetched into the cache", func(t *testing.T) {
		code, said := w.build(t, cache, index, "--repo_env=MAVEN_REPOSITORY_URL="+s.URL+"/maven/", "--repo_env=CRATES_INDEX_URL=sparse+"+s.URL+"/crates/",
			"--repo_env=NVIDIA_REDIST_URL="+s.URL+"/redist", "--repo_env=SPARKWHEELS_APT_URI="+s.URL+"/debian", "--repo_env=SPARKWHEELS_APT_SECURITY_URI="+s.URL+"/security/",
			"@pins//:html", "@pins//:jar", "@pins//:crate", "@pins//:plain", "@pins//:named", "@pins//:update", "@tool//:bin/tool", "@deb//:bin/tool")
		wantSuccess(t, code, said)
		wantFile(t, w, "html", "html-1.0.tar.gz", html)
		wantFile(t, w, "jar", "jar-1.0-linux.jar", "jar body")
		wantFile(t, w, "crate", "libz-sys-1.0.crate", "crate body")
		wantFile(t, w, "plain", "plain.tar.gz", "archive body")
		wantFile(t, w, "named", "a_cuda13.zip", "nested")
		wantFile(t, w, "tool", "bin/tool", "#!/bin/sh\n")
		wantFile(t, w, "update", "deb_1.0_arm64.deb", "security body")
		wantFile(t, w, "deb", "bin/tool", "#!/bin/deb\n")
		if info, err := os.Stat(filepath.Join(w.external(t, "tool"), "bin", "tool")); err != nil || info.Mode()&0o100 == 0 {
			t.Errorf("bin/tool is not a program: %v, %v", info, err)
		}
		code, said = w.build(t, cache, private_, "@pins//:private")
		wantSuccess(t, code, said)
		wantFile(t, w, "private", "private-1.0.tar.gz", private)
		if strings.Contains(said, secret) {
			t.Errorf("the password is in:\n%s", said)
		}
	})

	t.Run("from the cache without a network", func(t *testing.T) {
		s.requests("/")
		w.forget(t)
		code, said := w.build(t, cache, down, "--repo_env=MAVEN_REPOSITORY_URL=http://127.0.0.1:1", "--repo_env=CRATES_INDEX_URL=http://127.0.0.1:1",
			"--repo_env=NVIDIA_REDIST_URL=http://127.0.0.1:1", "--repo_env=SPARKWHEELS_APT_URI=http://127.0.0.1:1", "@deb//:bin/tool", "@pins//:html", "@pins//:jar", "@pins//:crate", "@pins//:plain", "@pins//:named", "@pins//:private", "@tool//:bin/tool")
		wantSuccess(t, code, said)
		if asked := s.requests("/"); len(asked) > 0 {
			t.Errorf("it asked for %v", asked)
		}
		if strings.Contains(said, "WARNING: Download") {
			t.Errorf("a warning about a download that was not needed:\n%s", said)
		}
	})

	t.Run("configuration files", func(t *testing.T) {
		w.forget(t)
		conf := filepath.Join(w.home, "pip.conf")
		if err := os.WriteFile(conf, []byte("[global]\nindex-url = http://127.0.0.1:1\n[install]\nindex_url: "+s.URL+"/simple\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		settings := filepath.Join(w.home, ".m2", "settings.xml")
		if err := os.MkdirAll(filepath.Dir(settings), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(settings, []byte("<settings><mirrors><!-- <mirror><mirrorOf>*</mirrorOf><url>http://127.0.0.1:1</url></mirror> --><mirror><id>m</id><mirrorOf>central</mirrorOf><url>"+s.URL+"/maven</url></mirror></mirrors></settings>"), 0o644); err != nil {
			t.Fatal(err)
		}
		code, said := w.build(t, noCache, "--repo_env=PIP_INDEX_URL=", "--repo_env=PIP_CONFIG_FILE="+conf, "--repo_env=MAVEN_REPOSITORY_URL=", "--repo_env=HOME="+w.home, "@pins//:html", "@pins//:jar")
		wantSuccess(t, code, said)
	})
}

func TestGit(t *testing.T) {
	w, remote, commit := gitWorkspace(t)
	// The user's own configuration, with everything that could change a checkout.
	hooks := filepath.Join(w.home, "hooks")
	if err := os.MkdirAll(hooks, 0o755); err != nil {
		t.Fatal(err)
	}
	ran := filepath.Join(w.home, "hook-ran")
	if err := os.WriteFile(filepath.Join(hooks, "post-checkout"), []byte("#!/bin/sh\ntouch '"+ran+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	config := "[core]\n\tautocrlf = true\n\thooksPath = " + filepath.ToSlash(hooks) + "\n[protocol \"file\"]\n\tallow = always\n" +
		"[url \"file://" + filepath.ToSlash(remote) + "/\"]\n\tinsteadOf = https://git.invalid/\n"
	if err := os.WriteFile(filepath.Join(w.home, ".gitconfig"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	home := "--repo_env=HOME=" + w.home

	code, said := w.build(t, home, "@pins//:good")
	wantSuccess(t, code, said)
	wantFile(t, w, "good", "src/unix.txt", "a\nb\n")
	wantFile(t, w, "good", "src/dos.txt", "a\r\nb\r\n")
	wantFile(t, w, "good", "src/sub/inner.txt", "inner\n")
	if _, err := os.Stat(ran); err == nil {
		t.Error("a hook ran")
	}
	for _, name := range []string{".git", "sub/.git"} {
		if _, err := os.Lstat(filepath.Join(w.external(t, "good"), "src", name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}

	code, said = w.build(t, home, "@pins//:plain")
	wantSuccess(t, code, said)
	if _, err := os.Stat(filepath.Join(w.external(t, "plain"), "src", "sub", "inner.txt")); err == nil {
		t.Error("a submodule was fetched that nobody asked for")
	}

	code, said = w.build(t, home, "@laid//:unix.txt", "@laid//:sub/inner.txt")
	wantSuccess(t, code, said)
	wantFile(t, w, "laid", "BUILD.bazel", gitOverlay)
	for _, name := range []string{".git", "sub/.git", "src"} {
		if _, err := os.Lstat(filepath.Join(w.external(t, "laid"), name)); err == nil {
			t.Errorf("%s is in a repository with an overlay", name)
		}
	}

	code, said = w.build(t, home, "@pins//:gone")
	wantError(t, code, said, `pin "gone": fetching commit `+strings.Repeat("1", 40)+` of https://git.invalid/main failed:`)
	if commit == strings.Repeat("1", 40) {
		t.Fatal("the commit that should be missing is there")
	}
}

// gitWorkspace makes two git repositories, one a submodule of the other, in a folder that it returns, and pins for them.
func gitWorkspace(t *testing.T) (w *workspace, remote, commit string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("there is no git on PATH: install it")
	}
	remote = t.TempDir()
	git := func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "core.autocrlf=false", "-c", "protocol.file.allow=always", "-c", "user.name=t", "-c", "user.email=t@t.invalid"}, args...)...)
		cmd.Dir = filepath.Join(remote, dir)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	for dir, files := range map[string]map[string]string{
		"inner": {"inner.txt": "inner\n"},
		"main":  {"unix.txt": "a\nb\n", "dos.txt": "a\r\nb\r\n"},
	} {
		if err := os.Mkdir(filepath.Join(remote, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		git(dir, "init", "--quiet")
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(remote, dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		git(dir, "add", ".")
		git(dir, "commit", "--quiet", "-m", "first")
	}
	git("main", "submodule", "--quiet", "add", "../inner", "sub")
	git("main", "commit", "--quiet", "-m", "second")
	commit = git("main", "rev-parse", "HEAD")
	// A later commit: the pinned one is not the tip of a branch.
	git("main", "commit", "--quiet", "--allow-empty", "-m", "third")
	git("main", "config", "uploadpack.allowAnySHA1InWant", "true")
	pin := func(name, commit string, submodules bool) *pins.Pin {
		return &pins.Pin{Name: name, Version: "1.0", Kind: pins.Library, Source: pins.Source{
			Git: &pins.Git{Remote: "https://git.invalid/main", Commit: commit, Submodules: submodules}}}
	}
	laid := pin("laid", commit, true)
	laid.Unpack, laid.Overlay = true, "tree"
	unpacked := pypi("tool", "tool-1.0-py3-none-any.whl", "")
	unpacked.Unpack = true
	return newWorkspace(t, pinsFile(t, pin("good", commit, true), pin("plain", commit, false), pin("gone", strings.Repeat("1", 40), false), laid, unpacked)), remote, commit
}
