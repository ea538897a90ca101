package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/touch"
	"github.com/pigate/pigate/internal/text"
)

func (e *evaluation) shell() {
	if e.bad() {
		return
	}
	a := e.call.Analysis
	for i := range a.Units {
		e.denyUnit(&a.Units[i])
	}
	whole := e.policy.allow.wholeTool(e.call.Request.Tool, rule.Shell)
	e.redirections()
	e.denyTouches()
	for i := range a.Units {
		if w, found := e.protectedWord(i); found {
			e.fixed = append(e.fixed, Reason{Cause: CauseSelfProtection, Resource: argv.Shown(w.Text), Start: w.Start, End: w.End,
				Detail: "the gate or Pi itself depends on this file"})
		}
	}
	switch {
	case a.Unparsed != "" && whole == nil:
		e.fixed = append(e.fixed, Reason{Cause: CauseUnparsed, Detail: "the command cannot be read: " + a.Unparsed})
	case len(a.Units) == 0 && a.Unparsed == "":
		e.fixed = append(e.fixed, e.noResource())
	case whole != nil:
		e.allowed = append(e.allowed, ruleReason(whole, Resource{Text: e.call.Request.Tool}))
		if e.policy.Settings.Broken != "" {
			e.fixed = append(e.fixed, Reason{Cause: CauseBrokenFile, Detail: e.policy.Settings.Broken})
		}
		e.unreadable()
	default:
		e.allowUnits()
	}
}

// unreadable asks about what cannot be read in a call that a rule for the whole
// tool allows, where deny rules for commands could cover it.
func (e *evaluation) unreadable() {
	if !e.policy.deny.hasShell() && (e.policy.asking == nil || !e.policy.asking.deny.hasShell()) {
		return
	}
	a := e.call.Analysis
	if a.Unparsed != "" {
		e.fixed = append(e.fixed, Reason{Cause: CauseUnparsed, Detail: "the command cannot be read: " + a.Unparsed})
	}
	for i := range a.Units {
		if u := &a.Units[i]; u.Opaque != "" {
			e.fixed = append(e.fixed, unitReason(u, CauseOpaque, u.Opaque))
		}
	}
}

// denyUnit tries every spelling of the unit against the deny rules; each rule
// is given once.
func (e *evaluation) denyUnit(u *shell.Unit) {
	if !e.policy.deny.hasShell() {
		return
	}
	var hit []*rule.Rule
	note := func(r *rule.Rule) bool {
		for _, h := range hit {
			if h == r {
				return true
			}
		}
		hit = append(hit, r)
		return true
	}
	for _, view := range u.Views {
		e.policy.deny.shellRules(view, e.fold || e.powershell(), note)
	}
	for _, name := range u.Names() {
		for _, n := range e.policy.deny.named[name] {
			if n.pattern.Match(*u) {
				note(n.rule)
			}
		}
	}
	open := e.denyVariants(u, note, func(r *rule.Rule) bool { return slices.Contains(hit, r) })
	for _, r := range hit {
		e.denied = append(e.denied, ruleReason(r, unitResource(u)))
	}
	e.fixed = append(e.fixed, open...)
}

// denyVariants tries what the words of the unit may become. A rule that could
// match what is not known makes the command a question.
func (e *evaluation) denyVariants(u *shell.Unit, note func(*rule.Rule) bool, known func(*rule.Rule) bool) (open []Reason) {
	fold := e.fold || e.powershell()
	doubted := map[*rule.Rule]bool{}
	for _, v := range u.Variants(e.call.Request.place().Home) {
		doubt := func(r *rule.Rule) bool {
			if !known(r) && !doubted[r] {
				doubted[r] = true
				open = append(open, e.couldBeDenied(u, v.Unknown(), r))
			}
			return true
		}
		if v.Sure() {
			for _, text := range v.Texts() {
				e.policy.deny.shellRules(text, fold, note)
			}
		}
		for _, text := range v.Open() {
			e.policy.deny.openRules(text, fold, doubt)
		}
		for _, n := range e.policy.deny.named[v.Program()] {
			if v.Sure() && n.pattern.MatchVariant(v) {
				note(n.rule)
			} else if !v.Sure() && n.pattern.CouldMatch(v) {
				doubt(n.rule)
			}
		}
	}
	return open
}

// couldBeDenied is the question about a command that a deny rule could match.
func (e *evaluation) couldBeDenied(u *shell.Unit, w shell.Arg, r *rule.Rule) Reason {
	reason := unitReason(u, CauseCouldBeDenied, "")
	word := argv.Shown(w.Text) + " becomes"
	switch {
	case w.End <= w.Start:
		word = "is added to it"
	case w.Start >= u.Start && w.End <= u.End: // not in a text of its own
		reason.Start, reason.End = w.Start, w.End
		word = e.call.Command[w.Start:w.End] + " becomes"
	}
	named := ruleReason(r, Resource{})
	reason.Rule, reason.File, reason.Line, reason.RuleReason = named.Rule, named.File, named.Line, named.RuleReason
	reason.Detail = fmt.Sprintf("it cannot be told what %s", text.Visible(word))
	return reason
}

// powershell reports that letter case never counts in the command language,
// which matters to deny rules.
func (e *evaluation) powershell() bool { return e.call.Request.Tool == "powershell" }

// allowUnits looks for a rule for every unit that needs one.
func (e *evaluation) allowUnits() {
	units := e.call.Analysis.Units
	whole := make([]*rule.Rule, len(units)) // the wildcard-free rule that covers the unit and all it runs
	found := make([]*rule.Rule, len(units)) // the rule that covers the unit
	for i := range units {
		u := &units[i]
		if u.Parent >= 0 && u.Parent < i {
			whole[i] = whole[u.Parent]
		}
		if whole[i] != nil {
			e.allowed = append(e.allowed, ruleReason(whole[i], unitResource(u)))
			continue
		}
		if u.Opaque != "" {
			e.fixed = append(e.fixed, unitReason(u, CauseOpaque, u.Opaque))
			continue
		}
		r, hazard, outside := e.unitRule(i)
		if r == nil && u.Parent >= 0 && u.Parent < i {
			if r = e.runnerRule(&units[u.Parent], found[u.Parent], u); r != nil {
				outside = e.outside(i, r)
			}
		}
		if outside != nil {
			e.asks = append(e.asks, *outside)
			found[i] = r
			continue
		}
		found[i] = r
		switch {
		case r != nil:
			if !r.Pattern.Wild() {
				whole[i] = r
			} else {
				e.broken(u)
			}
			e.allowed = append(e.allowed, ruleReason(r, unitResource(u)))
		case hazard != nil:
			reason := unitReason(u, CauseGuardedFlag, hazard.Flag+" "+hazard.Why)
			if hazard.End > hazard.Start {
				reason.Start, reason.End = hazard.Start, hazard.End
			}
			e.asks = append(e.asks, reason)
		case u.Transparent && (len(u.Hazards) == 0 || !e.policy.Settings.GuardedFlags):
			// What it runs is a unit of its own and decides.
			e.broken(u)
		default:
			e.asks = append(e.asks, unitReason(u, CauseNoRule, ""))
		}
	}
}

// broken asks about a unit that no rule spells out while a file about programs is
// broken.
func (e *evaluation) broken(u *shell.Unit) {
	if what := e.policy.Settings.Broken; what != "" {
		e.fixed = append(e.fixed, unitReason(u, CauseBrokenFile, what))
	}
}

// runnerRule returns a rule that covers the runner of a unit (npx, go run) and
// names what is run as well. The rule that was found for the runner need not be
// it: beside `npx tsc *` there may be `npx *`, which names nothing.
func (e *evaluation) runnerRule(runner *shell.Unit, covering *rule.Rule, u *shell.Unit) (found *rule.Rule) {
	if covering == nil {
		return nil
	}
	try := func(r *rule.Rule) bool {
		if runner.Covers(u, r.Pattern.String()) && e.unnamed(runner, r) == nil && e.unnamed(u, r) == nil {
			found = r
		}
		return found == nil
	}
	if try(covering) {
		e.policy.allow.shellRules(runner.Text, e.fold, try)
	}
	if found == nil && runner.Bare != runner.Text {
		e.policy.allow.shellRules(runner.Bare, e.fold, try)
	}
	return found
}

// unitRule returns the rule that covers unit i, or what keeps a matching one from
// covering it: a guarded flag, or a file outside the project.
func (e *evaluation) unitRule(i int) (found *rule.Rule, hazard *shell.Hazard, outside *Reason) {
	u := &e.call.Analysis.Units[i]
	try := func(r *rule.Rule) bool {
		h := e.unnamed(u, r)
		if h == nil {
			if leaves := e.outside(i, r); leaves != nil {
				outside = leaves
				return true
			}
			found = r
			// A rule without wildcards covers more (what the unit runs too), so
			// the search goes on for one.
			return r.Pattern.Wild()
		}
		if hazard == nil {
			hazard = h
		}
		return true
	}
	e.policy.allow.shellRules(u.Text, e.fold, try)
	if u.Bare != u.Text && (found == nil || found.Pattern.Wild()) {
		e.policy.allow.shellRules(u.Bare, e.fold, try)
	}
	if found != nil {
		outside = nil
	}
	return found, hazard, outside
}

// unnamed returns the first guarded flag of the unit that the rule does not
// name itself.
func (e *evaluation) unnamed(u *shell.Unit, r *rule.Rule) *shell.Hazard {
	if !e.policy.Settings.GuardedFlags || !r.Pattern.Wild() {
		return nil
	}
	for i := range u.Hazards {
		if !u.Hazards[i].NamedBy(r.Pattern.String()) {
			return &u.Hazards[i]
		}
	}
	return nil
}

func unitReason(u *shell.Unit, cause Cause, detail string) Reason {
	return Reason{Cause: cause, Resource: u.Text, Start: u.Start, End: u.End, Via: u.Via, Detail: detail}
}

// redirections judges what the command writes by redirection. Deny rules for
// edits hold in both modes.
func (e *evaluation) redirections() {
	precise := e.policy.Settings.Redirections == RedirectionsPrecise
	a := e.call.Analysis
	if at := strings.IndexByte(e.call.Command, '>'); !precise && at >= 0 {
		e.fixed = append(e.fixed, Reason{Cause: CauseRedirection, Resource: ">", Start: at, End: at + 1,
			Detail: `a ">" can write a file`})
	}
	for _, r := range a.Redirections {
		if r.Harmless {
			continue
		}
		res := Resource{Kind: EditPath, Text: r.Target}
		abs, named, sure := e.call.redirectionTarget(r)
		var t target
		if named {
			res, t = e.call.Request.pathResource(abs), e.target(abs)
		}
		res.Start, res.End = r.Start, r.End
		if d := e.policy.deny.wholeTool("", rule.Edit); d != nil {
			e.denied = append(e.denied, ruleReason(d, res))
		}
		e.denyTarget(t, res)
		e.denyNames(r, res)
		switch {
		case !precise:
		case !sure:
			e.fixed = append(e.fixed, Reason{Cause: CauseRedirection, Resource: r.Target, Start: r.Start, End: r.End,
				Detail: "it cannot be told which file it writes"})
		default:
			e.redirection(t, res)
		}
	}
}

// denyNames tries the deny rules for edits on what a target may be that is not
// one known file: it is not literal, or the folder is not known.
func (e *evaluation) denyNames(r shell.Redirection, res Resource) {
	f := fileDenial{evaluation: e, span: [2]int{r.Start, r.End}}
	for _, abs := range e.call.redirectionPaths(r) {
		if !r.Literal {
			f.try(e.policy.deny.edit, touch.Touch{Action: touch.Write, Path: touch.Plain(abs), Word: shell.Arg{Text: r.Target, Start: r.Start, End: r.End}})
		}
	}
}

// redirection looks for the edit rule that covers a target.
func (e *evaluation) redirection(t target, res Resource) {
	if t.fixed != nil {
		reason := *t.fixed
		reason.Start, reason.End = res.Start, res.End
		e.fixed = append(e.fixed, reason)
		return
	}
	if r := e.policy.allow.wholeTool("", rule.Edit); r != nil {
		e.allowed = append(e.allowed, ruleReason(r, res))
		return
	}
	before := len(e.asks)
	e.allowTarget(t, res)
	for i := before; i < len(e.asks); i++ {
		e.asks[i].Cause = CauseRedirection
		e.asks[i].Detail = fmt.Sprintf("it writes %s, which no edit rule allows", e.asks[i].Resource)
	}
}
