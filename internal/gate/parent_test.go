package gate

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/policy"
)

// parents reaches the guard of one session, "parent".
type parents struct {
	guard *Guard
	here  policy.Request
}

func (p parents) Root(session string) string {
	if session != "parent" {
		return ""
	}
	return p.here.ProjectRoot()
}

func (p parents) Ask(ctx context.Context, session string, q Question) (Reply, error) {
	if session != "parent" {
		return Reply{}, errors.New("the session that began it is gone")
	}
	return p.guard.Asked(ctx, p.here, q), nil
}

// family is a session with a person, and that of its sub-agent without one.
func family(t *testing.T, rules ...string) (parent, child *fixture, call func(command string) policy.Request) {
	parent, child = newFixture(t, rules...), newFixture(t, rules...)
	here := bash("")
	here.Session, here.Rows, here.Columns = "parent", 50, 100
	child.guard.Parents = parents{parent.guard, here}
	return parent, child, func(command string) policy.Request {
		req := bash(command)
		req.Session, req.ParentSession, req.Agent, req.HasUI = "child", "parent", "rev\x1b[2Jiewer", false
		return req
	}
}

func TestASubAgentAsksItsParent(t *testing.T) {
	parent, child, call := family(t)
	parent.answer(OptionOnce, OptionDeny, OptionSession, OptionDenyWhy)
	parent.person.edited = "not now"
	tests := []struct {
		command string
		action  policy.Action
		answer  Answer
		reason  string
	}{
		{"make 1", policy.Run, AnswerOnce, ""},
		{"make 1", policy.Block, AnswerDeny, "pigate: the user denied this call"},
		{"make 2", policy.Run, AnswerSession, ""},
		{"make 3", policy.Block, AnswerDeny, "pigate: the user denied this call, who says: not now"},
	}
	for _, tt := range tests {
		r := child.guard.Decide(t.Context(), call(tt.command))
		if r.Action != tt.action || r.Answer != tt.answer || r.Basis != policy.BasisUser || r.Reason != tt.reason {
			t.Errorf("%s: ruling = %+v", tt.command, r)
		}
	}
	if r := child.guard.Decide(t.Context(), call("make 2")); r.Basis != policy.BasisGrant {
		t.Errorf("approved for the sub-agent's session: %+v", r)
	}
	for i, d := range child.book.decisions()[:4] {
		if d.AskedIn != "parent" || d.HasUI {
			t.Errorf("decision %d is recorded as %+v", i, d)
		}
	}
	if d := parent.book.decisions(); len(d) != 0 {
		t.Errorf("the parent records %+v too", d)
	}
	first := parent.person.prompts[0]
	if want := []string{OptionOnce, OptionSession, OptionDeny, OptionDenyWhy, OptionSubAgents}; !slices.Equal(first.Options, want) {
		t.Errorf("options %q, want %q", first.Options, want)
	}
	if !strings.HasPrefix(first.Title, `sub-agent rev\u{1b}[2Jiewer · bash: make 1`+"\nfor session: ") {
		t.Errorf("title:\n%s", first.Title)
	}
}

func TestApprovalsOfParentAndSubAgents(t *testing.T) {
	parent, child, call := family(t)
	parent.answer(OptionSession, OptionDeny, OptionSubAgents)
	own := func(command string) Ruling { return parent.guard.Decide(t.Context(), bash(command)) }
	its := func(command string) Ruling { return child.guard.Decide(t.Context(), call(command)) }
	if r := own("make 1"); r.Action != policy.Run {
		t.Fatalf("%+v", r)
	}
	if r := its("make 1"); r.Action != policy.Block {
		t.Errorf("an approval of the parent's covers the sub-agent: %+v", r)
	}
	if r := its("make 2"); r.Action != policy.Run {
		t.Fatalf("%+v", r)
	}
	if err := child.guard.StartSession(t.Context(), "child", SessionStart{}); err != nil { // another sub-agent
		t.Fatal(err)
	}
	asked := len(parent.person.prompts)
	if r := its("make 2"); r.Action != policy.Run || r.Answer != AnswerSession || len(parent.person.prompts) != asked {
		t.Errorf("what was given to all sub-agents asks again: %+v", r)
	}
	if r := own("make 2"); r.Basis != policy.BasisGrant {
		t.Errorf("and for the parent: %+v", r)
	}
	if words := parent.guard.Grants()[1].Words(policy.CoverTarget); !strings.Contains(words, ", sub-agents too: bash make 2") {
		t.Errorf("it is listed as %q", words)
	}
	parent.answer(OptionSubAgents)
	if r := own("make 3"); r.Action != policy.Run {
		t.Errorf("the parent's own call for all: %+v", r)
	}
	if last := parent.person.prompts[len(parent.person.prompts)-1]; !slices.Contains(last.Options, OptionSubAgents) {
		t.Errorf("once a sub-agent has asked the parent's own question offers %q", last.Options)
	}
	if r := its("make 3"); r.Action != policy.Run {
		t.Errorf("given with the parent's own call: %+v", r)
	}
	if err := parent.guard.StartSession(t.Context(), "parent", SessionStart{}); err != nil {
		t.Fatal(err)
	}
	if err := child.guard.StartSession(t.Context(), "child", SessionStart{}); err != nil {
		t.Fatal(err)
	}
	parent.answer(OptionDeny)
	if r := its("make 3"); r.Action != policy.Block {
		t.Errorf("after the parent's session began anew: %+v", r)
	}
}

func TestNoParentBlocks(t *testing.T) {
	_, child, call := family(t)
	req := call("make")
	req.ParentSession = "another"
	r := child.guard.Decide(t.Context(), req)
	if r.Action != policy.Block || r.Answer != AnswerNoUI || r.Basis != policy.BasisNoUI || !strings.Contains(r.Reason, "nobody can be asked here (the session that began it is gone): ") {
		t.Errorf("ruling = %+v", r)
	}
	if d := child.book.decisions()[0]; d.AskedIn != "" {
		t.Errorf("recorded as %+v", d)
	}
}

// A reply that is no clear yes lets nothing run.
func TestOddRepliesBlock(t *testing.T) {
	for _, reply := range []Reply{{}, {Action: policy.Run}, {Action: policy.Run, Answer: AnswerDeny}, {Action: "yes", Answer: AnswerOnce}, {Action: policy.Block, Answer: AnswerOnce}, {Action: policy.Run, Answer: AnswerSave}} {
		_, child, call := family(t)
		child.guard.Parents = says(reply)
		if r := child.guard.Decide(t.Context(), call("make")); r.Action != policy.Block {
			t.Errorf("%+v: ruling = %+v", reply, r)
		}
	}
}

type says Reply

func (says) Root(string) string { return "" }

func (s says) Ask(context.Context, string, Question) (Reply, error) { return Reply(s), nil }

// byRoot has other rules in another project.
type byRoot map[string]*file

func (b byRoot) Load(root string, trust policy.Trust) (*policy.Policy, bool, []string) {
	return b[root].Load(root, trust)
}

func (b byRoot) Save(root string, lines []string) (string, []string, error) {
	return b[root].Save(root, lines)
}

func TestTheParentsDenyRulesAreACeiling(t *testing.T) {
	parent, child, call := family(t, "-shell:rm *")
	child.guard.Rules = byRoot{"/home/u/proj": parent.file, "/elsewhere": newFixture(t, "+shell:rm *", "+shell:ls *").file}
	at := func(command string) policy.Request {
		req := call(command)
		req.Cwd, req.Root = "/elsewhere", "/elsewhere"
		return req
	}
	r := child.guard.Decide(t.Context(), at("rm x"))
	if r.Action != policy.Block || r.Basis != policy.BasisRule || !strings.Contains(r.Reason, `denied by rule "shell:rm *"`) {
		t.Errorf("ruling = %+v", r)
	}
	p, _, _ := parent.file.Load("", policy.Untrusted)
	if d := child.book.decisions()[0]; d.Verdict != policy.Deny || d.Policy != p.Digest() {
		t.Errorf("recorded under %s: %+v", d.Policy, d)
	}
	child.guard.Parents = says{}
	if r := child.guard.Decide(t.Context(), at("rm y")); r.Basis != policy.BasisRule {
		t.Errorf("when the parent is gone: %+v", r)
	}
	if r := child.guard.Decide(t.Context(), at("ls")); r.Action != policy.Run {
		t.Errorf("what no deny rule names: %+v", r)
	}
}

// Whatever the parent says, no call of a sub-agent runs that a deny rule of either
// names, and none runs without a yes that it would have been asked about.
func TestAParentOnlyAnswersQuestions(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		settings, rules := drawPolicy(rt)
		_, others := drawPolicy(rt)
		_, child, call := family(t)
		here, there := newFixture(t).file, newFixture(t).file
		here.settings, here.rules, there.rules = settings, rules, others
		child.guard.Rules = byRoot{"/elsewhere": here, "/home/u/proj": there}
		yes := rapid.Bool().Draw(rt, "yes")
		reply := Reply{Action: policy.Block, Answer: AnswerDeny}
		if yes {
			reply = Reply{Action: policy.Run, Answer: AnswerOnce}
		}
		child.guard.Parents = rooted{says(reply)}
		req := call(commands.Draw(rt, "command"))
		req.Cwd, req.Root = "/elsewhere", "/elsewhere"
		effect := func(f *file) policy.Effect {
			p, _, _ := f.Load("", policy.TrustOf(req.Trusted, req.Approved))
			return policy.Evaluate(p, policy.Derive(req), nil).Effect
		}
		own, ceiling := effect(here), effect(there)
		want := own == policy.Allow || own == policy.Ask && yes
		if ceiling == policy.Deny {
			want = false
		}
		if r := child.guard.Decide(t.Context(), req); (r.Action == policy.Run) != want {
			rt.Fatalf("its own rules say %s, the parent's %s, the person yes: %t; it is %s", own, ceiling, yes, r.Action)
		}
	})
}

// rooted answers in the project of the session that began the other.
type rooted struct{ says }

func (rooted) Root(string) string { return "/home/u/proj" }
