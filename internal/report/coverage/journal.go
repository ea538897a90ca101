package coverage

import (
	"context"
	"slices"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/transcript"
)

// callID is how Pi and the journal name a call.
type callID struct{ session, call string }

// journalCall is what the journal has of a call.
type journalCall struct {
	seq  int64
	tool string
	ran  bool
}

// span is a time, from its first to its last entry, in which the gate of a
// session wrote to the journal.
type span struct{ from, to audit.Micros }

// journal is what a journal knows of calls and sessions.
type journal struct {
	calls      map[callID][]journalCall // in their order; some providers give an id again
	outcomes   map[callID]int64         // of calls that were never decided, with the entry
	sessions   map[string][]span
	reads      map[string]bool // sessions of which calls that only read are recorded
	failures   []span          // the journal could not be written, and calls ran
	mismatched []Finding
	first      audit.Micros // when a gate was there for the first time, or the files at hand begin; 0 for never
	oldest     int64        // the number of the first entry; the journal's very first is 1
}

func readJournal(ctx context.Context, r *audit.Reader) (*journal, error) {
	j := &journal{calls: map[callID][]journalCall{}, outcomes: map[callID]int64{}, sessions: map[string][]span{}, reads: map[string]bool{}}
	var mismatched []audit.Trace
	for t, err := range r.Traces(ctx) {
		if err != nil {
			return nil, err
		}
		j.entry(&t)
		if t.Mismatch {
			mismatched = append(mismatched, t)
		}
	}
	for _, t := range mismatched {
		seq := t.Of
		if seq < j.oldest { // the decision is in a file that is not at hand
			seq = t.Seq
		}
		row, err := r.Row(ctx, seq)
		if err != nil {
			return nil, err
		}
		j.mismatched = append(j.mismatched, Finding{Reason: Mismatch, Time: row.Time, Session: row.Session, Project: row.Project, Call: t.Call,
			Tool: row.Tool, Input: row.Input, Seq: row.Seq})
	}
	return j, nil
}

func (j *journal) entry(t *audit.Trace) {
	if j.oldest == 0 {
		j.oldest = t.Seq
		if t.Seq > 1 && t.Kind != gate.KindImport {
			j.first = t.Time
		}
	}
	if j.first == 0 && ofGate(t) {
		j.first = t.Time
	}
	j.alive(t)
	id := callID{t.Session, t.Call}
	switch t.Kind {
	case gate.KindDecision:
		j.calls[id] = append(j.calls[id], journalCall{t.Seq, t.Tool, t.Decision == policy.Run})
		if t.Verdict == policy.Pass {
			j.reads[t.Session] = true
		}
	case gate.KindOutcome:
		if t.Of == 0 {
			j.outcomes[id] = t.Seq
		}
	case gate.KindGap:
		if t.OnError == "warn" {
			j.failures = append(j.failures, span{audit.Micros(t.From), audit.Micros(t.To)})
		}
	default:
		// tells nothing of calls
	}
}

// take gives the decision on a call, each once: what the session did under the
// same id afterwards has to have one of its own. Of several the one that the call
// can have run by comes first.
func (j *journal) take(id callID, tool string) (journalCall, bool) {
	list := j.calls[id]
	if len(list) == 0 {
		return journalCall{}, false
	}
	at := max(0, slices.IndexFunc(list, func(d journalCall) bool { return d.ran && (d.tool == tool || d.tool == "") }))
	d := list[at]
	j.calls[id] = slices.Delete(list, at, at+1)
	return d, true
}

// ofGate reports that a gate made the entry, of a session that it served. Imports
// carry the ids of sessions too, and the times of calls from before there was any.
func ofGate(t *audit.Trace) bool {
	switch t.Kind {
	case gate.KindImport, gate.KindDraft, gate.KindReview:
		return false
	default:
		return t.Session != ""
	}
}

// alive notes that a gate of the session was there. Each start begins a span.
func (j *journal) alive(t *audit.Trace) {
	if !ofGate(t) {
		return
	}
	spans := j.sessions[t.Session]
	if len(spans) == 0 || t.Kind == gate.KindSessionStart {
		j.sessions[t.Session] = append(spans, span{t.Time, t.Time})
		return
	}
	last := &spans[len(spans)-1]
	last.from, last.to = min(last.from, t.Time), max(last.to, t.Time)
}

func (j *journal) knows(session string) bool { return len(j.sessions[session]) > 0 }

// readOnly reports that a call is of a kind that the gate lets pass, and that
// such calls are not recorded in its session, while others are.
func (j *journal) readOnly(call *transcript.Call) bool {
	if j.reads[call.Session] || !j.within(j.sessions[call.Session], call.Time) {
		return false
	}
	nothing := policy.New(policy.DefaultSettings(), nil)
	return policy.Evaluate(nothing, policy.Derive(call.Request("")), nil).Effect == policy.Pass
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
		if j.oldest > 1 {
			return MovedAway, 0
		}
		return BeforeJournal, 0
	case j.within(j.sessions[call.Session], call.Time):
		return Undecided, 0
	}
	return NotLoaded, 0
}
