package piview

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/text"
)

// Bounds of an explanation, in lines: of the call itself, and of its reasons.
const (
	maxCall    = 12
	maxReasons = 20
)

// Why explains the last call of a session that was asked about or blocked: what
// it was, every reason with the rule's file and line and the piece of the call,
// what was decided, and what became of the same call before.
func (v View) Why(ctx context.Context, session string) (string, error) {
	row, found, err := v.lastStopped(ctx, session)
	if err != nil {
		return "", err
	}
	if !found {
		return "Nothing was asked or blocked in this session yet.", nil
	}
	var t answer
	t.call(row)
	var more struct {
		Call   string `json:"call"`
		Cwd    string `json:"cwd"`
		Waited int64  `json:"waited_us"`
		Note   string `json:"note"`
	}
	_ = json.Unmarshal(row.Body, &more) // an entry of another form has less to tell
	t.say("%s", ruling(row, more.Waited, v.Now))
	if more.Note != "" {
		t.say("  %s", more.Note)
	}
	t.reasons(row.Reasons)
	req := policy.Request{Tool: row.Tool, Input: row.Input, Root: row.Project, Cwd: more.Cwd}
	if h, err := v.Past.History(ctx, req); err == nil && !row.Erased {
		if words := h.Words(v.Now); words != "" {
			t.say("This call in this project so far: %s", words)
		}
	}
	t.say("pigate audit show %d tells all of it", row.Seq)
	return t.String(), nil
}

// lastStopped finds the newest decision that was asked about or blocked, or the
// newest question that has no answer yet.
func (v View) lastStopped(ctx context.Context, session string) (found audit.Row, ok bool, err error) {
	decided := map[string]bool{}
	for row, err := range v.Reader.List(ctx, audit.Filter{Session: session, Reverse: true, Scan: v.Scan}) {
		if err != nil {
			return audit.Row{}, false, err
		}
		if row.Kind != gate.KindDecision && row.Kind != gate.KindPrompt {
			continue
		}
		var of struct {
			Call string `json:"call"`
		}
		if err := json.Unmarshal(row.Body, &of); err != nil {
			return audit.Row{}, false, fmt.Errorf("entry %d: %w", row.Seq, err)
		}
		switch {
		case row.Kind == gate.KindPrompt && decided[of.Call]:
		case row.Kind == gate.KindPrompt, row.Answer != "", row.Decision == policy.Block:
			return row, true, nil
		}
		decided[of.Call] = true
	}
	return audit.Row{}, false, nil
}

// call shows the call whole, as far as maxCall lines go.
func (t *answer) call(row audit.Row) {
	lines := strings.Split(strings.TrimRight(text.VisibleLines(row.What()), "\n"), "\n")
	if len(lines) > maxCall {
		left := len(lines) - maxCall + 1
		lines = append(lines[:maxCall-1], fmt.Sprintf("… %d more lines", left))
	}
	if len(lines) == 1 {
		t.lines = append(t.lines, text.Visible(row.Tool)+": "+lines[0])
		return
	}
	t.lines = append(append(t.lines, text.Visible(row.Tool)+":"), lines...)
}

// ruling says what was decided, when and by whom.
func ruling(row audit.Row, waited int64, now time.Time) string {
	at := clock(row.Time, now)
	switch {
	case row.Kind == gate.KindPrompt:
		return fmt.Sprintf("Asked at %s; there is no answer yet.", at)
	case row.Basis == policy.BasisUser && waited > 0:
		return fmt.Sprintf("Asked at %s; %s after %s: %s.", at, answered[row.Answer], report.Took(waited), enforced(&row))
	case row.Basis == policy.BasisUser:
		return fmt.Sprintf("Asked at %s; %s: %s.", at, answered[row.Answer], enforced(&row))
	case row.Basis == policy.BasisRule:
		return fmt.Sprintf("Blocked at %s by a deny rule.", at)
	case row.Basis == policy.BasisNoUI:
		return fmt.Sprintf("Blocked at %s: it needs a person's approval, and nobody could be asked.", at)
	case row.Basis == policy.BasisJournal:
		return fmt.Sprintf("Blocked at %s: it could not be recorded.", at)
	case row.Basis == policy.BasisError:
		return fmt.Sprintf("Blocked at %s: the question about it got no answer.", at)
	}
	return fmt.Sprintf("Decided at %s, by %s: %s.", at, by(&row), enforced(&row))
}

// reasons lists why, each with the piece of the call that it is about.
func (t *answer) reasons(list []policy.Reason) {
	t.say("Why:")
	for i, reason := range list {
		if i == maxReasons {
			t.say("  … and %d more reasons", len(list)-i)
			return
		}
		line := reason.Words()
		if reason.Via != "" {
			line += " (by " + reason.Via + ")"
		}
		if reason.Resource != "" {
			line += ": " + reason.Resource
		}
		t.say("  %s", line)
	}
}
