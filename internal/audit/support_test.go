package audit_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// decision returns an entry as the guard makes it.
func decision(session, call, command string) *gate.Entry {
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		panic(err) // a map of strings always encodes
	}
	return &gate.Entry{Kind: gate.KindDecision, Time: 1_767_323_045_000_006, Session: session, Call: call,
		Decision: &gate.Decision{
			Request: policy.Request{Session: session, Call: call, Tool: "bash", Input: input, Cwd: "/p/sub", Root: "/p",
				Trusted: true, HasUI: true, Mode: "tui", OS: "linux", Home: "/home/u"},
			InputDigest: strings.Repeat("ab", 32),
			Resources:   []policy.Resource{{Kind: policy.ShellUnit, Text: command, End: len(command)}},
			Verdict:     policy.Ask,
			Reasons:     []policy.Reason{{Cause: policy.CauseNoRule, Resource: command, End: len(command)}},
			Answer:      gate.AnswerOnce, Waited: 1500, Action: policy.Run, Basis: policy.BasisUser,
			Policy: strings.Repeat("cd", 32), Analyser: policy.Analyser,
		}}
}

func outcome(session, call string, code int) *gate.Entry {
	return &gate.Entry{Kind: gate.KindOutcome, Time: 1_767_323_046_000_000, Session: session, Call: call,
		Outcome: &gate.Outcome{Tool: "bash", OK: code == 0, ExitCode: &code, Duration: 2500}}
}

// decisions are the rows that the gate asked for: without what the journal says
// of itself.
func decisions(rows []audit.Row) []audit.Row {
	var list []audit.Row
	for _, r := range rows {
		if r.Kind == gate.KindDecision {
			list = append(list, r)
		}
	}
	return list
}

// gapOf reads a gap entry.
func gapOf(t testing.TB, r audit.Row) (entries int64, reason string) {
	t.Helper()
	var body struct {
		Entries int64
		Reason  string
	}
	if err := json.Unmarshal(r.Body, &body); err != nil || r.Kind != gate.KindGap {
		t.Fatalf("entry %d is no gap: %s %v", r.Seq, r.Body, err)
	}
	return body.Entries, body.Reason
}

func record(t testing.TB, j *audit.Journal, e *gate.Entry) int64 {
	t.Helper()
	seq, err := j.Record(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

func open(t testing.TB, path string) *audit.Journal {
	t.Helper()
	j, err := audit.Open(t.Context(), path, audittest.Options())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() }) // some tests break the file first
	return j
}

func reader(t testing.TB, path string) *audit.Reader {
	t.Helper()
	r, err := audit.OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func withDurability(d audit.Durability) audit.Options {
	o := audittest.Options()
	o.Durability = d
	return o
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
