package upstream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// mostPage is the size in bytes beyond which a page is not read; the largest project page is some 20 MB.
const mostPage = 128 << 20

// Client asks. It remembers every page, so that many pins of one project cost one question. It is safe for concurrent use.
type Client struct {
	// Env looks up an environment variable; os.Getenv by default.
	Env func(string) string
	// Timeout bounds one question, retries included.
	Timeout time.Duration
	// Log, if set, is told in one line what is being asked.
	Log func(line string)

	http  *retryablehttp.Client
	mu    sync.Mutex
	pages map[string]*page
	index *index
}

// page is an answer that is remembered.
type page struct {
	once sync.Once
	body []byte
	kind string
	err  error
}

// NewClient returns a client that gives up a question after the time-out, in seconds; 0 stands for a minute.
func NewClient(timeout time.Duration) *Client {
	if timeout == 0 {
		timeout = time.Minute
	}
	h := retryablehttp.NewClient()
	h.Logger = nil
	h.RetryMax = 3
	h.RetryWaitMin, h.RetryWaitMax = 200*time.Millisecond, 2*time.Second
	// The last answer, not "giving up after 4 attempts".
	h.ErrorHandler = retryablehttp.PassthroughErrorHandler
	return &Client{Env: os.Getenv, Timeout: timeout, http: h, pages: map[string]*page{}}
}

// errNotFound is an answer 404 or 410.
var errNotFound = errors.New("there is no such page")

// get returns the page at an address, which must hold no credentials.
func (c *Client) get(ctx context.Context, address, accept string, login *url.Userinfo) (body []byte, kind string, err error) {
	c.mu.Lock()
	p := c.pages[address]
	if p == nil {
		p = &page{}
		c.pages[address] = p
	}
	c.mu.Unlock()
	p.once.Do(func() {
		if c.Log != nil {
			c.Log("asking " + address)
		}
		p.err = c.stream(ctx, address, accept, login, func(r *http.Response) (err error) {
			p.kind = r.Header.Get("Content-Type")
			p.body, err = io.ReadAll(io.LimitReader(r.Body, mostPage+1))
			if err == nil && len(p.body) > mostPage {
				err = fmt.Errorf("the page has more than %d MB", mostPage>>20)
			}
			return err
		})
	})
	return p.body, p.kind, p.err
}

// stream asks for an address and hands the good answer on.
func (c *Client) stream(ctx context.Context, address, accept string, login *url.Userinfo, read func(*http.Response) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	request, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	if accept != "" {
		request.Header.Set("Accept", accept)
	}
	request.Header.Set("User-Agent", "sparkwheels-pins")
	if login != nil {
		password, _ := login.Password()
		request.SetBasicAuth(login.Username(), password)
	}
	response, err := c.http.Do(request)
	if err == nil {
		defer response.Body.Close()
		switch {
		case response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusGone:
			return errNotFound
		case response.StatusCode != http.StatusOK:
			err = errors.New("answered " + response.Status)
		default:
			err = read(response)
		}
	}
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("no answer in %v", c.Timeout)
		}
		var u *url.Error
		if errors.As(err, &u) { // its text repeats the address
			err = u.Err
		}
		return &UnreachableError{address, err}
	}
	return nil
}

// Download writes a file of the index to w and returns its sha256.
func (c *Client) Download(ctx context.Context, f File, w io.Writer) (sum string, err error) {
	if c.Log != nil {
		c.Log("fetching " + f.Name)
	}
	var login *url.Userinfo
	if ix, err := c.pipIndex(ctx); err == nil && sameHost(ix.base, f.URL) {
		login = ix.login
	}
	hash := sha256.New()
	err = c.stream(ctx, f.URL, "", login, func(r *http.Response) error {
		_, err := io.Copy(io.MultiWriter(w, hash), r.Body)
		return err
	})
	if errors.Is(err, errNotFound) {
		err = &MalformedError{f.URL, "the index lists this file, but does not have it"}
	}
	return hex.EncodeToString(hash.Sum(nil)), err
}

func sameHost(a, b string) bool {
	u, err1 := url.Parse(a)
	v, err2 := url.Parse(b)
	return err1 == nil && err2 == nil && u.Scheme == v.Scheme && u.Host == v.Host
}
