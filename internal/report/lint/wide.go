package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/report/dangerous"
)

// open reports that a rule allows commands by a wildcard.
func open(r *rule.Rule) bool { return r.Scope == rule.Shell && !r.Whole && r.Pattern.Wild() }

// wide finds a rule that lets dangerous calls run, or that names a flag
// by which a program runs code and leaves the code to a star.
func (l *linter) wide(r *rule.Rule) *Finding {
	if f := l.dangerous(r); f != nil || !open(r) {
		return f
	}
	c := l.command(r, filler)
	if verdict(l.alone(r), c) != policy.Allow || l.stopped(c) {
		return nil
	}
	for _, u := range c.Analysis.Units {
		for _, h := range u.Hazards {
			if h.Kind == shell.KindExec && l.code(&h, c) {
				return &Finding{Kind: Wide, Text: fmt.Sprintf("it lets any code run: %s %s", h.Flag, h.Why), Advice: "allow the exact command, or leave it to be asked"}
			}
		}
	}
	return nil
}

// dangerous finds which dangerous calls run by the rule: by it alone, or, of a
// rule for a program that runs others, with those for what it runs. What a deny
// rule stops does not run, and a rule without wildcards says itself what does.
func (l *linter) dangerous(r *rule.Rule) *Finding {
	if !r.Whole && !r.Pattern.Wild() && r.Scope != rule.MCP {
		return nil
	}
	var only, without []rule.Rule
	for i := range l.policy.Rules {
		other := &l.policy.Rules[i]
		if other.Effect != rule.Allow || other == r {
			only = append(only, *other)
		}
		if other != r {
			without = append(without, *other)
		}
	}
	hits := l.hits(only)
	for _, line := range dangerous.Behind(l.enabled(only), *r) {
		hits = append(hits, line.String())
	}
	if l.wraps(r) {
		if l.all == nil {
			l.all = append([]string{}, l.hits(l.policy.Rules)...)
		}
		rest := l.hits(without)
		for _, line := range l.all {
			if !slices.Contains(rest, line) && !slices.Contains(hits, line) {
				hits = append(hits, line)
			}
		}
	}
	if len(hits) == 0 {
		return nil
	}
	text := fmt.Sprintf("it lets %q run without a question", hits[0])
	if len(hits) > 1 {
		text += fmt.Sprintf(", and %d more of %d dangerous calls that were tried", len(hits)-1, len(dangerous.Lines()))
	}
	return &Finding{Kind: Wide, Text: text, Advice: "narrow it, or deny what it should not let run"}
}

// wraps reports that a rule is for a program that runs others.
func (l *linter) wraps(r *rule.Rule) bool {
	if !open(r) {
		return false
	}
	c := l.command(r, filler)
	return c.Analysis != nil && slices.ContainsFunc(c.Analysis.Units, func(u shell.Unit) bool { return u.Wrapper && r.Pattern.Match(u.Text, false) })
}

// hits are the dangerous calls that run under rules.
func (l *linter) hits(rules []rule.Rule) []string {
	var list []string
	for _, line := range dangerous.Hits(l.enabled(rules)) {
		list = append(list, line.String())
	}
	return list
}

// enabled is a policy of the rules with the settings of the linter's, switched on.
func (l *linter) enabled(rules []rule.Rule) *policy.Policy {
	settings := l.policy.Settings
	settings.Enabled = true
	return policy.New(settings, rules)
}

// code reports whether what a hazard carries came out of a star.
func (l *linter) code(h *shell.Hazard, c *policy.Call) bool {
	return h.End > h.Start && h.End <= len(c.Command) && strings.Contains(c.Command[h.Start:h.End], filler)
}

// wrapper finds a rule for a program that runs others: what it runs is a command
// of its own, which the rule does not cover.
func (l *linter) wrapper(r *rule.Rule) *Finding {
	if !open(r) {
		return nil
	}
	c := l.command(r, filler)
	if c.Analysis == nil || verdict(l.alone(r), c) != policy.Ask {
		return nil
	}
	v := policy.Evaluate(l.policy, c, nil)
	if v.Effect != policy.Ask || !slices.ContainsFunc(v.Reasons, func(reason policy.Reason) bool {
		return reason.Via != "" && (reason.Cause == policy.CauseNoRule || reason.Cause == policy.CauseOpaque)
	}) {
		return nil
	}
	for i := range c.Analysis.Units {
		u := &c.Analysis.Units[i]
		if !u.Wrapper || !r.Pattern.Match(u.Text, false) {
			continue
		}
		f := &Finding{Kind: Wrapper, Text: fmt.Sprintf("it covers %s alone: what %s runs is a command of its own, and needs a rule of its own", u.Program, u.Program),
			Advice: "allow the commands that it may run"}
		if u.Transparent {
			f.Text = fmt.Sprintf("it changes nothing: %s needs no rule, and what it runs needs one of its own", u.Program)
		}
		for j := range c.Analysis.Units {
			if inner := &c.Analysis.Units[j]; inner.Parent == i && inner.Text != filler {
				f.Instead = "shell:" + starred(inner.Text)
				f.Advice = "allow what it runs"
				if !u.Transparent {
					f.Advice += " as well"
				}
				break
			}
		}
		return f
	}
	return nil
}

// glued reports that a wildcard stands before something else of its word, as it
// does in a pattern for files.
func glued(word string) bool {
	for rest := word; rest != "" && word != "*"; {
		char, wild, after := glob.Next(rest)
		if wild {
			return after != "" || char == "?"
		}
		rest = after
	}
	return false
}

// unescaped finds a wildcard in the middle of a word, which was probably meant
// for the shell: here it takes blanks, and so more words, too.
func (l *linter) unescaped(r *rule.Rule) *Finding {
	if !open(r) || l.stopped(l.command(r, "x --and more")) {
		return nil
	}
	var instead []string
	found := ""
	for _, w := range strings.Split(r.Pattern.String(), " ") {
		if glued(w) {
			found = w
			w = glob.Escape(glob.Compile(w).Sample("*", "?"))
		}
		instead = append(instead, w)
	}
	if found == "" {
		return nil
	}
	return &Finding{Kind: Unescaped, Text: fmt.Sprintf("the wildcard in %q is any text here, blanks and further words too: it covers %q", found, filled(r.Pattern, "x --and more")),
		Advice: "put a backslash before what is meant literally", Instead: "shell:" + strings.Join(instead, " ")}
}

// star finds a star as a word with something literal after it.
func (l *linter) star(r *rule.Rule) *Finding {
	if !open(r) || l.stopped(l.command(r, "--any -x")) {
		return nil
	}
	after := false
	for _, w := range strings.Split(r.Pattern.String(), " ") {
		switch {
		case w == "*":
			after = true
		case after && strings.Trim(w, "*") != "":
			if l.unescaped(r) != nil {
				return nil // says it already
			}
			return &Finding{Kind: StarBeforeLiteral, Text: fmt.Sprintf("the star takes options and further words too: it covers %q", filled(r.Pattern, "--any -x")),
				Advice: "put the star at the end, or write what it may be"}
		}
	}
	return nil
}
