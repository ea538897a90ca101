package gate

import (
	"context"
	"errors"
	"slices"

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

// secret is Guard.Secret as a function of the rule alone.
func (g *Guard) secret(ctx context.Context) func(text string) bool {
	return func(text string) bool { return g.Secret != nil && g.Secret(ctx, text) }
}
