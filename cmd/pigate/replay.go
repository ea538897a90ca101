package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/report/replay"
)

type replayOptions struct {
	filterFlags
	policyFlags
	journal  string
	format   string
	failOn   string
	imported bool
	again    bool
	asJSON   bool
	noPager  bool
}

var (
	replayFormats = []string{"table", "json", "jsonl", "csv", "md"}
	failOns       = []string{"looser", "denied-allowed", "any"}
)

func newReplay(env environment) *cobra.Command {
	var o replayOptions
	cmd := &cobra.Command{
		Use:   "replay [FILE...]",
		Short: "Decide past calls again under other rules",
		Long: `Examples:
  pigate replay --allow 'shell:npm test *'          what this rule would have changed
  pigate replay                                     what today's rules would have changed
  pigate replay --policy new.json --since last-week --all
  pigate replay --policy new.json --against old.json --fail-on denied-allowed --all
  pigate replay --recorded --fail-on any            whether this version decides as then

Decides the calls in the project you stand in again, with the gate's own code,
and compares that with what was decided then. What people answered stays as it
was; where nobody was asked then, nobody knows. The filters are those of
` + "`pigate audit list`" + `.

The new rules are those in force now (--current, the default; as in a project
that you trust), those that each call was decided under (--recorded), or those of
a file, with the built-in values for what it does not say (--policy FILE).
--allow, --deny, --without and --set change them. --against compares with other rules
than the decisions in the journal: recorded, current or a FILE.

--format json prints one object, jsonl and csv one change a line, md is for a
pull request. --fail-on ends with exit code 3 when a call is decided looser, when
one that was denied would run, or when any is decided otherwise.

FILE is a journal, of which all projects are replayed; several are parts of one,
in order. Without any, the journal and its sealed files are read.
docs/replay.md says more.`,
		RunE: func(cmd *cobra.Command, args []string) error { return replayCalls(cmd.Context(), env, o, args) },
	}
	f := cmd.Flags()
	addJournal(f, &o.journal)
	o.policyFlags.addTo(f)
	o.filterFlags.addTo(f)
	f.BoolVar(&o.imported, "imported", false, "imported calls too; they are counted apart")
	f.BoolVar(&o.again, "reanalyse", false, "calls too that another version of pigate took apart, as this one does")
	f.IntVar(&o.filter.Limit, "limit", 0, "only the newest N calls (0: all)")
	f.StringVar(&o.failOn, "fail-on", "", "exit with 3 when there are such changes: "+strings.Join(failOns, ", "))
	f.StringVar(&o.format, "format", "table", strings.Join(replayFormats, ", "))
	f.BoolVar(&o.asJSON, "json", false, "the same as --format json")
	addNoPager(f, &o.noPager)
	return cmd
}

func replayCalls(ctx context.Context, env environment, o replayOptions, files []string) error {
	filter, here, err := o.calls(env, len(files) > 0)
	if err != nil {
		return err
	}
	where, err := env.installation(o.journal)
	if err != nil {
		return err
	}
	reader, _, err := openJournal(ctx, env, o.journal, files)
	if err != nil {
		return err
	}
	defer reader.Close()
	sides, err := o.sides(env, where.AgentDir, reader)
	if err != nil {
		return err
	}
	if here && sides.current {
		look(env, where.AgentDir, env.cwd, true).noteTrust(env)
	}
	options := replay.Options{Old: sides.old, New: sides.new, Recorded: reader.Policy, Installation: where, Reanalyse: o.again, Zone: time.Local}
	bar := newProgress(env.stderr)
	if options.Progress, err = o.progress(ctx, env, bar, reader); err != nil {
		return err
	}
	var result *replay.Result
	err = env.page(ctx, o.noPager, func(ctx context.Context, w io.Writer, screen report.Screen) error {
		out := bufio.NewWriter(w)
		p := replayPrinter{w: out, format: o.format, screen: screen, sides: sides}
		result, err = p.print(func(changed func(replay.Change) error) (*replay.Result, error) {
			options.Changed = changed
			defer bar.clear()
			return replay.Run(ctx, reader, filter, options)
		})
		return errors.Join(err, out.Flush())
	})
	if err != nil || result == nil {
		return err
	}
	sides.noteIdle(env)
	if result.Decided.Calls == 0 && (result.Imported == nil || result.Imported.Calls == 0) {
		nothing(env, here, reader.Path())
		hintImported(ctx, env, reader, filter, takesImported)
	}
	return failOn(env, o.failOn, result)
}

// calls makes the filter of the flags; here is as read has it.
func (o *replayOptions) calls(env environment, named bool) (f audit.Filter, here bool, err error) {
	if err := o.check(); err != nil {
		return f, false, err
	}
	if f, here, err = o.read(env, time.Now(), named); err != nil {
		return f, false, err
	}
	f.Imported = o.imported
	if f.Kind == "" && !o.imported {
		f.Kind = gate.KindDecision
	}
	if err := f.Check(); err != nil {
		return f, false, usage("%v", err)
	}
	return f, here, nil
}

func (o *replayOptions) check() error {
	if err := asFormat(o.asJSON, &o.format, "json"); err != nil {
		return err
	}
	switch {
	case !slices.Contains(replayFormats, o.format):
		return usage("--format is %q, must be one of %s", o.format, strings.Join(replayFormats, ", "))
	case o.failOn != "" && !slices.Contains(failOns, o.failOn):
		return usage("--fail-on is %q, must be one of %s", o.failOn, strings.Join(failOns, ", "))
	case o.filter.Limit < 0:
		return usage("--limit is %d, must be 0 or more", o.filter.Limit)
	case o.kind != "" && o.kind != string(gate.KindDecision) && o.kind != string(gate.KindImport):
		return usage("--kind %s: only decisions and imported calls are replayed", o.kind)
	case o.kind == string(gate.KindImport) && !o.imported:
		return usage("--kind import goes with --imported")
	}
	return nil
}

// progress shows how far a replay is, unless changes are printed meanwhile or
// nobody looks.
func (o *replayOptions) progress(ctx context.Context, env environment, bar *progress, reader *audit.Reader) (func(int64), error) {
	if o.format == "jsonl" || o.format == "csv" || !isTerminal(env.stderr) {
		return nil, nil
	}
	var last int64
	for row, err := range reader.List(ctx, audit.Filter{Limit: 1}) {
		if err != nil {
			return nil, err
		}
		last = row.Seq
	}
	return func(seq int64) { bar.show(seq, last) }, nil
}

// failOn is the error of a replay that found changes of a kind, or that could
// not look for them.
func failOn(env environment, kind string, r *replay.Result) error {
	looser, denied, all, calls, silent := 0, 0, 0, 0, 0
	for _, p := range r.Parts() {
		looser, denied, all, calls = looser+p.Looser, denied+p.DeniedAllowed, all+p.Changes(), calls+p.Calls
		for _, n := range p.NotReplayable {
			silent += n.Calls
		}
	}
	var err error
	switch {
	case kind == "looser" && looser > 0:
		err = fmt.Errorf("decided looser: %d", looser)
	case kind == "denied-allowed" && denied > 0:
		err = fmt.Errorf("denied before, and would run: %d", denied)
	case kind == "any" && all > 0:
		err = fmt.Errorf("decided otherwise: %d", all)
	case kind != "" && calls > 0 && silent == calls:
		return hint.With(fmt.Errorf("--fail-on %s: none of the calls could be decided again", kind),
			"the table says why; --reanalyse decides those that another version of pigate took apart")
	default:
		if kind != "" && silent > 0 {
			fmt.Fprintf(env.stderr, "pigate: warning: --fail-on %s says nothing of the calls that could not be decided again: %d of %d\n", kind, silent, calls)
		}
		return nil
	}
	return &exitError{exitFound, err}
}
