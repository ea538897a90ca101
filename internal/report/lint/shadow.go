package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/gate/shell"
)

// everything is the pattern `*`.
var everything = glob.Compile("*")

// tools are the tools whose calls a scope covers.
var tools = map[string][]string{rule.Shell: {"bash", "powershell"}, rule.Edit: {"edit", "write"}}

// covers reports whether what b matches, a matches too, by their text.
func covers(a, b *rule.Rule) bool {
	if a.Args != nil || b.Args != nil {
		return coversArgs(a, b)
	}
	switch {
	case a.Whole && b.Whole:
		_, _, isMCP := rule.SplitMCP(b.Scope)
		return a.Scope == b.Scope || slices.Contains(tools[a.Scope], b.Scope) || a.Scope == rule.MCP && isMCP
	case a.Whole:
		return a.Scope == b.Scope
	case b.Whole:
		server, tool, ok := rule.SplitMCP(b.Scope)
		return ok && a.MatchMCP(server, tool, false)
	case a.Scope != b.Scope || a.Scope != rule.Shell && a.Scope != rule.Edit && a.Scope != rule.MCP:
		return false
	case !a.Pattern.Covers(b.Pattern):
		return false
	case a.Tool == nil:
		return true
	case b.Tool == nil:
		return a.Tool.Covers(everything)
	}
	return a.Tool.Covers(*b.Tool)
}

// coversArgs is covers where one of the rules names arguments: a covers the tools
// of b, and for each argument that a names, b names it as narrowly. In a deny rule
// `*` matches whatever the call holds.
func coversArgs(a, b *rule.Rule) bool {
	for _, mine := range a.Args {
		if mine.Any() && a.Effect != rule.Allow {
			continue
		}
		if !slices.ContainsFunc(b.Args, func(its rule.Arg) bool { return its.Name == mine.Name && mine.Value.Covers(its.Value) }) {
			return false
		}
	}
	return covers(anyArgs(a), anyArgs(b))
}

// anyArgs is the rule for any arguments.
func anyArgs(r *rule.Rule) *rule.Rule {
	wide := *r
	if wide.Args = nil; wide.Scope != rule.MCP && wide.Pattern.String() == "" {
		wide.Whole = true
	}
	return &wide
}

// denied finds an allow rule whose calls a deny rule blocks or an ask rule asks about:
// both come first.
func (l *linter) denied(_ int, r *rule.Rule) *Finding {
	if r.Effect != rule.Allow {
		return nil
	}
	for i := range l.policy.Rules {
		d, does := &l.policy.Rules[i], "blocks"
		if d.Effect == rule.Ask {
			does = "asks about"
		}
		if d.Effect != rule.Allow && covers(d, r) {
			return &Finding{Kind: Denied, Text: "it never takes effect: " + named(d) + " " + does + " all that it allows", Advice: "remove one of the two"}
		}
	}
	return nil
}

// named is a rule in a sentence.
func named(r *rule.Rule) string {
	return fmt.Sprintf("%s rule %q (%s)", r.Effect, r.Text, policy.Reason{File: r.File, Line: r.Line}.Where())
}

// shadowed finds a rule that another of the same effect makes needless. Of two
// that mean the same it is the later one.
func (l *linter) shadowed(i int, r *rule.Rule) *Finding {
	for j := range l.policy.Rules {
		other := &l.policy.Rules[j]
		if j == i || other.Effect != r.Effect || !covers(other, r) || j > i && covers(r, other) || !l.does(other, r) {
			continue
		}
		text := "it is needless: " + named(other) + " covers all that it does"
		if other.Text == r.Text {
			text = "it stands there twice: see " + policy.Reason{File: other.File, Line: other.Line}.Where()
		}
		return &Finding{Kind: Shadowed, Text: text, Advice: "remove it"}
	}
	return nil
}

// does reports whether a does to commands all that r does, which more than text
// decides: an allow rule names guarded flags, and one without wildcards allows
// what a wrapper runs too; a deny rule is compared by meaning.
func (l *linter) does(a, r *rule.Rule) bool {
	if r.Scope != rule.Shell || r.Whole || a.Whole {
		return true
	}
	if r.Effect == rule.Allow && r.Pattern.Wild() && mayName(a, r) {
		return false
	}
	if r.Effect != rule.Allow && !l.denies(a, r) {
		return false
	}
	mine, its := l.alone(r), l.alone(a)
	for _, star := range fillers {
		for _, command := range spellings(filled(r.Pattern, star), r.Effect) {
			c := l.policy.Derive(l.request(l.shellTool(r), map[string]string{"command": command}))
			if v := verdict(mine, c); (v == policy.Allow || v == policy.Deny) && verdict(its, c) != v {
				return false
			}
		}
	}
	return true
}

// mayName reports whether r may name a guarded flag that a does not, in some
// command that no trial thinks of: it has an option, a setting, or a word beside
// a star in the middle, which a lacks.
func mayName(a, r *rule.Rule) bool {
	its := strings.Fields(a.Pattern.String())
	mine := strings.Fields(r.Pattern.String())
	_, known := r.FirstWord(false)
	star := slices.IndexFunc(mine, func(w string) bool { return strings.ContainsAny(w, "*?") })
	known = known && star == len(mine)-1
	return slices.ContainsFunc(mine, func(w string) bool {
		return w != "*" && !slices.Contains(its, w) && (!known || strings.HasPrefix(w, "-") || strings.Contains(w, "="))
	})
}

// denies reports whether a, which covers the text of r, may know by meaning what
// r does: it names the program too, or covers whatever that is given.
func (l *linter) denies(a, r *rule.Rule) bool {
	reader := shell.Reader{Known: l.policy.Settings.Programs.Own()}
	mine, named := reader.CompileDeny(r.Pattern.String())
	if !named {
		return true
	}
	if its, named := reader.CompileDeny(a.Pattern.String()); named {
		return its.Program() == mine.Program()
	}
	return a.Pattern.Covers(glob.CompileRule(glob.Escape(mine.Program()) + " *"))
}

// spellings are a command in some of the ways in which a deny rule knows it.
func spellings(command string, effect rule.Effect) []string {
	list := []string{command}
	words := strings.Fields(command)
	if effect == rule.Allow || len(words) == 0 {
		return list
	}
	var options, others, apart []string
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") {
			others = append(others, w)
			continue
		}
		options = append(options, w)
		if !strings.HasPrefix(w, "--") {
			for _, letter := range w[1:] {
				apart = append(apart, "-"+string(letter))
			}
		}
	}
	slices.Reverse(apart)
	join := func(parts ...[]string) string { return strings.Join(slices.Concat(parts...), " ") }
	program := words[:1]
	return append(list, words[0], join(program, others), join(program, others, options), join(program, apart, others), join([]string{"/usr/bin/" + words[0]}, words[1:]), "sudo "+command,
		join([]string{`"` + words[0] + `"`}, words[1:]))
}

// collides finds MCP rules that mean the same after Pi's change of names,
// though they are written otherwise.
func (l *linter) collides(i int, r *rule.Rule) *Finding {
	if r.Scope != rule.MCP || r.Whole {
		return nil
	}
	for j := range l.policy.Rules[:i] {
		other := &l.policy.Rules[j]
		if other.Scope == rule.MCP && !other.Whole && other.Text != r.Text && covers(other, r) && covers(r, other) {
			f := &Finding{Kind: Collides, Text: "it means the same as " + named(other) + ": Pi makes every character of a name but letters, digits and _ a _",
				Advice: "remove one of the two"}
			if other.Effect != r.Effect {
				f.Text += "; deny wins over ask, and ask over allow"
			}
			return f
		}
	}
	return nil
}
