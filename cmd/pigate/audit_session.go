package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/report"
)

type sessionOptions struct {
	filterFlags
	journal         string
	at              int64
	asJSON, noPager bool
}

func newAuditSession(env environment) *cobra.Command {
	var o sessionOptions
	cmd := &cobra.Command{
		Use:   "session ID|last [FILE...]",
		Short: "Tell what happened in one session",
		Long: `Examples:
  pigate audit session last
  pigate audit session 0199a1b2-7c44 --at 32

Prints a session of Pi as a timeline: in which project and on which branch it
began, the calls that ran without a question, counted by the minute, each
question with its answer, what was blocked, the rules that were saved, and the
end. SEQ is the number that ` + "`pigate audit show`" + ` takes. "last" is the newest
session of the project you stand in, or with --all of any.

--at SEQ prints instead what was in force just before the entry of that number
was recorded: the policy with its rules, and the approvals "for this session".
Both are rebuilt from the session's entries.

FILE is a journal; several are parts of one, in order. Without any, the journal
and its sealed files are read.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usage("name a session by its id, or say last")
			case cmd.Flags().Changed("at") && o.at < 1:
				return usage("--at is %d, must be the number of an entry", o.at)
			}
			return auditSession(cmd.Context(), env, o, args[0], args[1:])
		},
	}
	f := cmd.Flags()
	addJournal(f, &o.journal)
	o.addProjects(f)
	f.Int64Var(&o.at, "at", 0, "what was in force before the entry with this number")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object")
	addNoPager(f, &o.noPager)
	return cmd
}

func auditSession(ctx context.Context, env environment, o sessionOptions, id string, files []string) error {
	filter := audit.Filter{Session: id}
	here := false
	if id == audit.LastSession {
		var err error
		if filter, here, err = o.read(env, time.Now(), len(files) > 0); err != nil {
			return err
		}
		filter.Session = id
	} else if o.all || o.project != "" {
		return usage("--all and --project choose what last means; %q names a session", id)
	}
	reader, _, err := openJournal(ctx, env, o.journal, files)
	if err != nil {
		return err
	}
	defer reader.Close()
	n := 0
	rows := counted(reader.List(ctx, filter), &n)
	var value any
	var write func(io.Writer, report.Screen) error
	if o.at > 0 {
		value, write, err = momentAt(ctx, reader, rows, o.at)
	} else {
		var t report.Timeline
		if t, err = report.NewTimeline(rows); err == nil && n > 0 {
			err = t.Adopt(reader.List(ctx, audit.Filter{Kind: gate.KindSessionStart}))
		}
		value, write = t, func(w io.Writer, screen report.Screen) error { return report.WriteTimeline(w, t, screen) }
	}
	switch {
	case n == 0 && here:
		return hint.With(fmt.Errorf("there is no session of this project in the journal"), "--all looks at all projects")
	case n == 0:
		return hint.With(fmt.Errorf("there is no session %q in the journal", id), otherSessions(ctx, reader, id))
	case err != nil:
		return err
	}
	return env.page(ctx, o.noPager, func(_ context.Context, w io.Writer, screen report.Screen) error {
		if o.asJSON {
			return printJSON(w, value)
		}
		return write(w, screen)
	})
}

// otherSessions says where to look for a session of which nothing was recorded.
func otherSessions(ctx context.Context, reader *audit.Reader, id string) string {
	for _, err := range reader.List(ctx, audit.Filter{Session: id, Kind: gate.KindImport, Limit: 1}) {
		switch {
		case err != nil:
		case !shellSafe(id) || strings.ContainsAny(id, " *?"): // the command is there to be copied
			return "calls of it were imported: `pigate audit list --all --imported` lists those of all sessions"
		default:
			return fmt.Sprintf("calls of it were imported: `pigate audit list --all --imported --session %s` lists them", id)
		}
	}
	return "`pigate audit sessions --all` lists them"
}

// momentAt rebuilds a moment, with the text of its policy.
func momentAt(ctx context.Context, reader *audit.Reader, rows iter.Seq2[audit.Row, error], at int64) (any, func(io.Writer, report.Screen) error, error) {
	m, err := report.NewMoment(rows, at)
	if err != nil {
		return nil, nil, err
	}
	if m.Decided > 0 {
		shown, err := reader.Show(ctx, fmt.Sprint(m.Decided))
		if err != nil {
			return nil, nil, err
		}
		m.Policy = shown.Policy
	}
	return m, func(w io.Writer, screen report.Screen) error { return report.WriteMoment(w, m, screen) }, nil
}
