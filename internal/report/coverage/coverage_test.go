package coverage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/report/coverage"
	"github.com/pigate/pigate/internal/transcript"
)

// noon is when the story begins; at is so many minutes later.
var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func at(minute int) time.Time { return noon.Add(time.Duration(minute) * time.Minute) }

// file is a session file of Pi in the making.
type file struct{ b strings.Builder }

func session(id string) *file {
	f := &file{}
	fmt.Fprintf(&f.b, `{"type":"session","version":3,"id":%q,"timestamp":%q,"cwd":"/p"}`+"\n", id, noon.Add(-time.Hour).Format(time.RFC3339Nano))
	return f
}

// call adds a call with its result: ok, error, refused, or "" for none.
func (f *file) call(minute int, id, tool, input, result string) *file {
	when := at(minute).Format(time.RFC3339Nano)
	fmt.Fprintf(&f.b, `{"type":"message","id":"m%s","timestamp":%q,"message":{"role":"assistant","content":[{"type":"toolCall","id":%q,"name":%q,"arguments":%s}]}}`+"\n",
		id, when, id, tool, input)
	duration := `,"durationMs":5`
	if result == "refused" {
		duration = ""
	}
	if result != "" {
		fmt.Fprintf(&f.b, `{"type":"message","id":"r%s","timestamp":%q,"message":{"role":"toolResult","toolCallId":%q,"toolName":%q,"content":[],"isError":%t%s}}`+"\n",
			id, when, id, tool, result != "ok", duration)
	}
	return f
}

func (f *file) own(minute int, command string) *file {
	fmt.Fprintf(&f.b, `{"type":"message","id":"own","timestamp":%q,"message":{"role":"bashExecution","command":%q,"exitCode":0}}`+"\n", at(minute).Format(time.RFC3339Nano), command)
	return f
}

// recorder fills a journal.
type recorder struct {
	*testing.T
	journal *audit.Journal
}

func (r *recorder) add(minute int, session, call string, kind gate.Kind, e gate.Entry) {
	r.Helper()
	e.Kind, e.Time, e.Session, e.Call = kind, at(minute).UnixMicro(), session, call
	if _, err := r.journal.Record(r.Context(), &e); err != nil {
		r.Fatal(err)
	}
}

func (r *recorder) start(minute int, session string) {
	r.add(minute, session, "", gate.KindSessionStart, gate.Entry{Start: &gate.SessionStart{Cwd: "/p", Root: "/p"}})
}

func (r *recorder) end(minute int, session string) {
	r.add(minute, session, "", gate.KindSessionEnd, gate.Entry{End: &gate.SessionEnd{}})
}

func (r *recorder) decide(minute int, session, call string, action policy.Action) {
	r.add(minute, session, call, gate.KindDecision, gate.Entry{Decision: &gate.Decision{Request: policy.Request{Tool: "bash", Input: []byte(`{"command":"x"}`), Cwd: "/p", Root: "/p"},
		Verdict: policy.Allow, Action: action, Basis: policy.BasisRule}})
}

func (r *recorder) outcome(minute int, session, call string, mismatch, undecided bool) {
	r.add(minute, session, call, gate.KindOutcome, gate.Entry{Outcome: &gate.Outcome{Tool: "bash", OK: true, Mismatch: mismatch, Undecided: undecided}})
}

func TestCoverage(t *testing.T) {
	r := &recorder{t, audittest.NewJournal(t)}
	r.start(0, "s")
	r.decide(1, "s", "fine", policy.Run)
	r.outcome(1, "s", "fine", false, false)
	r.decide(2, "s", "other", policy.Run)
	r.outcome(2, "s", "other", true, false)
	r.decide(3, "s", "blocked", policy.Block)
	r.decide(4, "s", "stopped", policy.Block)
	r.outcome(5, "s", "late", false, true)
	r.end(9, "s")
	r.start(20, "s")
	r.decide(21, "s", "again", policy.Run)
	r.end(29, "s")

	folder := t.TempDir()
	elsewhere := filepath.Join(t.TempDir(), "other.jsonl")
	const ls = `{"command":"ls"}`
	for path, f := range map[string]*file{
		filepath.Join(folder, "1_s.jsonl"): session("s").
			call(-5, "early", "bash", ls, "ok").
			call(1, "fine", "bash", ls, "ok").call(1, "fine", "bash", ls, "ok").
			call(2, "other", "bash", ls, "error").
			call(3, "blocked", "bash", ls, "ok").
			call(4, "stopped", "bash", ls, "refused").
			call(5, "late", "bash", ls, "ok").
			call(6, "never", "bash", ls, "ok").
			call(7, "read", "read", `{"path":"x"}`, "ok").
			own(8, "make").
			call(12, "between", "bash", ls, "ok").
			call(21, "again", "bash", ls, "ok").
			call(40, "after", "edit", `{"path":"a"}`, "ok").
			call(41, "unknown", "bash", ls, ""),
		filepath.Join(folder, "2_bare.jsonl"): session("bare").call(30, "c", "read", `{"path":"x"}`, "ok"),
		elsewhere:                             session("foreign").call(30, "c", "bash", ls, "ok"),
	} {
		if err := os.WriteFile(path, []byte(f.b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, _, err := transcript.Find(transcript.Pi, folder)
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, transcript.File{Source: transcript.Pi, Path: elsewhere}, transcript.File{Source: transcript.Pi, Path: filepath.Join(folder, "gone.jsonl")})
	reader, err := audit.OpenReader(t.Context(), r.journal.Path())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reader.Close() }) // it only read
	compare := func(f audit.Filter) coverage.Result {
		t.Helper()
		result, err := coverage.Run(t.Context(), reader, coverage.Options{Files: files, Filter: f, Problem: func(error) {},
			Elsewhere: func(path string) bool { return path == elsewhere }})
		if err != nil {
			t.Fatal(err)
		}
		return result
	}

	result := compare(audit.Filter{})
	var got []string
	for _, f := range result.Findings {
		got = append(got, fmt.Sprintf("%s %s %t", f.Call, f.Reason, f.Gap))
	}
	want := []string{"early before-installation false", "blocked ran-though-blocked true", "late undecided true", "never undecided true", "own own-command false",
		"between gate-not-loaded true", "after gate-not-loaded true", "c gate-not-loaded true", "c other-agent-dir true", "other other-input true"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if result.Ran != 12 || result.Covered != 3 || result.NotRun != 1 || result.Untold != 1 || result.ReadOnly != 1 || result.Gaps != 8 || result.Files != 3 || result.Unreadable != 1 {
		t.Errorf("%+v", result)
	}
	for name, c := range map[string]struct {
		filter audit.Filter
		gaps   int
	}{
		"a session":       {audit.Filter{Session: "bare"}, 1},
		"a time":          {audit.Filter{Since: audit.Micros(at(10).UnixMicro()), Until: audit.Micros(at(20).UnixMicro())}, 1},
		"another project": {audit.Filter{Projects: []string{"/q"}}, 0},
		"the project":     {audit.Filter{Projects: []string{"/p"}}, 8},
	} {
		if got := compare(c.filter); got.Gaps != c.gaps {
			t.Errorf("%s: %d gaps, want %d", name, got.Gaps, c.gaps)
		}
	}

	var b strings.Builder
	if err := coverage.Write(&b, &result, report.Screen{Zone: time.UTC}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	if !strings.HasPrefix(lines[0], "REASON") || !strings.Contains(b.String(), "gate-not-loaded      s        /p       2026-03-02 12:12  2026-03-02 12:40  2      ls") ||
		!strings.Contains(b.String(), "calls that ran: 12, passed the gate: 3, before the gate was there: 1, read-only and not recorded: 1, gaps: 8\n") {
		t.Errorf("%s", b.String())
	}
}

// One decision covers one call: not a second one under its id, and not that of
// another tool.
func TestOneDecisionCoversOneCall(t *testing.T) {
	r := &recorder{t, audittest.NewJournal(t)}
	r.start(0, "s")
	r.decide(1, "s", "call_1", policy.Run)
	r.decide(2, "s", "call_2", policy.Run)
	r.decide(3, "s", "call_3", policy.Run)
	r.decide(4, "s", "call_3", policy.Run)
	r.end(9, "s")
	folder := t.TempDir()
	f := session("s").call(1, "call_1", "bash", `{"command":"ls"}`, "ok").call(5, "call_1", "bash", `{"command":"rm x"}`, "ok").
		call(2, "call_2", "write", `{"path":"x"}`, "ok").
		call(3, "call_3", "bash", `{"command":"ls"}`, "ok").call(4, "call_3", "bash", `{"command":"ls"}`, "ok").call(4, "call_3", "bash", `{"command":"ls"}`, "ok")
	if err := os.WriteFile(filepath.Join(folder, "s.jsonl"), []byte(f.b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	files, _, err := transcript.Find(transcript.Pi, folder)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := audit.OpenReader(t.Context(), r.journal.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	result, err := coverage.Run(t.Context(), reader, coverage.Options{Files: files, Problem: func(err error) { t.Error(err) }, Elsewhere: func(string) bool { return false }})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range result.Findings {
		got = append(got, fmt.Sprintf("%s %s %s", f.Call, f.Tool, f.Reason))
	}
	if want := "call_1 bash undecided, call_2 write other-input"; strings.Join(got, ", ") != want || result.Covered != 3 || result.Ran != 5 {
		t.Errorf("got %q, %d of %d covered, want %q, 3 of 5", got, result.Covered, result.Ran, want)
	}
}
