package replay

import (
	"slices"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/policy"
)

// change is how the decisions on a call differ.
type change struct {
	kind          string // as Change.Change; "" for not at all
	old, new      decision
	deniedAllowed bool
}

func compare(c *audit.Call, j *judgement, old, new decision) change {
	switch {
	case new.verdict == "" || old.verdict == "" && !(c.Refused && new.silent()):
		return change{}
	case old.verdict == "":
		// Nobody decided it here, but elsewhere somebody said no.
		old = decision{verdict: SideUndecided, action: policy.Block}
	}
	ch := change{old: old, new: new}
	switch d := direction(old, new); {
	case d < 0:
		ch.kind = ChangeLooser
		ch.deniedAllowed = (old.verdict == policy.Deny || refused(c)) && new.silent() && old.action != policy.Run
	case d > 0:
		ch.kind = ChangeStricter
	case j.otherReasons:
		ch.kind = ChangeReasons
	}
	return ch
}

// add counts a change.
func (p *partTally) add(c *audit.Call, j *judgement, ch change) {
	switch ch.kind {
	case ChangeLooser:
		p.Looser++
	case ChangeStricter:
		p.Stricter++
	case ChangeReasons:
		p.OtherReasons++
	}
	if ch.deniedAllowed {
		p.DeniedAllowed++
	}
	k := groupKey{j.shape, ch.old.verdict, ch.new.verdict, ch.old.action, ch.new.action}
	g := p.groups[k]
	if g == nil {
		g = &Group{Shape: j.shape, Old: k.old, New: k.new, OldDecision: k.oldAction, NewDecision: k.newAction}
		p.groups[k] = g
	}
	g.Calls++
	if len(g.Examples) < groupExamples && !slices.ContainsFunc(g.Examples, func(e Example) bool { return e.What == j.what }) {
		g.Examples = append(g.Examples, Example{c.Seq, c.Tool, j.what})
	}
}

// tell is a change in full.
func (ch change) tell(c *audit.Call, j *judgement) Change {
	return Change{Seq: c.Seq, Time: c.Time, Kind: c.Kind, Session: c.Session, Project: c.Project, Tool: c.Tool, What: j.what, Shape: j.shape, Change: ch.kind,
		Old: Side{ch.old.verdict, ch.old.action, ch.old.basis, reasonsOf(j.old)}, New: Side{ch.new.verdict, ch.new.action, ch.new.basis, reasonsOf(j.new)},
		Answer: c.Answer, DeniedAllowed: ch.deniedAllowed}
}

func reasonsOf(v verdict) []policy.Reason {
	if v.reasons == nil {
		return []policy.Reason{}
	}
	return v.reasons
}
