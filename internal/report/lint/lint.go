// Package lint looks at rules for what their owner would want to know: rules
// that can never match, that others make needless, or that allow more than they
// seem to. It asks the gate itself what a rule does wherever that can be asked,
// and says nothing of an allow rule that a deny rule keeps from doing harm.
package lint

import (
	"cmp"
	"slices"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// Kind is what a finding is about.
type Kind string

// The kinds of findings.
const (
	// NeverMatches is a rule that no call can match, or that changes nothing.
	NeverMatches Kind = "never-matches"
	// Fragment is a rule for a piece of shell grammar, such as `done`.
	Fragment Kind = "fragment"
	// Foreign is a rule in the syntax of another agent.
	Foreign Kind = "foreign"
	// Hidden is a rule with characters that do not show or look like a blank, so
	// that it does not mean what it seems to say.
	Hidden Kind = "hidden-characters"
	// Denied is an allow rule all of whose calls a deny rule blocks.
	Denied Kind = "denied"
	// Shadowed is a rule whose calls another of the same effect covers.
	Shadowed Kind = "shadowed"
	// Collides is an MCP rule that means the same tools as one written otherwise.
	Collides Kind = "collides"
	// StarBeforeLiteral is an allow rule for commands with a star in the middle,
	// which takes options too.
	StarBeforeLiteral Kind = "star-before-literal"
	// Unescaped is an allow rule in which a wildcard of the shell was probably
	// meant to be just that.
	Unescaped Kind = "unescaped-wildcard"
	// Wrapper is an allow rule for a program that runs others, which does not cover
	// what it runs.
	Wrapper Kind = "wrapper"
	// StopsLittle is a deny rule that stops one command alone, and not the same with
	// anything behind it.
	StopsLittle Kind = "stops-little"
	// GluedStar is a deny rule with a star in front of an option in the same word,
	// which stops words that only hold the same letters.
	GluedStar Kind = "glued-star"
	// ReachesFurther is an allow rule whose star stands for a path's end, and takes
	// ".." and further operands too.
	ReachesFurther Kind = "reaches-further"
	// Wide is an allow rule that lets dangerous calls run, or any code.
	Wide Kind = "wide"
	// Unused is a rule that decided nothing for a while though it could have.
	Unused Kind = "unused"
	// Invalid is a line of the configuration that does not count.
	Invalid Kind = "invalid"
)

// Finding is one thing to know about a rule. The tags are the fields of `pigate
// rules lint --json`.
type Finding struct {
	Kind   Kind        `json:"kind"`
	Rule   string      `json:"rule"`
	Effect rule.Effect `json:"effect"`
	// File and Line say where the rule stands, as in a gate.Reason.
	File string `json:"file"`
	Line int    `json:"line"`
	// Text says what is wrong, Advice what to do about it, both in words. They hold
	// text of the rule, which is to be shown with care.
	Text   string `json:"text"`
	Advice string `json:"advice"`
	// Instead is the rule to write in its place, "" where there is none.
	Instead string `json:"instead"`
}

// Where is "file:line" of the rule.
func (f Finding) Where() string { return policy.Reason{File: f.File, Line: f.Line}.Where() }

// Rules looks at the rules of a policy as text, against each other and through
// the gate. place is a request whose folders, system and installation are those
// that the rules are for. The findings are in the order of the rules, at most
// one of a kind for each; a rule that can do nothing has one alone.
func Rules(p *policy.Policy, place policy.Request) []Finding {
	if p.Settings.Broken != "" { // what a rule would do is asked of the rule, not of the moment
		settings := p.Settings
		settings.Broken = ""
		p = policy.New(settings, slices.Clone(p.Rules))
	}
	l := linter{policy: p, place: place}
	var list []Finding
	for i := range p.Rules {
		list = append(list, l.rule(i)...)
	}
	return list
}

// Shadows finds the rules that another of the same effect makes needless, and
// nothing else of what Rules finds.
func Shadows(p *policy.Policy, place policy.Request) []Finding {
	l := linter{policy: p, place: place}
	var list []Finding
	for i := range p.Rules {
		if f := l.shadowed(i, &p.Rules[i]); f != nil {
			list = append(list, l.at(&p.Rules[i], *f))
		}
	}
	return list
}

// linter looks at one policy.
type linter struct {
	policy *policy.Policy
	place  policy.Request
	all    []string // the calls of package dangerous that run under the policy; nil before they are wanted
}

func (l *linter) rule(i int) []Finding {
	r := &l.policy.Rules[i]
	for _, idle := range []func(int, *rule.Rule) *Finding{l.hidden, l.foreign, l.fragment, l.never, l.denied, l.collides, l.shadowed} {
		if f := idle(i, r); f != nil {
			return []Finding{l.at(r, *f)}
		}
	}
	var list []Finding
	finders := []func(*rule.Rule) *Finding{l.wide, l.wrapper, l.unescaped, l.star, l.further}
	if r.Effect != rule.Allow {
		finders = []func(*rule.Rule) *Finding{l.little, l.gluedStar}
	}
	for _, wide := range finders {
		if f := wide(r); f != nil {
			list = append(list, l.at(r, *f))
		}
	}
	return list
}

// at adds the rule to what was found about it.
func (l *linter) at(r *rule.Rule, f Finding) Finding {
	f.Rule, f.Effect, f.File, f.Line = r.Text, r.Effect, r.File, r.Line
	return f
}

// Sort puts findings in the order of files and lines; those of one rule stay as
// they are.
func Sort(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
}
