package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/text"
)

// Suggest offers the person the rules that are drafted from a project's history,
// and saves the one that was chosen as "Allow & save" does. The request says
// where: session, folders, trust, and whether a person can be asked; it is about
// no call. The answer tells what came of it, in a line or several that any
// terminal can show. Whatever the person made of a draft is recorded before it
// has effect.
func (g *Guard) Suggest(ctx context.Context, req policy.Request) (string, error) {
	if g.Drafter == nil {
		return "", fmt.Errorf("no rules can be drafted here")
	}
	pol, trusted, warnings := g.Rules.Load(req.ProjectRoot(), policy.TrustOf(req.Trusted, req.Approved))
	for _, w := range warnings {
		g.warn(ctx, req.Session, w)
	}
	list, err := g.Drafter.Drafts(ctx, req.ProjectRoot(), pol)
	if err != nil {
		return "", fmt.Errorf("draft rules: %w", err)
	}
	list = list[:min(len(list), maxSuggestions)]
	switch {
	case len(list) == 0:
		return "No rule can be drafted from this project's history yet: that takes three calls of one\n" +
			"kind that were approved or ran, and nothing dangerous in what a rule would allow.", nil
	case !trusted:
		return "Drafted rules; none can be saved here, for the project's own file does not count:\n" + listed(list), nil
	case !req.HasUI:
		return "Drafted rules; pigate suggest tells more and saves them:\n" + listed(list), nil
	}
	if g.turn().Acquire(ctx, 1) != nil {
		return "", ctx.Err()
	}
	defer g.turn().Release(1)
	return g.offer(ctx, req, list)
}

// offer shows the drafts and does what the person chose.
func (g *Guard) offer(ctx context.Context, req policy.Request, list []Suggestion) (string, error) {
	const title = "Rules drafted from what ran and was approved in this project.\n" +
		"Choosing one opens it for a last look; nothing is saved before that."
	chosen, reject, err := g.pick(ctx, title, list, OptionReject, OptionClose)
	if err != nil {
		return "", err
	}
	if reject {
		const title = "Which one is not to be offered again? It comes back when twice as much\nspeaks for it."
		chosen, _, err = g.pick(ctx, title, list, OptionClose)
	}
	switch {
	case err != nil:
		return "", err
	case chosen == nil:
		return "Nothing was saved.", nil
	case reject:
		return g.reject(ctx, req, *chosen)
	}
	return g.accept(ctx, req, *chosen)
}

// pick lets the person choose one of the suggestions, nil for none; other reports
// that the first of the further options was chosen in their place.
func (g *Guard) pick(ctx context.Context, title string, list []Suggestion, further ...string) (chosen *Suggestion, other bool, err error) {
	var options []string
	for i, s := range list {
		options = append(options, s.option(i+1))
	}
	choice, err := g.Asker.Select(ctx, "", title, append(options, further...))
	if err != nil {
		return nil, false, fmt.Errorf("ask: %w", err)
	}
	if i := slices.Index(options, choice.Text); i >= 0 && !choice.Aborted {
		return &list[i], false, nil
	}
	return nil, choice.Text == further[0] && !choice.Aborted, nil
}

// accept lets the person edit the rule, and saves what is left of it.
func (g *Guard) accept(ctx context.Context, req policy.Request, s Suggestion) (string, error) {
	edited, ok, err := g.Asker.Edit(ctx, "", s.editorTitle(), s.Rule)
	if err != nil {
		return "", fmt.Errorf("ask: %w", err)
	}
	scope, _, _ := strings.Cut(s.Rule, ":")
	rules := normaliseRules(edited.Text, scope)
	if !ok || edited.Aborted || len(rules) == 0 {
		return "Nothing was saved.", nil
	}
	for _, line := range rules {
		if _, err := rule.Parse(line); err != nil {
			return "", fmt.Errorf("no rule was saved: %q is no rule: %w", line, err)
		}
	}
	// It is out of the person's hands now, as an answer to a prompt is.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	if err := g.drafted(ctx, req, s, strings.Join(rules, "\n")); err != nil {
		return "", err
	}
	body := g.saveRules(ctx, req, rules)
	switch {
	case body.Error != "":
		return "", fmt.Errorf("no rule was saved: %s", body.Error)
	case len(body.Rules) == 0:
		return "The rule is in " + text.Visible(body.File) + " already.", nil
	}
	return "Saved in " + text.Visible(body.File) + ":\n  " + strings.Join(visibles(body.Rules), "\n  "), nil
}

func (g *Guard) reject(ctx context.Context, req policy.Request, s Suggestion) (string, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	if err := g.drafted(ctx, req, s, ""); err != nil {
		return "", err
	}
	return "Rejected: " + text.Visible(s.Rule) + "\nIt is not drafted again until twice as much speaks for it.", nil
}

// drafted records what the person made of a draft: saved is the rule as they
// left it, "" when they rejected it.
func (g *Guard) drafted(ctx context.Context, req policy.Request, s Suggestion, saved string) error {
	entry := &Entry{Kind: KindDraft, Time: g.Now().UnixMicro(), Session: req.Session, Draft: &Drafted{
		Rule: s.Rule, Effect: policy.Allow, Saved: saved, File: s.File, Root: req.ProjectRoot(), Accepted: saved != "", Evidence: s.Calls}}
	if _, err := g.Recorder.Record(ctx, entry); err != nil && !g.Lenient {
		return fmt.Errorf("nothing was changed, for it could not be recorded: %w", err)
	}
	return nil
}

func visibles(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = text.Visible(s)
	}
	return out
}
