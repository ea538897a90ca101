package tidy

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// Source is a journal; *audit.Reader is one.
type Source interface {
	Calls(ctx context.Context, f audit.Filter) iter.Seq2[audit.Call, error]
	Row(ctx context.Context, seq int64) (audit.Row, error)
}

// Record is what the calls of a journal say of the rules in force.
type Record struct {
	policy  *policy.Policy
	calls   []*recorded
	subject map[int64]*recorded
	// beneath reports calls of projects below the one that was asked for, whose
	// paths are relative to another folder.
	beneath bool
	newest  audit.Micros // when a call was last decided
}

// recorded are all calls that are the same.
type recorded struct {
	call    *policy.Call
	links   policy.LinkFacts
	effect  policy.Effect // of the policy in force
	what    string
	text    string // of the commands in it
	count   int
	last    audit.Micros
	refused bool
}

// Read gathers the calls that a filter chooses, imported ones included. here
// reports whether a project's folder is the one that the rules are for. Calls
// that cannot be decided again, because text was erased or masked, are left out.
// Errors are those of the journal.
func Read(ctx context.Context, source Source, f audit.Filter, p *policy.Policy, where policy.Installation, here func(project string) bool) (*Record, error) {
	r := &Record{policy: p, subject: map[int64]*recorded{}}
	f.Imported, f.Reverse = true, false
	for c, err := range source.Calls(ctx, f) {
		if err != nil {
			if c.Seq == 0 {
				return nil, err
			}
			continue // `pigate audit verify` names what cannot be understood
		}
		if c.Kind == gate.KindDecision {
			r.newest = max(r.newest, c.Time)
		}
		if c.Erased {
			continue
		}
		r.beneath = r.beneath || !here(c.Project)
		if err := r.add(ctx, source, &c, where); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *Record) add(ctx context.Context, source Source, c *audit.Call, where policy.Installation) error {
	known, met := r.subject[c.Subject]
	if !met {
		row, err := source.Row(ctx, c.Subject)
		if err != nil {
			return fmt.Errorf("read entry %d: %w", c.Subject, err)
		}
		req, links, err := row.Request()
		var obstacle audit.Obstacle
		switch {
		case errors.As(err, &obstacle) && obstacle != audit.ObstacleAnalyser:
			r.subject[c.Subject] = nil
			return nil
		case err != nil && obstacle == "":
			return fmt.Errorf("read entry %d: %w", c.Subject, err)
		}
		if row.Kind == gate.KindImport {
			req.Trusted, req.HasUI, req.Installation = true, true, where
		}
		known = &recorded{call: r.policy.Derive(req), links: links, what: row.What()}
		known.effect = policy.Evaluate(r.policy, known.call, links).Effect
		if known.call.Analysis != nil {
			for i := range known.call.Analysis.Units {
				u := &known.call.Analysis.Units[i]
				known.text += u.Text + "\n" + u.Bare + "\n"
			}
		}
		r.subject[c.Subject] = known
		r.calls = append(r.calls, known)
	}
	if known == nil {
		return nil
	}
	known.count++
	known.last = max(known.last, c.Time)
	known.refused = known.refused || c.Refused || c.Answer == gate.AnswerDeny
	return nil
}

// use is what a rule let run.
type use struct {
	calls map[*recorded]bool
	// pieces are the resources that it covered, with the calls they stand in.
	pieces map[string]*recorded
	count  int
	last   audit.Micros
}

// uses is what each allow rule of a policy let run among the recorded calls.
func (r *Record) uses(p *policy.Policy) map[Place]*use {
	all := map[Place]*use{}
	for _, c := range r.calls {
		if c.effect != policy.Allow {
			continue
		}
		for _, reason := range policy.Evaluate(p, c.call, c.links).Reasons {
			at := Place{reason.Rule, rule.Allow, reason.File, reason.Line}
			u := all[at]
			if u == nil {
				u = &use{calls: map[*recorded]bool{}, pieces: map[string]*recorded{}}
				all[at] = u
			}
			if u.pieces[reason.Resource] = c; !u.calls[c] {
				u.calls[c] = true
				u.count += c.count
				u.last = max(u.last, c.last)
			}
		}
	}
	return all
}

// weigh decides the recorded calls that a change may concern under the policy
// after it: how many that run today ask anew, which that asks would run, and
// whether one that was refused would.
func (r *Record) weigh(after *policy.Policy, f *Finding) (asks int, looser string, refused bool) {
	words, all := f.words()
	for _, c := range r.calls {
		if c.effect != policy.Allow && (c.effect != policy.Ask || len(f.Add) == 0) {
			continue
		}
		if !all && !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(c.text, w) }) {
			continue
		}
		runs := policy.Evaluate(after, c.call, c.links).Effect == policy.Allow
		switch {
		case c.effect == policy.Allow && !runs:
			asks += c.count
		case c.effect != policy.Allow && runs:
			looser, refused = c.what, refused || c.refused
		}
	}
	return asks, looser, refused
}

// words are first words of commands, of which one stands in every call that the
// change may concern; all says that it may concern any.
func (f *Finding) words() (words []string, all bool) {
	texts := slices.Clone(f.Add)
	for _, at := range f.Remove {
		texts = append(texts, at.Rule)
	}
	for _, text := range texts {
		r, err := rule.Parse(text)
		word, ok := r.FirstWord(false)
		if err != nil || r.Scope != rule.Shell || !ok {
			return nil, true
		}
		words = append(words, word)
	}
	return words, false
}
