package gate

import (
	"unicode/utf8"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/text"
)

// The longest argument, in characters, that a rule is offered with, and the most
// arguments of one.
const (
	maxArgument  = 60
	maxArguments = 6
)

// withArguments is the rule that lets the call run with its short arguments
// alone, in the place of the one rule that lets it run with any; "" where there is
// none. What is returned has been tried.
func withArguments(p *policy.Policy, c *policy.Call, links policy.LinkFacts, exact []string) string {
	if len(exact) != 1 {
		return ""
	}
	var names, values []string
	all, texts := c.Arguments()
	for i, name := range all {
		_, ok := rule.WriteArgs(all[i:i+1], texts[i:i+1])
		if ok && len(names) < maxArguments && utf8.RuneCountInString(name) <= maxArgument && utf8.RuneCountInString(texts[i]) <= maxArgument {
			names, values = append(names, name), append(values, texts[i])
		}
	}
	args, ok := rule.WriteArgs(names, values)
	if !ok || len(names) == 0 || text.Visible(args) != args {
		return ""
	}
	r, err := rule.Parse(exact[0] + args)
	if err != nil || r.Args == nil {
		return ""
	}
	r.Effect = rule.Allow
	if policy.Evaluate(policy.New(p.Settings, append(p.Rules[:len(p.Rules):len(p.Rules)], r)), c, links).Effect != policy.Allow {
		return ""
	}
	return r.Text
}
