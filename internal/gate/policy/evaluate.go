package policy

import (
	"slices"

	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/gate/touch"
)

// Evaluate says what the policy makes of the call, which it reads by what the
// policy knows of programs. It reads nothing but its arguments. Every rule is
// tried, so that the reasons are complete: for a deny all deny rules that matched,
// for an ask all ask rules that matched, every piece that no rule covers and every
// built-in cause, for an allow the rule that covers each resource. Where several
// catalogues judge, the strictest verdict counts.
func Evaluate(p *Policy, c *Call, links LinkFacts) Verdict {
	if !p.Settings.Enabled {
		return Verdict{Effect: Pass, Reasons: []Reason{{Cause: CauseDisabled}}}
	}
	c = c.Under(p)
	v := p.judge(c, links)
	for i, beside := range c.beside {
		v = v.and(p.beside[i].judge(beside, links))
	}
	return v
}

// judge is Evaluate by one catalogue.
func (p *Policy) judge(c *Call, links LinkFacts) Verdict {
	return p.beneath(p.ruled(c, links), c, links)
}

// ruled is the verdict of the rules.
func (p *Policy) ruled(c *Call, links LinkFacts) Verdict {
	v := evaluate(p, c, links).verdict()
	if p.asking == nil || v.Effect == Deny {
		return v
	}
	asked := evaluate(p.asking, c, links).asking()
	switch {
	case len(asked) == 0:
		return v
	case v.Effect == Ask:
		asked = append(asked, v.Reasons...)
	}
	return Verdict{Effect: Ask, Reasons: asked, Fixed: true}
}

func evaluate(p *Policy, c *Call, links LinkFacts) *evaluation {
	e := &evaluation{policy: p, call: c, links: links, fold: c.Request.fold()}
	e.wholeDeny()
	e.denyArgs()
	switch c.Scope {
	case rule.Shell:
		e.shell()
	case rule.Edit:
		e.edit()
	case rule.MCP:
		e.mcp()
	default:
		e.other()
	}
	return e
}

// asking turns what was denied, or could have been, into questions.
func (e *evaluation) asking() (reasons []Reason) {
	for _, r := range e.denied {
		r.Cause = CauseAskRule
		reasons = append(reasons, r)
	}
	for _, r := range e.fixed {
		if r.Cause == CauseCouldBeDenied {
			r.Cause = CauseCouldBeAsked
			reasons = append(reasons, r)
		}
	}
	return reasons
}

// and is the stricter of two verdicts; of two that deny or ask, the one with the
// reasons of both.
func (v Verdict) and(other Verdict) Verdict {
	switch {
	case strictness[other.Effect] > strictness[v.Effect]:
		return other
	case other.Effect != v.Effect || v.Effect != Deny && v.Effect != Ask:
		return v
	}
	v.Fixed, v.Beyond = v.Fixed || other.Fixed, v.Beyond || other.Beyond
	for _, r := range other.Reasons {
		if !slices.Contains(v.Reasons, r) {
			v.Reasons = append(v.Reasons, r)
		}
	}
	return v
}

// strictness orders the effects.
var strictness = map[Effect]int{Pass: 0, Allow: 1, Ask: 2, Deny: 3}

// evaluation gathers the reasons of one verdict.
type evaluation struct {
	policy *Policy
	call   *Call
	links  LinkFacts
	fold   bool
	kept   []kept // the protected files under both sides of their links; see protects

	folders *touch.Line           // see line
	touches map[int][]touch.Touch // of units; see touched
	input   *arguments            // see arguments

	denied  []Reason
	fixed   []Reason // asks that no allow rule can change
	asks    []Reason // asks that a rule could answer
	allowed []Reason
	passed  bool
}

func (e *evaluation) verdict() Verdict {
	switch {
	case len(e.denied) > 0:
		return Verdict{Effect: Deny, Reasons: e.denied}
	case e.passed:
		return Verdict{Effect: Pass, Reasons: []Reason{{Cause: CauseReadOnly, Resource: e.call.Request.Tool}}}
	case len(e.fixed)+len(e.asks) > 0:
		return Verdict{Effect: Ask, Reasons: append(e.fixed, e.asks...), Fixed: len(e.fixed) > 0}
	case len(e.allowed) == 0: // nothing to ask about is no reason to allow
		return Verdict{Effect: Ask, Reasons: []Reason{e.noResource()}, Fixed: true}
	}
	return Verdict{Effect: Allow, Reasons: e.allowed}
}

func (e *evaluation) noResource() Reason {
	return Reason{Cause: CauseNoResource, Detail: "there is nothing in the call that a rule could cover"}
}

func (e *evaluation) wholeDeny() {
	for _, r := range e.policy.deny.whole {
		if r.WholeTool(e.call.Request.Tool, e.call.Scope) {
			e.denied = append(e.denied, ruleReason(r, Resource{Text: e.call.Request.Tool}))
		}
	}
}

// bad asks for input that cannot be read, whatever the allowlist says.
func (e *evaluation) bad() bool {
	if e.call.Bad == "" {
		return false
	}
	e.fixed = append(e.fixed, Reason{Cause: CauseBadInput, Detail: e.call.Bad})
	return true
}

func (e *evaluation) edit() {
	if e.bad() {
		return
	}
	whole := e.policy.allow.wholeTool(e.call.Request.Tool, rule.Edit)
	for _, res := range e.call.Resources {
		t := e.target(res.Path)
		e.denyTarget(t, res)
		if t.fixed != nil {
			e.fixed = append(e.fixed, *t.fixed)
		}
		if whole != nil {
			e.allowed = append(e.allowed, ruleReason(whole, res))
			continue
		}
		e.allowTarget(t, res)
	}
}

func (e *evaluation) mcp() {
	res := e.call.Resources[0]
	for _, r := range e.policy.deny.mcp {
		if r.MatchMCP(e.call.server, e.call.tool, e.fold) {
			e.denied = append(e.denied, ruleReason(r, res))
		}
	}
	if r := e.policy.allow.wholeTool(e.call.Request.Tool, rule.MCP); r != nil {
		e.allowed = append(e.allowed, ruleReason(r, res))
		return
	}
	for _, r := range e.policy.allow.mcp {
		if r.MatchMCP(e.call.server, e.call.tool, e.fold) {
			e.allowed = append(e.allowed, ruleReason(r, res))
			return
		}
	}
	e.byArgs(res)
}

// read tries the deny rules for reading on what a reading tool looks at.
func (e *evaluation) read() {
	if e.call.read == "" || len(e.policy.deny.read) == 0 {
		return
	}
	f := fileDenial{evaluation: e}
	f.try(e.policy.deny.read, touch.Touch{Path: touch.Plain(e.call.read), Reach: readingTools[e.call.Request.Tool]})
}

func (e *evaluation) other() {
	tool := e.call.Request.Tool
	e.read()
	if len(e.fixed) > 0 {
		return // a deny rule for reading could cover it
	}
	if passing[tool] {
		e.passed = true
		return
	}
	if r := e.policy.allow.wholeTool(tool, ""); r != nil {
		e.allowed = append(e.allowed, ruleReason(r, Resource{Text: tool}))
		return
	}
	e.byArgs(Resource{Text: tool})
}
