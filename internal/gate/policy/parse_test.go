package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/rule"
)

func TestAPolicyIsReadBack(t *testing.T) {
	texts := rapid.Map(rapid.SliceOfN(rapid.OneOf(ruleTexts, rapid.Custom(func(t *rapid.T) string {
		return "shell:" + rapid.StringN(1, 20, -1).Draw(t, "pattern")
	})), 0, 6), func(list []string) (rules []rule.Rule) {
		for _, text := range list {
			if r, err := rule.Parse(text); err == nil {
				rules = append(rules, r)
			}
		}
		return rules
	})
	rapid.Check(t, func(t *rapid.T) {
		s, _ := drawPolicy(t)
		s.Enabled = rapid.Bool().Draw(t, "enabled")
		s.InsideWorktrees = rapid.Bool().Draw(t, "inside worktrees")
		if rapid.Bool().Draw(t, "bounded") {
			s.Ceiling = &Ceiling{Rules: texts.Draw(t, "ceiling")}
			for i := range s.Ceiling.Rules {
				s.Ceiling.Rules[i].Effect = rule.Allow
			}
		}
		rules := texts.Draw(t, "rules")
		for i := range rules {
			rules[i].Effect = rapid.SampledFrom([]rule.Effect{rule.Allow, rule.Deny}).Draw(t, "effect")
			rules[i].File, rules[i].Line = "f.json", i+1
		}
		p := New(s, rules)
		back, err := Parse(p.Canonical())
		if err != nil {
			t.Fatalf("%v: %s", err, p.Canonical())
		}
		if back.Digest() != p.Digest() || back.Settings.unbounded() != p.Settings.unbounded() || len(back.Rules) != len(p.Rules) {
			t.Fatalf("%s came back as %s", p.Canonical(), back.Canonical())
		}
		call := Derive(bash(commands.Draw(t, "command")))
		forget := cmp.FilterPath(func(path cmp.Path) bool {
			name := path.Last().String()
			return name == ".File" || name == ".Line"
		}, cmp.Ignore())
		if diff := cmp.Diff(Evaluate(p, call, nil), Evaluate(back, call, nil), forget); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestParsePolicyRefuses(t *testing.T) {
	t.Parallel()
	good := string(New(DefaultSettings(), nil).Canonical())
	if _, err := Parse([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"", "null", "[]", good + " ", strings.Replace(good, `"v":1`, `"v":2`, 1), strings.Replace(good, `"allow":[]`, `"allow":[""]`, 1),
		strings.Replace(good, `"allow":[]`, `"allow":["a b"]`, 1), strings.Replace(good, `"deny":[],`, "", 1),
		strings.Replace(good, "}", `,"sessionApprovals":"target"}`, 1), strings.Replace(good, "}", `,"sessionApprovals":"all"}`, 1),
		strings.Replace(good, `"v":1`, `"more":1,"v":1`, 1), strings.Replace(good, "[]", `[" shell:ls"]`, 1),
	} {
		if p, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q was read as %s", text, p.Canonical())
		}
	}
}

// A policy of before there was the setting keeps its digest.
func TestCanonicalNamesExactApprovalsOnly(t *testing.T) {
	t.Parallel()
	const before = `{"v":1,"enabled":true,"allow":[],"deny":[],"redirections":"ask","guardedFlags":true}`
	s := DefaultSettings()
	if got := string(New(s, nil).Canonical()); got != before {
		t.Errorf("by default the policy is %s, want %s", got, before)
	}
	s.SessionApprovals = CoverExact
	if got, want := string(New(s, nil).Canonical()), strings.Replace(before, "}", `,"sessionApprovals":"exact"}`, 1); got != want {
		t.Errorf("the policy is %s, want %s", got, want)
	}
}
