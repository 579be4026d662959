package audit_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocs holds docs/audit.md against what the audit says: every message in
// it must be one that some bad wheel of these tests brings about.
func TestDocs(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "audit.md"))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for platform, checks := range map[string][]check{
		"win_arm64": append(append(windowsChecks(), recordChecks()...), moreChecks()...), "linux_aarch64": append(linuxChecks(), deviceChecks()...),
	} {
		for _, c := range checks {
			for _, problem := range c.findings(t, platform) {
				said = append(said, problem.Place+": "+problem.What)
			}
		}
	}
	all := strings.Join(append(said, zipMessages(t)...), "\n")

	quoted := regexp.MustCompile("`([^`]+)`")
	messages, inTable := 0, false
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "|") {
			inTable = false
			continue
		}
		if strings.HasPrefix(line, "| message ") {
			inTable = true
		}
		if !inTable {
			continue
		}
		cell := strings.Split(line, "|")[1]
		for _, message := range quoted.FindAllStringSubmatch(cell, -1) {
			messages++
			parts := strings.Split(message[1], "…")
			for i, part := range parts {
				parts[i] = regexp.QuoteMeta(part)
			}
			if !regexp.MustCompile(strings.Join(parts, ".*")).MatchString(all) {
				t.Errorf("docs/audit.md quotes a message that no test brings about: %s", message[1])
			}
		}
	}
	if messages < 40 {
		t.Errorf("only %d messages were found in docs/audit.md", messages)
	}
}
