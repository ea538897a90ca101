package audit

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/pigate/pigate/internal/gate"
)

// Micros is a point in time: microseconds since the Unix epoch, UTC. Its text
// and its JSON are RFC 3339 with six digits of the second.
type Micros int64

// Time converts to a time.Time in UTC.
func (m Micros) Time() time.Time { return time.UnixMicro(int64(m)).UTC() }

func (m Micros) String() string { return m.Time().Format("2006-01-02T15:04:05.000000Z07:00") }

// MarshalJSON writes the text of String.
func (m Micros) MarshalJSON() ([]byte, error) { return json.Marshal(m.String()) }

// The values of Row.Outcome; "" means that nothing was reported (yet).
const (
	OutcomeOK    = "ok"
	OutcomeError = "error"
)

// Row is an entry as it is listed: a decision together with its outcome, or an
// entry of another kind, whose other fields are empty. The tags are the fields
// of `pigate audit list --json`; all of them are always there.
type Row struct {
	Seq     int64     `json:"seq"`
	Time    Micros    `json:"time"`
	Kind    gate.Kind `json:"kind"`
	Session string    `json:"session"`
	// Project is the project's folder, or the working directory of a call
	// outside any.
	Project   string          `json:"project"`
	Tool      string          `json:"tool"`
	Input     json.RawMessage `json:"input"`
	Resources []gate.Resource `json:"resources"`
	Verdict   gate.Effect     `json:"verdict"`
	Reasons   []gate.Reason   `json:"reasons"`
	Answer    gate.Answer     `json:"answer"`
	Decision  gate.Action     `json:"decision"`
	Basis     gate.Basis      `json:"basis"`
	Outcome   string          `json:"outcome"`
	// ExitCode is that of a command that ran, Duration how long the tool took in
	// microseconds (0 when unknown), Mismatch whether another input ran than was
	// approved.
	ExitCode *int  `json:"exit_code"`
	Duration int64 `json:"duration_us"`
	Mismatch bool  `json:"mismatch"`

	// Body is the entry as stored, for what has no field here.
	Body json.RawMessage `json:"-"`
}

// decodeRow makes a row of a stored entry and of the outcome that belongs to
// it ("" for none).
func decodeRow(seq int64, body, outcome string) (Row, error) {
	row := Row{Seq: seq, Input: json.RawMessage("null"), Resources: []gate.Resource{}, Reasons: []gate.Reason{}}
	if err := row.decode(body); err != nil {
		return Row{Seq: seq}, fmt.Errorf("entry %d: %w", seq, err)
	}
	if outcome == "" {
		return row, nil
	}
	var o outcomeEntry
	if err := json.Unmarshal([]byte(outcome), &o); err != nil {
		return Row{Seq: seq}, fmt.Errorf("outcome of entry %d: %w", seq, err)
	}
	row.setOutcome(o.Outcome)
	return row, nil
}

func (r *Row) decode(body string) error {
	var h head
	if err := json.Unmarshal([]byte(body), &h); err != nil {
		return err
	}
	r.Time, r.Kind, r.Session, r.Body = Micros(h.Time), h.Kind, h.Session, json.RawMessage(body)
	switch h.Kind {
	case gate.KindDecision:
		var d decisionEntry
		if err := json.Unmarshal(r.Body, &d); err != nil {
			return err
		}
		r.setDecision(d.Decision)
	case gate.KindOutcome:
		var o outcomeEntry
		if err := json.Unmarshal(r.Body, &o); err != nil {
			return err
		}
		r.setOutcome(o.Outcome)
	case gate.KindSessionStart:
		var s startEntry
		if err := json.Unmarshal(r.Body, &s); err != nil {
			return err
		}
		if s.SessionStart != nil {
			r.Project = s.Root
		}
	case gate.KindSessionEnd, gate.KindRulesSaved, gate.KindWarning:
		// what they say is in Body
	}
	return nil
}

func (r *Row) setDecision(d *gate.Decision) {
	if d == nil {
		return
	}
	r.Project, r.Tool, r.Verdict, r.Answer, r.Decision, r.Basis = d.Root, d.Tool, d.Verdict, d.Answer, d.Action, d.Basis
	if r.Project == "" {
		r.Project = d.Cwd
	}
	if len(d.Input) > 0 {
		r.Input = d.Input
	}
	if d.Resources != nil {
		r.Resources = d.Resources
	}
	if d.Reasons != nil {
		r.Reasons = d.Reasons
	}
}

func (r *Row) setOutcome(o *gate.Outcome) {
	if o == nil {
		return
	}
	r.Outcome = OutcomeError
	if o.OK {
		r.Outcome = OutcomeOK
	}
	if r.Tool == "" {
		r.Tool = o.Tool
	}
	r.ExitCode, r.Duration, r.Mismatch = o.ExitCode, o.Duration, o.Mismatch
}
