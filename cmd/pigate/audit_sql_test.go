package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/report/ruletest"
)

// TestDocumentedQueries runs the questions of docs/sql.md.
func TestDocumentedQueries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	tell(path, func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	})
	r, err := audit.OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() }) // it only read
	asked := 0
	for line, body := range blocks(t, filepath.Join("..", "..", "docs", "sql.md"), "sql") {
		for query := range strings.SplitSeq(strings.TrimSpace(body), ";\n") {
			asked++
			err := r.Query(t.Context(), query, func(result audit.Result) error {
				for _, err := range result.Rows {
					if err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Errorf("docs/sql.md:%d: %s: %v", line, query, err)
			}
		}
	}
	if asked < 4 {
		t.Errorf("only %d questions were found", asked)
	}
}

// TestDocumentedTable reads the table of expectations of docs/rules.md.
func TestDocumentedTable(t *testing.T) {
	for line, body := range blocks(t, filepath.Join("..", "..", "docs", "rules.md"), "expect") {
		cases, err := ruletest.Parse(strings.NewReader(body))
		if err != nil || len(cases) != 5 {
			t.Errorf("docs/rules.md:%d: %d cases, %v", line, len(cases), err)
		}
	}
}

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
