package tidy

import (
	"fmt"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/lint"
)

// Options say which rules are looked at and what the journal knows of them.
type Options struct {
	// Place is a request without a call, for the project.
	Place policy.Request
	// Own reports whether a rule may be changed: it stands in the file that is
	// tidied.
	Own func(*rule.Rule) bool
	// Since is when a rule was first in force while a call was decided, as far as the
	// journal tells; 0 for never.
	Since func(*rule.Rule) audit.Micros
	Now   time.Time
}

// Findings look at the rules in force. No rule is in more than one finding, and
// all of them together, but for those with Asks, leave every recorded call
// running that runs today.
func (r *Record) Findings(o Options) []Finding {
	t := &tidier{Options: o, record: r, policy: r.policy, taken: map[Place]bool{}}
	t.shadowed()
	t.idle()
	t.used = r.uses(t.policy)
	t.unused()
	t.many()
	t.wider()
	return t.list
}

// tidier gathers findings.
type tidier struct {
	Options
	record *Record
	policy *policy.Policy // after the findings so far
	used   map[Place]*use
	taken  map[Place]bool // the rules that are in a finding
	list   []Finding
}

// offer keeps a finding that makes no recorded call ask anew and lets none run
// that was refused.
func (t *tidier) offer(f Finding) bool {
	after := Apply(t.policy, f)
	asks, looser, refused := t.record.weigh(after, &f)
	if asks > 0 || refused {
		return false
	}
	f.Looser = looser
	t.keep(f)
	t.policy = after
	return true
}

func (t *tidier) keep(f Finding) {
	if f.Add == nil {
		f.Add = []string{}
	}
	for _, at := range f.Remove {
		t.taken[at] = true
		if u := t.used[at]; u != nil {
			f.Calls += u.count
			f.Last = max(f.Last, u.last)
		}
	}
	t.list = append(t.list, f)
}

// own are the allow rules of the file that stand in no finding yet and do not
// end by themselves. Where calls of folders beneath were recorded, rules for files
// are not among them: there they mean other paths.
func (t *tidier) own() (list []*rule.Rule) {
	for i := range t.policy.Rules {
		r := &t.policy.Rules[i]
		if r.Effect == rule.Allow && r.File != "-" && r.Until.IsZero() && t.Own(r) && !t.taken[placeOf(r)] && (r.Scope != rule.Edit || !t.record.beneath) {
			list = append(list, r)
		}
	}
	return list
}

// shadowed finds what lint does. Of rules that cover each other lint names the
// later ones, so one always stays.
func (t *tidier) shadowed() {
	for _, f := range lint.Shadows(t.policy, t.Place) {
		at := Place{f.Rule, f.Effect, f.File, f.Line}
		if !t.Own(&rule.Rule{Text: f.Rule, Effect: f.Effect, File: f.File, Line: f.Line}) || t.ends(at) {
			continue
		}
		t.offer(Finding{Kind: Shadowed, Remove: []Place{at}, Text: f.Text})
	}
}

// ends reports whether a rule ends by itself, or is gone.
func (t *tidier) ends(at Place) bool {
	for i := range t.policy.Rules {
		if at.is(&t.policy.Rules[i]) {
			return !t.policy.Rules[i].Until.IsZero()
		}
	}
	return true
}

// idle finds rules that no call can match. One that another agent's syntax may
// have meant otherwise is left to `rules lint`, which knows what to write.
func (t *tidier) idle() {
	own := map[Place]bool{}
	for _, r := range t.own() {
		own[placeOf(r)] = true
	}
	for _, f := range lint.Rules(t.policy, t.Place) {
		at := Place{f.Rule, f.Effect, f.File, f.Line}
		switch f.Kind {
		case lint.NeverMatches, lint.Fragment, lint.Foreign:
			if own[at] && f.Instead == "" && !t.taken[at] {
				t.offer(Finding{Kind: Idle, Remove: []Place{at}, Text: f.Text})
			}
		default:
		}
	}
}

// unused finds rules that let nothing run for UnusedAfter. One that did so before
// is told with the calls that would ask anew.
func (t *tidier) unused() {
	from := audit.Micros(t.Now.Add(-UnusedAfter).UnixMicro())
	if t.record.newest < from {
		return
	}
	for _, r := range t.own() {
		since, u := t.Since(r), t.used[placeOf(r)]
		if since == 0 || since > from || u != nil && u.last >= from {
			continue
		}
		f := Finding{Kind: Unused, Remove: []Place{placeOf(r)}, Text: "it is in force since " + t.day(since) + " at least, and was never used"}
		if u == nil {
			t.offer(f)
			continue
		}
		f.Text = "it was last used on " + t.day(u.last)
		if narrow := exact(r, u); len(narrow) > 0 && t.offer(Finding{Kind: Unused, Remove: f.Remove, Add: narrow, Text: f.Text + ", for no more than this"}) {
			continue
		}
		if f.Asks, _, _ = t.record.weigh(Apply(t.policy, f), &f); f.Asks == 0 {
			t.offer(f)
			continue
		}
		f.Text += fmt.Sprintf("; without it the recorded calls of then ask anew: %d", f.Asks)
		t.keep(f)
	}
}

func (t *tidier) day(at audit.Micros) string {
	return at.Time().In(t.Now.Location()).Format("2006-01-02")
}
