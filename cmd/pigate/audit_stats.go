package main

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/report/lint"
)

type statsOptions struct {
	filterFlags
	journal, by string
	asJSON      bool
	noPager     bool
}

func newAuditStats(env environment) *cobra.Command {
	var o statsOptions
	cmd := &cobra.Command{
		Use:   "stats [FILE...]",
		Short: "Count calls and prompts",
		Long: `Examples:
  pigate audit stats --by program
  pigate audit stats --by day --since last-week --all
  pigate audit stats --by rule --json

Counts the calls in the project you stand in: all, those a person was asked
about, those that were blocked, the share that ran without a question, and how
long the person took: at most so long for half, and for nine of ten, of the
prompts. The filters are those of ` + "`pigate audit list`" + `. A call with several
programs or rules counts in the row of each; the last row counts it once. With
--imported a column counts the calls that were imported, which count nowhere else.

FILE is a journal, of which all projects are counted; several are parts of one,
in order. Without any, the journal and its sealed files are read.`,
		RunE: func(cmd *cobra.Command, args []string) error { return auditStats(cmd.Context(), env, o, args) },
	}
	f := cmd.Flags()
	addJournal(f, &o.journal)
	o.add(cmd)
	o.addImported(f)
	f.StringVar(&o.by, "by", "tool", strings.Join(report.StatsBy, ", "))
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object")
	addNoPager(f, &o.noPager)
	return cmd
}

func auditStats(ctx context.Context, env environment, o statsOptions, files []string) error {
	filter, here, err := o.read(env, time.Now(), len(files) > 0)
	if err != nil {
		return err
	}
	if filter.Kind != "" && filter.Kind != gate.KindDecision {
		return usage("--kind %s: only decisions are counted", filter.Kind)
	}
	if filter.Calls = filter.Imported; !filter.Imported {
		filter.Kind = gate.KindDecision
	}
	if err := filter.Check(); err != nil {
		return usage("%v", err)
	}
	none := func(func(audit.Call, error) bool) {}
	if _, err := report.NewStats(none, o.by, time.Local); err != nil {
		return usage("--%v", err)
	}
	reader, _, err := openJournal(ctx, env, o.journal, files)
	if err != nil {
		return err
	}
	defer reader.Close()
	stats, err := report.NewStats(reader.Calls(ctx, filter), o.by, time.Local)
	switch {
	case err != nil:
		return err
	case stats.Total.Calls+stats.Total.Imported == 0 && !o.asJSON:
		nothing(env, here, reader.Path())
		hintImported(ctx, env, reader, filter, takesImported)
		return nil
	}
	if stats.Rules, err = o.health(ctx, env, reader, filter.Projects); err != nil {
		return err
	}
	return env.page(ctx, o.noPager, func(_ context.Context, w io.Writer, screen report.Screen) error {
		if o.asJSON {
			return printJSON(w, stats)
		}
		return report.WriteStats(w, stats, screen)
	})
}

// health looks at the rules in force in the one project that is counted; nil
// when there are several, or its folder is gone.
func (o *statsOptions) health(ctx context.Context, env environment, reader *audit.Reader, projects []string) (*report.RuleHealth, error) {
	if len(projects) == 0 {
		return nil, nil
	}
	if info, err := os.Stat(projects[0]); err != nil || !info.IsDir() {
		return nil, nil
	}
	where, err := env.installation(o.journal)
	if err != nil {
		return nil, err
	}
	p := &project{projects[0], where, look(env, where.AgentDir, projects[0], true).Asked}
	uses, err := lint.ReadUses(ctx, reader, projects, 0)
	if err != nil {
		return nil, err
	}
	h := &report.RuleHealth{Unused: []string{}, Shadowed: []string{}}
	for _, f := range lint.Idle(p.rules.Policy, uses, time.Now(), p.own) {
		h.Unused = append(h.Unused, f.Rule)
	}
	for _, f := range lint.Shadows(p.rules.Policy, p.place(env)) {
		h.Shadowed = append(h.Shadowed, f.Rule)
	}
	return h, nil
}
