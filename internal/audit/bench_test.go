package audit_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
)

// BenchmarkRecord appends one decision and, in turn, commits one bare row of
// the same bytes at the same durability through the same driver. It reports the
// medians of both and their ratio.
func BenchmarkRecord(b *testing.B) {
	for durability, name := range []string{audit.Power: "power", audit.Process: "process"} {
		durability := audit.Durability(durability)
		b.Run(name, func(b *testing.B) {
			ctx := context.Background()
			j := audit.NewJournal(filepath.Join(b.TempDir(), "journal.db"), audit.Options{Durability: durability})
			b.Cleanup(func() { _ = j.Close() })
			entry := decision("0b8f7c2e-1111-4f0e-9c1d-6a5b3e2f1d0c", "toolu_01ABCDEFGHIJKLMNOPQRSTUV", "npm run test -- --coverage")
			record(b, j, entry)
			text := query(b, j.Path(), "SELECT body FROM entry")
			bare := bareCommit(b, durability)
			var ours, theirs []time.Duration
			for b.Loop() {
				start := time.Now()
				if _, err := j.Record(ctx, entry); err != nil {
					b.Fatal(err)
				}
				middle := time.Now()
				bare(text)
				ours, theirs = append(ours, middle.Sub(start)), append(theirs, time.Since(middle))
			}
			a, c := median(ours), median(theirs)
			b.ReportMetric(0, "ns/op") // of both together: says nothing
			b.ReportMetric(float64(a)/1e3, "record-µs")
			b.ReportMetric(float64(c)/1e3, "bare-µs")
			b.ReportMetric(float64(a)/float64(c), "ratio")
		})
	}
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// bareCommit returns a function that commits one row to a table without
// indexes or guards.
func bareCommit(b *testing.B, durability audit.Durability) func(text string) {
	b.Helper()
	conn := raw(b, filepath.Join(b.TempDir(), "bare.db"))
	mode := map[audit.Durability]string{audit.Power: "FULL", audit.Process: "NORMAL"}[durability]
	for _, s := range []string{"PRAGMA journal_mode = WAL", "PRAGMA synchronous = " + mode,
		"CREATE TABLE bare (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT"} {
		mustExec(b, conn, s)
	}
	var stmts [3]*sql.Stmt
	for i, s := range []string{"BEGIN IMMEDIATE", "INSERT INTO bare (body) VALUES (?)", "COMMIT"} {
		stmt, err := conn.PrepareContext(b.Context(), s)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = stmt.Close() })
		stmts[i] = stmt
	}
	return func(text string) {
		for i, s := range stmts {
			args := []any{}
			if i == 1 {
				args = append(args, text)
			}
			if _, err := s.ExecContext(context.Background(), args...); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkOpen opens a journal of some thousand entries for appending, as the
// first call of a session does.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "journal.db")
	first := audit.NewJournal(path, audit.Options{Durability: audit.Process})
	for range 5000 {
		record(b, first, decision("s", "c", "npm run test"))
	}
	if err := first.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		j, err := audit.Open(context.Background(), path, audit.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := j.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkCreate makes a new journal.
func BenchmarkCreate(b *testing.B) {
	dir := b.TempDir()
	for i := 0; b.Loop(); i++ {
		j, err := audit.Open(context.Background(), filepath.Join(dir, strconv.Itoa(i)+".db"), audit.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := j.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
