package audit

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
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
	Project   string            `json:"project"`
	Tool      string            `json:"tool"`
	Input     json.RawMessage   `json:"input"`
	Resources []policy.Resource `json:"resources"`
	Verdict   policy.Effect     `json:"verdict"`
	Reasons   []policy.Reason   `json:"reasons"`
	Answer    gate.Answer       `json:"answer"`
	Decision  policy.Action     `json:"decision"`
	Basis     policy.Basis      `json:"basis"`
	Outcome   string            `json:"outcome"`
	// ExitCode is that of a command that ran, Duration how long the tool took in
	// microseconds (0 when unknown), Mismatch whether another input ran than was
	// approved.
	ExitCode *int  `json:"exit_code"`
	Duration int64 `json:"duration_us"`
	Mismatch bool  `json:"mismatch"`
	// Erased reports that the private text was erased: Input is null then, Project
	// a keyed digest, and the reasons are causes alone.
	Erased bool `json:"erased"`

	// Body is the whole entry, public and private part as one object, for what has
	// no field here.
	Body json.RawMessage `json:"-"`
}

// storedEntry is an entry as a query finds it.
type storedEntry struct {
	Seq     int64
	Pub     string
	Body    sql.NullString
	Erased  bool
	Outcome sql.NullString // the public part of the outcome that belongs to it
}

// decisionEntry is a decision read back, with the public fields that say less
// than private ones.
type decisionEntry struct {
	head
	Project string         `json:"project"`
	Causes  []policy.Cause `json:"causes"`
	gate.Decision
}

type outcomeEntry struct {
	head
	gate.Outcome
}

// importEntry is an imported call read back.
type importEntry struct {
	head
	Project string `json:"project"`
	gate.Imported
}

// callEntry is an entry about a call that is not decided, or a session's start.
type callEntry struct {
	Project string          `json:"project"`
	Root    string          `json:"root"`
	Tool    string          `json:"tool"`
	Input   json.RawMessage `json:"input"`
	Answer  gate.Answer     `json:"answer"`
	Reasons []policy.Reason `json:"reasons"`
}

// row makes a row of an entry and of the outcome that belongs to it.
func (s *storedEntry) row() (Row, error) {
	row := Row{Seq: s.Seq, Erased: s.Erased, Input: json.RawMessage("null"), Resources: []policy.Resource{}, Reasons: []policy.Reason{}}
	if err := row.decode(splice([]byte(s.Pub), []byte(s.Body.String))); err != nil {
		return Row{Seq: s.Seq}, fmt.Errorf("entry %d: %w", s.Seq, err)
	}
	if s.Outcome.String == "" {
		return row, nil
	}
	var o outcomeEntry
	if err := json.Unmarshal([]byte(s.Outcome.String), &o); err != nil {
		return Row{Seq: s.Seq}, fmt.Errorf("outcome of entry %d: %w", s.Seq, err)
	}
	row.setOutcome(&o.Outcome)
	return row, nil
}

func (r *Row) decode(body []byte) error {
	if isKind(body, gate.KindDecision) { // most are, and reading one twice takes its time
		return r.decodeDecision(body)
	}
	var h head
	if err := json.Unmarshal(body, &h); err != nil {
		return err
	}
	r.begin(&h, body)
	switch h.Kind {
	case gate.KindDecision: // with its fields in another order
		return r.decodeDecision(body)
	case gate.KindOutcome:
		var o outcomeEntry
		if err := json.Unmarshal(body, &o); err != nil {
			return err
		}
		r.setOutcome(&o.Outcome)
	case gate.KindImport:
		var i importEntry
		if err := json.Unmarshal(body, &i); err != nil {
			return err
		}
		r.setImport(&i)
	case gate.KindSessionStart, gate.KindPrompt, gate.KindAnswer, gate.KindDraft:
		var c callEntry
		if err := json.Unmarshal(body, &c); err != nil {
			return err
		}
		r.setCall(&c)
	default:
		// what they say is in Body
	}
	return nil
}

func (r *Row) begin(h *head, body []byte) {
	r.Time, r.Kind, r.Session, r.Body = Micros(h.Time), h.Kind, h.Session, body
}

func (r *Row) decodeDecision(body []byte) error {
	var d decisionEntry
	if err := json.Unmarshal(body, &d); err != nil {
		return err
	}
	r.begin(&d.head, body)
	r.setDecision(&d)
	return nil
}

func (r *Row) setDecision(d *decisionEntry) {
	r.setCall(&callEntry{d.Project, d.Root, d.Tool, d.Input, d.Answer, d.Reasons})
	r.Verdict, r.Decision, r.Basis = d.Verdict, d.Action, d.Basis
	if d.Root == "" && d.Cwd != "" {
		r.Project = d.Cwd
	}
	if d.Resources != nil {
		r.Resources = d.Resources
	}
	if d.Reasons == nil {
		for _, c := range d.Causes {
			r.Reasons = append(r.Reasons, policy.Reason{Cause: c})
		}
	}
}

// setImport leaves the outcome empty for a call that was refused, as for one
// of which the file does not tell.
func (r *Row) setImport(i *importEntry) {
	r.setCall(&callEntry{Project: i.Project, Root: i.Root, Tool: i.Tool, Input: i.Input})
	if i.Root == "" && i.Cwd != "" {
		r.Project = i.Cwd
	}
	if i.Resources != nil {
		r.Resources = i.Resources
	}
	switch i.Result {
	case gate.ResultOK:
		r.Outcome = OutcomeOK
	case gate.ResultError:
		r.Outcome = OutcomeError
	case gate.ResultRefused, "":
	}
}

// Imported is what a row of an imported call says of its origin: Source, File,
// Result and the like. It is empty for other rows.
func (r *Row) Imported() (i gate.Imported) {
	if r.Kind == gate.KindImport {
		_ = json.Unmarshal(r.Body, &i) // it has been decoded before
	}
	return i
}

// Approval says of a decision what the approval for the session covers that was
// given or found with it: gate.CoverTarget in entries from before there was
// another. Input is the keyed digest of the call's whole input, which is the same
// for the same input; "" of an erased entry.
func (r *Row) Approval() (covers policy.Coverage, input string) {
	var a struct {
		Covers      policy.Coverage `json:"covers"`
		InputDigest string          `json:"input_digest"`
	}
	_ = json.Unmarshal(r.Body, &a) // it has been decoded before
	return cmp.Or(a.Covers, policy.CoverTarget), a.InputDigest
}

func (r *Row) setCall(c *callEntry) {
	r.Project, r.Tool, r.Answer = c.Root, c.Tool, c.Answer
	if r.Project == "" {
		r.Project = c.Project
	}
	if len(c.Input) > 0 {
		r.Input = c.Input
	}
	if c.Reasons != nil {
		r.Reasons = c.Reasons
	}
}

func (r *Row) setOutcome(o *gate.Outcome) {
	r.Outcome = OutcomeError
	if o.OK {
		r.Outcome = OutcomeOK
	}
	if r.Tool == "" {
		r.Tool = o.Tool
	}
	r.ExitCode, r.Duration, r.Mismatch = o.ExitCode, o.Duration, o.Mismatch
}
