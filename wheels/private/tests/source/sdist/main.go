// Command sdist writes the archive that the tests of source_tree unpack.
//
// Usage: sdist FILE. The archive is made here, and not checked in, so that its
// members can be read in a diff.
package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// greeting has enough lines for a hunk to be found elsewhere.
var greeting = strings.Repeat("/* licence */\n", 40) + "const char *greeting = \"hello\";\nint times = 1;\n"

var members = []struct {
	header tar.Header
	data   string
}{
	{tar.Header{Name: "greeter-1.0/", Typeflag: tar.TypeDir, Mode: 0o755}, ""},
	{tar.Header{Name: "greeter-1.0/PKG-INFO", Mode: 0o644}, "Name: greeter\nVersion: 1.0\n"},
	{tar.Header{Name: "greeter-1.0/src/greeting.c", Mode: 0o644}, greeting},
	{tar.Header{Name: "greeter-1.0/src/old.h", Mode: 0o644}, "#pragma once\n"},
	{tar.Header{Name: "greeter-1.0/README", Typeflag: tar.TypeSymlink, Linkname: "PKG-INFO"}, ""},
	{tar.Header{Name: "greeter-1.0/tests/a:b", Mode: 0o644}, "Windows cannot hold this name\n"},
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: sdist FILE")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "sdist:", err)
		os.Exit(1)
	}
}

func write(name string) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	zw := gzip.NewWriter(f)
	defer func() { err = errors.Join(zw.Close(), err) }()
	tw := tar.NewWriter(zw)
	for _, m := range members {
		m.header.Size = int64(len(m.data))
		if err := tw.WriteHeader(&m.header); err != nil {
			return err
		}
		if _, err := io.WriteString(tw, m.data); err != nil {
			return err
		}
	}
	return tw.Close()
}
