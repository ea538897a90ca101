package piview

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// The number of decisions that Log shows: DefaultLog unless the person asks for
// another, and MaxLog at most, as Pi shows them in one piece.
const (
	DefaultLog = 10
	MaxLog     = 100
)

// Log shows the newest decisions in the project at root, newest last, all but
// those of calls that only read. An n of 0 means DefaultLog; one that is less or
// more than MaxLog is an error.
func (v View) Log(ctx context.Context, root string, n int) (string, error) {
	if n == 0 {
		n = DefaultLog
	}
	if n < 0 || n > MaxLog {
		return "", fmt.Errorf("%d is not a number of decisions from 1 to %d", n, MaxLog)
	}
	rows, err := v.newest(ctx, root, n)
	if err != nil {
		return "", err
	}
	if len(rows) == 0 {
		return "Nothing was decided in this project yet.", nil
	}
	var t answer
	t.say("The last %d decisions in this project, without calls that only read:", len(rows))
	if len(rows) == 1 {
		t.lines[0] = "The one decision in this project so far, without calls that only read:"
	}
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 8, 2, ' ', 0)
	for i := len(rows) - 1; i >= 0; i-- {
		row := &rows[i]
		// A builder takes everything.
		_, _ = fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\n", row.Seq, clock(row.Time, v.Now), enforced(row), text.Clip(text.Visible(by(row)), 24), text.Visible(called(row)))
	}
	_ = w.Flush()
	for line := range strings.Lines(table.String()) {
		t.lines = append(t.lines, text.Clip(strings.TrimRight(line, " \n"), columns))
	}
	t.say("/allowlist why explains the last question; pigate audit show %d tells all of one", rows[0].Seq)
	return t.String(), nil
}

// newest finds the newest decisions, newest first.
func (v View) newest(ctx context.Context, root string, n int) ([]audit.Row, error) {
	var rows []audit.Row
	same := sameAs(root, v.Same)
	filter := audit.Filter{Kind: gate.KindDecision, Reverse: true, Scan: v.Scan}
	if !v.Scan { // to learn what belongs to a project all of the journal would be read
		filter.Projects = same
	}
	for row, err := range v.Reader.List(ctx, filter) {
		if err != nil {
			return nil, err
		}
		if row.Basis == policy.BasisPass || !slices.Contains(same, row.Project) {
			continue
		}
		if rows = append(rows, row); len(rows) == n {
			break
		}
	}
	return rows, nil
}

// clock is the time of the day, and the day unless it is today.
func clock(at audit.Micros, now time.Time) string {
	t := at.Time().In(now.Location())
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format("15:04:05")
	}
	return t.Format("2006-01-02 15:04")
}

// enforced says what was done and what came of it.
func enforced(row *audit.Row) string {
	switch {
	case row.Decision == policy.Run && row.Outcome == audit.OutcomeError && row.ExitCode != nil:
		return "ran, exit " + strconv.Itoa(*row.ExitCode)
	case row.Decision == policy.Run && row.Outcome == audit.OutcomeError:
		return "ran, failed"
	case row.Decision == policy.Run && row.Outcome == audit.OutcomeOK:
		return "ran"
	case row.Decision == policy.Run:
		return "let run"
	}
	return "blocked"
}

// by names who or what decided.
func by(row *audit.Row) string {
	switch row.Basis {
	case policy.BasisUser:
		return "you: " + answered[row.Answer]
	case policy.BasisRule:
		return strings.Join(row.Rules(), ", ")
	case policy.BasisGrant:
		return "allowed for session"
	case policy.BasisPass:
		return "only reads"
	case policy.BasisDisabled:
		return "gate switched off"
	case policy.BasisNoUI:
		return "nobody to ask"
	case policy.BasisJournal:
		return "no journal"
	case policy.BasisError:
	}
	return "no answer"
}

var answered = map[gate.Answer]string{
	gate.AnswerOnce: "allowed once", gate.AnswerSession: "allowed for session", gate.AnswerSave: "allowed, rule saved",
	gate.AnswerDeny: "denied", gate.AnswerDismissed: "dismissed", gate.AnswerAborted: "aborted",
}

// called is the tool and what it was called with, on one line.
func called(row *audit.Row) string { return row.Tool + ": " + row.What() }
