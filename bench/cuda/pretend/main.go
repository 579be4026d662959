// Command pretend takes as long as a compilation, and writes when it began and
// ended: pretend FILE MILLISECONDS MEGABYTES RUN.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	if err := pretend(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pretend:", err)
		os.Exit(1)
	}
}

func pretend(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("want FILE MILLISECONDS MEGABYTES RUN, got %q", args)
	}
	began := time.Now()
	milliseconds, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	megabytes, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	time.Sleep(time.Duration(milliseconds) * time.Millisecond)
	data, err := json.Marshal(map[string]int64{
		"began": began.UnixMilli(), "ended": time.Now().UnixMilli(), "megabytes": int64(megabytes),
	})
	if err != nil {
		return err
	}
	return os.WriteFile(args[0], data, 0o644)
}
