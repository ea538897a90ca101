package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/text"
)

type listOptions struct {
	filterFlags
	journal string
	format  string
	columns string
	asJSON  bool
	noPager bool
}

func newAuditList(env environment) *cobra.Command {
	var o listOptions
	cmd := &cobra.Command{
		Use:   "list [FILE...]",
		Short: "List the decisions, newest last",
		Long: `Examples:
  pigate audit list --limit 20
  pigate audit list --since yesterday --decision block --all
  pigate audit list --match 'git push*' --columns time,what,basis,rule
  pigate audit list --json | jq 'select(.decision == "block")'

Prints one row for each call in the project you stand in: what it was, what the
rules said, what was done and by whom, and what came of it. A project is the
folder that Pi was started in; those beneath the folder you stand in count too.
Filters combine: a row is listed when it satisfies all.

--format csv and md show the same rows to a spreadsheet and to a pull request,
--columns chooses among ` + report.ColumnNames() + `.
--json (or --format jsonl) prints one JSON object a line, entries of other kinds
included; --format json prints an array of them. docs/json.md describes the
fields.

FILE is a journal, of which all projects are listed; several are parts of one, in
order. Without any, the journal and its sealed files are listed.`,
		RunE: func(cmd *cobra.Command, args []string) error { return auditList(cmd.Context(), env, o, args) },
	}
	f := cmd.Flags()
	addJournal(f, &o.journal)
	o.add(cmd)
	o.addImported(f)
	f.IntVar(&o.filter.Limit, "limit", 0, "only the newest N rows (0: all)")
	f.BoolVar(&o.filter.Reverse, "reverse", false, "newest first")
	f.StringVar(&o.format, "format", "table", "table, json, jsonl, csv, md")
	f.StringVar(&o.columns, "columns", "", "what to show in a table, csv or md (default: "+report.DefaultColumns+"; in csv and md "+report.WideColumns+")")
	f.BoolVar(&o.asJSON, "json", false, "the same as --format jsonl")
	addNoPager(f, &o.noPager)
	return cmd
}

func auditList(ctx context.Context, env environment, o listOptions, files []string) error {
	if o.filter.Limit < 0 {
		return usage("--limit is %d, must be 0 or more", o.filter.Limit)
	}
	columns, err := o.shape(env.screen())
	if err != nil {
		return err
	}
	filter, here, err := o.read(env, time.Now(), len(files) > 0)
	if err != nil {
		return err
	}
	if filter.Kind == "" && columns != nil {
		if filter.Calls = filter.Imported; !filter.Imported {
			filter.Kind = gate.KindDecision
		}
		if err := filter.Check(); err != nil {
			return usage("%v", err)
		}
	}
	reader, _, err := openJournal(ctx, env, o.journal, files)
	if err != nil {
		return err
	}
	defer reader.Close()
	n := 0
	err = env.page(ctx, o.noPager, func(ctx context.Context, w io.Writer, screen report.Screen) error {
		out := bufio.NewWriter(w)
		err := printRows(out, o.format, counted(reader.List(ctx, filter), &n), columns, screen)
		return errors.Join(err, out.Flush())
	})
	if err == nil && n == 0 {
		nothing(env, here, reader.Path())
		hintImported(ctx, env, reader, filter, takesImported)
	}
	return err
}

// shape settles the format, and the columns of those that have any.
func (o *listOptions) shape(screen report.Screen) ([]report.Column, error) {
	if err := asFormat(o.asJSON, &o.format, "jsonl"); err != nil {
		return nil, err
	}
	names := o.columns
	switch o.format {
	case "json", "jsonl":
		if names != "" {
			return nil, usage("--columns is for table, csv and md; JSON has all fields")
		}
		return nil, nil
	case "table":
		if names == "" {
			names = screen.Columns()
		}
	case "csv", "md":
		if names == "" {
			names = report.WideColumns
		}
	default:
		return nil, usage("--format is %q, must be one of table, json, jsonl, csv, md", o.format)
	}
	columns, err := report.ParseColumns(names)
	if err != nil {
		return nil, usage("--columns: %v", err)
	}
	return columns, nil
}

func printRows(w io.Writer, format string, rows iter.Seq2[audit.Row, error], columns []report.Column, screen report.Screen) error {
	switch format {
	case "json":
		return report.JSON(w, rows)
	case "jsonl":
		return report.JSONLines(w, rows)
	case "csv":
		return report.CSV(w, rows, columns)
	case "md":
		return report.Markdown(w, rows, columns)
	}
	_, err := report.Table(w, rows, columns, screen)
	return err
}

// counted counts the rows that pass.
func counted(rows iter.Seq2[audit.Row, error], n *int) iter.Seq2[audit.Row, error] {
	return func(yield func(audit.Row, error) bool) {
		for row, err := range rows {
			*n++
			if !yield(row, err) {
				return
			}
		}
	}
}

// takesImported is what to do about imported calls where a flag takes them in.
const takesImported = "--imported takes them in"

// hintImported tells the person when the filter would choose imported calls, and
// what to do about them then.
func hintImported(ctx context.Context, env environment, reader *audit.Reader, f audit.Filter, next string) {
	if f.Imported || f.Kind != gate.KindDecision {
		return
	}
	f.Kind, f.Limit = gate.KindImport, 1
	for _, err := range reader.List(ctx, f) {
		if err == nil {
			fmt.Fprintf(env.stderr, "hint: there are imported calls; %s\n", next)
		}
	}
}

// nothing tells the person that nothing was found, and where more may be.
func nothing(env environment, here bool, path string) {
	fmt.Fprintf(env.stderr, "pigate: no such entries in %s\n", text.Visible(path))
	if here {
		fmt.Fprintf(env.stderr, "hint: only the project %s was looked at; --all looks at all\n", text.Visible(env.cwd))
	}
}
