package audit_test

import (
	"encoding/json"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// A call's history counts what ran and what a person denied, by what the person
// saw: another option of the tool is the same call, another project is not.
func TestHistory(t *testing.T) {
	t.Parallel()
	j := audittest.NewJournal(t)
	decide := func(at int64, project, tool, input string, answer gate.Answer, action policy.Action, basis policy.Basis) {
		t.Helper()
		record(t, j, &gate.Entry{Kind: gate.KindDecision, Time: at, Session: "s", Decision: &gate.Decision{
			Request: policy.Request{Tool: tool, Input: json.RawMessage(input), Cwd: project + "/sub", Root: project},
			Verdict: policy.Ask, Answer: answer, Action: action, Basis: basis}})
	}
	const push = `{"command":"git \"push\"\tand\\more"}`
	decide(1, "/p", "bash", push, gate.AnswerOnce, policy.Run, policy.BasisUser)
	decide(2, "/p", "bash", `{"command":"git \"push\"\u0009and\\more","timeout":5}`, gate.AnswerDeny, policy.Block, policy.BasisUser)
	decide(3, "/p", "bash", push, "", policy.Run, policy.BasisGrant)
	decide(4, "/p", "bash", push, gate.AnswerDismissed, policy.Block, policy.BasisUser)
	decide(5, "/q", "bash", push, gate.AnswerOnce, policy.Run, policy.BasisUser)
	decide(6, "/p", "edit", `{"path":"a.go","content":"x"}`, gate.AnswerOnce, policy.Run, policy.BasisUser)
	decide(7, "/p", "mcp__x__y", `{"n":1}`, "", policy.Run, policy.BasisRule)
	r := reader(t, j.Path())
	for _, c := range []struct {
		project, tool, input string
		want                 audit.History
	}{
		{"/p", "bash", push, audit.History{Ran: 2, Approved: 1, Denied: 1, LastRan: 3, LastDenied: 2}},
		{"/q", "bash", push, audit.History{Ran: 1, Approved: 1, LastRan: 5}},
		{"/p", "powershell", push, audit.History{}},
		{"/p", "bash", `{"command":"git"}`, audit.History{}},
		{"/p", "edit", `{"path":"a.go","content":"something else"}`, audit.History{Ran: 1, Approved: 1, LastRan: 6}},
		{"/p", "mcp__x__y", `{ "n": 1 }`, audit.History{Ran: 1, LastRan: 7}},
		{"/p", "mcp__x__y", `{"n":2}`, audit.History{}},
		{"/p", "bash", `no JSON`, audit.History{}},
	} {
		got, err := r.History(t.Context(), c.project, c.tool, json.RawMessage(c.input))
		if err != nil || got != c.want {
			t.Errorf("%s %s in %s: %+v, %v, want %+v", c.tool, c.input, c.project, got, err, c.want)
		}
	}
}
