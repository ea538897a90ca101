package main

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report"
)

func newRulesList(env environment) *cobra.Command {
	var o ruleOptions
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the rules in force, with their use",
		Long: `Example:
  pigate rules list

Prints the rules in force in the project you stand in, deny rules first and
ask rules next, each with the file and line it stands in, how many calls it decided and when it last
did: of a project's own rule there, of a global one in all projects.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return rulesList(cmd.Context(), env, o) },
	}
	o.add(cmd)
	o.addJournal(cmd)
	addNoPager(cmd.Flags(), &o.noPager)
	return cmd
}

// ruleLine is a line of `pigate rules list --json`.
type ruleLine struct {
	Effect rule.Effect `json:"effect"`
	Rule   string      `json:"rule"`
	File   string      `json:"file"`
	Line   int         `json:"line"`
	// Reason is its author's, Until when it ends, in RFC 3339; absent without.
	Reason string `json:"reason,omitempty"`
	Until  string `json:"until,omitempty"`
	// Calls, Last and Since are null without a journal, Last and Since also when
	// there was no such call.
	Calls *int          `json:"calls"`
	Last  *audit.Micros `json:"last"`
	Since *audit.Micros `json:"since"`
}

func rulesList(ctx context.Context, env environment, o ruleOptions) error {
	p, err := o.project(env)
	if err != nil {
		return err
	}
	uses, err := p.uses(ctx, env, o.journal)
	if err != nil {
		return err
	}
	var lines []ruleLine
	for _, effect := range []rule.Effect{rule.Deny, rule.Ask, rule.Allow} {
		for i := range p.rules.Policy.Rules {
			r := &p.rules.Policy.Rules[i]
			if r.Effect != effect {
				continue
			}
			line := ruleLine{Effect: r.Effect, Rule: r.Text, File: r.File, Line: r.Line}
			if line.Reason = r.Reason; !r.Until.IsZero() {
				line.Until = r.Until.Format(time.RFC3339)
			}
			if uses != nil {
				use := uses.Of(r, p.own(r))
				line.Calls, line.Last, line.Since = &use.Calls, known(use.Last), known(use.Since)
			}
			lines = append(lines, line)
		}
	}
	ceiling, _ := p.rules.Ceiling()
	for _, r := range ceiling {
		lines = append(lines, ruleLine{Effect: "ceiling", Rule: r.Text, File: r.File, Line: r.Line, Reason: r.Reason})
	}
	if o.asJSON {
		return printJSONLines(env.stdout, lines)
	}
	return env.page(ctx, o.noPager, func(_ context.Context, w io.Writer, screen report.Screen) error {
		_, err := report.WriteSheet(w, "table", []string{"effect", "rule", "where", "calls", "last"}, func(yield func([]any, error) bool) {
			for i := range lines {
				if !yield(lines[i].cells(), nil) {
					return
				}
			}
		}, screen)
		return err
	})
}

func (l *ruleLine) cells() []any {
	cells := []any{string(l.Effect), l.Rule, policy.Reason{File: l.File, Line: l.Line}.Where(), nil, nil}
	if l.Calls != nil {
		cells[3] = *l.Calls
	}
	if l.Last != nil {
		cells[4] = l.Last.Time().In(time.Local).Format("2006-01-02 15:04")
	}
	return cells
}

// known is nil for a time that is not known.
func known(t audit.Micros) *audit.Micros {
	if t == 0 {
		return nil
	}
	return &t
}
