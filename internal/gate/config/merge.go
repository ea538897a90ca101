package config

import (
	"slices"
	"time"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// layer is what one file contributes to the effective configuration. A nil
// field is left to the file below it, and in the end to the defaults.
type layer struct {
	allow, deny, ask *[]rule.Rule
	enabled          *bool
	redirections     *string
	guardedFlags     *bool
	outside          *string
	worktrees        *string
	journal          *JournalSettings
	approvals        *policy.Coverage
	// kept and keptAsk are deny and ask rules of a file that otherwise does not
	// count: they are in force beside the lists of the layer below.
	kept, keptAsk []rule.Rule
	// ceiling is the organisation's; see floor.
	ceiling *policy.Ceiling
}

// layer turns a reading into what it contributes. An invalid file contributes
// an empty allowlist, the strictest settings and the deny rules that are known;
// the keys of the global file stay out of the hands of a broken project file.
func (r *snapshot) layer() layer {
	switch {
	case r.invalid:
		strict, journal := strictSettings(), DefaultJournal()
		l := layer{allow: &[]rule.Rule{}, enabled: &strict.Enabled, redirections: &strict.Redirections,
			approvals: &strict.SessionApprovals, kept: r.keptDeny, keptAsk: r.keptAsk}
		if r.global {
			l.guardedFlags, l.outside, l.worktrees, l.journal = &strict.GuardedFlags, &strict.Outside, &outsideWorktrees, &journal
		}
		return l
	case r.denyOnly:
		return layer{kept: r.keptDeny, keptAsk: r.keptAsk}
	case r.parsed == nil:
		return layer{}
	}
	return r.parsed.layer()
}

// layer is what a valid file contributes.
func (p *fileValues) layer() layer {
	return layer{allow: p.allow.list(), deny: p.deny.list(), ask: p.ask.list(), enabled: p.enabled, redirections: p.redirections,
		guardedFlags: p.guardedFlags, outside: p.outside, worktrees: p.worktrees, journal: p.journal, approvals: p.approvals}
}

// outsideWorktrees is the setting where no file has one.
var outsideWorktrees = policy.WorktreesOutside

func (l *ruleList) list() *[]rule.Rule {
	if l == nil {
		return nil
	}
	return &l.rules
}

// builtIn is the layer below all files.
func builtIn() layer {
	settings, journal := policy.DefaultSettings(), DefaultJournal()
	allow := make([]rule.Rule, 0, len(defaultAllow))
	for _, text := range defaultAllow {
		if r, err := rule.Parse(text); err == nil { // a test holds that all of them parse
			r.Effect = rule.Allow
			allow = append(allow, r)
		}
	}
	return layer{allow: &allow, deny: &[]rule.Rule{}, ask: &[]rule.Rule{}, enabled: &settings.Enabled, redirections: &settings.Redirections,
		guardedFlags: &settings.GuardedFlags, outside: &settings.Outside, worktrees: &outsideWorktrees, journal: &journal, approvals: &settings.SessionApprovals}
}

// over returns the lower layer with everything that l defines in its place.
// Lists are replaced wholesale; deny and ask rules kept from a file that
// otherwise does not count join the lists from below.
func (l layer) over(lower layer) layer {
	return layer{
		allow:        first(l.allow, lower.allow),
		deny:         joined(l.kept, first(l.deny, lower.deny)),
		ask:          joined(l.keptAsk, first(l.ask, lower.ask)),
		enabled:      first(l.enabled, lower.enabled),
		redirections: first(l.redirections, lower.redirections),
		guardedFlags: first(l.guardedFlags, lower.guardedFlags),
		outside:      first(l.outside, lower.outside),
		worktrees:    first(l.worktrees, lower.worktrees),
		journal:      first(l.journal, lower.journal),
		approvals:    first(l.approvals, lower.approvals),
	}
}

func joined(kept []rule.Rule, list *[]rule.Rule) *[]rule.Rule {
	if list == nil || len(kept) == 0 {
		return list
	}
	all := union(kept, *list)
	return &all
}

func first[T any](upper, lower *T) *T {
	if upper != nil {
		return upper
	}
	return lower
}

// settings returns the settings of a merged layer.
func (l layer) settings() policy.Settings {
	return policy.Settings{Enabled: *l.enabled, Redirections: *l.redirections, GuardedFlags: *l.guardedFlags, Outside: *l.outside, InsideWorktrees: *l.worktrees == policy.WorktreesInside, SessionApprovals: *l.approvals}
}

// policy compiles a merged layer as it is in force at a moment, with what is known
// of programs; nil is what this binary knows. It returns when the next of its rules
// ends, the zero time if none does.
func (l layer) policy(known *programs, now time.Time) (*policy.Policy, time.Time) {
	rules, next := inForce(slices.Concat(*l.allow, *l.deny, *l.ask), now)
	settings := l.settings()
	bound, ends := l.bounded(now)
	if settings.Ceiling = bound; next.IsZero() || !ends.IsZero() && ends.Before(next) {
		next = ends
	}
	if known != nil {
		settings.Programs, settings.Broken = known.layers, known.broken()
	}
	return policy.New(settings, rules), next
}

// ended are the rules of a merged layer that have ended at a moment.
func (l layer) ended(now time.Time) (list []rule.Rule) {
	for _, r := range slices.Concat(*l.allow, *l.deny, *l.ask) {
		if !r.Until.IsZero() && !now.Before(r.Until) {
			list = append(list, r)
		}
	}
	return list
}
