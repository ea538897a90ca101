package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/report"
)

type tailOptions struct {
	filterFlags
	journal, columns string
	lines            int
	follow, asJSON   bool
}

func newAuditTail(env environment) *cobra.Command {
	var o tailOptions
	cmd := &cobra.Command{
		Use:   "tail",
		Short: "Show the newest decisions, and with -f those that come",
		Long: `Examples:
  pigate audit tail -n 3
  pigate audit tail -f --all --decision block
  pigate audit tail -f --json | jq .detail.cwd

Prints the newest decisions in the project you stand in, as ` + "`pigate audit list`" + `
does. With -f it goes on with what is appended, also when the journal is rotated,
until you press Ctrl-C. A call that was still running when it was printed is
printed again when it has ended, with its outcome. The filters are those of
` + "`pigate audit list`" + `; --json prints entries of other kinds too.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return auditTail(cmd.Context(), env, o) },
	}
	f := cmd.Flags()
	addJournal(f, &o.journal)
	f.BoolVarP(&o.follow, "follow", "f", false, "go on with what is appended")
	f.IntVarP(&o.lines, "lines", "n", 10, "how many to begin with")
	o.add(cmd)
	f.StringVar(&o.columns, "columns", "", "what to show (default: "+report.DefaultColumns+")")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object a line")
	return cmd
}

func auditTail(ctx context.Context, env environment, o tailOptions) error {
	if o.lines < 0 {
		return usage("-n is %d, must be 0 or more", o.lines)
	}
	list := listOptions{filterFlags: o.filterFlags, journal: o.journal, format: "table", columns: o.columns, asJSON: o.asJSON, noPager: true}
	list.filter.Limit = o.lines
	switch {
	case o.follow:
		return auditFollow(ctx, env, list)
	case o.lines == 0:
		return nil // to list, 0 is all
	}
	return auditList(ctx, env, list, nil)
}

func auditFollow(ctx context.Context, env environment, o listOptions) error {
	columns, err := o.shape(env.screen())
	if err != nil {
		return err
	}
	filter, _, err := o.read(env, time.Now(), false)
	if err != nil {
		return err
	}
	if filter.Kind == "" && columns != nil {
		filter.Kind = gate.KindDecision
		if err := filter.Check(); err != nil {
			return usage("%v", err)
		}
	}
	where, err := env.installation(o.journal)
	if err != nil {
		return err
	}
	if _, err := journalFiles(env, o.journal, nil); err != nil {
		return err // with a better hint
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // who presses it twice does not want to wait
	return printBatches(env.stdout, audit.Follow(ctx, where.Journal, filter), columns, env.screen())
}

// printBatches writes rows as they come: a table, or without columns JSON.
func printBatches(w io.Writer, batches iter.Seq2[[]audit.Row, error], columns []report.Column, screen report.Screen) error {
	table := report.NewRolling(columns, screen)
	for batch, err := range batches {
		if err != nil {
			return err
		}
		if columns != nil {
			err = table.Write(w, batch...)
		}
		for i := 0; columns == nil && i < len(batch) && err == nil; i++ {
			err = printJSON(w, batch[i])
		}
		if err != nil {
			return fmt.Errorf("write entries: %w", err)
		}
	}
	return nil
}
