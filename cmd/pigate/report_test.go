package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/report/page"
)

// TestDocumentedReport holds the parts of a report against docs/json.md.
func TestDocumentedReport(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	for section, values := range map[string][]any{
		"## `pigate report --format json`":        {page.Report{}, page.Period{}, page.Hour{}, page.Wait{}, page.List[int]{}},
		"### The figures of a report":             {page.Figures{}},
		"### A note of a report":                  {page.Note{}},
		"### A slot of a report":                  {page.Slot{}},
		"### A program of a report":               {page.Program{}},
		"### A denial or an approval of a report": {page.Denial{}, page.Approval{}},
		"### A rule of a report":                  {page.RuleUse{}},
		"### A session of a report":               {page.Session{}},
		"### A timeline of a report":              {page.Timeline{}, page.Moment{}},
	} {
		_, body, ok := strings.Cut(string(text), section+"\n")
		if !ok {
			t.Errorf("docs/json.md has no section %q", section)
			continue
		}
		body, _, _ = strings.Cut(body, "\n#")
		for _, value := range values {
			raw, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			var fields map[string]any
			if err := json.Unmarshal(raw, &fields); err != nil {
				t.Fatal(err)
			}
			for field := range fields {
				if !strings.Contains(body, "`"+field+"`") && !strings.Contains(body, `"`+field+`"`) {
					t.Errorf("docs/json.md does not describe %q of %T in %q", field, value, section)
				}
			}
		}
	}
}
