package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/gate/shell"
)

// little finds a deny rule without a wildcard that names a program with its
// subcommand and options alone: one more word, and it stops nothing. A rule with
// an operand in it means that operand.
func (l *linter) little(r *rule.Rule) *Finding {
	if r.Scope != rule.Shell || r.Whole || r.Pattern.Wild() || l.operands(r.Pattern.String()) {
		return nil
	}
	more := l.with(r, " "+filler)
	if more == nil || verdict(l.alone(r), more) == policy.Deny || l.stopped(more) {
		return nil
	}
	return &Finding{Kind: StopsLittle, Text: fmt.Sprintf("it stops this command alone, and not %q", more.Command), Advice: "write a star behind it",
		Instead: r.Text + " *"}
}

// with is the call of a rule's text with more behind it, nil when that is not one
// command.
func (l *linter) with(r *rule.Rule, more string) *policy.Call {
	c := l.policy.Derive(l.request(l.shellTool(r), map[string]string{"command": filled(r.Pattern, "x") + more}))
	if c.Analysis == nil || c.Analysis.Unparsed != "" || len(c.Analysis.Units) == 0 {
		return nil
	}
	return c
}

// operands reports that a command has more operands than its subcommand.
func (l *linter) operands(text string) bool {
	u := shell.Reader{Known: l.policy.Settings.Programs.Own()}.Bash(text).Units
	if len(u) == 0 {
		return true
	}
	named := strings.Fields(u[0].Shape())
	for i, word := range strings.Fields(text) {
		if i > 0 && !strings.HasPrefix(word, "-") && !slices.Contains(named, word) {
			return true
		}
	}
	return false
}

// gluedStar finds a star in front of an option in the same word. By meaning an
// option is named as it stands: `git push -f *` stops it anywhere, and under its
// other names.
func (l *linter) gluedStar(r *rule.Rule) *Finding {
	if !open(r) {
		return nil
	}
	words := strings.Split(r.Pattern.String(), " ")
	found := false
	var instead []string
	for i, word := range words {
		bare := strings.TrimLeft(word, "*")
		if i > 0 && bare != word && len(bare) > 1 && bare[0] == '-' {
			found = true
			word = strings.TrimRight(bare, "*")
		}
		instead = append(instead, word)
	}
	if !found {
		return nil
	}
	if last := instead[len(instead)-1]; last != "*" {
		instead = append(instead, "*")
	}
	return &Finding{Kind: GluedStar, Text: fmt.Sprintf("the star is part of the word: it also stops %q, and knows the option under this name alone", filled(r.Pattern, "a")),
		Advice: "name the option by itself", Instead: "shell:" + strings.Join(instead, " ")}
}

// further finds an allow rule for a program that does more than look, whose star
// ends a path: it is any text, with ".." and further words in it.
func (l *linter) further(r *rule.Rule) *Finding {
	if !open(r) {
		return nil
	}
	words := strings.Split(r.Pattern.String(), " ")
	last := words[len(words)-1]
	start, ok := strings.CutSuffix(last, "*")
	if !ok || len(words) < 2 || !strings.Contains(start, "/") || strings.ContainsAny(start, `*?\`) || strings.Contains(start, "://") {
		return nil
	}
	c := l.command(r, "../x y")
	if c.Analysis != nil && len(c.Analysis.Units) > 0 && c.Analysis.Units[0].Looks() || verdict(l.alone(r), c) != policy.Allow || l.stopped(c) {
		return nil
	}
	return &Finding{Kind: ReachesFurther, Text: fmt.Sprintf("the star takes \"..\" and further words too: it covers %q", filled(r.Pattern, "../x y")),
		Advice: "name what it may work on, or leave it to be asked"}
}
