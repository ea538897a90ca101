package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
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
	Verdict  policy.Effect
	Answer   gate.Answer
	Decision policy.Action
	Basis    policy.Basis
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
	Checkout     json.RawMessage `json:"checkout"`
	Links        json.RawMessage `json:"links"`
	Masked       json.RawMessage `json:"masked"`
	Analyser     string          `json:"analyser"`
}

// sameVerdict is what of a call depends on the policy.
type sameVerdict struct {
	Policy  string          `json:"policy"`
	Verdict policy.Effect   `json:"verdict"`
	Reasons json.RawMessage `json:"reasons"`
}

// callBody is what of an entry a Call says and a Row does not.
type callBody struct {
	sameCall
	sameVerdict
	Call   string      `json:"call"`
	Waited int64       `json:"waited_us"`
	Result gate.Result `json:"result"`
}

// subject is the digest of what calls that are the same have in common. What is
// no call, but for a prompt, is apart from those.
func (e *callBody) subject(kind gate.Kind) digest {
	label := "call"
	if kind != gate.KindDecision && kind != gate.KindImport {
		label = "other"
	}
	trusted := []byte{'0'}
	if e.Trusted {
		trusted[0] = '1'
	}
	fields := [][]byte{[]byte(e.Tool), e.Input, []byte(e.Cwd), []byte(e.Root), []byte(e.Home), []byte(e.OS), trusted,
		e.Installation, e.Links, e.Masked, []byte(e.Analyser)}
	if len(e.Checkout) > 0 { // younger than the index: entries from before it stay what they are
		fields = append(fields, e.Checkout)
	}
	return digestOf(label, fields...)
}

// verdict is the digest of what was said of the call and why.
func (e *callBody) verdict() digest { return digestOf("verdict", []byte(e.Verdict), e.Reasons) }

// judgedOf is the digest of a call with the policy and the verdict.
func judgedOf(subject digest, pol string, verdict digest) digest {
	return digestOf("judged", subject[:], []byte(pol), verdict[:])
}

// sameness finds the first of the entries that are the same: the one that the
// index knows, or else the first that was met.
type sameness struct {
	index *snapshot // nil without one
	met   map[digest]int64
}

func (s *sameness) first(ctx context.Context, d digest, seq int64) (int64, error) {
	if first, ok := s.met[d]; ok {
		return first, nil
	}
	if s.index != nil {
		first, err := s.index.first(ctx, d)
		if err != nil {
			return 0, err
		}
		if first > 0 {
			seq = first
		}
	}
	s.met[d] = seq
	return seq, nil
}

// Calls yields the decisions that a filter chooses, and the imported calls if it
// asks for them, in the order of List and with its errors.
func (r *Reader) Calls(ctx context.Context, f Filter) iter.Seq2[Call, error] {
	return func(yield func(Call, error) bool) {
		s := &sameness{met: map[digest]int64{}}
		if f.Limit > 0 || f.Check() != nil {
			r.List(ctx, f)(s.rows(ctx, yield))
			return
		}
		l, err := r.newListing(ctx, f)
		if err != nil {
			yield(Call{}, r.fail(err))
			return
		}
		s.index = l.index
		switch rows := s.rows(ctx, yield); {
		case l.index == nil:
			l.scan(ctx, l.from, l.to, rows)
		case l.Reverse:
			_ = l.scan(ctx, max(l.from, l.index.Seq+1), l.to, rows) && l.calls(ctx, s, yield)
		default:
			_ = l.calls(ctx, s, yield) && l.scan(ctx, max(l.from, l.index.Seq+1), l.to, rows)
		}
	}
}

// rows makes of what takes calls something that takes rows.
func (s *sameness) rows(ctx context.Context, yield func(Call, error) bool) func(Row, error) bool {
	return func(row Row, err error) bool {
		if err == nil && row.Kind != gate.KindDecision && row.Kind != gate.KindImport {
			return true
		}
		c := Call{Seq: row.Seq}
		if err == nil {
			c, err = s.call(ctx, &row)
		}
		return yield(c, err)
	}
}

func (s *sameness) call(ctx context.Context, row *Row) (Call, error) {
	var e callBody
	if err := json.Unmarshal(row.Body, &e); err != nil {
		return Call{Seq: row.Seq}, fmt.Errorf("entry %d: %w", row.Seq, err)
	}
	c := Call{Seq: row.Seq, Time: row.Time, Kind: row.Kind, Session: row.Session, Project: row.Project, Tool: row.Tool,
		Verdict: row.Verdict, Answer: row.Answer, Decision: row.Decision, Basis: row.Basis, Outcome: row.Outcome, Refused: e.Result == gate.ResultRefused,
		Waited: e.Waited, Duration: row.Duration, Mismatch: row.Mismatch, Erased: row.Erased, Masked: len(e.Masked) > 0, Outside: outside(row),
		Policy: e.Policy, Rules: row.Rules(), Programs: row.Programs(), Subject: row.Seq, Judged: row.Seq}
	if row.Erased {
		return c, nil
	}
	d := e.subject(row.Kind)
	var err error
	if c.Subject, err = s.first(ctx, d, row.Seq); err == nil {
		c.Judged, err = s.first(ctx, judgedOf(d, e.Policy, e.verdict()), row.Seq)
	}
	return c, err
}

// Rules are the texts of the rules that decided a call, each once; none that were
// erased.
func (r Row) Rules() (list []string) {
	for _, reason := range r.Reasons {
		if reason.Cause == policy.CauseRule && reason.Rule != "" && !slices.Contains(list, reason.Rule) {
			list = append(list, reason.Rule)
		}
	}
	return list
}
