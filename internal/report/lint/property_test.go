package lint_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/lint"
)

// needless are the kinds of which it is said that the rule does nothing, or
// nothing that another does not.
var needless = []lint.Kind{lint.NeverMatches, lint.Fragment, lint.Foreign, lint.Denied, lint.Shadowed, lint.Collides}

// TestNeedlessRulesChangeNothing takes a rule that is said to be needless out of
// a policy, and compares the verdicts on commands made of the same words.
func TestNeedlessRulesChangeNothing(t *testing.T) {
	words := rapid.SampledFrom([]string{"git", "push", "--force", "-f", "rm", "-rf", "-r", "x", "a.ts", "sudo", "find", ".", "-delete", "npx", "tsc", "xargs", "sh", "-c", "env", "A=1"})
	wild := rapid.SampledFrom([]string{"*", "git*", "-*", "*f", "?", "x*"})
	glue := rapid.SampledFrom([]string{" ", " ", " ", " ", " && ", " | ", ";"})
	rapid.Check(t, func(t *rapid.T) {
		var rules []rule.Rule
		for range rapid.IntRange(2, 5).Draw(t, "rules") {
			parts := rapid.SliceOfN(rapid.OneOf(words, words, words, wild), 1, 3).Draw(t, "pattern")
			if rapid.Bool().Draw(t, "open") {
				parts = append(parts, "*")
			}
			r, err := rule.Parse("shell:" + strings.Join(parts, " "))
			if err != nil {
				t.Fatal(err)
			}
			r.Effect = rapid.SampledFrom([]rule.Effect{rule.Allow, rule.Deny}).Draw(t, "effect")
			r.File, r.Line = "f", len(rules)+1
			rules = append(rules, r)
		}
		all := policy.New(policy.DefaultSettings(), slices.Clone(rules))
		for _, f := range lint.Rules(all, place) {
			if !slices.Contains(needless, f.Kind) {
				continue
			}
			without := policy.New(policy.DefaultSettings(), slices.DeleteFunc(slices.Clone(rules), func(r rule.Rule) bool { return r.Line == f.Line }))
			for range 10 {
				var b strings.Builder
				for i, w := range rapid.SliceOfN(words, 0, 4).Draw(t, "command") {
					if i > 0 {
						b.WriteString(glue.Draw(t, "glue"))
					}
					b.WriteString(w)
				}
				command := b.String()
				if rapid.Bool().Draw(t, "like the rule") || command == "" {
					command = strings.NewReplacer("*", command, "?", "x").Replace(strings.TrimPrefix(f.Rule, "shell:"))
				}
				input, err := json.Marshal(map[string]string{"command": command})
				if err != nil {
					t.Fatal(err)
				}
				req := place
				req.Tool, req.Input, req.Trusted = "bash", input, true
				c := policy.Derive(req)
				if before, after := policy.Evaluate(all, c, nil), policy.Evaluate(without, c, nil); before.Effect != after.Effect {
					t.Fatalf("%s is said to be %s (%s) among\n%v\nbut %q is %s with it and %s without", f.Rule, f.Kind, f.Text, texts(rules), command, before.Effect, after.Effect)
				}
			}
		}
	})
}

func texts(rules []rule.Rule) string {
	var b strings.Builder
	for _, r := range rules {
		b.WriteString("  " + string(r.Effect) + " " + r.Text + "\n")
	}
	return b.String()
}
