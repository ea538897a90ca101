package gate

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/text"
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

func TestTitleFitsTheDialog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		command := rapid.OneOf(rapid.String(), rapid.StringMatching(`([a-z ]{0,90}\n){0,9}[a-z\n]{0,99}`),
			rapid.StringOf(rapid.SampledFrom([]rune("a\x1b[2J\u202e\u200b世\n\t")))).Draw(t, "command")
		req := bash(command)
		if rapid.Bool().Draw(t, "other tool") {
			req = newRequest(command, map[string]string{"command": command})
		}
		if rapid.Bool().Draw(t, "nested") {
			req.Parent = "p"
		}
		call := policy.Derive(req)
		v := policy.Evaluate(noRules(), call, nil)
		secret := rapid.Bool().Draw(t, "secret")
		q := NewPrompt(noRules(), call, v, nil, func(string) bool { return secret })
		lines := strings.Split(q.Title, "\n")
		if len(lines) > titleLines {
			t.Fatalf("%d lines, want at most %d", len(lines), titleLines)
		}
		for _, line := range lines {
			if n := text.Columns(line); n > titleColumns {
				t.Fatalf("a line of %d columns, want at most %d: %q", n, titleColumns, line)
			}
			if text.Visible(line) != line {
				t.Fatalf("the title holds hidden characters: %q", line)
			}
		}
	})
}

func noRules() *policy.Policy { return policy.New(policy.DefaultSettings(), nil) }

func TestTitleNamesEveryPiece(t *testing.T) {
	tests := []struct{ command, want string }{
		{"make", "bash: make\n" + forCommand + " · no rule allows it"},
		{"git add . && make", "bash: git add . && make\n" + forCommand + "\nno rule allows it: git add . · make"},
		{"make; echo x > f", "bash: make; echo x > f\n" + forCommand + "\na \">\" can write a file (and 2 more)"},
		{"sudo make", "bash: sudo make\n" + forCommand + "\nno rule allows it (and 1 more)"},
	}
	for _, tt := range tests {
		call := policy.Derive(bash(tt.command))
		if got := NewPrompt(noRules(), call, policy.Evaluate(noRules(), call, nil), nil, func(string) bool { return false }).Title; got != tt.want {
			t.Errorf("title of %q:\n%s\nwant:\n%s", tt.command, got, tt.want)
		}
	}
}
