package config

import (
	"time"

	"github.com/pigate/pigate/internal/gate/organisation"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// floor is the organisation's file at one time: what no other file can lift. It
// does not change.
type floor struct {
	state   FileState
	reading *snapshot // nil for a file that does not count
	warning Warning   // of one that is there all the same
}

// readFloor looks at the organisation's file. The same content gives the same
// floor.
func (l *Loader) readFloor() floor {
	path, found, why := organisation.Find()
	f := floor{state: FileState{Path: path, Found: found}}
	switch {
	case !found:
	case why != "":
		f.state.Ignored, f.state.Err = true, why
		f.warning = Warning{File: path, Text: "the organisation's policy DOES NOT COUNT, because " + why +
			"; have an administrator make the file and its folders such that only root can write them"}
	default:
		if l.organisation == nil {
			l.organisation = &source{path: path, name: path, global: true}
		}
		f.reading = l.organisation.read(false)
		f.state = f.reading.state(path)
	}
	return f
}

// warnings are about the organisation's file.
func (f floor) warnings() []Warning {
	switch {
	case f.reading != nil:
		return f.reading.warnings
	case f.warning.Text != "":
		return []Warning{f.warning}
	}
	return nil
}

// projectTrust is the stricter of the setting of the global file and the
// organisation's.
func (f floor) projectTrust(global *snapshot) string {
	if f.reading != nil && (f.reading.invalid || f.reading.parsed != nil && f.reading.parsed.projectTrust != nil && *f.reading.parsed.projectTrust == ProjectTrustAsked) {
		return ProjectTrustAsked
	}
	return global.projectTrust()
}

// under puts the floor under what the files of the person and the project make:
// its deny and ask rules join theirs, and of each setting that it has the stricter
// value counts. It never loosens.
func (f floor) under(l layer) layer {
	if f.reading == nil {
		return l
	}
	own := f.reading.layer()
	deny, ask := own.kept, own.keptAsk
	if own.deny != nil {
		deny = append(deny[:len(deny):len(deny)], *own.deny...)
	}
	if own.ask != nil {
		ask = append(ask[:len(ask):len(ask)], *own.ask...)
	}
	l.deny, l.ask = joined(deny, l.deny), joined(ask, l.ask)
	if own.enabled == nil || *own.enabled { // else a person could switch all of it off
		on := true
		l.enabled = &on
	}
	l.redirections = stricter(l.redirections, own.redirections, policy.RedirectionsAsk)
	l.guardedFlags = stricter(l.guardedFlags, own.guardedFlags, true)
	l.outside = stricter(l.outside, own.outside, policy.OutsideAsk)
	l.worktrees = stricter(l.worktrees, own.worktrees, policy.WorktreesOutside)
	l.approvals = stricter(l.approvals, own.approvals, policy.CoverExact)
	if own.journal != nil {
		journal, strict := *l.journal, DefaultJournal()
		journal.Record = *stricter(&journal.Record, &own.journal.Record, strict.Record)
		journal.Durability = *stricter(&journal.Durability, &own.journal.Durability, strict.Durability)
		journal.OnError = *stricter(&journal.OnError, &own.journal.OnError, strict.OnError)
		l.journal = &journal
	}
	if own.allow != nil {
		l.ceiling = &policy.Ceiling{Rules: *own.allow, File: f.state.Path}
	}
	return l
}

// stricter is the strictest value of a setting when the floor has it, and else the
// value from above.
func stricter[T comparable](above, floor *T, strictest T) *T {
	if floor != nil && *floor == strictest {
		return floor
	}
	return above
}

// bounded is the ceiling of a layer as it is in force at a moment, and when the
// next of its rules ends.
func (l layer) bounded(now time.Time) (*policy.Ceiling, time.Time) {
	if l.ceiling == nil {
		return nil, time.Time{}
	}
	rules, next := inForce(l.ceiling.Rules, now)
	return &policy.Ceiling{Rules: rules, File: l.ceiling.File}, next
}

// Ceiling are the rules of the organisation that bound what runs unasked, and
// whether there is such a bound.
func (r Result) Ceiling() (rules []rule.Rule, bounded bool) {
	if c := r.Policy.Settings.Ceiling; c != nil {
		return c.Rules, true
	}
	return nil, false
}
