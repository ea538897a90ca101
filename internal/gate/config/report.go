package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/text"
)

// Report renders the configuration in force, as /allowlist and `pigate status`
// show it: several lines without a last line end, safe to show on a terminal.
// Approvals are the calls that were approved for the session, nil where no
// session is at hand; each is shown with what its approval covers now.
func Report(r Result, approvals []gate.Grant) string {
	var b report
	b.line("Gate status: %s", map[bool]string{true: "ENABLED", false: "DISABLED"}[r.Policy.Settings.Enabled])
	b.line("Project trust: %s", trustWords(r))
	b.line("Config files:")
	if r.Organisation.Found {
		b.line("  organisation: %s (%s)", r.Organisation.Path, r.organisationWords())
	}
	b.line("  global:  %s (%s)", r.Global.Path, r.Global.words())
	b.line("  project: %s (%s)", r.Project.Path, r.Project.words())
	for _, f := range r.Others {
		b.line("  also:    %s (%s: the allow rules are those of a nearer file)", f.Path, f.words())
	}
	for _, f := range r.Strays {
		b.line("  nearby:  %s (does not count: %s)", f.Path, f.Why)
	}
	b.rules("Deny rules", r.Policy.Rules, rule.Deny)
	if slices.ContainsFunc(r.Policy.Rules, func(r rule.Rule) bool { return r.Effect == rule.Ask }) {
		b.rules("Ask rules", r.Policy.Rules, rule.Ask)
	}
	if rules, bounded := r.Ceiling(); bounded {
		b.list("Organisation's allow rules (every call beyond them asks, each time)", ruleLines(rules))
	}
	b.rules("Allow rules", r.Policy.Rules, rule.Allow)
	if len(r.Ended) > 0 {
		b.list("Ended rules (they count for nothing)", ruleLines(r.Ended))
	}
	b.settings(r)
	if len(r.Taught) > 0 {
		b.list("Files about programs", r.Taught)
	}
	if approvals == nil {
		b.line("Session approvals: known inside Pi only")
	} else {
		entries := make([]string, len(approvals))
		for i, g := range approvals {
			entries[i] = g.Words(r.Policy.Settings.SessionApprovals)
		}
		b.list("Session approvals", entries)
	}
	b.list("Warnings", lines(r.Warnings))
	return strings.TrimSuffix(b.text.String(), "\n")
}

func trustWords(r Result) string {
	switch {
	case r.Trusted:
		return "Trusted"
	case r.Project.DenyOnly:
		return "Trusted by Pi, but nobody was asked: only deny and ask rules of " + projectName + " count"
	case r.Project.Found:
		return "Untrusted (" + projectName + " is ignored until the project is trusted)"
	}
	return "Untrusted (a " + projectName + " would be ignored)"
}

func (r Result) organisationWords() string {
	_, bounded := r.Ceiling()
	switch {
	case r.Organisation.Ignored:
		return "found, DOES NOT COUNT: " + r.Organisation.Err
	case r.Organisation.Invalid:
		return "found, invalid: nothing runs unasked until it is mended"
	case bounded:
		return "found; no other file lifts its deny rules, ask rules and settings, or allows more than it does"
	}
	return "found; no other file lifts its deny rules, ask rules and settings"
}

func (s FileState) words() string {
	switch {
	case s.Ignored:
		return "found, ignored"
	case s.Invalid:
		return "found, invalid"
	case s.DenyOnly:
		return "found, only its deny and ask rules count"
	case s.Found:
		return "found"
	}
	return "not found"
}

// report gathers lines. Every line goes through text.Visible.
type report struct{ text strings.Builder }

func (b *report) line(format string, args ...any) {
	b.text.WriteString(text.Visible(fmt.Sprintf(format, args...)))
	b.text.WriteByte('\n')
}

func (b *report) list(title string, entries []string) {
	b.line("%s: %d", title, len(entries))
	for _, e := range entries {
		b.line("  %s", e)
	}
}

func (b *report) rules(title string, all []rule.Rule, effect rule.Effect) {
	var own []rule.Rule
	for _, r := range all {
		if r.Effect == effect {
			own = append(own, r)
		}
	}
	b.list(title, ruleLines(own))
}

// ruleLines are rules with their place, their end and their reason.
func ruleLines(rules []rule.Rule) []string {
	list := make([]string, len(rules))
	for i, r := range rules {
		list[i] = fmt.Sprintf("%s  (%s)", r.Text, policy.Reason{File: r.File, Line: r.Line}.Where())
		if !r.Until.IsZero() {
			list[i] += "  until " + r.Until.Local().Format("2006-01-02 15:04")
		}
		if r.Reason != "" {
			list[i] += "  — " + r.Reason
		}
	}
	return list
}

func (b *report) settings(r Result) {
	b.line("Settings:")
	b.line("  %s: %s", keyRedirections, r.Policy.Settings.Redirections)
	b.line("  %s: %t", keyGuardedFlags, r.Policy.Settings.GuardedFlags)
	b.line("  %s: %s", keyOutside, r.Policy.Settings.Outside)
	if r.Policy.Settings.InsideWorktrees {
		b.line("  %s: %s", keyWorktrees, policy.WorktreesInside)
	}
	b.line("  %s: %s", keySessionApprovals, r.Policy.Settings.SessionApprovals)
	b.line("  %s: %s", keyProjectTrust, r.ProjectTrust)
	b.line("  %s: record %s, durability %s, onError %s", keyJournal, r.Journal.Record, r.Journal.Durability, r.Journal.OnError)
}

func lines[T fmt.Stringer](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = v.String()
	}
	return out
}
