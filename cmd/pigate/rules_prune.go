package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/text"
)

// pruneOptions are the flags of `pigate rules prune`.
type pruneOptions struct {
	ruleOptions
	tighten []string
	global  bool
}

func newRulesPrune(env environment) *cobra.Command {
	var o pruneOptions
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove rules that have ended, and tidy the others",
		Long: `Examples:
  pigate rules prune
  pigate rules prune --tighten all
  pigate rules prune --tighten 1,3

Removes the rules whose end has come from your own file and that of the project
you stand in. They count for nothing already.

With --tighten it applies what ` + "`pigate suggest --tighten`" + ` prints at that moment
instead: all findings that make no recorded call ask anew, or those that you name
by number or by a rule that goes. Where an agent works meanwhile, name the rule.
What was removed and added is recorded in the journal.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case cmd.Flags().Changed("tighten"):
				return rulesTighten(cmd.Context(), env, o)
			case o.global:
				return usage("--global goes with --tighten")
			}
			return rulesPrune(cmd.Context(), env, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.cwd, "cwd", "", "the project's folder (default: where you are)")
	f.StringSliceVar(&o.tighten, "tighten", nil, "apply these `FINDINGS` of suggest --tighten: all, numbers or rules")
	f.BoolVar(&o.global, "global", false, "with --tighten: tidy your own file, by the calls of all projects")
	o.addJournal(cmd)
	return cmd
}

func rulesPrune(ctx context.Context, env environment, o pruneOptions) error {
	p, err := o.project(env)
	if err != nil {
		return err
	}
	loader, now, count := config.NewLoader(p.where.AgentDir), time.Now(), 0
	for _, root := range []string{"", p.root} {
		removed, err := loader.Prune(root, func(r rule.Rule) bool { return !r.Until.IsZero() && !now.Before(r.Until) })
		if err != nil {
			return err
		}
		for _, r := range removed {
			fmt.Fprintf(env.stdout, "removed: %s\n", removedWords(r))
		}
		count += len(removed)
		file := config.FilesOf(p.where.AgentDir, "").Global
		if root != "" {
			file = loader.FileFor(root)
		}
		if err := recordChange(ctx, env, p.where, file, removed, nil); err != nil {
			return err
		}
	}
	if count == 0 {
		fmt.Fprintln(env.stdout, "no rule has ended")
	}
	return nil
}

// rulesTighten applies findings.
func rulesTighten(ctx context.Context, env environment, o pruneOptions) error {
	p, err := o.project(env)
	if err != nil {
		return err
	}
	reader, _, err := openJournal(ctx, env, o.journal, nil)
	if err != nil {
		return err
	}
	defer reader.Close()
	t, err := p.tighten(ctx, env, reader, o.global, time.Now())
	if err != nil {
		return err
	}
	chosen, err := t.chosen(o.tighten)
	if err != nil {
		return err
	}
	if len(chosen) == 0 {
		fmt.Fprintf(env.stdout, "nothing to tidy in %s\n", text.Visible(t.file))
		return nil
	}
	proof, asks, err := t.proof(ctx, chosen)
	if err != nil {
		return err
	}
	for _, f := range chosen {
		asks -= f.Asks
	}
	if asks > 0 {
		return hint.With(fmt.Errorf("without the other findings %d recorded %s would ask anew; nothing was changed", asks, plural(asks, "call", "calls")),
			"apply all of them with --tighten all")
	}
	unwanted := map[string]bool{}
	var lines []string
	key := func(effect rule.Effect, line int, text string) string { return fmt.Sprint(effect, line, text) }
	for _, f := range chosen {
		for _, at := range f.Remove {
			unwanted[key(at.Effect, at.Line, at.Rule)] = true
		}
		lines = append(lines, f.Add...)
	}
	removed, err := config.NewLoader(p.where.AgentDir).Replace(t.root, func(r rule.Rule) bool { return unwanted[key(r.Effect, r.Line, r.Text)] }, lines)
	if err != nil {
		return err
	}
	for _, r := range removed {
		fmt.Fprintf(env.stdout, "removed: %s\n", removedWords(r))
	}
	for _, line := range lines {
		fmt.Fprintf(env.stdout, "allowed: %s\n", text.Visible(line))
	}
	fmt.Fprintf(env.stdout, "in %s\n", text.Visible(t.file))
	if err := recordChange(ctx, env, p.where, t.file, removed, lines); err != nil {
		return err
	}
	fmt.Fprintln(env.stdout, proof)
	return nil
}

// recordChange records rules that were taken out of a file, and those that took
// their place. Where there is no journal yet, none is made for what has ended.
func recordChange(ctx context.Context, env environment, where policy.Installation, file string, removed []rule.Rule, added []string) error {
	if len(removed) == 0 {
		return nil
	}
	if _, err := os.Stat(where.Journal); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	journal, err := audit.Open(ctx, where.Journal, env.journalOptions(where))
	if err == nil {
		_, err = journal.Record(ctx, removedEntry(file, "", removed, added, time.Now()))
		err = errors.Join(err, journal.Close())
	}
	if err != nil {
		return fmt.Errorf("the rules in %s were changed, but that was not recorded: %w", file, err)
	}
	return nil
}

// removedEntry is the entry about rules that were taken out of a file, and those
// that took their place; nil when none was.
func removedEntry(file, session string, removed []rule.Rule, added []string, now time.Time) *gate.Entry {
	if len(removed) == 0 {
		return nil
	}
	saved := &gate.RulesSaved{File: file, Rules: append([]string{}, added...)}
	for _, r := range removed {
		saved.Removed = append(saved.Removed, string(r.Effect)+" "+r.Text)
	}
	return &gate.Entry{Kind: gate.KindRulesSaved, Time: now.UnixMicro(), Session: session, Saved: saved}
}
