// Package publish puts a built index where users find it: the wheels become
// assets of a release, and the pages point at them.
//
// Its primary type is Publisher. Its life: Upload puts the wheels and what lies
// beside them into a release and tells, file by file, what it did; Index writes
// the site that points at the assets; Verify downloads every wheel again by
// that site's pages and compares. A published file never changes: an asset with
// the same bytes is left alone, and one with others is refused.
package publish

import (
	"context"
	"io"
)

// MaxAsset is the most bytes that a release takes for one asset: 2 GiB less one
// (GitHub's "About releases").
const MaxAsset = 2<<30 - 1

// Release is a release with its assets' place.
type Release struct {
	ID  int64
	Tag string
	// UploadURL is where assets are sent to, without its template part.
	UploadURL string
}

// Asset is one file of a release.
type Asset struct {
	ID   int64
	Name string
	Size int64
	// Digest is the sha256, hex; "" where the server tells none.
	Digest string
	// Complete is false for one whose upload was cut off.
	Complete bool
	// URL is where everybody downloads it.
	URL string
}

// Releases is a server with releases, such as GitHub.
type Releases interface {
	// Find gives the release of a tag, nil when there is none.
	Find(ctx context.Context, tag string) (*Release, error)
	// Create makes the release of a tag.
	Create(ctx context.Context, tag string) (*Release, error)
	// Assets lists all assets of a release.
	Assets(ctx context.Context, release *Release) ([]Asset, error)
	// Upload sends one file; open may be called again for another attempt.
	Upload(ctx context.Context, release *Release, name string, size int64, open func() (io.ReadCloser, error)) (*Asset, error)
	// Delete removes an asset.
	Delete(ctx context.Context, asset Asset) error
	// Download opens what lies at an asset's URL.
	Download(ctx context.Context, url string) (io.ReadCloser, error)
}
