package publish

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// GitHub is the Releases of one repository on a server with GitHub's REST API
// (version 2022-11-28).
type GitHub struct {
	api, repository, token string
	client                 *retryablehttp.Client
}

// NewGitHub gives the releases of a repository, OWNER/NAME. api is the server's
// address, https://api.github.com; token may be "" for reading.
func NewGitHub(api, repository, token string) *GitHub {
	client := retryablehttp.NewClient()
	client.Logger = nil
	client.RetryMax = 6
	client.RetryWaitMax = 2 * time.Minute
	client.CheckRetry = retry
	client.Backoff = backoff
	// The last answer says more than "giving up after 7 attempts".
	client.ErrorHandler = retryablehttp.PassthroughErrorHandler
	return &GitHub{api: strings.TrimSuffix(api, "/"), repository: repository, token: token, client: client}
}

// limited tells whether an answer says that there were too many requests: by
// status, or as GitHub does, with 403 and a header.
func limited(response *http.Response) bool {
	return response.StatusCode == http.StatusTooManyRequests || response.StatusCode == http.StatusForbidden &&
		(response.Header.Get("Retry-After") != "" || response.Header.Get("X-Ratelimit-Remaining") == "0")
}

func retry(ctx context.Context, response *http.Response, err error) (bool, error) {
	if err == nil && limited(response) {
		return true, nil
	}
	return retryablehttp.DefaultRetryPolicy(ctx, response, err)
}

// backoff waits as long as the server says, and otherwise longer each time.
func backoff(least, most time.Duration, attempt int, response *http.Response) time.Duration {
	if response != nil && limited(response) {
		if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
			return time.Duration(seconds) * time.Second
		}
		if at, err := strconv.ParseInt(response.Header.Get("X-Ratelimit-Reset"), 10, 64); err == nil {
			return max(least, min(time.Until(time.Unix(at, 0)), time.Hour))
		}
	}
	return retryablehttp.DefaultBackoff(least, most, attempt, response)
}

// Find implements Releases.
func (g *GitHub) Find(ctx context.Context, tag string) (*Release, error) {
	release, err := g.release(ctx, http.MethodGet, "/releases/tags/"+url.PathEscape(tag), nil)
	var status *statusError
	if errors.As(err, &status) && status.code == http.StatusNotFound {
		return nil, nil
	}
	return release, err
}

// Create implements Releases.
func (g *GitHub) Create(ctx context.Context, tag string) (*Release, error) {
	return g.release(ctx, http.MethodPost, "/releases", map[string]string{"tag_name": tag, "name": tag})
}

func (g *GitHub) release(ctx context.Context, method, path string, body any) (*Release, error) {
	var answer struct {
		ID        int64  `json:"id"`
		Tag       string `json:"tag_name"`
		UploadURL string `json:"upload_url"`
	}
	if err := g.call(ctx, method, g.api+"/repos/"+g.repository+path, body, &answer); err != nil {
		return nil, err
	}
	upload, _, _ := strings.Cut(answer.UploadURL, "{")
	return &Release{answer.ID, answer.Tag, upload}, nil
}

// asset is GitHub's form.
type asset struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	State  string `json:"state"`
	Digest string `json:"digest"`
	URL    string `json:"browser_download_url"`
}

func (a asset) plain() Asset {
	return Asset{a.ID, a.Name, a.Size, strings.TrimPrefix(a.Digest, "sha256:"), a.State == "uploaded", a.URL}
}

// Assets implements Releases.
func (g *GitHub) Assets(ctx context.Context, release *Release) ([]Asset, error) {
	const perPage = 100
	var all []Asset
	for page := 1; ; page++ {
		var answer []asset
		if err := g.call(ctx, http.MethodGet, fmt.Sprintf("%s/repos/%s/releases/%d/assets?per_page=%d&page=%d", g.api, g.repository, release.ID, perPage, page), nil, &answer); err != nil {
			return nil, err
		}
		for _, one := range answer {
			all = append(all, one.plain())
		}
		if len(answer) < perPage {
			return all, nil
		}
	}
}

// Upload implements Releases.
func (g *GitHub) Upload(ctx context.Context, release *Release, name string, size int64, open func() (io.ReadCloser, error)) (*Asset, error) {
	request, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, release.UploadURL+"?name="+url.QueryEscape(name),
		retryablehttp.ReaderFunc(func() (io.Reader, error) { return open() }))
	if err != nil {
		return nil, err
	}
	request.ContentLength = size
	request.Header.Set("Content-Type", "application/octet-stream")
	var answer asset
	if err := g.send(request, &answer); err != nil {
		return nil, err
	}
	plain := answer.plain()
	return &plain, nil
}

// Delete implements Releases.
func (g *GitHub) Delete(ctx context.Context, asset Asset) error {
	return g.call(ctx, http.MethodDelete, fmt.Sprintf("%s/repos/%s/releases/assets/%d", g.api, g.repository, asset.ID), nil, nil)
}

// Download implements Releases.
func (g *GitHub) Download(ctx context.Context, url string) (io.ReadCloser, error) {
	request, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := g.client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, problem(request, response)
	}
	return response.Body, nil
}

func (g *GitHub) call(ctx context.Context, method, url string, body, answer any) error {
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return err
		}
	}
	request, err := retryablehttp.NewRequestWithContext(ctx, method, url, bytes.NewReader(data))
	if err != nil {
		return err
	}
	return g.send(request, answer)
}

func (g *GitHub) send(request *retryablehttp.Request, answer any) error {
	request.Header.Set("Accept", "application/vnd.github+json")
	request.Header.Set("X-GitHub-Api-Version", "2022-11-28")
	if g.token != "" {
		request.Header.Set("Authorization", "Bearer "+g.token)
	}
	response, err := g.client.Do(request)
	if err != nil {
		return err
	}
	if response.StatusCode/100 != 2 {
		return problem(request, response)
	}
	defer response.Body.Close()
	if answer == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

// statusError is an answer that says no.
type statusError struct {
	code int
	text string
}

// Error gives what the server said.
func (s *statusError) Error() string { return s.text }

func problem(request *retryablehttp.Request, response *http.Response) error {
	defer response.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(response.Body, 500)) // what can be read of it
	return &statusError{response.StatusCode, fmt.Sprintf("%s %s: %s %s", request.Method, request.URL, response.Status, bytes.TrimSpace(text))}
}
