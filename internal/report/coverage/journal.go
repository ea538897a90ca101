package coverage

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/transcript"
)

// callID is how Pi and the journal name a call.
type callID struct{ session, call string }

// decided is what the journal has of a call.
type decided struct {
	seq int64
	ran bool
}

// span is a time, from its first to its last entry, in which the gate of a
// session wrote to the journal.
type span struct{ from, to audit.Micros }

// journal is what a journal knows of calls and sessions.
type journal struct {
	calls      map[callID]decided
	outcomes   map[callID]int64 // of calls that were never decided, with the entry
	sessions   map[string][]span
	reads      map[string]bool // sessions of which calls that only read are recorded
	failures   []span          // the journal could not be written, and calls ran
	mismatched []Finding
	first      audit.Micros // of the first entry
	whole      bool         // the first entry is the journal's very first
}

func readJournal(ctx context.Context, r *audit.Reader) (*journal, error) {
	j := &journal{calls: map[callID]decided{}, outcomes: map[callID]int64{}, sessions: map[string][]span{}, reads: map[string]bool{}}
	for row, err := range r.List(ctx, audit.Filter{}) {
		if err != nil {
			return nil, err
		}
		if err := j.entry(&row); err != nil {
			return nil, fmt.Errorf("entry %d: %w", row.Seq, err)
		}
	}
	return j, nil
}

func (j *journal) entry(row *audit.Row) error {
	if j.first == 0 {
		j.first, j.whole = row.Time, row.Seq == 1
	}
	var e struct {
		Call    string       `json:"call"`
		From    audit.Micros `json:"from"`
		To      audit.Micros `json:"to"`
		OnError string       `json:"on_error"`
	}
	if err := json.Unmarshal(row.Body, &e); err != nil {
		return err
	}
	j.alive(row)
	id := callID{row.Session, e.Call}
	switch row.Kind {
	case gate.KindDecision:
		j.calls[id] = decided{row.Seq, row.Decision == gate.Run}
		if row.Verdict == gate.Pass {
			j.reads[row.Session] = true
		}
	case gate.KindOutcome:
		j.outcomes[id] = row.Seq
	case gate.KindGap:
		if e.OnError == "warn" {
			j.failures = append(j.failures, span{e.From, e.To})
		}
	default:
		// tells nothing of calls
	}
	if row.Mismatch {
		j.mismatched = append(j.mismatched, Finding{Reason: Mismatch, Time: row.Time, Session: row.Session, Project: row.Project, Call: e.Call,
			Tool: row.Tool, Input: row.Input, Seq: row.Seq})
	}
	return nil
}

// alive notes that a gate of the session was there. Each start begins a span.
func (j *journal) alive(row *audit.Row) {
	if row.Session == "" || row.Kind == gate.KindImport || row.Kind == gate.KindDraft || row.Kind == gate.KindReview {
		return
	}
	spans := j.sessions[row.Session]
	if len(spans) == 0 || row.Kind == gate.KindSessionStart {
		j.sessions[row.Session] = append(spans, span{row.Time, row.Time})
		return
	}
	last := &spans[len(spans)-1]
	last.from, last.to = min(last.from, row.Time), max(last.to, row.Time)
}

func (j *journal) knows(session string) bool { return len(j.sessions[session]) > 0 }

// readOnly reports that a call is of a kind that the gate lets pass, and that
// such calls are not recorded in its session, while others are.
func (j *journal) readOnly(call *transcript.Call) bool {
	if j.reads[call.Session] || !j.within(j.sessions[call.Session], call.Time) {
		return false
	}
	nothing := gate.NewPolicy(gate.DefaultSettings(), nil)
	return gate.Evaluate(nothing, gate.Derive(call.Request("")), nil).Effect == gate.Pass
}

func (j *journal) within(spans []span, at int64) bool {
	for _, s := range spans {
		if at >= int64(s.from) && at <= int64(s.to) {
			return true
		}
	}
	return false
}

// why says why a call that ran is not in the journal, with the entry that tells
// of its end.
func (j *journal) why(call *transcript.Call) (Reason, int64) {
	if seq, ended := j.outcomes[callID{call.Session, call.ID}]; ended {
		return Undecided, seq
	}
	switch {
	case j.within(j.failures, call.Time):
		return Unrecorded, 0
	case j.first == 0 || call.Time < int64(j.first):
		if j.first != 0 && !j.whole {
			return MovedAway, 0
		}
		return BeforeJournal, 0
	case j.within(j.sessions[call.Session], call.Time):
		return Undecided, 0
	}
	return NotLoaded, 0
}
