package gate

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/text"
)

// strictness orders the effects: what is stricter must not become looser.
var strictness = map[Effect]int{Pass: 0, Allow: 1, Ask: 2, Deny: 3}

var simpleCommands = rapid.SampledFrom([]string{
	"git status", "git push origin main", "rm -rf x", "ls *.go", `echo "a; b"`, "make", "cat a?b", `printf '%s\n' x`,
	"find . -name x -delete", "sudo make", "xargs rm", "env A=1 make", "$X y", "bash -c 'rm x'", "A=1 make", "echo $(rm x)",
	"sort -o f f", "timeout 5 make", `grep 'a\*b' f`, "cd docs", "echo x > f", "true",
})

var commands = rapid.Custom(func(t *rapid.T) string {
	parts := rapid.SliceOfN(simpleCommands, 1, 3).Draw(t, "parts")
	var b strings.Builder
	for i, part := range parts {
		if i > 0 {
			b.WriteString(rapid.SampledFrom([]string{" && ", "; ", " | ", " || ", "\n", " & "}).Draw(t, "join"))
		}
		b.WriteString(part)
	}
	return b.String()
})

var ruleTexts = rapid.SampledFrom([]string{
	"shell:git *", "shell:git push *", "shell:rm *", "shell:rm -rf *", "shell:ls *", "shell:*", "shell:make", "shell:echo *", "bash", "shell",
	"shell:sudo *", "shell:xargs *", "shell:find *", "edit:*", "edit:f", "shell:env *", "shell:timeout *", "shell:sort *", "shell:cd *",
})

func drawRules(t *rapid.T, effect rule.Effect, label string) []rule.Rule {
	var rules []rule.Rule
	for _, text := range rapid.SliceOfN(ruleTexts, 0, 5).Draw(t, label) {
		r, err := rule.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		r.Effect = effect
		rules = append(rules, r)
	}
	return rules
}

func drawPolicy(t *rapid.T) (Settings, []rule.Rule) {
	s := DefaultSettings()
	s.Redirections = rapid.SampledFrom([]string{RedirectionsAsk, RedirectionsPrecise}).Draw(t, "redirections")
	s.GuardedFlags = rapid.Bool().Draw(t, "guarded flags")
	s.SessionApprovals = rapid.SampledFrom([]Coverage{CoverTarget, CoverExact}).Draw(t, "session approvals")
	return s, append(drawRules(t, rule.Allow, "allow"), drawRules(t, rule.Deny, "deny")...)
}

func TestAddingADenyNeverLoosens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, rules := drawPolicy(t)
		call := Derive(bash(commands.Draw(t, "command")))
		before := Evaluate(NewPolicy(s, rules), call, nil).Effect
		after := Evaluate(NewPolicy(s, append(slices.Clone(rules), drawRules(t, rule.Deny, "more")...)), call, nil).Effect
		if strictness[after] < strictness[before] {
			t.Fatalf("%s became %s", before, after)
		}
	})
}

func TestAddingAnAllowNeverTightensNorBeatsADeny(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, rules := drawPolicy(t)
		call := Derive(bash(commands.Draw(t, "command")))
		before := Evaluate(NewPolicy(s, rules), call, nil).Effect
		after := Evaluate(NewPolicy(s, append(slices.Clone(rules), drawRules(t, rule.Allow, "more")...)), call, nil).Effect
		if strictness[after] > strictness[before] || (before == Deny && after != Deny) {
			t.Fatalf("%s became %s", before, after)
		}
	})
}

func TestAChainIsAsStrictAsItsParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, rules := drawPolicy(t)
		policy := NewPolicy(s, rules)
		a, b := commands.Draw(t, "a"), simpleCommands.Draw(t, "b")
		join := rapid.SampledFrom([]string{" && ", "; ", " | ", "\n"}).Draw(t, "join")
		whole := Evaluate(policy, Derive(bash(a+join+b)), nil)
		for _, part := range []string{a, b} {
			v := Evaluate(policy, Derive(bash(part)), nil)
			if strictness[whole.Effect] < strictness[v.Effect] {
				t.Fatalf("%q is %s, but its part %q is %s", a+join+b, whole.Effect, part, v.Effect)
			}
		}
	})
}

func TestASavedRuleLetsTheSameCallPass(t *testing.T) {
	calls := rapid.OneOf(
		rapid.Map(commands, bash),
		rapid.Map(rapid.SampledFrom([]string{"docs/a.md", "a*b", "src/[id].ts", "../x", ".env", `a\b`, "a b"}), edit),
		rapid.Just(request("mcp__github__create_issue", map[string]string{"title": "x"})),
		rapid.Just(request("my_tool", map[string]int{"n": 1})),
	)
	rapid.Check(t, func(t *rapid.T) {
		s, rules := drawPolicy(t)
		policy := NewPolicy(s, rules)
		call := Derive(calls.Draw(t, "call"))
		v := Evaluate(policy, call, nil)
		proposals := Proposals(policy, call, v, nil)
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
		if v := Evaluate(NewPolicy(s, rules), call, nil); v.Effect != Allow {
			t.Fatalf("after saving %q the same call is %s %+v", proposals, v.Effect, v.Reasons)
		}
	})
}

func TestProposalsMeanExactlyTheCall(t *testing.T) {
	tests := []struct {
		req  Request
		want []string
	}{
		{bash("ls *.go"), []string{`shell:ls \*.go`}},
		{bash("git add . && git commit -m \"wip\""), []string{"shell:git add .", `shell:git commit -m "wip"`}},
		{bash("make; make"), []string{"shell:make"}},
		{edit("./src/app.ts"), []string{"edit:src/app.ts"}},
		{edit("a*b"), nil}, // a path pattern cannot say a literal star
		{request("mcp__github__create_issue", nil), []string{"mcp:github:create_issue"}},
		{request("my_tool", nil), []string{"my_tool"}},
		{bash("echo x > f"), nil},
		{bash("echo 'a\nb'"), nil},
		{edit("../x"), nil},
	}
	for _, tt := range tests {
		policy, call := policyOf(t), Derive(tt.req)
		got := Proposals(policy, call, Evaluate(policy, call, nil), nil)
		if !slices.Equal(got, tt.want) {
			t.Errorf("proposals for %s %s = %q, want %q", tt.req.Tool, tt.req.Input, got, tt.want)
		}
	}
	untrusted := bash("make")
	untrusted.Trusted = false
	policy, call := policyOf(t), Derive(untrusted)
	if got := Proposals(policy, call, Evaluate(policy, call, nil), nil); got != nil {
		t.Errorf("proposals in an untrusted project = %q, want none", got)
	}
}

func TestResetLeavesNoGrant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g Grants
		list := rapid.SliceOfN(commands, 1, 5).Draw(t, "commands")
		for _, c := range list {
			g.grant(bash(c), CoverTarget)
		}
		g.Reset()
		for _, c := range list {
			if g.covers(bash(c), CoverTarget) {
				t.Fatalf("%q is still granted", c)
			}
		}
	})
}

func TestGrantKeysDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		var g Grants
		g.grant(bash(a), CoverTarget)
		if g.covers(bash(b), CoverTarget) != (Derive(bash(a)).Command == Derive(bash(b)).Command) {
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
			req = request(command, map[string]string{"command": command})
		}
		if rapid.Bool().Draw(t, "nested") {
			req.Parent = "p"
		}
		call := Derive(req)
		v := Evaluate(noRules(), call, nil)
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

func noRules() *Policy { return NewPolicy(DefaultSettings(), nil) }

func TestTitleNamesEveryPiece(t *testing.T) {
	tests := []struct{ command, want string }{
		{"make", "bash: make\n" + forCommand + " · no rule allows it"},
		{"git add . && make", "bash: git add . && make\n" + forCommand + "\nno rule allows it: git add . · make"},
		{"make; echo x > f", "bash: make; echo x > f\n" + forCommand + "\na \">\" can write a file (and 2 more)"},
		{"sudo make", "bash: sudo make\n" + forCommand + "\nno rule allows it (and 1 more)"},
	}
	for _, tt := range tests {
		call := Derive(bash(tt.command))
		if got := NewPrompt(noRules(), call, Evaluate(noRules(), call, nil), nil, func(string) bool { return false }).Title; got != tt.want {
			t.Errorf("title of %q:\n%s\nwant:\n%s", tt.command, got, tt.want)
		}
	}
}
