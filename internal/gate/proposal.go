package gate

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// Proposals are the rules that would make exactly this call pass from now on,
// one for each piece that needs one: the complete text, never shortened or
// widened. There are none when a saved rule could not change the outcome: in
// a project whose own file does not count, for a call that asks whatever the allowlist says, and
// for a text that cannot be written as one line. What is returned has been
// tried: the policy with these rules added allows the call.
func Proposals(p *policy.Policy, c *policy.Call, v policy.Verdict, links policy.LinkFacts) []string {
	if v.Effect != policy.Ask || v.Fixed || !c.Request.Trusted {
		return nil
	}
	var lines []string
	seen := map[string]bool{}
	for _, r := range v.Reasons {
		line := proposal(c, r)
		if line == "" {
			return nil
		}
		if !seen[line] {
			seen[line] = true
			lines = append(lines, line)
		}
	}
	rules := p.Rules[:len(p.Rules):len(p.Rules)]
	for _, line := range lines {
		parsed, err := rule.Parse(line)
		if err != nil {
			return nil
		}
		parsed.Effect = rule.Allow
		rules = append(rules, parsed)
	}
	if policy.Evaluate(policy.New(p.Settings, rules), c, links).Effect != policy.Allow {
		return nil
	}
	return lines
}

// proposal is the rule that answers one reason, or "".
func proposal(c *policy.Call, r policy.Reason) string {
	if r.Resource == "" || strings.ContainsAny(r.Resource, "\n\r") {
		return ""
	}
	switch {
	case c.Scope == rule.Edit || r.Cause == policy.CauseRedirection:
		// A path pattern has no escape, so a name that holds a wildcard cannot be
		// written as itself.
		if strings.ContainsAny(r.Resource, `*?\`) {
			return ""
		}
		return rule.Edit + ":" + r.Resource
	case c.Scope == rule.Shell:
		return rule.Shell + ":" + glob.Escape(r.Resource)
	case c.Scope == rule.MCP:
		return rule.MCP + ":" + r.Resource
	}
	return r.Resource
}

// comment begins a line of the save editor that is no rule.
const comment = "#"

// NormaliseRules reads what the person left in the editor: one rule a line,
// blank lines and those that begin with "#" dropped, the scope of the call put in front where it is missing,
// no line twice. It does not judge the rules.
func NormaliseRules(text string, c *policy.Call) []string { return normaliseRules(text, c.Scope) }

func normaliseRules(text, scope string) []string {
	var lines []string
	seen := map[string]bool{}
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, comment) {
			continue
		}
		if scope != "" && !scoped(line) {
			line = scope + ":" + line
		}
		if !seen[line] {
			seen[line] = true
			lines = append(lines, line)
		}
	}
	return lines
}

// scoped reports that a line names its scope.
func scoped(line string) bool {
	for _, scope := range []string{rule.Shell, rule.Edit, rule.MCP} {
		if strings.HasPrefix(line, scope+":") {
			return true
		}
	}
	return false
}
