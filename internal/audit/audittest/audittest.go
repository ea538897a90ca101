// Package audittest lends journals to the tests of other packages.
package audittest

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/redact"
	"github.com/pigate/pigate/internal/gate"
)

// Options are those of a journal that masks nothing: loading what knows the
// secrets takes longer than most tests.
func Options() audit.Options {
	return audit.Options{Masker: func([]byte) audit.Masker { return plain{} }}
}

type plain struct{}

func (plain) Text(_ context.Context, s string) (string, []redact.Mask, error) { return s, nil, nil }

// NewJournal returns an open journal in a folder of the test, closed when the
// test ends.
func NewJournal(t testing.TB) *audit.Journal {
	t.Helper()
	j, err := audit.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"), Options())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

// Rows returns everything that the journal at path lists, but for imported
// calls.
func Rows(t testing.TB, path string) []audit.Row {
	t.Helper()
	return list(t, path, audit.Filter{})
}

// Imported returns the imported calls of the journal at path.
func Imported(t testing.TB, path string) []audit.Row {
	t.Helper()
	return list(t, path, audit.Filter{Kind: gate.KindImport})
}

func list(t testing.TB, path string, f audit.Filter) []audit.Row {
	t.Helper()
	r, err := audit.OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	var rows []audit.Row
	for row, err := range r.List(t.Context(), f) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}
