package audit

import (
	"context"
	"database/sql"
	"iter"
)

// Filter chooses entries. Its zero value chooses all.
type Filter struct {
	// Session is the id of a session of Pi, "" for all.
	Session string
	// Limit keeps only the last so many rows; 0 keeps all.
	Limit int
}

// An outcome belongs to the decision before it when no other decision on the
// same call of the session stands between them: a model may use an id twice.
// The plus keeps SQLite on the index of the calls.
const (
	sqlRows = `
SELECT e.seq, e.body,
  CASE WHEN e.kind = 'decision' THEN (
    SELECT CASE WHEN o.kind = 'outcome' THEN o.body END
    FROM entry AS o
    WHERE o.call = e.call AND +o.session IS e.session AND o.seq > e.seq AND o.kind IN ('decision', 'outcome')
    ORDER BY o.seq LIMIT 1
  ) END AS outcome
FROM entry AS e
WHERE (e.kind <> 'outcome' OR 'decision' IS NOT (
    SELECT d.kind
    FROM entry AS d
    WHERE d.call = e.call AND +d.session IS e.session AND d.seq < e.seq AND d.kind IN ('decision', 'outcome')
    ORDER BY d.seq DESC LIMIT 1
  ))`
	sqlOfSession = ` AND e.session = ?`
	sqlOldest    = ` ORDER BY e.seq`
	sqlLastFrom  = `SELECT seq, body, outcome FROM (`
	sqlLastTo    = ` ORDER BY e.seq DESC LIMIT ?) ORDER BY seq`
)

// List yields the chosen entries, oldest first, each decision joined with its
// outcome; an outcome whose call was never decided is a row of its own. An
// entry that cannot be understood comes with its Seq and an error, and the ones
// after it follow; any other error is the last thing yielded. The rows are
// those that were there when the iteration began.
func (r *Reader) List(ctx context.Context, f Filter) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		query, args := f.query()
		rows, err := r.db.QueryxContext(ctx, query, args...)
		if err != nil {
			yield(Row{}, r.fail(err))
			return
		}
		defer func() { _ = rows.Close() }() // what matters of it is in rows.Err
		for rows.Next() {
			var stored struct {
				Seq     int64
				Body    string
				Outcome sql.NullString
			}
			if err := rows.StructScan(&stored); err != nil {
				yield(Row{}, r.fail(err))
				return
			}
			row, err := decodeRow(stored.Seq, stored.Body, stored.Outcome.String)
			if err != nil {
				err = r.fail(err)
			}
			if !yield(row, err) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Row{}, r.fail(err))
		}
	}
}

func (f Filter) query() (text string, args []any) {
	text = sqlRows
	if f.Session != "" {
		text, args = text+sqlOfSession, append(args, f.Session)
	}
	if f.Limit <= 0 {
		return text + sqlOldest, args
	}
	return sqlLastFrom + text + sqlLastTo, append(args, f.Limit)
}
