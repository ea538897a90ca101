package audit

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/pigate/pigate/internal/gate"
)

// Call is a decided or imported call as it is counted: what a Row says without
// any text. What calls have in common stands once, in the entries that Subject
// and Judged name.
type Call struct {
	Seq  int64
	Time Micros
	// Kind is gate.KindDecision or gate.KindImport; an imported call has no
	// verdict, answer, decision, basis or policy.
	Kind     gate.Kind
	Session  string
	Project  string
	Tool     string
	Verdict  gate.Effect
	Answer   gate.Answer
	Decision gate.Action
	Basis    gate.Basis
	// Outcome is OutcomeOK, OutcomeError or ""; Refused reports that an imported
	// call was refused.
	Outcome string
	Refused bool
	// Waited is how long the person took, Duration how long the tool did, in
	// microseconds; 0 when unknown.
	Waited, Duration int64
	// Mismatch reports that another input ran than was approved, Erased that the
	// private text is gone, Masked that secrets were taken out of it, Outside that
	// the call reaches outside its project.
	Mismatch, Erased, Masked, Outside bool
	// Policy is the digest of the policy that decided.
	Policy string
	// Rules and Programs are those of the Row. Calls share them: they are not to be
	// changed.
	Rules, Programs []string
	// Subject is the number of an entry that is about the very same call: tool,
	// input, folders, link facts and all else that a verdict depends on besides the
	// policy. Judged is that of one which has the same policy, verdict and reasons
	// too. All calls that are the same have the same number, that of the first one
	// met. An erased entry is its own subject.
	Subject, Judged int64
}

// sameCall is what two calls that are the same have in common.
type sameCall struct {
	Tool         string          `json:"tool"`
	Input        json.RawMessage `json:"input"`
	Cwd          string          `json:"cwd"`
	Root         string          `json:"root"`
	Home         string          `json:"home"`
	OS           string          `json:"os"`
	Trusted      bool            `json:"trusted"`
	Installation json.RawMessage `json:"installation"`
	Links        json.RawMessage `json:"links"`
	Masked       json.RawMessage `json:"masked"`
	Analyser     string          `json:"analyser"`
}

// sameVerdict is what of a call depends on the policy.
type sameVerdict struct {
	Policy  string          `json:"policy"`
	Verdict gate.Effect     `json:"verdict"`
	Reasons json.RawMessage `json:"reasons"`
}

type digest [sha256.Size]byte

// sameness finds the first of the entries that are the same.
type sameness struct{ subjects, judgements map[digest]int64 }

func (s *sameness) first(seen map[digest]int64, seq int64, value any) int64 {
	d := digest(sha256.Sum256(object(value)))
	if first, ok := seen[d]; ok {
		return first
	}
	seen[d] = seq
	return seq
}

// Calls yields the decisions that a filter chooses, and the imported calls if it
// asks for them, in the order of List and with its errors.
func (r *Reader) Calls(ctx context.Context, f Filter) iter.Seq2[Call, error] {
	return func(yield func(Call, error) bool) {
		s := sameness{map[digest]int64{}, map[digest]int64{}}
		for row, err := range r.List(ctx, f) {
			if err == nil && row.Kind != gate.KindDecision && row.Kind != gate.KindImport {
				continue
			}
			var c Call
			if err == nil {
				c, err = s.call(&row)
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

func (s *sameness) call(row *Row) (Call, error) {
	c := Call{Seq: row.Seq, Time: row.Time, Kind: row.Kind, Session: row.Session, Project: row.Project, Tool: row.Tool,
		Verdict: row.Verdict, Answer: row.Answer, Decision: row.Decision, Basis: row.Basis, Outcome: row.Outcome,
		Duration: row.Duration, Mismatch: row.Mismatch, Erased: row.Erased, Outside: outside(row), Rules: row.Rules(), Programs: row.Programs(), Subject: row.Seq, Judged: row.Seq}
	var e struct {
		sameCall
		sameVerdict
		Waited int64       `json:"waited_us"`
		Result gate.Result `json:"result"`
	}
	if err := json.Unmarshal(row.Body, &e); err != nil {
		return Call{Seq: row.Seq}, fmt.Errorf("entry %d: %w", row.Seq, err)
	}
	c.Waited, c.Refused, c.Policy, c.Masked = e.Waited, e.Result == gate.ResultRefused, e.Policy, len(e.Masked) > 0
	if !row.Erased {
		c.Subject = s.first(s.subjects, row.Seq, e.sameCall)
		c.Judged = s.first(s.judgements, row.Seq, struct {
			Subject int64
			sameVerdict
		}{c.Subject, e.sameVerdict})
	}
	return c, nil
}

// Row returns one entry as List would yield it. That there is none is an error.
func (r *Reader) Row(ctx context.Context, seq int64) (row Row, err error) {
	l, err := r.newListing(ctx, Filter{Imported: true})
	if err != nil {
		return Row{}, r.fail(err)
	}
	l.from, l.to = seq, seq
	err = fmt.Errorf("there is no entry %d in the journal", seq)
	l.run(ctx, func(found Row, rowErr error) bool {
		row, err = found, rowErr
		return false
	})
	return row, err
}

// Rules are the texts of the rules that decided a call, each once.
func (r Row) Rules() (list []string) {
	for _, reason := range r.Reasons {
		if reason.Cause == gate.CauseRule && !slices.Contains(list, reason.Rule) {
			list = append(list, reason.Rule)
		}
	}
	return list
}
