package audit_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// BenchmarkRecord appends one decision, secrets looked for and all, and in turn
// commits one bare row of the same bytes at the same durability through the
// same driver. It reports the medians of both and their ratio, and how far the
// slowest in a thousand is from the median.
func BenchmarkRecord(b *testing.B) {
	for durability, name := range []string{audit.Power: "power", audit.Process: "process"} {
		for _, masked := range []bool{true, false} {
			o := withDurability(audit.Durability(durability))
			if masked {
				o.Masker = nil
			} else {
				name += "-without-masking"
			}
			b.Run(name, func(b *testing.B) { benchmarkRecord(b, o) })
		}
	}
}

func benchmarkRecord(b *testing.B, o audit.Options) {
	ctx := context.Background()
	j := audit.NewJournal(filepath.Join(b.TempDir(), "journal.db"), o)
	b.Cleanup(func() { _ = j.Close() })
	record(b, j, benchDecision(0))
	text := query(b, j.Path(), "SELECT hex(prev || hash || commitment) || pub || body FROM entry")
	text = text[96:] // hex is twice as long
	bare := bareCommit(b, o.Durability)
	var ours, theirs []time.Duration
	for i := 1; b.Loop(); i++ {
		entry := benchDecision(i)
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
	b.ReportMetric(float64(ours[len(ours)*999/1000])/float64(a), "p99.9/p50")
	b.ReportMetric(float64(theirs[len(theirs)*999/1000])/float64(c), "bare-p99.9/p50")
}

// benchDecision is a decision as they come, each another call.
func benchDecision(i int) *gate.Entry {
	return decision("0b8f7c2e-1111-4f0e-9c1d-6a5b3e2f1d0c", fmt.Sprintf("toolu_01ABCDEFGHIJKLMN%08d", i), fmt.Sprintf("npm run test -- --coverage --shard %d", i))
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// bareCommit returns a function that commits one row to a table without
// indexes or triggers.
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
	first := audit.NewJournal(path, withDurability(audit.Process))
	for range 5000 {
		record(b, first, decision("s", "c", "npm run test"))
	}
	if err := first.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		j, err := audit.Open(context.Background(), path, audittest.Options())
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
		j, err := audit.Open(context.Background(), filepath.Join(dir, strconv.Itoa(i)+".db"), audittest.Options())
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

// BenchmarkLater records calls that only read, which are committed in groups,
// and says how many a second are committed, beside single commits.
func BenchmarkLater(b *testing.B) {
	rate := func(b *testing.B, later bool) float64 {
		j := audit.NewJournal(filepath.Join(b.TempDir(), "journal.db"), audittest.Options())
		record(b, j, benchDecision(0))
		n := 300
		if later {
			n = 20_000
		}
		start := time.Now()
		for i := range n {
			e := benchDecision(i)
			e.Later = later
			record(b, j, e)
		}
		if err := j.Close(); err != nil {
			b.Fatal(err)
		}
		return float64(n) / time.Since(start).Seconds()
	}
	for b.Loop() {
		grouped, single := rate(b, true), rate(b, false)
		b.ReportMetric(grouped, "grouped/s")
		b.ReportMetric(grouped/single, "ratio")
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkMillion makes a journal of a million entries, half of them decisions
// with 150 bytes of private text and half outcomes, and reports how large it
// is, how fast it is verified, and how long opening it for appending takes.
func BenchmarkMillion(b *testing.B) {
	if testing.Short() {
		b.Skip("it takes a minute")
	}
	const entries = 1_000_000
	path := filepath.Join(b.TempDir(), "journal.db")
	j := audit.NewJournal(path, withDurability(audit.Process))
	for i := range entries / 2 {
		call := fmt.Sprintf("toolu_01ABCDEFGHIJKLMN%08d", i)
		e := benchDecision(i)
		d := e.Decision
		d.Resources, d.Reasons = []policy.Resource{}, []policy.Reason{}
		d.Home, d.Root, d.Cwd = "", "", ""
		e.Later = true
		record(b, j, e)
		o := outcome(e.Session, call, 0)
		o.Later = true
		record(b, j, o)
	}
	if err := j.Close(); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		start := time.Now()
		v := verified(b, path)
		took := time.Since(start)
		if !v.Whole {
			b.Fatal(v.Finding)
		}
		b.ReportMetric(float64(v.Entries)/took.Seconds(), "verified/s")
		b.ReportMetric(float64(info.Size())/float64(v.Entries), "bytes/entry")
		start = time.Now()
		again := audit.NewJournal(path, withDurability(audit.Process))
		record(b, again, benchDecision(1))
		b.ReportMetric(float64(time.Since(start).Microseconds())/1e3, "open-ms")
		if err := again.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(0, "ns/op")
}
