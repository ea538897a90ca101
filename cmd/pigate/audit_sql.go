package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/text"
)

type sqlOptions struct {
	journal, format string
	timeout         time.Duration
	asJSON, noPager bool
}

func newAuditSQL(env environment) *cobra.Command {
	var o sqlOptions
	cmd := &cobra.Command{
		Use:   "sql QUERY [FILE...]",
		Short: "Ask the journal a question in SQL",
		Long: `Examples:
  pigate audit sql "SELECT what, count(*) AS prompts FROM prompts GROUP BY what ORDER BY prompts DESC LIMIT 10"
  pigate audit sql "SELECT date(time) AS day, count(*) AS denied FROM decisions WHERE verdict = 'deny' GROUP BY day"
  pigate audit sql --format csv "SELECT * FROM sessions" > sessions.csv
  echo "SELECT * FROM rules" | pigate audit sql -

Runs one query of SQLite's SQL over the whole journal, of all projects. QUERY may
be - for standard input. Nothing can be written: the files are opened read-only,
and anything but a question is refused. Ctrl-C and --timeout end a query.

Views and their columns (docs/sql.md says more):

` + viewList() + `
FILE is a journal; several are parts of one, in order. Without any, the journal
and its sealed files are read.`,
		RunE: func(cmd *cobra.Command, args []string) error { return auditSQL(cmd.Context(), env, o, args) },
	}
	f := cmd.Flags()
	addJournal(f, &o.journal)
	f.StringVar(&o.format, "format", "table", strings.Join(report.SheetFormats, ", "))
	f.BoolVar(&o.asJSON, "json", false, "the same as --format jsonl")
	f.DurationVar(&o.timeout, "timeout", 0, "end the query after so long: 500ms, 10s, 2m (default: never)")
	addNoPager(f, &o.noPager)
	return cmd
}

// viewList names the views with their columns.
func viewList() string {
	var b strings.Builder
	for _, v := range audit.Views() {
		fmt.Fprintf(&b, "  %-10s one row: %s\n", v.Name, v.About)
		line := "            "
		for i, c := range v.Columns {
			if len(line)+len(c.Name) > 78 {
				b.WriteString(line + "\n")
				line = "            "
			}
			line += " " + c.Name
			if i < len(v.Columns)-1 {
				line += ","
			}
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func auditSQL(ctx context.Context, env environment, o sqlOptions, args []string) error {
	if err := asFormat(o.asJSON, &o.format, "jsonl"); err != nil {
		return err
	}
	switch {
	case len(args) == 0:
		return usage("audit sql takes a QUERY: put it in quotes")
	case !slices.Contains(report.SheetFormats, o.format):
		return usage("--format is %q, must be one of %s", o.format, strings.Join(report.SheetFormats, ", "))
	case o.timeout < 0:
		return usage("--timeout is %v, must be 0 or more", o.timeout)
	}
	query := args[0]
	if query == "-" {
		text, err := io.ReadAll(env.stdin)
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
		query = string(text)
	}
	files, err := journalFiles(env, o.journal, args[1:])
	if err != nil {
		return err
	}
	reader, err := audit.OpenReader(ctx, files...)
	if err != nil {
		return err
	}
	defer reader.Close()
	ctx, stop := o.patience(ctx)
	defer stop()
	err = env.page(ctx, o.noPager, func(ctx context.Context, w io.Writer, screen report.Screen) error {
		return reader.Query(ctx, query, func(r audit.Result) error {
			out := bufio.NewWriter(w)
			_, err := report.WriteSheet(out, o.format, r.Columns, r.Rows, screen)
			return errors.Join(err, out.Flush())
		})
	})
	return o.ended(env, err)
}

// patience ends the context at Ctrl-C and after the timeout.
func (o sqlOptions) patience(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	if o.timeout == 0 {
		return ctx, stop
	}
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	return ctx, func() { cancel(); stop() }
}

// ended says why a query has no end of its own, and shows where it is wrong.
func (o sqlOptions) ended(env environment, err error) error {
	var wrong *audit.QueryError
	switch {
	case errors.As(err, &wrong):
		writeWrong(env.stderr, wrong)
		return &exitError{exitUsage, wrong}
	case errors.Is(err, context.DeadlineExceeded):
		return hint.With(fmt.Errorf("the query was ended after %v; what is above is not all", o.timeout), "give it more with --timeout, or ask for less")
	case errors.Is(err, context.Canceled):
		return &exitError{exitInterrupted, errors.New("the query was ended; what is above is not all")}
	}
	return err
}

// writeWrong shows the line of the query with the piece that is wrong
// underlined.
func writeWrong(w io.Writer, e *audit.QueryError) {
	if e.End <= e.Start {
		return
	}
	start := strings.LastIndexByte(e.Text[:e.Start], '\n') + 1
	rest, _, _ := strings.Cut(e.Text[e.Start:], "\n")
	before, piece := text.Visible(e.Text[start:e.Start]), text.Visible(rest[:min(len(rest), e.End-e.Start)])
	fmt.Fprintf(w, "  %s%s%s\n  %s%s\n", before, piece, text.Visible(rest[min(len(rest), e.End-e.Start):]),
		strings.Repeat(" ", utf8.RuneCountInString(before)), strings.Repeat("^", max(1, utf8.RuneCountInString(piece))))
}
