package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/report/lint"
	"github.com/pigate/pigate/internal/text"
)

func newRulesLint(env environment) *cobra.Command {
	var o ruleOptions
	cmd := &cobra.Command{
		Use:   "lint",
		Short: "Find rules that do nothing, or more than they seem to",
		Long: `Example:
  pigate rules lint

Looks at the rules in force in the project you stand in and names those that
never match, that a deny rule keeps from having any effect, that another rule
makes needless, that were not used for 30 days, that let dangerous commands run,
or that allow more than they seem to; with what to write instead where there is
such a thing. What a deny rule stops is no fault of an allow rule.

The exit code is 3 when anything is found. docs/rules.md explains each kind.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return rulesLint(cmd.Context(), env, o) },
	}
	o.add(cmd)
	o.addJournal(cmd)
	return cmd
}

func rulesLint(ctx context.Context, env environment, o ruleOptions) error {
	p, err := o.project(env)
	if err != nil {
		return err
	}
	uses, err := p.uses(ctx, env, o.journal)
	if err != nil {
		return err
	}
	list := p.lint(env, uses, time.Now())
	if o.asJSON {
		err = printJSONLines(env.stdout, list)
	} else {
		err = writeFindings(env.stdout, len(p.rules.Policy.Rules), list)
	}
	if err == nil && len(list) > 0 {
		return &exitError{exitFound, nil}
	}
	return err
}

// lint looks at the rules in force; uses are nil when nothing is known of them.
func (p *project) lint(env environment, uses *lint.Uses, now time.Time) []lint.Finding {
	list := lint.Rules(p.rules.Policy, p.place(env))
	if uses != nil {
		list = append(list, lint.Idle(p.rules.Policy, uses, now, p.own)...)
	}
	for _, w := range p.rules.Warnings {
		said := func(f lint.Finding) bool {
			return f.File == w.File && f.Line == w.Line && strings.Contains(w.Text, strconv.Quote(f.Rule))
		}
		if !slices.ContainsFunc(list, said) {
			list = append(list, lint.Finding{Kind: lint.Invalid, File: w.File, Line: w.Line, Text: w.Text, Advice: "mend the file"})
		}
	}
	lint.Sort(list)
	return list
}

// writeFindings writes findings for people.
func writeFindings(w io.Writer, rules int, list []lint.Finding) error {
	out := bufio.NewWriter(w)
	say := func(format string, args ...any) { fmt.Fprintln(out, text.Visible(fmt.Sprintf(format, args...))) }
	for _, f := range list {
		if f.Rule == "" {
			say("%s: %s", f.Where(), f.Kind)
		} else {
			say("%s: %s %q: %s", f.Where(), f.Effect, f.Rule, f.Kind)
		}
		say("  %s", f.Text)
		if f.Instead == "" {
			say("  %s", f.Advice)
		} else {
			say("  %s: %q", f.Advice, f.Instead)
		}
	}
	switch {
	case len(list) == 0:
		say("%d %s, and nothing to say about them", rules, plural(rules, "rule", "rules"))
	default:
		say("%d %s, %d %s", rules, plural(rules, "rule", "rules"), len(list), plural(len(list), "finding", "findings"))
	}
	return out.Flush()
}
