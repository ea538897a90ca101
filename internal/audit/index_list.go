package audit

import (
	"context"

	"github.com/pigate/pigate/internal/gate"
)

// indexFor returns the index that helps with a filter, brought up to date; nil
// where reading the entries themselves is as good, or all there is.
func (r *Reader) indexFor(ctx context.Context, f Filter) (*snapshot, error) {
	if f.Scan {
		return nil, nil
	}
	if f.After > 0 {
		if last, err := r.last(ctx); err != nil || last-f.After < r.indexing.behind {
			return nil, err
		}
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

// homes adds what belongs to the projects of a filter without saying so.
func (s *snapshot) homes(ctx context.Context, f Filter, h homes) error {
	var marks []struct{ Project, Mark string }
	if err := s.index.db.SelectContext(ctx, &marks, `SELECT project, mark FROM home`); err != nil {
		return err
	}
	for _, m := range marks {
		if f.Within(m.Project) {
			h.digests[m.Mark] = true
		}
	}
	folders, err := namesOf(ctx, s.index.db, nameProject)
	if err != nil {
		return err
	}
	sessions, err := namesOf(ctx, s.index.db, nameSession)
	if err != nil {
		return err
	}
	c := &chooser{snapshot: s, matcher: &matcher{}}
	is(c, colKind, kinds, gate.KindSessionStart)
	c.add(func(*block, int) bool { return true }, colProject, colSession)
	return c.each(ctx, 0, s.Seq, func(b *block, i int) bool {
		if b.get(colFlags, i)&(flagErased|flagUnclear) == 0 && f.Within(name(folders, b.get(colProject, i))) {
			h.sessions[name(sessions, b.get(colSession, i))] = true
		}
		return true
	})
}
