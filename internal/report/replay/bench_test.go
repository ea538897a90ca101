package replay_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/importer"
	"github.com/pigate/pigate/internal/report/replay"
	"github.com/pigate/pigate/internal/testcorpus"
	"github.com/pigate/pigate/internal/transcript"
)

// memory is a Source of which reading costs nothing, so that what is measured is
// the replay.
type memory struct {
	rows  map[int64]audit.Row
	calls []audit.Call
}

func (m *memory) Calls(_ context.Context, f audit.Filter) iter.Seq2[audit.Call, error] {
	return func(yield func(audit.Call, error) bool) {
		for i := range m.calls {
			if (f.Verdict == "" || f.Verdict == m.calls[i].Verdict) && !yield(m.calls[i], nil) {
				return
			}
		}
	}
}

func (m *memory) List(context.Context, audit.Filter) iter.Seq2[audit.Row, error] {
	return func(func(audit.Row, error) bool) {}
}

func (m *memory) Row(_ context.Context, seq int64) (audit.Row, error) {
	row, ok := m.rows[seq]
	if !ok {
		return row, errors.New("no such row")
	}
	return row, nil
}

// remember makes a history of so many calls, of which so many are different.
func remember(b *testing.B, calls, different int, pol *policy.Policy) *memory {
	b.Helper()
	m := &memory{rows: make(map[int64]audit.Row, different), calls: make([]audit.Call, calls)}
	forms := []string{"git status --short src/m%d", "cd src && npm test -- m%d | tail -n 20", "ls -la m%d", "grep -rn 'm%d' --include='*.go' internal/ | sort -u | head -n 5",
		"make m%d", "git add m%d && git commit -m 'm%[1]d: mend it' && git push"}
	links := policy.LinkFacts{}
	for i := range different {
		seq := int64(i + 1)
		input, err := json.Marshal(map[string]string{"command": fmt.Sprintf(forms[i%len(forms)], i)})
		if err != nil {
			b.Fatal(err)
		}
		req := policy.Request{Session: "s", Tool: "bash", Input: input, Cwd: "/home/u/p", Root: "/home/u/p", Trusted: true, HasUI: true, OS: "linux", Home: "/home/u",
			Installation: policy.Installation{AgentDir: "/home/u/.pi/agent", Journal: "/home/u/.pi/agent/pigate/journal.db"}}
		call := policy.Derive(req)
		v := policy.Evaluate(pol, call, links)
		body, err := json.Marshal(gate.Decision{Request: req, Analyser: policy.Analyser, Resources: call.Resources, Verdict: v.Effect, Reasons: v.Reasons})
		if err != nil {
			b.Fatal(err)
		}
		m.rows[seq] = audit.Row{Seq: seq, Kind: gate.KindDecision, Tool: "bash", Session: "s", Project: "/home/u/p", Input: input, Resources: call.Resources, Verdict: v.Effect,
			Reasons: v.Reasons, Body: body}
	}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range m.calls {
		row := m.rows[int64(i%different+1)]
		c := audit.Call{Seq: int64(i + 1), Time: audit.Micros(start.Add(time.Duration(i) * time.Second).UnixMicro()), Kind: gate.KindDecision, Session: "s", Project: row.Project,
			Tool: "bash", Verdict: row.Verdict, Decision: policy.Run, Basis: policy.BasisRule, Policy: pol.Digest(), Subject: row.Seq, Judged: row.Seq}
		if row.Verdict == policy.Ask {
			c.Answer, c.Basis = gate.AnswerOnce, policy.BasisUser
		}
		m.calls[i] = c
	}
	return m
}

// BenchmarkReplay decides a history again under another policy: one that repeats
// itself, and one in which no call is like another.
func BenchmarkReplay(b *testing.B) {
	old := policyOf(b, "+shell:git *", "+shell:ls *", "+shell:cd *", "+shell:tail *", "-shell:rm -rf *")
	texts := []string{"+shell:git status *", "+shell:ls *", "+shell:npm test *", "+shell:cd *", "+shell:tail *", "-shell:git push *", "-shell:rm *"}
	for i := range 100 {
		texts = append(texts, fmt.Sprintf("+shell:tool-%d run *", i))
	}
	pol := policyOf(b, texts...)
	for _, c := range []struct {
		name             string
		calls, different int
	}{{"repeating", 1_000_000, 2000}, {"distinct", 50_000, 50_000}} {
		source := remember(b, c.calls, c.different, old)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				result, err := replay.Run(b.Context(), source, audit.Filter{}, replay.Options{New: replay.Fixed(pol), Zone: time.UTC})
				if err != nil || result.Decided.Calls != c.calls || result.Decided.Looser == 0 || result.Decided.Stricter == 0 {
					b.Fatalf("%+v, %v", result, err)
				}
			}
			b.ReportMetric(float64(c.calls)*float64(b.N)/b.Elapsed().Seconds(), "decisions/s")
		})
	}
}

// BenchmarkReplaySessions decides the imported calls of recorded sessions, read
// from a journal, under another policy.
func BenchmarkReplaySessions(b *testing.B) {
	files, _, err := transcript.Find(transcript.Pi, testcorpus.Path(b, "sessions"))
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "journal.db")
	if _, err := importer.Run(b.Context(), files, importer.Options{Journal: path, Audit: audittest.Options(), Home: "/home/u"}); err != nil {
		b.Fatal(err)
	}
	r, err := audit.OpenReader(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	pol := policyOf(b, "+shell:git *", "+shell:ls *", "+shell:cd *", "+edit:*", "-shell:rm *")
	calls := 0
	for b.Loop() {
		result, err := replay.Run(b.Context(), r, audit.Filter{Imported: true}, replay.Options{New: replay.Fixed(pol)})
		if err != nil {
			b.Fatal(err)
		}
		calls += result.Imported.Calls
	}
	b.ReportMetric(float64(calls)/b.Elapsed().Seconds(), "decisions/s")
}
