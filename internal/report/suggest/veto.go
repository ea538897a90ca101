package suggest

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/dangerous"
)

// Veto is why a rule is never drafted, however often its calls ran.
type Veto struct {
	// Cause is VetoDenied, VetoDenyRule, VetoDangerous or VetoSelf; Detail names the
	// call, the rule or the line.
	Cause  string `json:"cause"`
	Detail string `json:"detail"`
}

// The causes of a veto.
const (
	// VetoDenied: the rule would let a call run that a person refused.
	VetoDenied = "denied"
	// VetoDenyRule: a deny rule names what the rule allows.
	VetoDenyRule = "deny-rule"
	// VetoDangerous: it would let a dangerous call run.
	VetoDangerous = "dangerous"
	// VetoSelf: it touches pigate's or Pi's own files.
	VetoSelf = "own-files"
)

// Words says a veto in a sentence's worth.
func (v Veto) Words() string {
	switch v.Cause {
	case VetoDenied:
		return "it would let a call run that you refused: " + v.Detail
	case VetoDenyRule:
		return "a deny rule names it: " + v.Detail
	case VetoDangerous:
		return "it would also let this run: " + v.Detail
	}
	return "it touches pigate's or Pi's own files"
}

// own are pieces of the names of the files that pigate and Pi depend on.
var own = [...]string{".pi/", ".pi ", "allowlist-gate", "pigate", "trust.json"}

// veto says what of the rules and the dangerous calls speaks against an allow
// rule; nil when nothing does.
func veto(p *policy.Policy, r *rule.Rule) *Veto {
	lower := strings.ToLower(r.Text)
	for _, name := range own {
		if strings.Contains(lower+" ", name) {
			return &Veto{Cause: VetoSelf}
		}
	}
	if by := denied(p, r); by != "" {
		return &Veto{VetoDenyRule, by}
	}
	if hits := dangerous.Added(p, *r); len(hits) > 0 {
		return &Veto{VetoDangerous, hits[0].String()}
	}
	if file := under(p, r); file != "" {
		return &Veto{VetoDangerous, "edit " + file}
	}
	return nil
}

// under is a file that an edit rule with a wildcard lets be edited beside those
// that anybody thinks of, "" when there is none.
func under(p *policy.Policy, r *rule.Rule) string {
	start, _, wild := strings.Cut(r.Pattern.String(), "*")
	if r.Whole || r.Scope != rule.Edit || !wild || strings.HasSuffix(start, "/") && sources(start) {
		return ""
	}
	alone := policy.New(p.Settings, []rule.Rule{*r})
	for _, name := range beneath {
		call := p.Derive(sample("edit", "path", start+name))
		if policy.Evaluate(alone, call, nil).Effect == policy.Allow && policy.Evaluate(p, call, nil).Effect == policy.Ask {
			return start + name
		}
	}
	return ""
}

// denied returns the deny rule that is hit by what an allow rule plainly means:
// by its text up to the wildcard, or with a word in the wildcard's place.
func denied(p *policy.Policy, r *rule.Rule) string {
	for _, req := range samples(r) {
		if v := policy.Evaluate(p, p.Derive(req), nil); v.Effect == policy.Deny {
			for _, reason := range v.Reasons {
				return reason.Rule
			}
		}
	}
	return ""
}

// samples are calls that a rule plainly means.
func samples(r *rule.Rule) []policy.Request {
	_, pattern, _ := strings.Cut(r.Text, ":")
	switch {
	case r.Scope == rule.Shell && !r.Whole:
		if before, ok := strings.CutSuffix(r.Pattern.String(), " *"); ok {
			text := glob.Compile(before).Sample("*", "?")
			return []policy.Request{sample("bash", "command", text), sample("bash", "command", text+" x")}
		}
		return []policy.Request{sample("bash", "command", r.Pattern.Sample("*", "?"))}
	case r.Scope == rule.Edit && !r.Whole:
		return []policy.Request{sample("edit", "path", strings.ReplaceAll(pattern, "*", "x"))}
	case r.Scope == rule.MCP && !r.Whole:
		pattern, _, _ = strings.Cut(pattern, "(") // arguments narrow it
		server, tool, ok := strings.Cut(pattern, ":")
		if !ok {
			tool = "x"
		}
		return []policy.Request{sample("mcp__"+server+"__"+strings.ReplaceAll(tool, "*", "x"), "x", "")}
	}
	return []policy.Request{sample(r.Scope, "x", "")}
}

// sample is a call as it would be made in some trusted project.
func sample(tool, field, text string) policy.Request {
	const home = "/home/sample"
	return policy.Request{Tool: tool, Input: input(field, text), Cwd: home + "/project", Root: home + "/project", Trusted: true, HasUI: true, OS: "linux", Home: home,
		Installation: policy.Installation{AgentDir: home + "/.pi/agent", Journal: home + "/.pi/agent/pigate/journal.db"}}
}
