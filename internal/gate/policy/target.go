package policy

import (
	"slices"

	"github.com/pigate/pigate/internal/gate/paths"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/touch"
)

// target is a file that a call would write, under every spelling that counts.
type target struct {
	abs string
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
	root, siblings := e.call.Request.ProjectRoot(), e.siblings()
	realRoot, realAbs := e.links.Resolve(root), e.links.Resolve(abs)

	t := target{abs: abs, deny: e.spellings(abs)}
	add := func(p, base string) (inside bool) {
		rel, inside := paths.Inside(p, base, e.fold)
		if inside {
			t.allow = append(t.allow, rel)
		}
		return inside
	}
	// A path may name the project by its own spelling or by its resolved one.
	inside := add(abs, root)
	if !inside && realRoot != root {
		inside = add(abs, realRoot)
	}
	inside = inside || slices.ContainsFunc(siblings, func(base string) bool { return add(abs, base) })
	linked := realAbs != abs
	insideToo := !linked || add(realAbs, realRoot) || slices.ContainsFunc(siblings, func(base string) bool { return add(realAbs, base) })

	switch {
	case e.protects(touch.Plain(abs), touch.Itself, false) || linked && e.protects(touch.Plain(realAbs), touch.Itself, false):
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

// siblings are the folders in other worktrees that are inside the project, none
// unless the setting says so.
func (e *evaluation) siblings() []string {
	if !e.policy.Settings.InsideWorktrees {
		return nil
	}
	return e.call.Request.siblings()
}

// spellings are the texts by which a deny rule may mean a path: relative to the
// project, absolute and behind "~/", on both sides of its links.
func (e *evaluation) spellings(abs string) (list []string) {
	at := e.call.Request.place()
	root := e.call.Request.ProjectRoot()
	realRoot, realAbs := e.links.Resolve(root), e.links.Resolve(abs)
	add := func(p, base string) (inside bool) {
		rel, inside := paths.Inside(p, base, at.FoldCase())
		if inside {
			list = append(list, rel)
		}
		list = append(list, p)
		if tilde, ok := paths.UnderHome(p, at); ok {
			list = append(list, tilde)
		}
		return inside
	}
	if inside := add(abs, root); !inside && realRoot != root {
		add(abs, realRoot)
	}
	if realAbs != abs {
		add(realAbs, realRoot)
	}
	for _, base := range e.siblings() {
		add(abs, base)
		add(realAbs, base)
	}
	if at.FoldCase() {
		list = paths.Composed(list)
	}
	return list
}

func (e *evaluation) denyTarget(t target, res Resource) {
	fold := e.call.Request.place().FoldCase()
	for _, r := range e.policy.deny.edit {
		if slices.ContainsFunc(t.deny, func(s string) bool { return r.Pattern.Match(s, fold) }) {
			e.denied = append(e.denied, ruleReason(r, res))
		}
	}
	f := fileDenial{evaluation: e, span: [2]int{res.Start, res.End}}
	for _, long := range shortNames(touch.Plain(t.abs), e.call.Request.place()) {
		f.try(e.policy.deny.edit, touch.Touch{Action: touch.Write, Path: long, Word: shell.Arg{Text: res.Text, Start: res.Start, End: res.End}})
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
