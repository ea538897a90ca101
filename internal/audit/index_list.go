package audit

import (
	"context"
	"math"
	"time"
)

// indexFor returns the index that helps with a filter, brought up to date unless
// the context ends soon; nil where reading the entries themselves is as good, or
// all there is.
func (r *Reader) indexFor(ctx context.Context, f Filter) (*snapshot, error) {
	if f.Scan {
		return nil, nil
	}
	if f.After > 0 {
		if last, err := r.last(ctx); err != nil || last-f.After < r.indexing.behind {
			return nil, err
		}
	}
	if end, ok := ctx.Deadline(); ok && time.Until(end) < patience*2 {
		return r.snapshot(ctx), nil // who is in a hurry takes it as it is
	}
	s, err := r.refreshed(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, nil // a journal can be read without its index
	}
	return s, err
}

// indexed yields the rows that the index leads to: each is read from the journal
// and looked at like any other, so that the index can add none. Should the index
// fail on the way, the rest is read without it. It returns false when nothing
// more is wanted.
func (l *listing) indexed(ctx context.Context, yield func(Row, error) bool) bool {
	from, to := l.from, min(l.to, l.index.Seq)
	more := true
	c, err := newChooser(ctx, l.reader, l.index, &l.matcher, l.texts)
	if err == nil {
		err = c.each(ctx, from, to, func(b *block, i int) bool {
			seq := b.get(colSeq, i)
			if l.Reverse {
				to = seq - 1
			} else {
				from = seq + 1
			}
			more = l.fetch(ctx, seq, yield)
			return more
		})
	}
	if err != nil && more {
		return l.scan(ctx, from, to, yield)
	}
	return more
}

// fetch yields one entry if the filter chooses it, and returns false when nothing
// more is wanted.
func (l *listing) fetch(ctx context.Context, seq int64, yield func(Row, error) bool) bool {
	s, found, err := l.reader.fetch(ctx, seq)
	if err != nil {
		yield(Row{}, l.reader.fail(err))
		return false
	}
	if !found {
		return true
	}
	row, err := s.row()
	if err != nil {
		return yield(row, l.reader.fail(err))
	}
	return !l.row(&row) || yield(row, nil)
}

// lookUp calls read for entries, from one number to another: those from a number
// on that a test of the index chooses, and all that the index does not cover;
// without an index for all there are.
func (r *Reader) lookUp(ctx context.Context, s *snapshot, from int64, choose func(*chooser), read func(from, to int64) error) error {
	if s == nil {
		return read(from, math.MaxInt64)
	}
	c := &chooser{snapshot: s, matcher: &matcher{}, reader: r}
	choose(c)
	after := from - 1
	var failed error
	err := c.each(ctx, from, s.Seq, func(b *block, i int) bool {
		after = b.get(colSeq, i)
		failed = read(after, after)
		return failed == nil
	})
	switch {
	case failed != nil:
		return failed
	case err == nil:
		after = max(after, s.Seq)
	}
	return read(after+1, math.MaxInt64)
}

// homes adds what belongs to the projects of a filter without saying so.
func (s *snapshot) homes(ctx context.Context, f Filter, h homes) error {
	folders, err := s.names(ctx, nameProject)
	if err != nil {
		return err
	}
	sessions, err := s.names(ctx, nameSession)
	if err != nil {
		return err
	}
	for id, folder := range folders {
		if id == 0 || !f.Within(folder) {
			continue
		}
		var starts []struct {
			Mark    string
			Session int64
		}
		if err := s.index.db.SelectContext(ctx, &starts, `SELECT mark, session FROM home WHERE project = ?`, id); err != nil {
			return err
		}
		for _, start := range starts {
			h.digests[start.Mark], h.sessions[name(sessions, start.Session)] = true, true
		}
	}
	return nil
}
