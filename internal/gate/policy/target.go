package policy

import (
	"github.com/pigate/pigate/internal/gate/paths"
	"github.com/pigate/pigate/internal/gate/rule"
)

// target is a file that a call would write, under every spelling that counts.
type target struct {
	// allow are the spellings that must each be covered: the lexical one and,
	// when links lead elsewhere, the resolved one. Both are relative to the
	// project.
	allow []string
	// deny are the spellings of which one is enough.
	deny []string
	// fixed is why it asks whatever the allowlist says, or nil.
	fixed *Reason
}

// target looks at an absolute path from both sides of its symbolic links.
func (e *evaluation) target(abs string) target {
	at := e.call.Request.place()
	root := e.call.Request.ProjectRoot()
	realRoot, realAbs := e.links.Resolve(root), e.links.Resolve(abs)

	var t target
	add := func(p, base string) (inside bool) {
		rel, inside := paths.Inside(p, base, e.fold)
		if inside {
			t.allow = append(t.allow, rel)
			t.deny = append(t.deny, rel)
		} else if folded, there := paths.Inside(p, base, at.FoldCase()); there {
			t.deny = append(t.deny, folded) // the same folder to the file system
		}
		t.deny = append(t.deny, p)
		if tilde, ok := paths.UnderHome(p, at); ok {
			t.deny = append(t.deny, tilde)
		}
		return inside
	}
	// A path may name the project by its own spelling or by its resolved one.
	inside := add(abs, root)
	if !inside && realRoot != root {
		inside = add(abs, realRoot)
	}
	if at.FoldCase() {
		t.deny = paths.Composed(t.deny)
	}
	linked := realAbs != abs
	insideToo := !linked || add(realAbs, realRoot)

	switch {
	case e.protected(abs, realAbs):
		t.fixed = &Reason{Cause: CauseSelfProtection, Resource: abs,
			Detail: "the gate or Pi itself depends on this file"}
	case !inside:
		t.fixed = &Reason{Cause: CauseOutside, Resource: abs, Detail: "the target is outside the project"}
	case !insideToo:
		t.fixed = &Reason{Cause: CauseOutside, Resource: realAbs,
			Detail: "a symbolic link leads outside the project"}
	}
	return t
}

// protected reports whether one of the spellings is, or lies below, a file
// that the gate keeps for itself.
func (e *evaluation) protected(spellings ...string) bool {
	at := e.call.Request.place()
	if e.kept == nil { // asked for each word of a command, the same for all
		for _, p := range e.call.Request.protected() {
			e.kept = append(e.kept, p)
			if real := e.links.Resolve(p); real != p {
				e.kept = append(e.kept, real)
			}
		}
	}
	for _, base := range e.kept {
		for _, s := range spellings {
			if _, inside := paths.Inside(s, base, at.FoldCase()); inside {
				return true
			}
		}
	}
	return false
}

func (e *evaluation) denyTarget(t target, res Resource) {
	fold := e.call.Request.place().FoldCase()
	for _, r := range e.policy.deny.edit {
		for _, s := range t.deny {
			if r.Pattern.Match(s, fold) {
				e.denied = append(e.denied, ruleReason(r, res))
				break
			}
		}
	}
}

// allowTarget adds the rules that cover the target, or why it asks.
func (e *evaluation) allowTarget(t target, res Resource) {
	if t.fixed != nil && t.fixed.Cause == CauseOutside {
		return // no rule could cover it
	}
	for _, s := range t.allow {
		r := e.editRule(s)
		if r == nil {
			e.asks = append(e.asks, Reason{Cause: CauseNoRule, Resource: s, Start: res.Start, End: res.End})
			continue
		}
		e.allowed = append(e.allowed, ruleReason(r, res))
	}
}

func (e *evaluation) editRule(path string) *rule.Rule {
	for _, r := range e.policy.allow.edit {
		if r.Pattern.Match(path, e.fold) {
			return r
		}
	}
	return nil
}
