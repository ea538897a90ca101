// Package tidy finds allow rules that a person can do without, or write more
// narrowly, by what the journal holds: rules that decide nothing, rules that
// nobody used for long, rules that are wider than their use, and many exact rules
// that one pattern covers.
//
// A finding is computed anew from the journal each time, so it closes itself when
// its rule is used. Deny and ask rules are never found but where another of the
// same effect covers them: that one stopped nothing is no reason to lift it.
package tidy

import (
	"slices"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// Kind is what a finding is about.
type Kind string

// The kinds of findings.
const (
	// Shadowed is a rule that another of the same effect covers.
	Shadowed Kind = "shadowed"
	// Idle is an allow rule that no call can match.
	Idle Kind = "never-matches"
	// Unused is an allow rule that was in force for UnusedAfter and let nothing run
	// in that time.
	Unused Kind = "unused"
	// Many are exact allow rules that one pattern covers.
	Many Kind = "many-exact"
	// Wider is an allow rule that covers more than it was ever used for.
	Wider Kind = "wider-than-used"
)

// UnusedAfter is how long a rule is in force without a use before it is found.
const UnusedAfter = 90 * 24 * time.Hour

// Place is a rule and where it stands.
type Place struct {
	Rule   string      `json:"rule"`
	Effect rule.Effect `json:"effect"`
	File   string      `json:"file"`
	Line   int         `json:"line"`
}

// Where is "file:line" of the rule.
func (p Place) Where() string { return policy.Reason{File: p.File, Line: p.Line}.Where() }

func placeOf(r *rule.Rule) Place { return Place{r.Text, r.Effect, r.File, r.Line} }

// is reports whether a rule is the one that stands in this place.
func (p Place) is(r *rule.Rule) bool { return placeOf(r) == p }

// Finding is one change that makes a list of rules shorter or narrower. The tags
// are the fields of `pigate suggest --tighten --json`.
type Finding struct {
	Kind Kind `json:"kind"`
	// Remove are the rules that go, never empty; Add are the allow rules that take
	// their place, empty where none does.
	Remove []Place  `json:"remove"`
	Add    []string `json:"add"`
	// Text says why, in words. It may hold text of rules.
	Text string `json:"text"`
	// Calls is how many recorded calls the rules that go let run, Last when they last
	// did; 0 for none.
	Calls int          `json:"calls"`
	Last  audit.Micros `json:"-"`
	// Asks is how many recorded calls would ask anew after this change. It is 0 but
	// for an unused rule that was used before.
	Asks int `json:"asks"`
	// Looser is a recorded call that asks today and would run after this change, ""
	// for none. Its text is hostile.
	Looser string `json:"looser"`
}

// Apply returns the policy after the changes of findings. Rules that are added
// stand behind all others.
func Apply(p *policy.Policy, list ...Finding) *policy.Policy {
	var rules []rule.Rule
	for i := range p.Rules {
		r := &p.Rules[i]
		if !slices.ContainsFunc(list, func(f Finding) bool { return slices.ContainsFunc(f.Remove, func(at Place) bool { return at.is(r) }) }) {
			rules = append(rules, *r)
		}
	}
	for _, f := range list {
		for _, text := range f.Add {
			r, err := rule.Parse(text)
			if err != nil || slices.ContainsFunc(rules, func(o rule.Rule) bool { return o.Effect == rule.Allow && o.Text == r.Text }) {
				continue // a finding adds nothing that is no rule
			}
			r.Effect, r.File = rule.Allow, "-"
			rules = append(rules, r)
		}
	}
	return policy.New(p.Settings, rules)
}
