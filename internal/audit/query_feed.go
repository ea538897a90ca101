package audit

import (
	"context"
	"iter"

	"github.com/jmoiron/sqlx"
)

// feed brings the rows of a query from a goroutine of their own, so that the end
// of a context is heeded while SQLite works on one: the driver cannot interrupt
// a step but the first.
type feed struct {
	rows chan feedItem
	done chan struct{} // closed when nothing works on the connection any more

	ended bool // all rows were taken
}

// feedItem is one of the names of the columns, which come first, a row, and the
// error that ends it.
type feedItem struct {
	columns []string
	values  []any
	err     error
}

// run asks, and sends what comes.
func (f *feed) run(ctx context.Context, conn *sqlx.Conn, text string) {
	defer close(f.done)
	defer close(f.rows)
	rows, err := conn.QueryContext(ctx, text)
	if err != nil {
		f.send(ctx, feedItem{err: err})
		return
	}
	defer func() { _ = rows.Close() }() // what matters of it is in rows.Err
	names, err := rows.Columns()
	if err != nil {
		f.send(ctx, feedItem{err: err})
		return
	}
	if !f.send(ctx, feedItem{columns: names}) {
		return
	}
	for rows.Next() {
		r := feedItem{values: make([]any, len(names))}
		r.err = rows.Scan(pointers(r.values)...)
		if !f.send(ctx, r) || r.err != nil {
			return
		}
	}
	if err := rows.Err(); err != nil {
		f.send(ctx, feedItem{err: err})
	}
}

func (f *feed) send(ctx context.Context, r feedItem) bool {
	select {
	case f.rows <- r:
		return true
	case <-ctx.Done():
		return false
	}
}

func pointers(values []any) []any {
	list := make([]any, len(values))
	for i := range values {
		list[i] = &values[i]
	}
	return list
}

// next waits for what comes; ok is false when nothing will.
func (f *feed) next(ctx context.Context) (r feedItem, ok bool) {
	select {
	case <-ctx.Done():
	case r, ok = <-f.rows:
	}
	if err := ctx.Err(); err != nil {
		return feedItem{err: err}, true
	}
	f.ended = !ok
	return r, ok
}

// all yields the rows. An error is the last thing.
func (f *feed) all(ctx context.Context) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for {
			r, ok := f.next(ctx)
			if !ok || !yield(r.values, r.err) || r.err != nil {
				return
			}
		}
	}
}
