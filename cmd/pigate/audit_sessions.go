package main

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/report"
)

type sessionsOptions struct {
	filterFlags
	journal         string
	limit           int
	reverse, asJSON bool
	noPager         bool
}

func newAuditSessions(env environment) *cobra.Command {
	var o sessionsOptions
	cmd := &cobra.Command{
		Use:   "sessions [FILE...]",
		Short: "List the sessions of Pi, newest last",
		Long: `Examples:
  pigate audit sessions --since yesterday
  pigate audit sessions --all --limit 20 --json

Prints one row for each session in the project you stand in: when it was first
opened, in which project and on which branch, how many calls there were, about
how many of them a person was asked and how many a rule or the person denied,
how long it was open all in all, and why it ended; - where no end is recorded,
as it is open still or its gate was cut off. --since and --until choose the
sessions of which anything lies between; their rows count the whole of them.

FILE is a journal, of which all projects are listed; several are parts of one, in
order. Without any, the journal and its sealed files are read.`,
		RunE: func(cmd *cobra.Command, args []string) error { return auditSessions(cmd.Context(), env, o, args) },
	}
	f := cmd.Flags()
	addJournal(f, &o.journal)
	o.addTimes(f)
	o.addProjects(f)
	f.IntVar(&o.limit, "limit", 0, "only the newest N sessions (0: all)")
	f.BoolVar(&o.reverse, "reverse", false, "newest first")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object a line")
	addNoPager(f, &o.noPager)
	return cmd
}

func auditSessions(ctx context.Context, env environment, o sessionsOptions, files []string) error {
	if o.limit < 0 {
		return usage("--limit is %d, must be 0 or more", o.limit)
	}
	filter, here, err := o.read(env, time.Now(), len(files) > 0)
	if err != nil {
		return err
	}
	reader, _, err := openJournal(ctx, env, o.journal, files)
	if err != nil {
		return err
	}
	defer reader.Close()
	of := func(kind gate.Kind) audit.Filter { return audit.Filter{Kind: kind, Projects: filter.Projects} }
	list, err := report.NewSessions(reader.List(ctx, of(gate.KindSessionStart)), reader.List(ctx, of(gate.KindSessionEnd)),
		reader.Calls(ctx, of(gate.KindDecision)))
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(s report.Session) bool { return !s.Between(filter.Since, filter.Until) })
	if o.limit > 0 && len(list) > o.limit {
		list = list[len(list)-o.limit:]
	}
	if o.reverse {
		slices.Reverse(list)
	}
	if len(list) == 0 && !o.asJSON {
		nothing(env, here, reader.Path())
		hintImported(ctx, env, reader, of(gate.KindDecision), "`pigate audit list --imported --session ID` lists those of a session")
		return nil
	}
	return env.page(ctx, o.noPager, func(_ context.Context, w io.Writer, screen report.Screen) error {
		if !o.asJSON {
			return report.WriteSessions(w, slices.Values(list), screen)
		}
		return printJSONLines(w, list)
	})
}
