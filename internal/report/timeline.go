package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Timeline is what happened in one session, in order. The tags are the fields
// of `pigate audit session --json`.
type Timeline struct {
	Session
	// SubAgents are the sessions of the session's sub-agents; see Adopt.
	SubAgents []SubAgent `json:"sub_agents,omitempty"`
	Events    []Event    `json:"events"`
}

// SubAgent is a session that another one began.
type SubAgent struct {
	ID    string `json:"session"`
	Agent string `json:"agent,omitempty"`
}

// Adopt finds the sub-agents of the session among the beginnings of sessions.
func (t *Timeline) Adopt(starts iter.Seq2[audit.Row, error]) error {
	for row, err := range starts {
		if err != nil {
			return err
		}
		var e startEntry
		_ = json.Unmarshal(row.Body, &e) // an entry of another form has less to tell
		known := slices.ContainsFunc(t.SubAgents, func(s SubAgent) bool { return s.ID == row.Session })
		if e.Parent == t.ID && row.Session != t.ID && !known {
			t.SubAgents = append(t.SubAgents, SubAgent{row.Session, e.Agent})
		}
	}
	return nil
}

// EventKind says what an Event is about.
type EventKind string

// The kinds of events.
const (
	// EventStarted and EventEnded are an opening of the session and its end.
	EventStarted EventKind = "started"
	EventEnded   EventKind = "ended"
	// EventRan are the calls of one minute that ran without a question.
	EventRan EventKind = "ran"
	// EventAsked is a call about which a person was asked, with what came of it;
	// EventUnanswered is a question that has neither an answer nor a decision.
	EventAsked      EventKind = "asked"
	EventUnanswered EventKind = "unanswered"
	// EventBlocked is a call that did not run and about which nobody was asked.
	EventBlocked EventKind = "blocked"
	// EventChanged is a call that ran with another input than was approved,
	// EventUndecided one that ran and was never decided.
	EventChanged   EventKind = "changed"
	EventUndecided EventKind = "undecided"
	// EventSaved are rules that the person saved, EventWarned what the person was
	// told of the configuration.
	EventSaved  EventKind = "saved"
	EventWarned EventKind = "warned"
)

// Event is one thing that happened in a session. Fields that do not apply to
// its kind are empty, and absent in JSON.
type Event struct {
	// Seq is the number of the entry, for calls that ran of the first of them;
	// Through is then the last.
	Seq     int64        `json:"seq"`
	Through int64        `json:"through,omitempty"`
	Time    audit.Micros `json:"time"`
	Kind    EventKind    `json:"event"`
	// Tool and What are the call, Reasons why it was asked about or blocked.
	Tool    string   `json:"tool,omitempty"`
	What    string   `json:"what,omitempty"`
	Reasons []string `json:"reasons,omitempty"`
	// Answer, Waited (microseconds), Decision, Basis and Outcome are those of the
	// call. With the answer "session" the call was granted from here on.
	Answer   gate.Answer   `json:"answer,omitempty"`
	Waited   int64         `json:"waited_us,omitempty"`
	Decision policy.Action `json:"decision,omitempty"`
	Basis    policy.Basis  `json:"basis,omitempty"`
	Outcome  string        `json:"outcome,omitempty"`
	// AskedIn is the session in whose dialog the question was put, where that was
	// not the call's own.
	AskedIn string `json:"asked_in,omitempty"`
	// Calls counts the calls that ran, Failed those of them that reported an error,
	// Granted those that a grant covers, Disabled those that ran as the gate was
	// switched off, and Names the calls by program or tool; one with several
	// programs counts for each.
	Calls    int          `json:"calls,omitempty"`
	Failed   int          `json:"failed,omitempty"`
	Granted  int          `json:"granted,omitempty"`
	Disabled int          `json:"disabled,omitempty"`
	Names    []NamedCount `json:"names,omitempty"`
	// Rules are those that were saved to File, or not, for the reason in Error.
	Rules []string `json:"rules,omitempty"`
	// Removed are those that were taken out of File, each with its list in front.
	Removed []string `json:"removed,omitempty"`
	File    string   `json:"file,omitempty"`
	Error   string   `json:"error,omitempty"`
	// Text is the warning, or in a few words how the session began or why it
	// ended.
	Text string `json:"text,omitempty"`
}

// NamedCount counts what has a name in common.
type NamedCount struct {
	Name  string `json:"name"`
	Calls int    `json:"calls"`
}

// NewTimeline tells what happened in the session that all the rows belong to.
// Rows are of all kinds, oldest first.
func NewTimeline(rows iter.Seq2[audit.Row, error]) (Timeline, error) {
	b := timelineBuilder{Timeline: Timeline{Events: []Event{}}, open: map[string]int{}, minute: -1}
	for row, err := range rows {
		if err != nil {
			return b.Timeline, err
		}
		b.ID = row.Session
		if err := b.add(&row); err != nil {
			return b.Timeline, fmt.Errorf("entry %d: %w", row.Seq, err)
		}
	}
	b.Session.finish()
	for i := range b.Events {
		b.Events[i].finish()
	}
	return b.Timeline, nil
}

type timelineBuilder struct {
	Timeline
	open   map[string]int // the questions without a decision: call → index of the event
	minute int            // the index of the event of this minute's calls, -1 for none
}

func (b *timelineBuilder) add(row *audit.Row) error {
	switch row.Kind {
	case gate.KindSessionStart:
		b.start(row)
		b.event(row, Event{Kind: EventStarted, Text: startWords(row)})
	case gate.KindSessionEnd:
		if err := b.end(row); err != nil {
			return err
		}
		b.event(row, Event{Kind: EventEnded, Text: b.during(row.Seq, row.Time).ended})
	case gate.KindPrompt:
		b.during(row.Seq, row.Time)
		b.event(row, Event{Kind: EventUnanswered, Tool: row.Tool, What: row.What(), Reasons: reasonList(row)})
		b.open[moreOf(row).Call] = len(b.Events) - 1
	case gate.KindDecision:
		b.decision(row)
	case gate.KindOutcome:
		b.during(row.Seq, row.Time)
		b.event(row, Event{Kind: EventUndecided, Tool: row.Tool, Outcome: row.Outcome})
	case gate.KindRulesSaved:
		return b.saved(row)
	case gate.KindWarning:
		var e gate.Warning
		if err := json.Unmarshal(row.Body, &e); err != nil {
			return err
		}
		b.event(row, Event{Kind: EventWarned, Text: e.Text})
	case gate.KindAnswer, gate.KindImport, gate.KindDraft, gate.KindReview, gate.KindPolicy, gate.KindGap, gate.KindErase, gate.KindRotation, gate.KindCheckpoint:
		// an answer is told with its decision; the others belong to no session
	}
	return nil
}

func (b *timelineBuilder) event(row *audit.Row, e Event) {
	e.Seq, e.Time = row.Seq, row.Time
	b.Events = append(b.Events, e)
}

func (b *timelineBuilder) decision(row *audit.Row) {
	b.Session.call(&audit.Call{Seq: row.Seq, Time: row.Time, Verdict: row.Verdict, Answer: row.Answer, Decision: row.Decision})
	m := moreOf(row)
	if i, open := b.open[m.Call]; open {
		// The decision says all that the question says.
		delete(b.open, m.Call)
		b.Events = slices.Delete(b.Events, i, i+1)
		for call, at := range b.open {
			if at > i {
				b.open[call]--
			}
		}
		if b.minute > i {
			b.minute--
		}
	}
	told := Event{Tool: row.Tool, What: row.What(), Reasons: reasonList(row), Answer: row.Answer, Waited: m.Waited,
		Decision: row.Decision, Basis: row.Basis, Outcome: row.Outcome}
	switch {
	case asked(row.Answer):
		told.Kind, told.AskedIn = EventAsked, m.AskedIn
		b.event(row, told)
	case row.Decision == policy.Block:
		told.Kind = EventBlocked
		b.event(row, told)
	default:
		b.ran(row)
	}
	if row.Mismatch {
		told.Kind = EventChanged
		b.event(row, told)
	}
}

// ran counts a call with the others of its minute.
func (b *timelineBuilder) ran(row *audit.Row) {
	const minute = 60_000_000
	if b.minute < 0 || b.Events[b.minute].Time/minute != row.Time/minute {
		b.event(row, Event{Kind: EventRan})
		b.minute = len(b.Events) - 1
	}
	e := &b.Events[b.minute]
	e.Through = row.Seq
	e.Calls++
	if row.Outcome == audit.OutcomeError {
		e.Failed++
	}
	switch row.Basis {
	case policy.BasisGrant:
		e.Granted++
	case policy.BasisDisabled:
		e.Disabled++
	case policy.BasisRule, policy.BasisPass, policy.BasisUser, policy.BasisNoUI, policy.BasisJournal, policy.BasisError:
	}
	names := row.Programs()
	if len(names) == 0 {
		names = []string{row.Tool}
	}
	for _, name := range names {
		i := slices.IndexFunc(e.Names, func(n NamedCount) bool { return n.Name == name })
		if i < 0 {
			e.Names = append(e.Names, NamedCount{Name: name})
			i = len(e.Names) - 1
		}
		e.Names[i].Calls++
	}
}

func (e *Event) finish() {
	slices.SortStableFunc(e.Names, func(a, b NamedCount) int { return cmp.Compare(b.Calls, a.Calls) })
}

func (b *timelineBuilder) saved(row *audit.Row) error {
	var e gate.RulesSaved
	if err := json.Unmarshal(row.Body, &e); err != nil {
		return err
	}
	b.event(row, Event{Kind: EventSaved, Rules: e.Rules, Removed: e.Removed, File: e.File, Error: e.Error})
	return nil
}

func reasonList(row *audit.Row) (list []string) {
	for _, reason := range row.Reasons {
		if words := reason.Words(); !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	return list
}

// startWords say in a few words how a session began.
func startWords(row *audit.Row) string {
	var e startEntry
	_ = json.Unmarshal(row.Body, &e) // an entry of another form has less to tell
	words := cmp.Or(e.Reason, "started")
	if row.Project != "" && !row.Erased {
		words += " in " + row.Project
	}
	if e.Branch != "" {
		words += ", branch " + e.Branch
	}
	if e.User != "" {
		words += ", by " + e.User
	}
	if e.Parent != "" {
		words += ", a sub-agent"
	}
	if e.HostApp != "" {
		words += ", " + e.HostApp + " " + e.HostVersion
	}
	if !e.Trusted {
		words += ", not trusted"
	}
	return words
}
