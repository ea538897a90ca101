package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/report"
)

func newAudit(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Ask the journal what the agent did",
		Long: `Example:
  pigate audit list`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newAuditList(env), newAuditVerify(env), newAuditExport(env), newAuditErase(env), newAuditRotate(env))
	return cmd
}

type listOptions struct {
	journal string
	session string
	limit   int
	asJSON  bool
}

func newAuditList(env environment) *cobra.Command {
	var o listOptions
	cmd := &cobra.Command{
		Use:   "list [FILE...]",
		Short: "List the decisions, newest last",
		Long: `Examples:
  pigate audit list --limit 20
  pigate audit list --json | jq 'select(.decision == "block")'

Prints one row for each call: what it was, what the rules said, what was done
and by whom, and what came of it. With --json one JSON object a line, entries of
other kinds included; docs/json.md describes the fields.

FILE is a journal; several are parts of one, in order. Without any, the journal
and its sealed files are listed.`,
		RunE: func(cmd *cobra.Command, args []string) error { return auditList(cmd.Context(), env, o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.journal, "journal", "", "the journal's file (default: PIGATE_JOURNAL, else in Pi's folder)")
	f.StringVar(&o.session, "session", "", "only the session of Pi with this id")
	f.IntVar(&o.limit, "limit", 0, "only the last N entries (0: all)")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object a line")
	return cmd
}

func auditList(ctx context.Context, env environment, o listOptions, files []string) error {
	if o.limit < 0 {
		return usage("--limit is %d, must be 0 or more", o.limit)
	}
	files, err := journalFiles(env, o.journal, files)
	if err != nil {
		return err
	}
	reader, err := audit.OpenReader(ctx, files...)
	if err != nil {
		return err
	}
	defer reader.Close()
	rows := reader.List(ctx, audit.Filter{Session: o.session, Limit: o.limit})
	out := bufio.NewWriter(env.stdout)
	if o.asJSON {
		err = report.JSONLines(out, rows)
	} else {
		var n int
		if n, err = report.Table(out, rows, time.Local); err == nil && n == 0 {
			fmt.Fprintf(env.stderr, "pigate: no decisions in %s\n", gate.Visible(reader.Path()))
		}
	}
	return errors.Join(err, out.Flush())
}
