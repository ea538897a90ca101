package page_test

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/report/page"
	"github.com/pigate/pigate/internal/report/page/pagetest"
)

// BenchmarkPage makes the page of everything in the journal that
// PIGATE_BENCH_JOURNAL names, or of pagetest's weeks. e2e/bench/bigjournal writes
// journals of a million entries.
func BenchmarkPage(b *testing.B) {
	path := cmp.Or(os.Getenv("PIGATE_BENCH_JOURNAL"), filepath.Join(b.TempDir(), "journal.db"))
	if _, err := os.Stat(path); err != nil {
		if err := pagetest.Write(b.Context(), "weeks", path); err != nil {
			b.Fatal(err)
		}
	}
	r, err := audit.OpenReader(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	for b.Loop() {
		made, err := page.New(b.Context(), r, page.Options{Zone: time.UTC, Now: time.Now()})
		if err != nil {
			b.Fatal(err)
		}
		if err := page.WriteHTML(io.Discard, made, time.UTC); err != nil {
			b.Fatal(err)
		}
	}
}
