package audit_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// summary is what the tests of listing look at.
func summary(rows []audit.Row) []string {
	var list []string
	for _, r := range rows {
		line, err := json.Marshal([]any{r.Seq, r.Kind, r.Session, r.Tool, r.Input, r.Outcome})
		if err != nil {
			panic(err) // the fields were decoded from JSON
		}
		list = append(list, string(line))
	}
	return list
}

// Every field is there in every row, under its name.
func TestListJSONFields(t *testing.T) {
	t.Parallel()
	j := audittest.NewJournal(t)
	e := decision("s1", "c1", "ls <a> & b")
	record(t, j, e)
	record(t, j, outcome("s1", "c1", 3))
	record(t, j, &gate.Entry{Kind: gate.KindWarning, Time: 1_767_323_045_100_000, Warning: &gate.Warning{Text: "w"}})
	listed := audittest.Rows(t, j.Path())
	var detail map[string]any // for the digests, which are under a key
	if err := json.Unmarshal(listed[0].Detail(), &detail); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{
		{"seq": 1, "time": "2026-01-02T03:04:05.000006Z", "kind": "decision", "session": "s1", "project": "/p", "tool": "bash",
			"input": map[string]any{"command": "ls <a> & b"}, "resources": e.Decision.Resources, "verdict": "ask",
			"reasons": e.Decision.Reasons, "answer": "once", "decision": "run", "basis": "user",
			"outcome": "error", "exit_code": 3, "duration_us": 2500, "mismatch": false, "erased": false, "detail": map[string]any{
				"call": "c1", "project": detail["project"], "cwd": "/p/sub", "root": "/p", "trusted": true, "has_ui": true, "mode": "tui",
				"os": "linux", "causes": []string{"no-rule"}, "waited_us": 1500, "policy": e.Decision.Policy, "analyser": policy.Analyser,
				"input_digest": detail["input_digest"], "home": "/home/u", "installation": detail["installation"]}},
		{"seq": 3, "time": "2026-01-02T03:04:05.100000Z", "kind": "warning", "session": "", "project": "", "tool": "",
			"input": nil, "resources": []any{}, "verdict": "", "reasons": []any{}, "answer": "", "decision": "", "basis": "",
			"outcome": "", "exit_code": nil, "duration_us": 0, "mismatch": false, "erased": false, "detail": map[string]any{"text": "w"}},
	}
	if diff := cmp.Diff(plain(t, want), plain(t, listed)); diff != "" {
		t.Error(diff)
	}
}

// plain is a value as whoever reads its JSON sees it.
func plain(t *testing.T, value any) (out any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestListJoinsOutcomes(t *testing.T) {
	t.Parallel()
	j := audittest.NewJournal(t)
	for _, e := range []*gate.Entry{
		{Kind: gate.KindSessionStart, Time: 1, Session: "s1", Start: &gate.SessionStart{Root: "/p", Reason: "startup"}},
		decision("s1", "c1", "first"),
		decision("s1", "c2", "second"),
		outcome("s1", "c2", 0),
		decision("s2", "c1", "same id in another session"),
		outcome("s1", "c1", 1),
		decision("s1", "c2", "same id again, no outcome"),
		outcome("s1", "unknown", 0),
		decision("", "", "no id at all"),
		{Kind: gate.KindWarning, Time: 1, Session: "s1", Warning: &gate.Warning{Text: "w"}},
		{Kind: gate.KindRulesSaved, Time: 1, Session: "s1", Call: "c2", Saved: &gate.RulesSaved{File: "f"}},
		{Kind: gate.KindSessionEnd, Time: 1, Session: "s1", End: &gate.SessionEnd{Reason: "quit"}},
	} {
		record(t, j, e)
	}
	want := []string{
		`[1,"session_start","s1","",null,""]`,
		`[2,"decision","s1","bash",{"command":"first"},"error"]`,
		`[3,"decision","s1","bash",{"command":"second"},"ok"]`,
		`[5,"decision","s2","bash",{"command":"same id in another session"},""]`,
		`[7,"decision","s1","bash",{"command":"same id again, no outcome"},""]`,
		`[8,"outcome","s1","bash",null,"ok"]`,
		`[9,"decision","","bash",{"command":"no id at all"},""]`,
		`[10,"warning","s1","",null,""]`,
		`[11,"rules_saved","s1","",null,""]`,
		`[12,"session_end","s1","",null,""]`,
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	want = append(want, `[13,"checkpoint","","",null,""]`)
	all := audittest.Rows(t, j.Path())
	if diff := cmp.Diff(want, summary(all)); diff != "" {
		t.Error(diff)
	}
	if got := string(all[7].Body); !strings.Contains(got, `"text":"w"`) {
		t.Errorf("body of the warning is %s", got)
	}
	if all[0].Project != "/p" {
		t.Errorf("project of the session start is %q", all[0].Project)
	}
	for _, c := range []struct {
		filter audit.Filter
		want   []string
	}{
		{audit.Filter{Limit: 3}, want[8:]},
		{audit.Filter{Session: "s2"}, want[3:4]},
		{audit.Filter{Session: "s1", Limit: 5}, []string{want[4], want[5], want[7], want[8], want[9]}},
		{audit.Filter{Session: "' OR 1=1 --"}, nil},
	} {
		if diff := cmp.Diff(c.want, summary(list(t, j.Path(), c.filter))); diff != "" {
			t.Errorf("%+v: %s", c.filter, diff)
		}
	}
}

func list(t *testing.T, path string, f audit.Filter) (rows []audit.Row) {
	t.Helper()
	r := reader(t, path)
	for row, err := range r.List(t.Context(), f) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// A list that is being read neither stops the writer nor grows under its feet.
func TestListWhileWriting(t *testing.T) {
	t.Parallel()
	j := audittest.NewJournal(t)
	for range 50 {
		record(t, j, decision("s", "", "x"))
	}
	r := reader(t, j.Path())
	seen := 0
	for _, err := range r.List(t.Context(), audit.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		seen++
		record(t, j, decision("s", "", "y"))
	}
	if seen != 50 {
		t.Errorf("%d rows, want the 50 that were there", seen)
	}
	for _, err := range r.List(t.Context(), audit.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		break // giving up early must not hold the reader
	}
	if n := len(list(t, j.Path(), audit.Filter{})); n != 100 {
		t.Errorf("%d rows afterwards, want 100", n)
	}
}

// callOf reads the call out of a row's body.
func callOf(t *testing.T, r audit.Row) string {
	t.Helper()
	var body struct{ Call string }
	if err := json.Unmarshal(r.Body, &body); err != nil {
		t.Fatal(err)
	}
	return body.Call
}

// listAll returns the numbers of all rows, and the errors among them.
func listAll(t *testing.T, path string) (seqs []int64, failed []error) {
	t.Helper()
	r := reader(t, path)
	for row, err := range r.List(t.Context(), audit.Filter{}) {
		seqs = append(seqs, row.Seq)
		if err != nil {
			failed = append(failed, err)
		}
	}
	return seqs, failed
}
