package audit

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sparkwheels/sparkwheels/go/elf"
	"github.com/sparkwheels/sparkwheels/go/native"
)

//go:embed data/stable_abi.txt
var stableABIText string

// stableABI maps each symbol of the limited API to the Python version, such as
// 3.7, that added it.
var stableABI = sync.OnceValue(func() map[string]string {
	symbols := map[string]string{}
	for line := range strings.Lines(stableABIText) {
		if name, version, found := strings.Cut(strings.TrimSpace(line), " "); found && name != "#" {
			symbols[name] = version
		}
	}
	return symbols
})

// checkStableABI holds what a module of an abi3 wheel uses of the interpreter
// against the limited API of the oldest Python that the wheel is tagged for.
func (a *auditor) checkStableABI(name string, binary *native.Binary) {
	oldest := a.stableVersion()
	if oldest == "" {
		return
	}
	var outside, newer []string
	for _, symbol := range pythonSymbols(binary) {
		added, known := stableABI()[symbol]
		switch {
		case !known:
			outside = append(outside, symbol)
		case elf.CompareNumbers(added, oldest) > 0:
			newer = append(newer, symbol+" of "+added)
		}
	}
	const fix = "define Py_LIMITED_API as the oldest Python of the tag, or give the wheel the tag of one Python"
	if outside != nil {
		a.add("abi3-symbol", name, fix, "uses%s, which the limited API does not have", some(outside))
	}
	if newer != nil {
		a.add("abi3-symbol", name, fix, "uses%s, which the limited API of Python %s does not have", some(newer), oldest)
	}
}

// stableVersion is the oldest Python of an abi3 wheel, such as 3.8; "" for any
// other wheel.
func (a *auditor) stableVersion() string {
	if !slices.Equal(a.name.ABI, []string{"abi3"}) {
		return ""
	}
	oldest := ""
	for _, tag := range a.name.Python {
		minor, err := strconv.Atoi(strings.TrimPrefix(tag, "cp3"))
		if version := fmt.Sprintf("3.%d", minor); err == nil && (oldest == "" || elf.CompareNumbers(version, oldest) < 0) {
			oldest = version
		}
	}
	return oldest
}

// pythonSymbols lists what a binary needs of the interpreter. In an ELF file
// the name alone tells; weak symbols may stay undefined, and are left out.
func pythonSymbols(binary *native.Binary) []string {
	var symbols []string
	if binary.ELF != nil {
		for _, symbol := range binary.ELF.Undefined {
			if strings.HasPrefix(symbol, "Py") || strings.HasPrefix(symbol, "_Py") {
				symbols = append(symbols, symbol)
			}
		}
		return symbols
	}
	for _, entry := range binary.PE.Imports {
		if strings.HasPrefix(strings.ToLower(entry.DLL), "python3") {
			symbols = append(symbols, entry.Symbols...)
		}
	}
	return symbols
}
