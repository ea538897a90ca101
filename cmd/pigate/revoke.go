package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/text"
)

func newRevoke(env environment) *cobra.Command {
	var cwd string
	cmd := &cobra.Command{
		Use:   "revoke",
		Short: "End session approvals, and rules that were given for a time",
		Long: `Example:
  pigate revoke

Ends what was approved "for session" in every running session of Pi, at its next
call, and removes the allow rules with an end from your own file and that of the
project you stand in.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return revoke(cmd.Context(), env, cwd) },
	}
	cmd.Flags().StringVar(&cwd, "cwd", "", "the project's folder (default: where you are)")
	return cmd
}

func revoke(ctx context.Context, env environment, cwd string) error {
	p, err := (&ruleOptions{cwd: cwd}).project(env)
	if err != nil {
		return err
	}
	journal, err := audit.Open(ctx, p.where.Journal, env.journalOptions(p.where))
	if err != nil {
		return err
	}
	report, err := revokeAll(ctx, journal, config.NewLoader(p.where.AgentDir), p.where.AgentDir, p.root, "")
	if err = errors.Join(err, journal.Close()); err != nil {
		return err
	}
	fmt.Fprintln(env.stdout, report)
	return nil
}

// revokeAll ends all session approvals and removes the allow rules that end from
// the person's file and the project's. It goes on after a failure, and records
// what it did.
func revokeAll(ctx context.Context, journal *audit.Journal, loader *config.Loader, agentDir, root, session string) (string, error) {
	now := time.Now()
	err := config.Revoke(agentDir, now)
	lines := []string{"revoked: the session approvals of every session"}
	revoked := err == nil
	if !revoked {
		lines = nil
	}
	files := config.FilesOf(agentDir, "")
	for _, place := range []string{"", root} {
		removed, pruneErr := loader.Prune(place, func(r rule.Rule) bool { return r.Effect == rule.Allow && !r.Until.IsZero() })
		err = errors.Join(err, pruneErr)
		for _, r := range removed {
			lines = append(lines, "removed: "+removedWords(r))
		}
		file := files.Global
		if place != "" {
			file = loader.FileFor(place)
		}
		if e := removedEntry(file, session, removed, nil, now); e != nil {
			_, recordErr := journal.Record(ctx, e)
			err = errors.Join(err, recordErr)
		}
	}
	if revoked {
		_, recordErr := journal.Record(ctx, &gate.Entry{Kind: gate.KindWarning, Time: now.UnixMicro(), Session: session,
			Warning: &gate.Warning{Text: lines[0]}})
		err = errors.Join(err, recordErr)
	}
	return strings.Join(lines, "\n"), err
}

// removedWords are a rule with its list and its end, on a line that is safe to
// show.
func removedWords(r rule.Rule) string {
	return fmt.Sprintf("%s %s%s", r.Effect, text.Visible(r.Text), endWords(r.Until))
}
