package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/hint"
)

type reviewOptions struct {
	filterFlags
	journal, note string
	asJSON        bool
}

// reviewResult is what `pigate audit review --json` prints.
type reviewResult struct {
	// Seq is the number of the review's own entry.
	Seq int64 `json:"seq"`
	// Decisions counts what was reviewed, Ranges holds their numbers.
	Decisions int        `json:"decisions"`
	Ranges    [][2]int64 `json:"ranges"`
}

func newAuditReview(env environment) *cobra.Command {
	var o reviewOptions
	cmd := &cobra.Command{
		Use:   "review [SEQ|SEQ-SEQ...]",
		Short: "Record that a person has looked at decisions",
		Long: `Examples:
  pigate audit list --unreviewed --decision run --outside
  pigate audit review 12 40-55 --note "the deploy, as agreed"
  pigate audit review --since yesterday --answer once

Appends an entry that says who has looked at these decisions, when, and with
what to say: those of the numbers, which may belong to any project, or those
that the filters choose, in the project you stand in, or those of both. The
filters are those of ` + "`pigate audit list`" + `; --unreviewed there and in the other
commands chooses what no review covers.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && !o.chooses(cmd.Flags()) {
				return usage("name decisions by their numbers, or choose them by filters; --all means all there are")
			}
			return auditReview(cmd.Context(), env, o, args)
		},
	}
	f := cmd.Flags()
	addJournal(f, &o.journal)
	o.add(cmd)
	f.StringVar(&o.note, "note", "", "what there is to say of them, for the record")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object")
	return cmd
}

// chooses reports whether any flag that filters was given.
func (o *filterFlags) chooses(f *pflag.FlagSet) bool {
	only := pflag.NewFlagSet("", pflag.ContinueOnError)
	(&filterFlags{}).addTo(only)
	found := false
	f.Visit(func(flag *pflag.Flag) { found = found || only.Lookup(flag.Name) != nil })
	return found
}

func auditReview(ctx context.Context, env environment, o reviewOptions, args []string) error {
	ranges, err := parseRanges(args)
	if err != nil {
		return err
	}
	filter, here, err := o.read(env, time.Now(), len(args) > 0)
	if err != nil {
		return err
	}
	if filter.Kind != "" && filter.Kind != gate.KindDecision {
		return usage("--kind %s: only decisions are reviewed", filter.Kind)
	}
	filter.Kind = gate.KindDecision
	if err := filter.Check(); err != nil {
		return usage("%v", err)
	}
	where, err := env.installation(o.journal)
	if err != nil {
		return err
	}
	seqs, err := chosen(ctx, env, o.journal, filter, ranges)
	if err != nil {
		return err
	}
	if len(seqs) == 0 {
		nothing(env, here, where.Journal)
		return &exitError{exitFailed, errors.New("nothing was reviewed")}
	}
	r := audit.ReviewOptions{Note: o.note}
	r.User, r.Host = whoAndWhere()
	done := reviewResult{Decisions: len(seqs)}
	if done.Ranges, done.Seq, err = audit.Review(ctx, where.Journal, seqs, r, env.journalOptions(where)); err != nil {
		return err
	}
	if o.asJSON {
		return printJSON(env.stdout, done)
	}
	_, err = fmt.Fprintf(env.stdout, "reviewed %d %s: %s; entry %d says so\n", len(seqs), plural(len(seqs), "decision", "decisions"), listed(seqs), done.Seq)
	return err
}

// chosen are the decisions that the filter chooses, of those in the ranges when
// there are any. A range without any is an error.
func chosen(ctx context.Context, env environment, journal string, filter audit.Filter, ranges [][2]int64) (seqs []int64, err error) {
	reader, _, err := openJournal(ctx, env, journal, nil)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	found := make([]bool, len(ranges))
	for row, err := range reader.List(ctx, filter) {
		if err != nil {
			return nil, err
		}
		wanted := len(ranges) == 0
		for i, r := range ranges {
			if row.Seq >= r[0] && row.Seq <= r[1] {
				wanted, found[i] = true, true
			}
		}
		if wanted {
			seqs = append(seqs, row.Seq)
		}
	}
	if i := slices.Index(found, false); i >= 0 {
		return nil, hint.With(fmt.Errorf("there is no such decision: %s", rangeText(ranges[i])), "`pigate audit list` shows their numbers")
	}
	slices.Sort(seqs)
	return seqs, nil
}

// parseRanges reads SEQ and SEQ-SEQ.
func parseRanges(args []string) (list [][2]int64, err error) {
	for _, arg := range args {
		first, last, isRange := strings.Cut(arg, "-")
		if !isRange {
			last = first
		}
		from, err1 := strconv.ParseInt(first, 10, 64)
		to, err2 := strconv.ParseInt(last, 10, 64)
		if err1 != nil || err2 != nil || from < 1 || to < from {
			return nil, usage("%q is neither a number of an entry nor a range such as 40-55", arg)
		}
		list = append(list, [2]int64{from, to})
	}
	return list, nil
}

func rangeText(r [2]int64) string {
	if r[0] == r[1] {
		return strconv.FormatInt(r[0], 10)
	}
	return fmt.Sprintf("%d-%d", r[0], r[1])
}
