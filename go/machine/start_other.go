//go:build !linux

package machine

import "runtime"

// Start makes a machine; only Linux can.
func Start(Spec) (*Machine, error) {
	return nil, &Unavailable{"this is " + runtime.GOOS + ", not Linux"}
}
