//go:build !linux

package guest

import (
	"context"
	"runtime"
)

func probe(context.Context) error {
	return &Unavailable{"this is " + runtime.GOOS + ", not Linux"}
}

func enter(ctx context.Context, _ *entry) (*Result, error) {
	return nil, probe(ctx)
}
