package policy

import (
	"slices"

	"github.com/pigate/pigate/internal/gate/rule"
)

// Ceiling is what an organisation lets run unasked at most.
type Ceiling struct {
	// Rules are allow rules; no rule lets nothing run unasked.
	Rules []rule.Rule
	// File is where they stand.
	File string
}

// texts are the rules as they are written; nil without a ceiling.
func (c *Ceiling) texts() *[]string {
	if c == nil {
		return nil
	}
	list := []string{}
	for _, r := range c.Rules {
		list = append(list, r.Text)
	}
	return &list
}

// Beyond are the words about a call that lies beyond the ceiling.
const Beyond = "the organisation's policy does not let it run unasked"

// beneath holds a verdict against the ceiling: what lies beyond it asks, whatever
// else allows it.
func (p *Policy) beneath(v Verdict, c *Call, links LinkFacts) Verdict {
	if p.ceiling == nil || v.Effect == Deny || v.Effect == Pass {
		return v
	}
	most := evaluate(p.ceiling, c, links).verdict()
	if most.Effect != Ask {
		return v
	}
	beyond := Verdict{Effect: Ask, Fixed: true, Beyond: true}
	if v.Effect == Ask {
		beyond.Reasons = slices.Clone(v.Reasons)
	}
	for _, r := range most.Reasons {
		detail := Beyond
		if r.Cause != CauseNoRule && r.Detail != "" {
			detail += ": " + r.Detail
		}
		beyond.Reasons = append(beyond.Reasons, Reason{Cause: CauseCeiling, File: p.Settings.Ceiling.File, Resource: r.Resource, Start: r.Start, End: r.End, Via: r.Via, Detail: detail})
	}
	return beyond
}
