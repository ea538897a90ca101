package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// foreign finds rules in the syntax of another agent.
func (l *linter) foreign(_ int, r *rule.Rule) *Finding {
	instead, ok := rule.Elsewhere(r.Text)
	if !ok {
		return nil
	}
	f := &Finding{Kind: Foreign, Text: "it never matches: this is how another agent writes rules", Advice: "write it as a rule of pigate", Instead: instead}
	switch {
	case strings.HasPrefix(r.Text, "Read("):
		f.Advice = "remove it: reading is not gated"
	case instead == "":
		f.Advice = "remove it, or write a rule for the tool by its name"
	}
	return f
}

// grammar are the words of a shell's grammar by which no simple command begins,
// and whether a command follows them.
var grammar = map[string]bool{
	"if": true, "then": true, "elif": true, "else": true, "while": true, "until": true, "do": true, "!": true, "{": true, "time": true,
	"fi": false, "done": false, "esac": false, "}": false, "for": false, "case": false, "select": false, "function": false, "in": false, ";;": false,
}

// fragment finds rules for a piece of a compound command.
func (l *linter) fragment(_ int, r *rule.Rule) *Finding {
	if r.Scope != rule.Shell || r.Whole || l.shellTool(r) != "bash" {
		return nil
	}
	word, rest, _ := strings.Cut(r.Pattern.String(), " ")
	followed, known := grammar[word]
	if !known || l.matches(r) {
		return nil
	}
	f := &Finding{Kind: Fragment, Text: fmt.Sprintf("it never matches: %q is a word of the shell's grammar, and rules see only the simple commands between such words", word),
		Advice: "remove it, and allow the commands themselves"}
	if rest = strings.TrimSpace(rest); followed && rest != "" && rest != "*" {
		f.Instead, f.Advice = "shell:"+rest, "write the command alone"
	}
	return f
}

// never finds rules that no call can match, or that change nothing.
func (l *linter) never(_ int, r *rule.Rule) *Finding {
	f := &Finding{Kind: NeverMatches, Advice: "remove it"}
	if f.Text = r.Idle(); f.Text != "" {
		f.Text, f.Advice, _ = strings.Cut(f.Text, ": ")
		_, f.Instead, _ = strings.Cut(f.Advice, "write ")
		f.Instead, _, _ = strings.Cut(f.Instead, ",")
		f.Instead, _, _ = strings.Cut(f.Instead, " for the whole tool")
		f.Advice = "write it so"
		return f
	}
	switch {
	case r.Whole, r.Args != nil && r.Scope != rule.MCP:
		return l.neverTool(f, r)
	case l.matches(r):
		return l.inert(f, r)
	case r.Scope == rule.Shell:
		return l.neverCommand(f, r)
	case r.Scope == rule.Edit:
		return l.neverPath(f, r)
	}
	f.Text = "it never matches: Pi's name of an MCP tool is split at the first __, so no server's name holds __ or ends in _"
	f.Advice = "name the server as it comes out of that, with a star"
	return f
}

// matches reports whether some call is known that the rule matches.
func (l *linter) matches(r *rule.Rule) bool {
	return slices.ContainsFunc(fillers, func(star string) bool {
		switch r.Scope {
		case rule.Shell:
			return l.matchesCommand(r, star)
		case rule.Edit:
			return l.matchesPath(r, star)
		case rule.MCP:
			server, tool := filled(r.Pattern, star), "x"
			if r.Tool != nil {
				tool = filled(*r.Tool, star)
			}
			server, tool, ok := rule.SplitMCP("mcp__" + rule.NormaliseMCP(server) + "__" + rule.NormaliseMCP(tool))
			return ok && r.MatchMCP(server, tool, false)
		}
		return true
	})
}

func (l *linter) matchesCommand(r *rule.Rule, star string) bool {
	c := l.command(r, star)
	if r.Effect != rule.Allow {
		return verdict(l.alone(r), c) == policy.Deny
	}
	if c.Analysis == nil || c.Analysis.Unparsed != "" {
		return false
	}
	for i := range c.Analysis.Units {
		if u := &c.Analysis.Units[i]; r.Pattern.Match(u.Text, false) || r.Pattern.Match(u.Bare, false) {
			return true
		}
	}
	return false
}

func (l *linter) matchesPath(r *rule.Rule, star string) bool {
	c := l.edit(r, star)
	if r.Effect != rule.Allow {
		return verdict(l.alone(r), c) == policy.Deny
	}
	return len(c.Resources) == 1 && !isOutside(r) && r.Pattern.Match(c.Resources[0].Text, false)
}

// edit is an edit of the path that a pattern gives with its stars replaced.
func (l *linter) edit(r *rule.Rule, star string) *policy.Call {
	path := r.Pattern.Sample(star, "x")
	return l.policy.Derive(l.request("edit", map[string]string{"path": path}))
}

// isOutside reports that a pattern names files outside the project, which
// always ask.
func isOutside(r *rule.Rule) bool {
	p := r.Pattern.String()
	return strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") || strings.HasPrefix(p, "../") || len(p) > 2 && p[1] == ':' && p[2] == '/'
}

func (l *linter) neverCommand(f *Finding, r *rule.Rule) *Finding {
	pattern := r.Pattern.String()
	c := l.command(r, filler)
	f.Advice = "try the command with pigate check, and allow what it calls a unit"
	switch {
	case strings.Join(strings.Fields(pattern), " ") != pattern:
		f.Text = "it never matches: rules see commands with one space between words"
		f.Advice, f.Instead = "write one space", "shell:"+strings.Join(strings.Fields(pattern), " ")
	case c.Analysis != nil && c.Analysis.Unparsed != "":
		f.Text = "it never matches: it cannot be read as a command (" + c.Analysis.Unparsed + ")"
	case len(c.Resources) > 1:
		var units []string
		for _, res := range c.Resources {
			units = append(units, "shell:"+starred(res.Text))
		}
		f.Text = fmt.Sprintf("it never matches: it is %d commands, and a rule is matched against one", len(units))
		f.Advice = "write a rule for each: " + strings.Join(units, ", ")
	default:
		f.Text = "it never matches: no simple command reads like this"
	}
	return f
}

func (l *linter) neverPath(f *Finding, r *rule.Rule) *Finding {
	if isOutside(r) && r.Effect != rule.Allow {
		f.Text = "it never matches: a file outside the project goes by its absolute path, or by ~/ below the home folder"
		f.Advice = "write it so"
		return f
	}
	if isOutside(r) {
		f.Text = "it never matches: a file outside the project asks, whatever the allowlist says"
		return f
	}
	f.Text = "it never matches: no path reads like this"
	if folder, is := strings.CutSuffix(r.Pattern.String(), "/"); is {
		f.Text, f.Advice, f.Instead = "it never matches: a path has no slash at its end", "name what is in the folder", "edit:"+folder+"/*"
	}
	return f
}

// neverTool judges a rule for a whole tool.
func (l *linter) neverTool(f *Finding, r *rule.Rule) *Finding {
	if r.Effect != rule.Allow {
		return nil
	}
	nothing := policy.New(l.alone(r).Settings, nil)
	lower := strings.ToLower(r.Scope)
	switch {
	case verdict(nothing, l.policy.Derive(l.request(r.Scope, nil))) == policy.Pass:
		f.Text = "it changes nothing: tools that only read are not gated"
	case lower != r.Scope && (slices.Contains([]string{"bash", "powershell", "edit", "write"}, lower) ||
		verdict(nothing, l.policy.Derive(l.request(lower, nil))) == policy.Pass):
		f.Text, f.Advice, f.Instead = "it never matches: the names of tools are exact", "write it in small letters", lower
	default:
		return nil
	}
	return f
}

// inert finds allow rules for files that ask all the same.
func (l *linter) inert(f *Finding, r *rule.Rule) *Finding {
	if r.Scope != rule.Edit || r.Effect != rule.Allow {
		return nil
	}
	v := policy.Evaluate(l.alone(r), l.edit(r, filler), nil)
	if !slices.ContainsFunc(v.Reasons, func(reason policy.Reason) bool { return reason.Cause == policy.CauseSelfProtection }) {
		return nil
	}
	f.Text = "it changes nothing: the gate or Pi itself depends on this file, and it always asks"
	return f
}
