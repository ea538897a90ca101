package gate

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

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

func drawPolicy(t *rapid.T) (policy.Settings, []rule.Rule) {
	s := policy.DefaultSettings()
	s.Redirections = rapid.SampledFrom([]string{policy.RedirectionsAsk, policy.RedirectionsPrecise}).Draw(t, "redirections")
	s.GuardedFlags = rapid.Bool().Draw(t, "guarded flags")
	s.SessionApprovals = rapid.SampledFrom([]policy.Coverage{policy.CoverTarget, policy.CoverExact}).Draw(t, "session approvals")
	return s, append(drawRules(t, rule.Allow, "allow"), drawRules(t, rule.Deny, "deny")...)
}
