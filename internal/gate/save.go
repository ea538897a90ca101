package gate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// saveRules adds rules to the project of a request, and records what came of it.
// What the person is to be told of a failure is in the body's Error.
func (g *Guard) saveRules(ctx context.Context, req policy.Request, rules []string) *RulesSaved {
	var body RulesSaved
	var err error
	if slices.ContainsFunc(rules, g.secret(ctx)) {
		err = errors.New("its text would hold a secret")
	} else {
		body.File, body.Rules, err = g.Rules.Save(req.ProjectRoot(), rules)
	}
	if err != nil {
		body.Rules, body.Error = rules, err.Error()
	}
	entry := &Entry{Kind: KindRulesSaved, Time: g.Now().UnixMicro(), Session: req.Session, Call: req.Call, Saved: &body}
	if _, err := g.Recorder.Record(ctx, entry); err != nil {
		g.Asker.Notify(ctx, "error", "pigate: the saved rule could not be recorded: "+text.Visible(err.Error()))
	}
	return &body
}

// told says what was saved where, in text that any terminal can show.
func (s *RulesSaved) told() string {
	if len(s.Rules) == 0 {
		return "the rule is in " + text.Visible(s.File) + " already"
	}
	return "saved in " + text.Visible(s.File) + ":\n  " + strings.Join(visibles(s.Rules), "\n  ")
}

// WiderRule is a rule that covers more than exactly one call. Its texts may be
// hostile.
type WiderRule struct {
	Rule string
	// But is a dangerous call that it would let run too, "" for none.
	But string
}

// Widener knows rules that cover more than exactly one call and are safe enough
// to be offered beside the exact ones.
type Widener interface {
	// Wider lists rules that are wider than the exact ones for a call, the narrowest
	// first, none of them among the exact ones.
	Wider(p *policy.Policy, c *policy.Call, links policy.LinkFacts, exact []string) []WiderRule
}

// prefilled is the text of the save editor: the exact rules, and below them, as
// comments to uncomment, the one with the call's arguments and the wider ones.
func (d *pendingCall) prefilled(exact []string) string {
	lines := exact[:len(exact):len(exact)]
	if narrow := withArguments(d.policy, d.call, d.links, exact); narrow != "" && !d.guard.secret(d.ctx)(narrow) {
		lines = append(lines, comment+" "+narrow, comment+"   in place of the rule above: with these arguments alone")
	}
	if d.guard.Widener == nil {
		return strings.Join(lines, "\n")
	}
	for _, w := range d.guard.Widener.Wider(d.policy, d.call, d.links, exact) {
		if d.guard.secret(d.ctx)(w.Rule) || strings.ContainsAny(w.Rule, "\n\r") {
			continue
		}
		lines = append(lines, comment+" "+w.Rule)
		if w.But != "" {
			lines = append(lines, comment+"   which would also let this run: "+text.Clip(text.Visible(w.But), titleColumns))
		}
	}
	return strings.Join(lines, "\n")
}

// secret is Guard.Secret as a function of the rule alone.
func (g *Guard) secret(ctx context.Context) func(text string) bool {
	return func(text string) bool { return g.Secret != nil && g.Secret(ctx, text) }
}
