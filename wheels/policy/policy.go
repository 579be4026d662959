// Package policy holds the audit policies of all platforms, for programs that
// run away from this repository. go/audit describes the keys.
package policy

import "embed"

// Files are the policies, PLATFORM.json each.
//
//go:embed *.json
var Files embed.FS
