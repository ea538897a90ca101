package policy

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/rule"
)

func TestAddingADenyNeverLoosens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, rules := drawPolicy(t)
		call := Derive(bash(commands.Draw(t, "command")))
		before := Evaluate(New(s, rules), call, nil).Effect
		after := Evaluate(New(s, append(slices.Clone(rules), drawRules(t, rule.Deny, "more")...)), call, nil).Effect
		if strictness[after] < strictness[before] {
			t.Fatalf("%s became %s", before, after)
		}
	})
}

func TestAddingAnAllowNeverTightensNorBeatsADeny(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, rules := drawPolicy(t)
		call := Derive(bash(commands.Draw(t, "command")))
		before := Evaluate(New(s, rules), call, nil).Effect
		after := Evaluate(New(s, append(slices.Clone(rules), drawRules(t, rule.Allow, "more")...)), call, nil).Effect
		if strictness[after] > strictness[before] || (before == Deny && after != Deny) {
			t.Fatalf("%s became %s", before, after)
		}
	})
}

func TestAChainIsAsStrictAsItsParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, rules := drawPolicy(t)
		policy := New(s, rules)
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
