package audit

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/gate"
)

// The stored text of the short kinds, to the byte.
func TestEncode(t *testing.T) {
	t.Parallel()
	two := 2
	for _, c := range []struct {
		entry gate.Entry
		want  string
	}{
		{gate.Entry{Kind: gate.KindOutcome, Time: 7, Session: "s", Call: "c", Outcome: &gate.Outcome{
			Tool: "bash", ExitCode: &two, Duration: 9, InputDigest: "d", Mismatch: true}},
			`{"kind":"outcome","time":7,"session":"s","call":"c","tool":"bash","ok":false,"exit_code":2,"duration_us":9,"input_digest":"d","mismatch":true}`},
		{gate.Entry{Kind: gate.KindSessionStart, Time: 7, Session: "s", Start: &gate.SessionStart{Reason: "new", Cwd: "/p", Root: "/p", OS: "linux", Version: "v"}},
			`{"kind":"session_start","time":7,"session":"s","reason":"new","cwd":"/p","root":"/p","trusted":false,"has_ui":false,"os":"linux","pigate_version":"v"}`},
		{gate.Entry{Kind: gate.KindSessionEnd, Time: 7, Session: "s", End: &gate.SessionEnd{Reason: "quit", Calls: 3, Prompts: 1}},
			`{"kind":"session_end","time":7,"session":"s","reason":"quit","calls":3,"prompts":1}`},
		{gate.Entry{Kind: gate.KindRulesSaved, Time: 7, Session: "s", Call: "c", Saved: &gate.RulesSaved{File: "f", Rules: []string{"shell:a *"}}},
			`{"kind":"rules_saved","time":7,"session":"s","call":"c","file":"f","rules":["shell:a *"]}`},
		{gate.Entry{Kind: gate.KindWarning, Time: 7, Warning: &gate.Warning{Text: "line\nend\u2028\x1b"}},
			`{"kind":"warning","time":7,"text":"line\nend\u2028\u001b"}`},
	} {
		got, err := encode(&c.entry)
		if err != nil {
			t.Errorf("%s: %v", c.entry.Kind, err)
		}
		if diff := cmp.Diff(c.want, string(got)); diff != "" {
			t.Errorf("%s: %s", c.entry.Kind, diff)
		}
	}
}

// A decision begins with what every entry has, says nothing twice and loses
// nothing.
func TestEncodeDecision(t *testing.T) {
	t.Parallel()
	e := gate.Entry{Kind: gate.KindDecision, Time: 7, Session: "s", Call: "c", Decision: &gate.Decision{
		Request: gate.Request{Session: "s", Call: "c", Tool: "bash", Input: json.RawMessage(`{"command":"a && b <c>"}`),
			Cwd: "/p", Root: "/p", OS: "linux", Home: "/h"},
		InputDigest: "d", Verdict: gate.Ask, Action: gate.Block, Basis: gate.BasisGrant, Policy: "p", Analyser: "1",
		Answer: gate.AnswerDeny, Waited: 5, Grant: "g", Note: "n",
		Links:     gate.LinkFacts{"/b": "/2", "/a": "/1"},
		Resources: []gate.Resource{{Kind: gate.ShellUnit, Text: "a", Start: 0, End: 1, Via: "sudo"}},
		Reasons:   []gate.Reason{{Cause: gate.CauseRule, Rule: "shell:a", File: "f", Line: 3}},
	}}
	got, err := encode(&e)
	if err != nil {
		t.Fatal(err)
	}
	text := string(got)
	if !strings.HasPrefix(text, `{"kind":"decision","time":7,"session":"s","call":"c","tool":"bash","input":{"command":"a && b <c>"},`) ||
		!strings.Contains(text, `"links":{"/a":"/1","/b":"/2"}`) {
		t.Errorf("encoded as %s", text)
	}
	for _, name := range []string{"session", "call", "decision"} {
		if n := strings.Count(text, `"`+name+`":`); n != 1 {
			t.Errorf("field %q stands %d times in %s", name, n, text)
		}
	}
	var back decisionEntry
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatal(err)
	}
	back.Decision.Session, back.Decision.Call = back.head.Session, back.head.Call
	if diff := cmp.Diff(*e.Decision, *back.Decision); diff != "" {
		t.Error(diff)
	}
}

// Encoding leaves the entry of the caller alone.
func TestEncodeChangesNothing(t *testing.T) {
	t.Parallel()
	input := json.RawMessage(strings.Repeat("[", 600) + strings.Repeat("]", 600))
	e := gate.Entry{Kind: gate.KindDecision, Time: 1, Decision: &gate.Decision{Request: gate.Request{Input: input}}}
	if _, err := encode(&e); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(input), string(e.Decision.Input)); diff != "" {
		t.Error(diff)
	}
}

func TestShallow(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return strings.Repeat(`{"a":[`, n/2) + strings.Repeat(`]}`, n/2) }
	for _, c := range []struct {
		in   string
		kept bool
	}{
		{nested(maxDepth), true},
		{nested(maxDepth + 2), false},
		{`"` + strings.Repeat(`\"[`, 600) + `"`, true},
		{`["\\",` + nested(maxDepth) + `]`, false},
		{strings.Repeat("[],", 600), true},
		{"", true},
	} {
		if got := string(shallow(json.RawMessage(c.in))) == c.in; got != c.kept {
			t.Errorf("%.30s… kept: %t", c.in, got)
		}
	}
}
