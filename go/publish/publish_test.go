package publish_test

import (
	"bytes"
	stdcmp "cmp"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/index"
	"github.com/sparkwheels/sparkwheels/go/publish"
	"github.com/sparkwheels/sparkwheels/go/wheel/wheeltest"
)

const fast, slow = "fast-1.0+cu134-cp312-cp312-win_arm64.whl", "slow-2.0-cp312-cp312-win_arm64.whl"

// indexOf makes an index of two wheels; slow's contents are given.
func indexOf(t *testing.T, text string) *index.Index {
	t.Helper()
	x := index.New()
	for name, data := range map[string]string{fast: "1", slow: text} {
		file, err := index.FromWheel(wheeltest.Wheel{Name: name, Files: []wheeltest.File{{Name: "m.py", Data: data}}}.Write(t, t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Add(file); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func publisher(s *server) (*publish.Publisher, *bytes.Buffer) {
	log := &bytes.Buffer{}
	return &publish.Publisher{Releases: publish.NewGitHub(s.URL, "o/r", "token"), Tag: "v1", Log: log}, log
}

var everything = []string{fast, fast + ".metadata", slow, slow + ".metadata"}

func TestUploadThenVerify(t *testing.T) {
	s := newServer(t)
	p, log := publisher(s)
	x := indexOf(t, "2")
	if err := p.Upload(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(everything, s.names()); diff != "" {
		t.Errorf("assets (-want +got):\n%s", diff)
	}
	if url := x.File(fast).URL; url != s.URL+"/download/fast-1.0%2Bcu134-cp312-cp312-win_arm64.whl" {
		t.Errorf("the address is %s", url)
	}
	site := filepath.Join(t.TempDir(), "site")
	if err := x.Write(site, &index.Set{Schema: index.SetSchema}); err != nil {
		t.Fatal(err)
	}
	if err := p.Verify(t.Context(), site); err != nil || strings.Count(log.String(), "verified") != 2 {
		t.Errorf("%v\n%s", err, log)
	}
	// Again: everything is there and nothing is sent.
	s.uploads = 0
	if err := p.Upload(t.Context(), indexOf(t, "2")); err != nil || s.uploads != 0 || strings.Count(log.String(), "kept") != 4 {
		t.Errorf("a second run: %v, %d uploads\n%s", err, s.uploads, log)
	}
	// Without digests the assets are downloaded to compare.
	s.noDigests = true
	if err := p.Upload(t.Context(), indexOf(t, "2")); err != nil || s.uploads != 0 {
		t.Errorf("without digests: %v, %d uploads", err, s.uploads)
	}
	// A flipped byte on the server.
	for i := range s.assets {
		if s.assets[i].name == slow {
			s.assets[i].data[100] ^= 1
		}
	}
	if err := p.Verify(t.Context(), site); err == nil || !strings.HasPrefix(err.Error(), slow+": has sha256 ") {
		t.Errorf("a flipped byte: %v", err)
	}
}

func TestDryRunChangesNothing(t *testing.T) {
	s := newServer(t)
	p, log := publisher(s)
	p.DryRun = true
	if err := p.Upload(t.Context(), indexOf(t, "2")); err != nil || s.tag != "" || len(s.assets) != 0 || strings.Count(log.String(), "would add") != 4 {
		t.Errorf("%v, tag %q, assets %v\n%s", err, s.tag, s.names(), log)
	}
}

func TestOtherBytesAreRefused(t *testing.T) {
	s := newServer(t)
	p, _ := publisher(s)
	if err := p.Upload(t.Context(), indexOf(t, "2")); err != nil {
		t.Fatal(err)
	}
	x := indexOf(t, "other")
	err := p.Upload(t.Context(), x)
	var changed *index.Changed
	var refused *publish.Refused
	if !errors.As(err, &refused) || !errors.As(err, &changed) || changed.Name != slow || strings.Contains(err.Error(), fast) {
		t.Errorf("got %v", err)
	}
	if x.File(fast).URL == "" || x.File(slow).URL != "" {
		t.Error("the refused wheel has an address, or the other one has none")
	}
}

func TestTooLargeAndTheOthersGoOn(t *testing.T) {
	for limit, size := range map[int64]int64{
		3000: 0,             // of the file as it is
		0:    2_200_000_000, // GitHub's own limit; nobody reads the file
	} {
		s := newServer(t)
		p, _ := publisher(s)
		x := indexOf(t, strings.Repeat("large", 1000))
		p.Limit = limit
		if size > 0 {
			x.File(slow).Size = size
		}
		want := fmt.Sprintf("and a release takes %d for one file", stdcmp.Or(limit, publish.MaxAsset))
		err := p.Upload(t.Context(), x)
		if err == nil || !strings.HasPrefix(err.Error(), slow+": has ") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v", err)
		}
		if diff := cmp.Diff([]string{fast, fast + ".metadata", slow + ".metadata"}, s.names()); diff != "" {
			t.Errorf("assets (-want +got):\n%s", diff)
		}
	}
}

func TestAnInterruptedUploadIsMadeAgain(t *testing.T) {
	s := newServer(t)
	s.tag = "v1"
	s.put(slow, "starter", []byte("half"))
	p, _ := publisher(s)
	if err := p.Upload(t.Context(), indexOf(t, "2")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(everything, s.names()); diff != "" {
		t.Errorf("assets (-want +got):\n%s", diff)
	}
}

func TestRetriesAndRateLimit(t *testing.T) {
	s := newServer(t)
	count := 0
	s.before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost || !strings.HasPrefix(r.URL.Path, "/upload/") {
			return false
		}
		count++
		switch count {
		case 1: // the secondary limit
			w.Header().Set("Retry-After", "0")
			http.Error(w, `{"message": "secondary rate limit"}`, http.StatusForbidden)
		case 2: // the primary one
			w.Header().Set("X-Ratelimit-Remaining", "0")
			w.Header().Set("X-Ratelimit-Reset", "1")
			http.Error(w, `{"message": "rate limit"}`, http.StatusForbidden)
		case 3:
			w.Header().Set("Retry-After", "0")
			http.Error(w, "busy", http.StatusServiceUnavailable)
		default:
			return false
		}
		return true
	}
	p, _ := publisher(s)
	if err := p.Upload(t.Context(), indexOf(t, "2")); err != nil || count != 7 {
		t.Errorf("%v after %d uploads", err, count)
	}
	if diff := cmp.Diff(everything, s.names()); diff != "" {
		t.Errorf("assets (-want +got):\n%s", diff)
	}
}

func TestRefusalsAreToldAndNotRepeated(t *testing.T) {
	s := newServer(t)
	p := &publish.Publisher{Releases: publish.NewGitHub(s.URL, "o/r", "wrong"), Tag: "v1", Log: &bytes.Buffer{}}
	if err := p.Upload(t.Context(), indexOf(t, "2")); err == nil || !strings.Contains(err.Error(), "401 Unauthorized") || !strings.Contains(err.Error(), "Bad credentials") {
		t.Errorf("a wrong token: %v", err)
	} else if refused := (*publish.Refused)(nil); errors.As(err, &refused) {
		t.Error("a server that takes nothing counts as refused files")
	}
}

// A server that changes names would leave pages that point nowhere.
func TestARenamedAssetIsTakenBack(t *testing.T) {
	s := newServer(t)
	s.before = func(w http.ResponseWriter, r *http.Request) bool {
		if query := r.URL.Query(); strings.Contains(query.Get("name"), "+") {
			query.Set("name", strings.ReplaceAll(query.Get("name"), "+", "."))
			r.URL.RawQuery = query.Encode()
		}
		return false
	}
	p, _ := publisher(s)
	err := p.Upload(t.Context(), indexOf(t, "2"))
	if err == nil || !strings.Contains(err.Error(), "the server called it fast-1.0.cu134-cp312-cp312-win_arm64.whl") {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff([]string{slow, slow + ".metadata"}, s.names()); diff != "" {
		t.Errorf("assets (-want +got):\n%s", diff)
	}
}
