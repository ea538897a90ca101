package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/text"
)

// addOptions are the flags of `pigate allow`.
type addOptions struct {
	cwd    string
	global bool
	period time.Duration
	until  string
}

func newAllow(env environment) *cobra.Command {
	var o addOptions
	cmd := &cobra.Command{
		Use:   "allow RULE...",
		Short: "Add allow rules, for good or for a time",
		Long: `Example:
  pigate allow 'shell:git push *' --for 2h

Adds rules to the allow list of the project you stand in, or with --global to
your own file. With --for or --until they end by themselves; sessions of Pi that
run take note of both at their next call.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("allow takes one or more RULEs, such as 'shell:git push *'")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return allow(cmd.Context(), env, o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.cwd, "cwd", "", "the project's folder (default: where you are)")
	f.BoolVar(&o.global, "global", false, "add to your own file, for all projects")
	f.DurationVar(&o.period, "for", 0, "let the rules end after this `TIME`, such as 90m or 8h")
	f.StringVar(&o.until, "until", "", "let the rules end at this `TIME`, such as 2026-12-01T18:00")
	return cmd
}

func allow(ctx context.Context, env environment, o addOptions, rules []string) error {
	end, err := o.end(time.Now())
	if err != nil {
		return err
	}
	where, err := env.installation("")
	if err != nil {
		return err
	}
	add := config.Addition{Effect: rule.Allow, Lines: rules, Until: end}
	file := config.FilesOf(where.AgentDir, "").Global
	if !o.global {
		project, err := (&ruleOptions{cwd: o.cwd}).project(env)
		if err != nil {
			return err
		}
		add.Root = project.root
		file = config.NewReader(where.AgentDir).FileFor(add.Root)
	}
	saved, err := config.NewLoader(where.AgentDir).Add(add)
	if err != nil {
		return err
	}
	if err := recordSaved(ctx, env, where, file, saved); err != nil {
		return err
	}
	for _, line := range saved {
		fmt.Fprintf(env.stdout, "allowed: %s%s\n", text.Visible(line), endWords(end))
	}
	if len(saved) == 0 {
		fmt.Fprintln(env.stdout, "the rules are there already")
	}
	fmt.Fprintf(env.stdout, "file: %s\n", text.Visible(filepath.Clean(file)))
	return nil
}

// recordSaved records rules that were added.
func recordSaved(ctx context.Context, env environment, where policy.Installation, file string, saved []string) error {
	if len(saved) == 0 {
		return nil
	}
	journal, err := audit.Open(ctx, where.Journal, env.journalOptions(where))
	if err == nil {
		_, err = journal.Record(ctx, &gate.Entry{Kind: gate.KindRulesSaved, Time: time.Now().UnixMicro(),
			Saved: &gate.RulesSaved{File: file, Rules: saved}})
		err = errors.Join(err, journal.Close())
	}
	if err != nil {
		return fmt.Errorf("the rules were saved in %s, but not recorded: %w", file, err)
	}
	return nil
}

// end is when the rules are to end, the zero time for never.
func (o addOptions) end(now time.Time) (time.Time, error) {
	switch {
	case o.period != 0 && o.until != "":
		return time.Time{}, usage("--for and --until exclude each other")
	case o.period < 0:
		return time.Time{}, usage("--for must be longer than nothing, not %s", o.period)
	case o.period > 0:
		return now.Add(o.period).Truncate(time.Second), nil
	case strings.TrimSpace(o.until) == "":
		return time.Time{}, nil
	}
	end, err := config.ParseUntil(o.until, time.Local)
	switch {
	case err != nil:
		return end, usage("--until %v", err)
	case !end.After(now):
		return end, usage("--until %s is past", o.until)
	}
	return end, nil
}

func endWords(end time.Time) string {
	if end.IsZero() {
		return ""
	}
	return " until " + end.Local().Format("2006-01-02 15:04")
}
