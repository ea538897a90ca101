package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/report/page"
	"github.com/pigate/pigate/internal/text"
)

// reportFile is where a page goes that nobody gave a place.
const reportFile = "pigate-report.html"

type reportOptions struct {
	filterFlags
	journal, format, output string
	filters                 []string
}

func newReport(env environment) *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "report [FILE...]",
		Short: "Make a page about what agents did, for the people who answer for it",
		Long: `Examples:
  pigate report                                  write pigate-report.html about the last four weeks
  pigate report --all --since this-month -o march.html
  pigate report --since 1w --format md           tables for a pull request
  pigate report --format json | jq .total

Counts the calls in the project you stand in, shows how people answered, which
programs cost most prompts, what was denied, which approvals deserve a second
look, and which rules work. With a period that has a beginning, the figures stand
beside those of the period of the same length before. The filters are those of
` + "`pigate audit list`" + `.

Without --since the period is the last four weeks; of FILEs, or of one session, it
is everything. The html page is one file that loads nothing: it can be opened from
a disk, sent, and printed. It is written to ` + reportFile + ` when the output is a
terminal and no other place is named by -o; everything else goes to the output.
json is what the other two are made from (docs/json.md).

A report holds commands and paths from the journal: share it as you would share
those.

FILE is a journal, of which all projects are counted; several are parts of one, in
order. Without any, the journal and its sealed files are read.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			cmd.Flags().Visit(func(f *pflag.Flag) { o.filters = appendFilter(o.filters, f) })
			return makeReport(cmd.Context(), env, o, args)
		},
	}
	f := cmd.Flags()
	addJournal(f, &o.journal)
	o.add(cmd)
	f.StringVar(&o.format, "format", "html", "html, md, json")
	f.StringVarP(&o.output, "output", "o", "", "write to this file; - is the output")
	return cmd
}

// appendFilter adds a flag that the report shows among its filters: those that
// choose calls by something other than time and place.
func appendFilter(list []string, f *pflag.Flag) []string {
	if slices.Contains([]string{"since", "until", "project", "all", "journal", "format", "output", "scan"}, f.Name) {
		return list
	}
	if f.Value.Type() == "bool" {
		return append(list, "--"+f.Name)
	}
	return append(list, "--"+f.Name+" "+f.Value.String())
}

func makeReport(ctx context.Context, env environment, o reportOptions, files []string) error {
	if !slices.Contains([]string{"html", "md", "json"}, o.format) {
		return usage("--format is %q, must be one of html, md, json", o.format)
	}
	if o.kind != "" && o.kind != string(gate.KindDecision) {
		return usage("--kind %s: a report is about decisions", o.kind)
	}
	now, named := time.Now(), len(files) > 0
	if o.since == "" && !named && o.filter.Session == "" {
		o.since = o.fourWeeks(now)
	}
	filter, here, err := o.read(env, now, named)
	if err != nil {
		return err
	}
	reader, files, err := openJournal(ctx, env, o.journal, files)
	if err != nil {
		return err
	}
	defer reader.Close()
	findings, of, err := o.findings(ctx, env, reader, now, named)
	if err != nil {
		return err
	}
	made, err := page.New(ctx, reader, page.Options{Filter: filter, Filters: o.filters, Journals: files, Zone: now.Location(), Now: now, RulesOf: of, Findings: findings})
	if err != nil {
		return err
	}
	if made.Total.Calls == 0 {
		nothing(env, here, reader.Path())
		filter.Kind = gate.KindDecision
		hintImported(ctx, env, reader, filter, "a report is about decisions alone, `pigate suggest` and `pigate replay --imported` are about those too")
	}
	return o.write(env, made, now.Location())
}

// fourWeeks is the midnight with which 28 days begin that end now, or at --until.
// That --until may be no time is told by who reads it.
func (o *reportOptions) fourWeeks(now time.Time) string {
	end := now
	if at, err := report.ParseWhen(o.until, now); err == nil {
		end = at.Add(-1)
	}
	year, month, day := end.Date()
	return time.Date(year, month, day-27, 0, 0, 0, 0, now.Location()).Format(time.RFC3339)
}

// write writes the report to where it goes.
func (o *reportOptions) write(env environment, made *page.Report, zone *time.Location) error {
	var out bytes.Buffer
	var err error
	switch o.format {
	case "json":
		err = page.WriteJSON(&out, made)
	case "md":
		err = page.WriteMarkdown(&out, made, zone)
	default:
		err = page.WriteHTML(&out, made, zone)
	}
	if err != nil {
		return err
	}
	path := o.output
	if path == "" && o.format == "html" && isTerminal(env.stdout) {
		path = reportFile
	}
	if path == "" || path == "-" {
		_, err := io.Copy(env.stdout, &out)
		return err
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(env.cwd, path)
	}
	if err := writeWhole(path, &out); err != nil {
		return hint.With(fmt.Errorf("write report: %w", err), "-o names another file; its folder must exist")
	}
	fmt.Fprintf(env.stderr, "pigate: wrote %s\n", text.Visible(path))
	return nil
}
