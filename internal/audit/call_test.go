package audit_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// TestCallsKnowTheirSubject holds what counts as the same call.
func TestCallsKnowTheirSubject(t *testing.T) {
	j := audittest.NewJournal(t)
	decide := func(command, pol string, reasons ...policy.Reason) {
		t.Helper()
		input, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		record(t, j, &gate.Entry{Kind: gate.KindDecision, Time: 1, Session: "s", Decision: &gate.Decision{
			Request: policy.Request{Tool: "bash", Input: input, Cwd: "/p", Root: "/p", OS: "linux"},
			Verdict: policy.Allow, Reasons: reasons, Action: policy.Run, Basis: policy.BasisRule, Policy: pol, Waited: 7}})
	}
	rule := policy.Reason{Cause: policy.CauseRule, Rule: "shell:git *"}
	decide("git status", "one", rule)
	decide("git diff", "one", rule)
	decide("git status", "one", rule)
	decide("git status", "two", rule)
	decide("git status", "two")
	record(t, j, &gate.Entry{Kind: gate.KindImport, Time: 2, Session: "old", Import: &gate.Imported{
		Request: policy.Request{Tool: "bash", Input: json.RawMessage(`{"command":"git log"}`), Cwd: "/p", Root: "/p"}, Result: gate.ResultRefused, Source: "pi", File: "f"}})

	r := reader(t, j.Path())
	var calls []audit.Call
	for c, err := range r.Calls(t.Context(), audit.Filter{Imported: true}) {
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, c)
	}
	if len(calls) != 6 {
		t.Fatalf("%d calls, want 6: %+v", len(calls), calls)
	}
	var subjects, judged []int64
	first := calls[0].Seq
	for _, c := range calls {
		subjects, judged = append(subjects, c.Subject-first), append(judged, c.Judged-first)
	}
	if want := []int64{0, 1, 0, 0, 0, 5}; !slices.Equal(subjects, want) {
		t.Errorf("subjects %v, want %v", subjects, want)
	}
	if want := []int64{0, 1, 0, 3, 4, 5}; !slices.Equal(judged, want) {
		t.Errorf("judged %v, want %v", judged, want)
	}
	if c := calls[5]; c.Kind != gate.KindImport || !c.Refused || c.Outcome != "" || c.Decision != "" {
		t.Errorf("imported call %+v", c)
	}
	if c := calls[0]; c.Waited != 7 || c.Policy != "one" {
		t.Errorf("call %+v", c)
	}
	row, err := r.Row(t.Context(), calls[1].Seq)
	if err != nil || row.What() != "git diff" || !slices.Equal(row.Rules(), []string{"shell:git *"}) {
		t.Errorf("row %+v, %v", row, err)
	}
	for c, err := range r.Calls(t.Context(), audit.Filter{}) {
		if err != nil || c.Kind != gate.KindDecision {
			t.Errorf("without imports: %+v, %v", c, err)
		}
	}
}
