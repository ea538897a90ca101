package policy_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// rules makes rules of one effect.
func rules(effect rule.Effect, texts ...string) (list []rule.Rule) {
	for _, text := range texts {
		r, err := rule.Parse(text)
		if err != nil {
			panic(err)
		}
		r.Effect, r.File, r.Line = effect, "rules.json", 1
		list = append(list, r)
	}
	return list
}

func decide(command string, list ...[]rule.Rule) policy.Verdict {
	var all []rule.Rule
	for _, l := range list {
		all = append(all, l...)
	}
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		panic(err)
	}
	call := policy.Derive(policy.Request{Tool: "bash", Input: input, Cwd: "/p", Root: "/p", Trusted: true, HasUI: true, OS: "linux", Home: "/home/u"})
	return policy.Evaluate(policy.New(policy.DefaultSettings(), all), call, nil)
}

func TestAskRules(t *testing.T) {
	allow, ask, deny := rules(rule.Allow, "shell:git *"), rules(rule.Ask, "shell:git push *"), rules(rule.Deny, "shell:git push -f *")
	for _, tt := range []struct {
		command string
		want    policy.Effect
		cause   policy.Cause
	}{
		{"git status", policy.Allow, policy.CauseRule},
		{"git push", policy.Ask, policy.CauseAskRule},
		{"git push origin main", policy.Ask, policy.CauseAskRule},
		{"git status && git push", policy.Ask, policy.CauseAskRule},
		{"git -C x push", policy.Ask, policy.CauseAskRule},
		{"bash -c 'git push'", policy.Ask, policy.CauseAskRule},
		{"git $X", policy.Ask, policy.CauseCouldBeDenied}, // some of its values are denied
		{"git push -f", policy.Deny, policy.CauseRule},
	} {
		v := decide(tt.command, allow, ask, deny)
		if v.Effect != tt.want || !hasCause(v, tt.cause) {
			t.Errorf("%s: %s for %v, want %s for %s", tt.command, v.Effect, v.Reasons, tt.want, tt.cause)
		}
		if v.Effect == policy.Ask && !v.Fixed {
			t.Errorf("%s: a rule is offered though none would help", tt.command)
		}
	}
	if v := decide("git $X", allow, ask); v.Effect != policy.Ask || !hasCause(v, policy.CauseCouldBeAsked) {
		t.Errorf("what may be asked about is %s for %v", v.Effect, v.Reasons)
	}
	for _, tool := range []struct{ allow, command string }{{"bash", "git push"}, {"shell", "git push"}, {"shell:git push", "git push"}} {
		if v := decide(tool.command, rules(rule.Allow, tool.allow), ask); v.Effect != policy.Ask {
			t.Errorf("with %s: %s", tool.allow, v.Effect)
		}
	}
}

func hasCause(v policy.Verdict, cause policy.Cause) bool {
	for _, r := range v.Reasons {
		if r.Cause == cause {
			return true
		}
	}
	return false
}

func TestReasonsOfRulesAreTold(t *testing.T) {
	for _, effect := range []rule.Effect{rule.Deny, rule.Ask} {
		list := rules(effect, "shell:npm publish *")
		list[0].Reason = "releases go through CI"
		v := decide("npm publish", list)
		want := `rule "shell:npm publish *" (rules.json:1): releases go through CI`
		if effect == rule.Ask {
			want = "asked about by " + want
		}
		if got := v.Reasons[0].Words(); got != want {
			t.Errorf("%s: %q, want %q", effect, got, want)
		}
	}
}

// The canonical form holds ask rules and reasons, reads back, and is that of
// before where there are none.
func TestCanonicalFormWithAskRules(t *testing.T) {
	list := append(rules(rule.Allow, "shell:a"), rules(rule.Ask, "shell:b")...)
	plain := string(policy.New(policy.DefaultSettings(), list[:1]).Canonical())
	if want := `{"v":1,"enabled":true,"allow":["shell:a"],"deny":[],"redirections":"ask","guardedFlags":true}`; plain != want {
		t.Errorf("without ask rules it is %s", plain)
	}
	list[1].Reason = "why"
	p := policy.New(policy.DefaultSettings(), list)
	want := `{"v":1,"enabled":true,"allow":["shell:a"],"deny":[],"redirections":"ask","guardedFlags":true,"ask":["shell:b"],"reasons":{"ask shell:b":"why"}}`
	if diff := cmp.Diff(want, string(p.Canonical())); diff != "" {
		t.Errorf("it is (-want +got):\n%s", diff)
	}
	again, err := policy.Parse(p.Canonical())
	if err != nil || again.Digest() != p.Digest() {
		t.Errorf("read back: %v", err)
	}
}

var strictness = map[policy.Effect]int{policy.Pass: 0, policy.Allow: 1, policy.Ask: 2, policy.Deny: 3}

func TestAddingAnAskNeverLoosensNorBeatsADeny(t *testing.T) {
	command := rapid.SampledFrom([]string{"git push", "git push && ls", "git $X", "ls *", "echo `ls`", "sudo git push", "cat <<E\n$(git push)\nE", "git 'pu''sh'"})
	text := rapid.SampledFrom([]string{"shell:git *", "shell:git push *", "shell:ls *", "shell:*", "bash", "shell:sudo *", "shell:echo *", "shell:cat *"})
	rapid.Check(t, func(t *rapid.T) {
		allow, deny := rules(rule.Allow, rapid.SliceOfN(text, 0, 4).Draw(t, "allow")...), rules(rule.Deny, rapid.SliceOfN(text, 0, 1).Draw(t, "deny")...)
		line, ask := command.Draw(t, "command"), rules(rule.Ask, text.Draw(t, "ask"))
		before, after := decide(line, allow, deny), decide(line, allow, deny, ask)
		if strictness[after.Effect] < strictness[before.Effect] || before.Effect == policy.Deny && after.Effect != policy.Deny {
			t.Fatalf("%s became %s", before.Effect, after.Effect)
		}
		// What would be denied by such a rule is asked about by it.
		if decide(line, allow, deny, rules(rule.Deny, ask[0].Text)).Effect == policy.Deny && strictness[after.Effect] < strictness[policy.Ask] {
			t.Fatalf("%s is %s", line, after.Effect)
		}
	})
}
