package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report"
)

type whyOptions struct {
	checkOptions
	journal string
	all     bool
}

// whyAnswer is what `pigate audit why --json` prints: the answer of check, and
// what became of the call, and of calls that it was a part of, before.
type whyAnswer struct {
	batchAnswer
	Before report.Past `json:"before"`
	Within report.Past `json:"within"`
}

func newAuditWhy(env environment) *cobra.Command {
	var o whyOptions
	cmd := &cobra.Command{
		Use:   "why [flags] [--] TEXT",
		Short: "Say what would happen to a call now, and what happened to it before",
		Long: `Examples:
  pigate audit why "git push origin main"
  pigate audit why --tool edit src/app.ts
  pigate audit why --tool mcp__github__get_issue --all

Decides the call as ` + "`pigate check`" + ` does, and looks up in the journal how often it
ran, what was asked and answered about it, and when last, each with the number
that ` + "`pigate audit show`" + ` takes: the very same command, path or MCP tool in this
project, and apart from that the commands that it was a part of. Of a tool whose
calls rules do not tell apart, all calls count.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return auditWhy(cmd.Context(), env, o, args) },
	}
	f := cmd.Flags()
	o.command = "why"
	o.addCall(f)
	addJournal(f, &o.journal)
	f.BoolVar(&o.all, "all", false, "what happened in all projects")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object")
	return cmd
}

func auditWhy(ctx context.Context, env environment, o whyOptions, args []string) error {
	req, err := checkRequest(env, o.checkOptions, args)
	if err != nil {
		return err
	}
	c, err := checked(env, req)
	if err != nil {
		return err
	}
	same, within, err := past(ctx, env, o, c.call)
	if err != nil {
		return err
	}
	if o.asJSON {
		return printJSON(env.stdout, whyAnswer{c.reply, same, within})
	}
	if err := writeVerdict(env.stdout, c.call, c.verdict, c.reply.InPi); err != nil {
		return fmt.Errorf("write verdict: %w", err)
	}
	if _, err := io.WriteString(env.stdout, "\n"); err != nil {
		return fmt.Errorf("write verdict: %w", err)
	}
	return report.WritePast(env.stdout, same, within, env.screen())
}

// past looks a call up in the journal. Without a journal nothing happened.
func past(ctx context.Context, env environment, o whyOptions, call *policy.Call) (same, within report.Past, err error) {
	filter := audit.Filter{Kind: gate.KindDecision, Tool: call.Request.Tool}
	if !o.all {
		if filter.Projects, err = spellings(call.Request.Cwd); err != nil {
			return same, within, err
		}
	}
	target := ""
	if call.Analysis != nil || len(call.Resources) > 0 {
		target = call.Target()
		filter.Match = glob.Escape(target)
	}
	files, err := journalFiles(env, o.journal, nil)
	if errors.Is(err, errNoJournal) {
		return report.NewPast(func(func(audit.Call, error) bool) {}, nil)
	}
	if err != nil {
		return same, within, err
	}
	reader, err := openReader(ctx, env, files)
	if err != nil {
		return same, within, err
	}
	defer reader.Close()
	return report.NewPast(reader.Calls(ctx, filter), func(subject int64) (bool, error) {
		if target == "" {
			return true, nil
		}
		row, err := reader.Row(ctx, subject)
		return row.What() == target, err
	})
}
