package audit

import (
	"context"

	"github.com/pigate/pigate/internal/gate"
)

// chooser finds the rows of an index that a filter chooses.
type chooser struct {
	*snapshot
	*matcher
	reader *Reader
	late   map[int64]*outcomeFields // outcomes that the index does not have yet
	texts  *texts
	tests  []test
	shown  []column // what each needs of the rows that it yields
	err    error    // of a test
}

// test is one condition, and the columns that it looks at.
type test struct {
	columns []column
	holds   func(b *block, i int) bool
}

// newChooser makes the filter of a matcher ready for an index. texts is what was
// found about calls before.
func newChooser(ctx context.Context, r *Reader, s *snapshot, m *matcher, t *texts) (*chooser, error) {
	c := &chooser{snapshot: s, matcher: m, reader: r, texts: t}
	c.when()
	is(c, colKind, kinds, m.Kind)
	is(c, colVerdict, verdicts, m.Verdict)
	is(c, colDecision, actions, m.Decision)
	is(c, colBasis, bases, m.Basis)
	is(c, colAnswer, answers, m.Answer)
	if m.Calls {
		c.ofKinds(gate.KindDecision, gate.KindImport)
	}
	if !m.Imported && m.Kind != gate.KindImport {
		imported, _ := code(kinds, gate.KindImport)
		c.add(func(b *block, i int) bool { return b.get(colKind, i) != imported }, colKind)
	}
	for _, step := range []func(context.Context) error{c.exactly, c.projects, c.outcomes, c.rules} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	if m.Unreviewed {
		decision, _ := code(kinds, gate.KindDecision)
		c.add(func(b *block, i int) bool { return b.get(colKind, i) == decision && !m.reviewed.have(b.get(colSeq, i)) }, colKind, colSeq)
	}
	c.calls(ctx)
	return c, nil
}

// each yields the rows between two entries, both included, that satisfy every
// test, and those that are unclear, until yield returns false.
func (c *chooser) each(ctx context.Context, from, to int64, yield func(b *block, i int) bool) error {
	for n := range c.blocks {
		if c.Reverse {
			n = len(c.blocks) - 1 - n
		}
		b := c.blocks[n]
		if b.Last < from || b.First > to || c.Since != 0 && b.Until < int64(c.Since) || c.Until != 0 && b.Since >= int64(c.Until) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if more, err := c.block(ctx, &b, from, to, yield); err != nil || !more {
			return err
		}
	}
	return nil
}

func (c *chooser) block(ctx context.Context, b *block, from, to int64, yield func(b *block, i int) bool) (more bool, err error) {
	needed := append([]column{colFlags}, c.columns()...)
	whole := b.First >= from && b.Last <= to
	if !whole {
		needed = append(needed, colSeq)
	}
	if err := c.load(ctx, b, needed); err != nil {
		return false, err
	}
	ready := false
	for i := range b.Rows {
		if c.Reverse {
			i = b.Rows - 1 - i
		}
		if !whole && (b.get(colSeq, i) < from || b.get(colSeq, i) > to) || !c.chooses(b, i) {
			continue
		}
		if c.err != nil {
			return false, c.err
		}
		if !ready {
			if err := c.load(ctx, b, append([]column{colSeq}, c.shown...)); err != nil {
				return false, err
			}
			ready = true
		}
		if !yield(b, i) {
			return false, nil
		}
	}
	return true, c.err
}

func (c *chooser) load(ctx context.Context, b *block, list []column) error {
	for _, col := range list {
		if err := c.snapshot.load(ctx, b, col); err != nil {
			return err
		}
	}
	return nil
}

func (c *chooser) columns() (list []column) {
	for _, t := range c.tests {
		list = append(list, t.columns...)
	}
	return list
}

func (c *chooser) chooses(b *block, i int) bool {
	if b.get(colFlags, i)&flagUnclear != 0 {
		return true
	}
	for _, t := range c.tests {
		if !t.holds(b, i) {
			return false
		}
	}
	return true
}
