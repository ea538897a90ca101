package lint

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// filler is what stands for a star where what becomes of it is looked for. No
// program is called that.
const filler = "anything"

// fillers are texts for the stars of a pattern, to try what it can match.
var fillers = []string{filler, "", "x y", "x=y", "--x", `x"`, `"x`, "'x", "x'", "x.y/z"}

// filled is a text that a pattern matches, with star in place of its stars.
func filled(p glob.Pattern, star string) string { return strings.TrimSpace(p.Sample(star, "x")) }

// starred is the pattern of a text in which filler stands for stars.
func starred(text string) string {
	parts := strings.Split(text, filler)
	for i := range parts {
		parts[i] = glob.Escape(parts[i])
	}
	return strings.Join(parts, "*")
}

// request is a call of a tool in the place the rules are for.
func (l *linter) request(tool string, input map[string]string) policy.Request {
	req := l.place
	req.Tool, req.Trusted = tool, true
	req.Input, _ = json.Marshal(input) // a map of strings always encodes
	return req
}

// cmdlet is the beginning of a command of PowerShell.
var cmdlet = regexp.MustCompile(`^[A-Za-z]+-[A-Z][A-Za-z]+( |$)`)

// shellTool is the tool whose commands a pattern is for.
func (l *linter) shellTool(r *rule.Rule) string {
	if l.place.OS == "windows" || cmdlet.MatchString(r.Pattern.String()) {
		return "powershell"
	}
	return "bash"
}

// command derives what the gate makes of a pattern with its stars replaced.
func (l *linter) command(r *rule.Rule, star string) *policy.Call {
	return l.policy.Derive(l.request(l.shellTool(r), map[string]string{"command": filled(r.Pattern, star)}))
}

// alone is a policy of one rule.
func (l *linter) alone(r *rule.Rule) *policy.Policy {
	settings := l.policy.Settings
	settings.Enabled = true
	only := *r
	if only.Effect == rule.Ask { // it matches in the way of a deny rule
		only.Effect = rule.Deny
	}
	return policy.New(settings, []rule.Rule{only})
}

// verdict decides a call under a policy; links play no part.
func verdict(p *policy.Policy, c *policy.Call) policy.Effect {
	return policy.Evaluate(p, c, nil).Effect
}

// stopped reports that the policy denies a call that a rule would allow.
func (l *linter) stopped(c *policy.Call) bool { return verdict(l.policy, c) == policy.Deny }
