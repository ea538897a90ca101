package gate

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

func TestASavedRuleLetsTheSameCallPass(t *testing.T) {
	calls := rapid.OneOf(
		rapid.Map(commands, bash),
		rapid.Map(rapid.SampledFrom([]string{"docs/a.md", "a*b", "src/[id].ts", "../x", ".env", `a\b`, "a b"}), edit),
		rapid.Just(newRequest("mcp__github__create_issue", map[string]string{"title": "x"})),
		rapid.Just(newRequest("my_tool", map[string]int{"n": 1})),
	)
	rapid.Check(t, func(t *rapid.T) {
		s, rules := drawPolicy(t)
		pol := policy.New(s, rules)
		call := policy.Derive(calls.Draw(t, "call"))
		v := policy.Evaluate(pol, call, nil)
		proposals := Proposals(pol, call, v, nil)
		if len(proposals) == 0 {
			return
		}
		for _, line := range NormaliseRules(strings.Join(proposals, "\n"), call) {
			r, err := rule.Parse(line)
			if err != nil {
				t.Fatalf("the proposal %q is no rule: %v", line, err)
			}
			r.Effect = rule.Allow
			rules = append(rules, r)
		}
		if v := policy.Evaluate(policy.New(s, rules), call, nil); v.Effect != policy.Allow {
			t.Fatalf("after saving %q the same call is %s %+v", proposals, v.Effect, v.Reasons)
		}
	})
}

func TestProposalsMeanExactlyTheCall(t *testing.T) {
	tests := []struct {
		req  policy.Request
		want []string
	}{
		{bash("ls *.go"), []string{`shell:ls \*.go`}},
		{bash("git add . && git commit -m \"wip\""), []string{"shell:git add .", `shell:git commit -m "wip"`}},
		{bash("make; make"), []string{"shell:make"}},
		{edit("./src/app.ts"), []string{"edit:src/app.ts"}},
		{edit("a*b"), nil}, // a path pattern cannot say a literal star
		{newRequest("mcp__github__create_issue", nil), []string{"mcp:github:create_issue"}},
		{newRequest("my_tool", nil), []string{"my_tool"}},
		{bash("echo x > f"), nil},
		{bash("echo 'a\nb'"), nil},
		{edit("../x"), nil},
	}
	for _, tt := range tests {
		pol, call := policyOf(t), policy.Derive(tt.req)
		got := Proposals(pol, call, policy.Evaluate(pol, call, nil), nil)
		if !slices.Equal(got, tt.want) {
			t.Errorf("proposals for %s %s = %q, want %q", tt.req.Tool, tt.req.Input, got, tt.want)
		}
	}
	untrusted := bash("make")
	untrusted.Trusted = false
	pol, call := policyOf(t), policy.Derive(untrusted)
	if got := Proposals(pol, call, policy.Evaluate(pol, call, nil), nil); got != nil {
		t.Errorf("proposals in an untrusted project = %q, want none", got)
	}
}

func TestResetLeavesNoGrant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g Grants
		list := rapid.SliceOfN(commands, 1, 5).Draw(t, "commands")
		for _, c := range list {
			g.grant(bash(c), policy.CoverTarget)
		}
		g.Reset(time.Time{})
		for _, c := range list {
			if g.covers(bash(c), policy.CoverTarget) {
				t.Fatalf("%q is still granted", c)
			}
		}
	})
}

func TestGrantKeysDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		var g Grants
		g.grant(bash(a), policy.CoverTarget)
		if g.covers(bash(b), policy.CoverTarget) != (policy.Derive(bash(a)).Command == policy.Derive(bash(b)).Command) {
			t.Fatalf("a grant of %q covers %q", a, b)
		}
	})
}

func TestOptionsAndNotes(t *testing.T) {
	const secret = "hunter2"
	untrusted := bash("make")
	untrusted.Trusted = false
	long := bash(strings.Repeat("make\n", 30))
	wide := long
	wide.Rows, wide.Columns = 60, 100
	tests := []struct {
		req   policy.Request
		save  bool
		whole bool
		note  string
	}{
		{bash("make"), true, false, ""},
		{bash("make > f"), false, false, "no rule to save is offered: it would ask all the same"},
		{untrusted, false, false, "no rule to save is offered: the project's own file does not count"},
		{bash("login " + secret), false, false, "no rule to save is offered: its text would hold a secret"},
		{bash("echo 'a\nb'"), false, false, "no rule to save is offered: none says exactly this"},
		{long, true, true, "more pieces need approval"},
		{wide, true, false, ""},
	}
	for _, tt := range tests {
		pol, call := policyOf(t), policy.Derive(tt.req)
		q := NewPrompt(pol, call, policy.Evaluate(pol, call, nil), nil, func(rule string) bool { return strings.Contains(rule, secret) })
		want := []string{OptionOnce, OptionSession, OptionSave, OptionDeny, OptionDenyWhy, OptionWhole}
		if !tt.save {
			want = slices.DeleteFunc(want, func(o string) bool { return o == OptionSave })
		}
		if !tt.whole {
			want = slices.DeleteFunc(want, func(o string) bool { return o == OptionWhole })
		}
		if !slices.Equal(q.Options, want) || !strings.Contains(q.Title, tt.note) {
			t.Errorf("%s: options %q, want %q, and %q in\n%s", tt.req.Input, q.Options, want, tt.note, q.Title)
		}
	}
}
