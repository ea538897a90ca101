package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit"
)

// TestDocumentedViews holds docs/sql.md against the views; -update writes them.
func TestDocumentedViews(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "sql.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "## The views\n"
	before, _, ok := strings.Cut(string(text), mark)
	if !ok {
		t.Fatalf("docs/sql.md has no part %q", mark)
	}
	var b strings.Builder
	b.WriteString(before + mark)
	for _, v := range audit.Views() {
		fmt.Fprintf(&b, "\n### `%s`\n\nOne row: %s.\n\n| column | what |\n|---|---|\n", v.Name, v.About)
		for _, c := range v.Columns {
			fmt.Fprintf(&b, "| `%s` | %s |\n", c.Name, c.About)
		}
	}
	if *update {
		err = os.WriteFile(path, []byte(b.String()), 0o600)
	} else if b.String() != string(text) {
		t.Error("docs/sql.md does not describe the views as they are: go test ./cmd/pigate -run DocumentedViews -update")
	}
	if err != nil {
		t.Fatal(err)
	}
}
