package gate

import (
	"context"
	"strings"

	"github.com/pigate/pigate/internal/gate/dialog"
	"github.com/pigate/pigate/internal/gate/policy"
)

// OptionSubAgents approves the call for this session and for its sub-agents. It is
// offered for the calls of sub-agents, and for the session's own once one has
// asked.
const OptionSubAgents = "Allow for session and its sub-agents"

// Question is a call of a sub-agent's session, which has no person, as it is put to
// the session that began it.
type Question struct {
	Request policy.Request `json:"request"`
	// Agent is what the sub-agent is called; hostile, as all text of an agent.
	Agent string `json:"agent,omitempty"`
	// Approved is the host's word of that name.
	Approved bool `json:"approved,omitempty"`
}

// Reply is the answer to a Question. Anything but policy.Run blocks.
type Reply struct {
	Action policy.Action `json:"decision"`
	Answer Answer        `json:"answer"`
	// SubAgents reports an approval for all sub-agents of the session.
	SubAgents bool `json:"sub_agents,omitempty"`
	// Said is why the person denied; "" when they did not say.
	Said string `json:"said,omitempty"`
}

// Parents reaches the sessions that began others.
type Parents interface {
	// Root is the project of a session, "" when it cannot be reached.
	Root(session string) string
	// Ask puts a question to the person of a session and waits for the answer. An
	// error means that nobody can be asked there.
	Ask(ctx context.Context, session string, q Question) (Reply, error)
}

// elsewhere asks the person of the session that began this one.
func (d *pendingCall) elsewhere() {
	g, req := d.guard, d.call.Request
	d.action, d.answer, d.basis = policy.Block, AnswerNoUI, policy.BasisNoUI
	if g.Parents == nil || req.ParentSession == "" {
		return
	}
	if g.Elsewhere != nil {
		defer g.Elsewhere(d.ctx, req.Call)()
	}
	start := g.Now()
	reply, err := g.Parents.Ask(d.ctx, req.ParentSession, Question{Request: req, Agent: req.Agent, Approved: req.Approved})
	d.waited = g.Now().Sub(start)
	switch {
	case d.ctx.Err() != nil:
		d.aborted()
	case err != nil:
		d.note = err.Error()
	case reply.Action == policy.Run && (reply.Answer == AnswerOnce || reply.Answer == AnswerSession):
		d.action, d.answer, d.basis, d.askedIn, d.subAgents = policy.Run, reply.Answer, policy.BasisUser, req.ParentSession, reply.SubAgents
		if d.verdict.Beyond { // each such call is asked about
			d.answer, d.subAgents = AnswerOnce, false
		}
		if d.answer == AnswerSession {
			d.covers = d.policy.Coverage(d.call)
		}
	case reply.Answer == AnswerDeny || reply.Answer == AnswerDismissed:
		d.answer, d.basis, d.askedIn, d.said = reply.Answer, policy.BasisUser, req.ParentSession, strings.TrimSpace(reply.Said)
	default: // nobody was asked there either
	}
}

// ceiling blocks a call of a sub-agent that the deny rules of the session which
// began it name, whatever its own rules say.
func (d *pendingCall) ceiling() {
	g, req := d.guard, &d.call.Request
	if g.Parents == nil || req.ParentSession == "" || d.verdict.Effect == policy.Deny {
		return
	}
	root := g.Parents.Root(req.ParentSession)
	if root == "" { // it is gone; its rules stay
		last, _ := g.ceilings.Load(req.ParentSession)
		root, _ = last.(string)
	}
	g.ceilings.Store(req.ParentSession, root)
	if root == "" || root == req.ProjectRoot() {
		return
	}
	if p, v := d.under(root); v.Effect == policy.Deny {
		d.policy, d.verdict = p, v
	}
}

// under is what the deny rules of another project's policy say of the call.
func (d *pendingCall) under(root string) (*policy.Policy, policy.Verdict) {
	p, _, _ := d.guard.Rules.Load(root, policy.Untrusted)
	c := d.call.Under(p)
	return p, policy.Evaluate(p, c, d.links)
}

// Asked answers a question of a sub-agent of the session that a request describes:
// by the deny rules of both, by an approval for the session's sub-agents, or by
// the person at this session's dialog. The sub-agent's own gate records the
// decision. It ends with its context.
func (g *Guard) Asked(ctx context.Context, here policy.Request, q Question) Reply {
	g.subAgents.Store(true)
	req := q.Request
	req.Approved, req.HasUI, req.Mode = q.Approved, here.HasUI, here.Mode
	req.Rows, req.Columns, req.ParentSession = here.Rows, here.Columns, ""
	req.Call = SubCall + req.Session + ":" + req.Call
	d := &pendingCall{guard: g, ctx: ctx, call: policy.Derive(req), digest: Digest(req.Input), trust: policy.TrustOf(req.Trusted, q.Approved), agent: agentName(q.Agent)}
	if reply, known := d.settledFor(here); known {
		return reply
	}
	if !here.HasUI {
		return Reply{Action: policy.Block, Answer: AnswerNoUI}
	}
	defer d.release()
	entered := g.waiting.enter()
	d.holds = g.turn().Acquire(ctx, 1) == nil
	denied := g.waiting.leave(entered)
	switch {
	case !d.holds:
		return Reply{Action: policy.Block, Answer: AnswerAborted}
	case denied:
		g.waiting.answered()
		return Reply{Action: policy.Block, Answer: AnswerDeny}
	}
	defer g.waiting.answered()
	// While it waited a rule may have been written or an approval given.
	if reply, known := d.settledFor(here); known {
		return reply
	}
	prompt := subAgentPrompt(d.policy, d.call, d.verdict, d.agent).waiting(g.waiting.turn()).titled(d.call, d.verdict, "")
	d.question(prompt)
	if d.subAgents && d.action == policy.Run {
		g.grants.Add(NewGrantKey(d.call, d.links), d.digest, NewGrant(d.call, d.covers).forSubAgents())
	}
	return Reply{Action: d.action, Answer: d.answer, SubAgents: d.subAgents, Said: d.said}
}

// settledFor answers a question of a sub-agent by the deny rules of both and by the
// approvals of the session that it is put to; known is false when a person is to be
// asked.
func (d *pendingCall) settledFor(here policy.Request) (reply Reply, known bool) {
	d.evaluate()
	if d.verdict.Effect != policy.Deny {
		if _, v := d.under(here.ProjectRoot()); v.Effect == policy.Deny {
			d.verdict = v
		}
	}
	switch {
	case d.verdict.Effect == policy.Deny:
		return Reply{Action: policy.Block, Answer: AnswerDeny, Said: "denied by " + cause(d.verdict)}, true
	case d.grantedToSubAgents():
		return Reply{Action: policy.Run, Answer: AnswerSession, SubAgents: true}, true
	}
	return Reply{}, false
}

// SubCall begins the id of a dialog about a sub-agent's call. No call of a host has
// such an id.
const SubCall = "sub-agent:"

// agentName is what a sub-agent is called in a dialog.
func agentName(name string) string {
	if name = strings.TrimSpace(name); name != "" {
		return "sub-agent " + name
	}
	return "a sub-agent"
}

// subAgentPrompt makes the question about a call of a sub-agent. No rule is
// offered: what is saved would be this person's for every session.
func subAgentPrompt(p *policy.Policy, c *policy.Call, v policy.Verdict, agent string) Prompt {
	q := Prompt{Options: []string{OptionOnce, OptionSession, OptionDeny, OptionDenyWhy, OptionSubAgents},
		notes: dialog.Notes{Covers: forSession + c.Covered(p.Coverage(c)), Agent: agent, Unsaved: withheld + "it is a sub-agent's call"}}
	if v.Beyond {
		q.Options, q.notes = []string{OptionOnce, OptionDeny, OptionDenyWhy}, dialog.Notes{Covers: eachTime, Agent: agent}
	}
	return q.titled(c, v, "")
}

func (d *pendingCall) grantedToSubAgents() bool {
	d.guard.revoke(d.ctx, d.call.Request.Session)
	return !d.verdict.Beyond && d.guard.grants.CoversSubAgents(NewGrantKey(d.call, d.links), d.digest, d.policy.Coverage(d.call))
}
