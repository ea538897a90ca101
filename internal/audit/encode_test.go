package audit

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/note"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

func testEncoder(t testing.TB) *encoder {
	t.Helper()
	private, _, err := note.GenerateKey(strings.NewReader(strings.Repeat("k", 32)), keyName)
	if err != nil {
		t.Fatal(err)
	}
	k, err := parseKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return &encoder{key: k, veil: newVeil(blindMasker{}, nil)}
}

// The stored text of the short kinds, to the byte: what is public, and what is
// not.
func TestEncode(t *testing.T) {
	t.Parallel()
	n := testEncoder(t)
	two := 2
	for _, c := range []struct {
		entry     gate.Entry
		pub, body string
	}{
		{gate.Entry{Kind: gate.KindOutcome, Time: 7, Session: "s", Call: "c", Outcome: &gate.Outcome{
			Tool: "bash", ExitCode: &two, Duration: 9, InputDigest: "d"}},
			`{"kind":"outcome","time":7,"session":"s","call":"c","tool":"bash","ok":false,"exit_code":2,"duration_us":9}`, ``},
		{gate.Entry{Kind: gate.KindOutcome, Time: 7, Session: "s", Call: "c", Outcome: &gate.Outcome{
			Tool: "bash", OK: true, InputDigest: "d", Mismatch: true}},
			`{"kind":"outcome","time":7,"session":"s","call":"c","tool":"bash","ok":true,"mismatch":true}`,
			`{"input_digest":"` + n.key.digest("input", "d") + `"}`},
		{gate.Entry{Kind: gate.KindSessionStart, Time: 7, Session: "s", Start: &gate.SessionStart{Reason: "new", File: "/s.jsonl", Cwd: "/p", Root: "/p",
			Remote: "https://h/r.git", Branch: "main", User: "u", Host: "h", OS: "linux", Version: "v"}},
			`{"kind":"session_start","time":7,"session":"s","reason":"new","project":"` + n.key.project("/p") + `","trusted":false,"has_ui":false,"os":"linux","pigate_version":"v"}`,
			`{"file":"/s.jsonl","cwd":"/p","root":"/p","remote":"https://h/r.git","branch":"main","host":"h","user":"u"}`},
		{gate.Entry{Kind: gate.KindSessionEnd, Time: 7, Session: "s", End: &gate.SessionEnd{Reason: "quit", Calls: 3, Prompts: 1}},
			`{"kind":"session_end","time":7,"session":"s","reason":"quit","calls":3,"prompts":1}`, ``},
		{gate.Entry{Kind: gate.KindRulesSaved, Time: 7, Session: "s", Call: "c", Saved: &gate.RulesSaved{File: "f", Rules: []string{"shell:a *"}}},
			`{"kind":"rules_saved","time":7,"session":"s","call":"c","count":1}`, `{"file":"f","rules":["shell:a *"]}`},
		{gate.Entry{Kind: gate.KindWarning, Time: 7, Warning: &gate.Warning{Text: "line\nend\u2028\x1b"}},
			`{"kind":"warning","time":7}`, `{"text":"line\nend\u2028\u001b"}`},
		{gate.Entry{Kind: gate.KindPrompt, Time: 7, Session: "s", Call: "c", Prompt: &gate.Prompted{Tool: "bash", Input: json.RawMessage(`{"command":"ls"}`),
			Cwd: "/p", Root: "/p", Reasons: []policy.Reason{{Cause: policy.CauseNoRule, Resource: "ls"}}, Options: []string{"Deny"}}},
			`{"kind":"prompt","time":7,"session":"s","call":"c","tool":"bash","project":"` + n.key.project("/p") + `","causes":["no-rule"]}`,
			`{"input":{"command":"ls"},"cwd":"/p","root":"/p","reasons":[{"cause":"no-rule","resource":"ls","start":0,"end":0}],"options":["Deny"]}`},
		{gate.Entry{Kind: gate.KindAnswer, Time: 7, Session: "s", Call: "c", Answer: &gate.Answered{Answer: gate.AnswerOnce, Waited: 5}},
			`{"kind":"answer","time":7,"session":"s","call":"c","answer":"once","waited_us":5}`, ``},
	} {
		got, err := n.encode(t.Context(), &c.entry)
		if err != nil {
			t.Errorf("%s: %v", c.entry.Kind, err)
			continue
		}
		if diff := cmp.Diff([]string{c.pub, c.body}, []string{string(got.pub), string(got.body)}); diff != "" {
			t.Errorf("%s: %s", c.entry.Kind, diff)
		}
	}
}

// A decision loses nothing, and its public part tells no text of the person's.
func TestEncodeDecision(t *testing.T) {
	t.Parallel()
	n := testEncoder(t)
	e := gate.Entry{Kind: gate.KindDecision, Time: 7, Session: "s", Call: "c", Decision: &gate.Decision{
		Request: policy.Request{Session: "s", Call: "c", Parent: "p", Tool: "bash", Input: json.RawMessage(`{"command":"hidden a && b <c>"}`),
			Cwd: "/hidden", Root: "/hidden", OS: "linux", Home: "/hidden", Trusted: true, HasUI: true, Mode: "tui",
			Installation: policy.Installation{AgentDir: "/hidden", Journal: "/hidden"}},
		InputDigest: "d", Verdict: policy.Ask, Action: policy.Block, Basis: policy.BasisGrant, Policy: "p", Analyser: "1",
		Answer: gate.AnswerDeny, Waited: 5, Grant: "hidden", Note: "hidden",
		Links:     policy.LinkFacts{"/hidden": "/2", "/a": "/hidden"},
		Resources: []policy.Resource{{Kind: policy.ShellUnit, Text: "hidden", Start: 0, End: 1, Via: "sudo"}},
		Reasons:   []policy.Reason{{Cause: policy.CauseRule, Rule: "shell:hidden", File: "hidden", Line: 3}},
	}}
	got, err := n.encode(t.Context(), &e)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(got.pub), `{"kind":"decision","time":7,"session":"s","call":"c","parent":"p","tool":"bash",`) ||
		strings.Contains(string(got.pub), "hidden") {
		t.Errorf("in public: %s", got.pub)
	}
	var back decisionEntry
	if err := json.Unmarshal(splice(got.pub, got.body), &back); err != nil {
		t.Fatal(err)
	}
	back.Decision.Session, back.Decision.Call = back.head.Session, back.head.Call
	want := *e.Decision
	want.InputDigest = n.key.digest("input", "d")
	if diff := cmp.Diff(want, back.Decision); diff != "" {
		t.Error(diff)
	}
}

// Encoding leaves the entry of the caller alone.
func TestEncodeChangesNothing(t *testing.T) {
	t.Parallel()
	input := json.RawMessage(strings.Repeat("[", 600) + strings.Repeat("]", 600))
	e := gate.Entry{Kind: gate.KindDecision, Time: 1, Decision: &gate.Decision{Request: policy.Request{Input: input}}}
	if _, err := testEncoder(t).encode(t.Context(), &e); err != nil {
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
