package gate

import (
	"slices"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
)

// Beyond an organisation's ceiling each call is asked about: no approval for the
// session is offered, taken or remembered, and no rule is saved.
func TestBeyondTheCeilingEachCallIsAskedAbout(t *testing.T) {
	f := newFixture(t, "+shell:ls *").answer(OptionSession, OptionOnce, OptionSession, OptionSave, OptionOnce)
	f.guard.Decide(t.Context(), bash("make test")) // approved for the session before there was a ceiling
	f.file.settings.Ceiling = &policy.Ceiling{Rules: policyOf(t, "+shell:git *").Rules, File: "/etc/policy.json"}
	for i, want := range []policy.Action{policy.Run, policy.Block, policy.Block, policy.Run} {
		r := f.guard.Decide(t.Context(), bash("make test"))
		if r.Action != want || r.Basis != policy.BasisUser {
			t.Errorf("call %d: %s by %s, want %s by the person", i, r.Action, r.Basis, want)
		}
	}
	last := f.person.prompts[len(f.person.prompts)-1]
	if !slices.Equal(last.Options, []string{OptionOnce, OptionDeny, OptionDenyWhy}) {
		t.Errorf("options %q", last.Options)
	}
	if !strings.Contains(last.Title, eachTime) {
		t.Errorf("the title does not say why: %s", last.Title)
	}
	if len(f.file.saved) > 0 {
		t.Errorf("saved %q", f.file.saved)
	}
	f.answer(OptionDeny)
	if r := f.guard.Decide(t.Context(), bash("ls")); r.Action != policy.Block {
		t.Errorf("what the person's rule allows and the organisation's does not: %+v", r)
	}
	f.file.rules = append(f.file.rules, policyOf(t, "+shell:git status *").Rules...)
	if r := f.guard.Decide(t.Context(), bash("git status")); r.Action != policy.Run || r.Basis != policy.BasisRule {
		t.Errorf("what both allow: %+v", r)
	}
}

// The same holds for sub-agents: no approval for them is offered, taken or used.
func TestBeyondTheCeilingSubAgentsAskEachTime(t *testing.T) {
	parent, child, call := family(t)
	parent.answer(OptionSubAgents, OptionOnce, OptionSubAgents, OptionOnce)
	if r := child.guard.Decide(t.Context(), call("make")); r.Action != policy.Run {
		t.Fatalf("%+v", r)
	}
	ceiling := &policy.Ceiling{Rules: policyOf(t, "+shell:git *").Rules, File: "/etc/policy.json"}
	parent.file.settings.Ceiling, child.file.settings.Ceiling = ceiling, ceiling
	for i, want := range []policy.Action{policy.Run, policy.Block} {
		if r := child.guard.Decide(t.Context(), call("make")); r.Action != want || r.Basis != policy.BasisUser {
			t.Errorf("call %d: %+v, want %s by the person", i, r, want)
		}
	}
	last := parent.person.prompts[len(parent.person.prompts)-1]
	if !slices.Equal(last.Options, []string{OptionOnce, OptionDeny, OptionDenyWhy}) || !strings.Contains(last.Title, eachTime) {
		t.Errorf("the dialog offers %q: %s", last.Options, last.Title)
	}
	if r := parent.guard.Decide(t.Context(), bash("make")); r.Basis != policy.BasisUser {
		t.Errorf("the parent's own call: %+v", r)
	}
	if last := parent.person.prompts[len(parent.person.prompts)-1]; slices.Contains(last.Options, OptionSubAgents) {
		t.Errorf("the parent's own dialog offers %q", last.Options)
	}
}
