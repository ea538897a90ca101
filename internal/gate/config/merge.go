package config

import (
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// layer is what one file contributes to the effective configuration. A nil
// field is left to the file below it, and in the end to the defaults.
type layer struct {
	allow, deny  *[]rule.Rule
	enabled      *bool
	redirections *string
	guardedFlags *bool
	journal      *JournalSettings
	approvals    *policy.Coverage
	// kept are deny rules of a file that otherwise does not count: they are in
	// force beside the deny list of the layer below.
	kept []rule.Rule
}

// layer turns a reading into what it contributes. An invalid file contributes
// an empty allowlist, the strictest settings and the deny rules that are known;
// the keys of the global file stay out of the hands of a broken project file.
func (r *snapshot) layer() layer {
	switch {
	case r.invalid:
		strict, journal := strictSettings(), DefaultJournal()
		l := layer{allow: &[]rule.Rule{}, enabled: &strict.Enabled, redirections: &strict.Redirections,
			approvals: &strict.SessionApprovals, kept: r.keptDeny}
		if r.global {
			l.guardedFlags, l.journal = &strict.GuardedFlags, &journal
		}
		return l
	case r.denyOnly:
		return layer{kept: r.keptDeny}
	case r.parsed == nil:
		return layer{}
	}
	return r.parsed.layer()
}

// layer is what a valid file contributes.
func (p *fileValues) layer() layer {
	return layer{allow: p.allow.list(), deny: p.deny.list(), enabled: p.enabled, redirections: p.redirections,
		guardedFlags: p.guardedFlags, journal: p.journal, approvals: p.approvals}
}

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
	return layer{allow: &allow, deny: &[]rule.Rule{}, enabled: &settings.Enabled, redirections: &settings.Redirections,
		guardedFlags: &settings.GuardedFlags, journal: &journal, approvals: &settings.SessionApprovals}
}

// over returns the lower layer with everything that l defines in its place.
// Lists are replaced wholesale; deny rules kept from a file that otherwise does
// not count join the list from below.
func (l layer) over(lower layer) layer {
	return layer{
		allow:        first(l.allow, lower.allow),
		deny:         l.denyOver(lower),
		enabled:      first(l.enabled, lower.enabled),
		redirections: first(l.redirections, lower.redirections),
		guardedFlags: first(l.guardedFlags, lower.guardedFlags),
		journal:      first(l.journal, lower.journal),
		approvals:    first(l.approvals, lower.approvals),
	}
}

func (l layer) denyOver(lower layer) *[]rule.Rule {
	deny := first(l.deny, lower.deny)
	if deny == nil || len(l.kept) == 0 {
		return deny
	}
	all := union(l.kept, *deny)
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
	return policy.Settings{Enabled: *l.enabled, Redirections: *l.redirections, GuardedFlags: *l.guardedFlags, SessionApprovals: *l.approvals}
}

// policy compiles a merged layer.
func (l layer) policy() *policy.Policy {
	rules := make([]rule.Rule, 0, len(*l.allow)+len(*l.deny))
	rules = append(rules, *l.allow...)
	rules = append(rules, *l.deny...)
	return policy.New(l.settings(), rules)
}
