package audit

import (
	"context"

	"github.com/pigate/pigate/internal/gate"
)

// callNames are the texts that calls refer to.
type callNames struct {
	texts           [nameKinds][]string
	rules, programs [][]string
}

func (s *snapshot) callNames(ctx context.Context) (n callNames, err error) {
	for kind := range nameKinds {
		if n.texts[kind], err = s.names(ctx, kind); err != nil {
			return n, err
		}
	}
	if n.rules, err = lists(n.texts[nameRules]); err != nil {
		return n, err
	}
	n.programs, err = lists(n.texts[namePrograms])
	return n, err
}

// call is a row of the index as a call.
func (n *callNames) call(b *block, i int) Call {
	text := func(c column, kind nameKind) string { return name(n.texts[kind], b.get(c, i)) }
	list := func(all [][]string, c column) []string {
		if id := b.get(c, i); id < int64(len(all)) {
			return all[id]
		}
		return nil
	}
	flags := b.get(colFlags, i)
	return Call{
		Seq: b.get(colSeq, i), Time: Micros(b.get(colTime, i)), Kind: decode(kinds, b.get(colKind, i)),
		Session: text(colSession, nameSession), Project: text(colProject, nameProject), Tool: text(colTool, nameTool),
		Verdict: decode(verdicts, b.get(colVerdict, i)), Answer: decode(answers, b.get(colAnswer, i)),
		Decision: decode(actions, b.get(colDecision, i)), Basis: decode(bases, b.get(colBasis, i)), Outcome: decode(outcomes, b.get(colOutcome, i)),
		Refused: flags&flagRefused != 0, Waited: b.get(colWaited, i), Duration: b.get(colDuration, i),
		Mismatch: flags&flagMismatch != 0, Erased: flags&flagErased != 0, Masked: flags&flagMasked != 0, Outside: flags&flagOutside != 0,
		Policy: text(colPolicy, namePolicy), Rules: list(n.rules, colRules), Programs: list(n.programs, colPrograms),
		Subject: b.get(colSubject, i), Judged: b.get(colJudged, i),
	}
}

// calls yields what the filter chooses of the calls that the index covers,
// without reading the journal, and returns false when nothing more is wanted.
// Should the index fail on the way, the rest is read from the journal.
func (l *listing) calls(ctx context.Context, s *sameness, yield func(Call, error) bool) bool {
	from, to := l.from, min(l.to, l.index.Seq)
	more := true
	err := l.eachCall(ctx, from, to, func(call Call, unclear bool) bool {
		if l.Reverse {
			to = call.Seq - 1
		} else {
			from = call.Seq + 1
		}
		if unclear {
			more = l.fetch(ctx, call.Seq, s.rows(ctx, yield))
		} else {
			more = yield(call, nil)
		}
		return more
	})
	if err != nil && more {
		return l.scan(ctx, from, to, s.rows(ctx, yield))
	}
	return more
}

// every are all columns.
var every = func() (list []column) {
	for c := range columns {
		list = append(list, c)
	}
	return list
}()

func (l *listing) eachCall(ctx context.Context, from, to int64, yield func(call Call, unclear bool) bool) error {
	c, err := newChooser(ctx, l.reader, l.index, &l.matcher, l.texts)
	if err != nil {
		return err
	}
	if err := c.lateOutcomes(ctx); err != nil {
		return err
	}
	n, err := l.index.callNames(ctx)
	if err != nil {
		return err
	}
	c.ofKinds(gate.KindDecision, gate.KindImport)
	c.shown = every
	return c.each(ctx, from, to, func(b *block, i int) bool {
		if b.get(colFlags, i)&flagUnclear != 0 {
			return yield(Call{Seq: b.get(colSeq, i)}, true)
		}
		call := n.call(b, i)
		if o := c.late[call.Seq]; o != nil && call.Outcome == "" {
			call.Outcome, call.Duration, call.Mismatch = OutcomeError, o.Duration, o.Mismatch
			if o.OK {
				call.Outcome = OutcomeOK
			}
		}
		return yield(call, false)
	})
}
