package publish

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/sparkwheels/sparkwheels/go/index"
)

// Publisher publishes one index into one release.
type Publisher struct {
	// Releases is the server, Tag the release's.
	Releases Releases
	Tag      string
	// DryRun looks and uploads nothing.
	DryRun bool
	// Limit is the most bytes of one asset; 0 means MaxAsset.
	Limit int64
	// Log gets one line for each file.
	Log io.Writer
}

// upload is one file on its way.
type upload struct {
	name, sum string
	size      int64
	open      func() (io.ReadCloser, error)
	// file is the wheel that it is, nil for what lies beside one.
	file *index.File
}

// Refused is the error of files that could not be published, while the others
// were.
type Refused struct{ Err error }

// Error names each file and says why.
func (r *Refused) Error() string { return r.Err.Error() }

// Unwrap gives the errors within.
func (r *Refused) Unwrap() error { return r.Err }

// Upload puts every wheel of the index that is on this machine, and what lies
// beside it, into the release, which it makes where needed, and gives the
// wheels their addresses. A file that cannot be published is told in the error
// Refused, which names it, and the others go on; it has no address then. With
// any other error nothing was uploaded. Run again, it goes on where it was cut
// off.
func (p *Publisher) Upload(ctx context.Context, x *index.Index) error {
	uploads, err := collect(x)
	if err != nil {
		return err
	}
	release, err := p.Releases.Find(ctx, p.Tag)
	if err != nil {
		return err
	}
	if release == nil && !p.DryRun {
		if release, err = p.Releases.Create(ctx, p.Tag); err != nil {
			return err
		}
	}
	there := map[string]Asset{}
	if release != nil {
		assets, err := p.Releases.Assets(ctx, release)
		if err != nil {
			return err
		}
		for _, asset := range assets {
			there[asset.Name] = asset
		}
	}
	var errs []error
	for _, one := range uploads {
		asset, did, err := p.one(ctx, release, one, there)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", one.name, err))
			fmt.Fprintf(p.Log, "failed    %s\n", one.name)
			if ctx.Err() != nil {
				break
			}
			continue
		}
		fmt.Fprintf(p.Log, "%-9s %s (%d bytes)\n", did, one.name, one.size)
		if one.file != nil && asset != nil {
			one.file.URL = asset.URL
		}
	}
	if errs != nil {
		return &Refused{errors.Join(errs...)}
	}
	return nil
}

// collect lists the files by name, wheels last, so that a page never points at
// a wheel whose METADATA is not there yet.
func collect(x *index.Index) ([]*upload, error) {
	var all []*upload
	for _, file := range x.Files() {
		if file.Path() == "" {
			continue
		}
		beside, err := file.Beside()
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(beside)) {
			data := beside[name]
			sum := sha256.Sum256(data)
			all = append(all, &upload{name: name, sum: hex.EncodeToString(sum[:]), size: int64(len(data)),
				open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }})
		}
		all = append(all, &upload{name: file.Name, sum: file.SHA256, size: file.Size, file: file,
			open: func() (io.ReadCloser, error) { return os.Open(file.Path()) }})
	}
	return all, nil
}

// one publishes one file and says what it did.
func (p *Publisher) one(ctx context.Context, release *Release, one *upload, there map[string]Asset) (*Asset, string, error) {
	if limit := cmp.Or(p.Limit, MaxAsset); one.size > limit {
		return nil, "", fmt.Errorf("has %d bytes, and a release takes %d for one file; build it for fewer GPU architectures, or serve it from elsewhere", one.size, limit)
	}
	if old, known := there[one.name]; known && old.Complete {
		sum, err := p.digest(ctx, old)
		if err != nil {
			return nil, "", err
		}
		if sum != one.sum {
			return nil, "", &index.Changed{Name: one.name, Published: sum, New: one.sum}
		}
		return &old, "kept", nil
	}
	if p.DryRun {
		return nil, "would add", nil
	}
	if old, cutOff := there[one.name]; cutOff {
		if err := p.Releases.Delete(ctx, old); err != nil {
			return nil, "", err
		}
	}
	asset, err := p.Releases.Upload(ctx, release, one.name, one.size, one.open)
	if err != nil {
		return nil, "", err
	}
	if asset.Name != one.name {
		return nil, "", errors.Join(fmt.Errorf("the server called it %s; give it a name that it keeps", asset.Name), p.Releases.Delete(ctx, *asset))
	}
	if sum := cmp.Or(asset.Digest, one.sum); sum != one.sum {
		return nil, "", errors.Join(fmt.Errorf("arrived with sha256 %s and not %s; run this again", sum, one.sum), p.Releases.Delete(ctx, *asset))
	}
	return asset, "added", nil
}

// digest gives an asset's sha256: what the server says, else that of a download.
func (p *Publisher) digest(ctx context.Context, asset Asset) (string, error) {
	if asset.Digest != "" {
		return asset.Digest, nil
	}
	body, err := p.Releases.Download(ctx, asset.URL)
	if err != nil {
		return "", err
	}
	defer body.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, body)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// Verify downloads every wheel of a site by the addresses of its pages and
// compares it with the digest there.
func (p *Publisher) Verify(ctx context.Context, site string) error {
	x, err := index.ReadSite(site)
	if err != nil {
		return err
	}
	var errs []error
	for _, file := range x.Files() {
		if file.URL == "" {
			continue // ReadSite compared the file itself
		}
		sum, err := p.digest(ctx, Asset{URL: file.URL})
		if err == nil && sum != file.SHA256 {
			err = fmt.Errorf("has sha256 %s at %s, and the page says %s", sum, file.URL, file.SHA256)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", file.Name, err))
			continue
		}
		fmt.Fprintf(p.Log, "verified  %s\n", file.Name)
	}
	return errors.Join(errs...)
}
