package audit_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
)

// decision returns an entry as the guard makes it.
func decision(session, call, command string) *gate.Entry {
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		panic(err) // a map of strings always encodes
	}
	return &gate.Entry{Kind: gate.KindDecision, Time: 1_767_323_045_000_006, Session: session, Call: call,
		Decision: &gate.Decision{
			Request: gate.Request{Session: session, Call: call, Tool: "bash", Input: input, Cwd: "/p/sub", Root: "/p",
				Trusted: true, HasUI: true, Mode: "tui", OS: "linux", Home: "/home/u"},
			InputDigest: strings.Repeat("ab", 32),
			Resources:   []gate.Resource{{Kind: gate.ShellUnit, Text: command, End: len(command)}},
			Verdict:     gate.Ask,
			Reasons:     []gate.Reason{{Cause: gate.CauseNoRule, Resource: command, End: len(command)}},
			Answer:      gate.AnswerOnce, Waited: 1500, Action: gate.Run, Basis: gate.BasisUser,
			Policy: strings.Repeat("cd", 32), Analyser: gate.Analyser,
		}}
}

func outcome(session, call string, code int) *gate.Entry {
	return &gate.Entry{Kind: gate.KindOutcome, Time: 1_767_323_046_000_000, Session: session, Call: call,
		Outcome: &gate.Outcome{Tool: "bash", OK: code == 0, ExitCode: &code, Duration: 2500}}
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
	j, err := audit.Open(t.Context(), path, audit.Options{})
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
