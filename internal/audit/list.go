package audit

import (
	"context"
	"iter"
	"slices"

	"github.com/jmoiron/sqlx"
)

// Filter chooses entries. Its zero value chooses all.
type Filter struct {
	// Session is the id of a session of Pi, "" for all.
	Session string
	// Limit keeps only the last so many rows; 0 keeps all.
	Limit int
}

// An outcome names its decision. The plus lets SQLite compare with the index as
// it is. One whose decision is in an older file is left
// out here when the reader has that file, and shown as a row of its own
// otherwise.
const (
	sqlRows = `
SELECT e.seq, e.pub, e.body, e.commitment IS NOT NULL AND e.salt IS NULL AS erased,
  CASE WHEN e.pub GLOB '{"kind":"decision"*' THEN (
    SELECT o.pub FROM entry AS o
    WHERE o.pub GLOB '{"kind":"outcome"*' AND json_extract(o.pub, '$.of') = +e.seq
    ORDER BY o.seq LIMIT 1
  ) END AS outcome
FROM entry AS e
WHERE NOT (e.pub GLOB '{"kind":"outcome"*' AND coalesce(json_extract(e.pub, '$.of') >= ?, 0))`
	// Looking for the text before looking for the field saves reading the JSON of
	// the entries that cannot match.
	sqlOfSession = ` AND instr(e.pub, ?) > 0 AND json_extract(e.pub, '$.session') = ?`
	sqlOldest    = ` ORDER BY e.seq`
	sqlNewest    = ` ORDER BY e.seq DESC LIMIT ?`

	sqlFirst = `SELECT coalesce(min(seq), 1) FROM entry`
	// sqlCrossing finds the outcomes of decisions in older files.
	sqlCrossing = `
SELECT json_extract(pub, '$.of') AS of, pub FROM entry
WHERE pub GLOB '{"kind":"outcome"*' AND json_extract(pub, '$.of') < ? ORDER BY seq`
)

// List yields the chosen entries, oldest first, each decision joined with its
// outcome; an outcome whose call was never decided is a row of its own. An
// entry that cannot be understood comes with its Seq and an error, and the ones
// after it follow; any other error is the last thing yielded. The rows are
// those that were there when the iteration came to their file.
func (r *Reader) List(ctx context.Context, f Filter) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		crossing, err := r.crossing(ctx)
		if err != nil {
			yield(Row{}, r.fail(err))
			return
		}
		if f.Limit > 0 {
			r.listLast(ctx, f, crossing, yield)
			return
		}
		for i := range r.files {
			if !r.listFile(ctx, i, f, crossing, yield) {
				return
			}
		}
	}
}

// listLast collects the last rows, from the last file backwards.
func (r *Reader) listLast(ctx context.Context, f Filter, crossing map[int64]string, yield func(Row, error) bool) {
	type result struct {
		row Row
		err error
	}
	var last []result
	for i := len(r.files) - 1; i >= 0 && f.Limit > 0; i-- {
		before := len(last)
		r.listFile(ctx, i, f, crossing, func(row Row, err error) bool {
			last = append(last, result{row, err})
			return true
		})
		f.Limit -= len(last) - before
	}
	for _, l := range slices.Backward(last) {
		if !yield(l.row, l.err) {
			return
		}
	}
}

// listFile yields the rows of one file, newest first when there is a limit. It
// returns false when that was the end.
func (r *Reader) listFile(ctx context.Context, i int, f Filter, crossing map[int64]string, yield func(Row, error) bool) bool {
	file := r.files[i]
	from := file.first
	if i > 0 {
		from = 1 // the reader has the older files
	}
	query, args := f.query(from)
	rows, err := file.db.QueryxContext(ctx, query, args...)
	if err != nil {
		yield(Row{}, r.fail(err))
		return false
	}
	defer func() { _ = rows.Close() }() // what matters of it is in rows.Err
	for rows.Next() {
		var s stored
		if err := rows.StructScan(&s); err != nil {
			yield(Row{}, r.fail(err))
			return false
		}
		if pub, ok := crossing[s.Seq]; ok && !s.Outcome.Valid {
			s.Outcome.String = pub
		}
		row, err := s.row()
		if err != nil {
			err = r.fail(err)
		}
		if !yield(row, err) {
			return false
		}
	}
	if err := rows.Err(); err != nil {
		yield(Row{}, r.fail(err))
		return false
	}
	return true
}

// crossing are the outcomes that stand in another file than their decision, by
// the number of the decision.
func (r *Reader) crossing(ctx context.Context) (map[int64]string, error) {
	found := map[int64]string{}
	for i, file := range r.files {
		if i == 0 {
			continue
		}
		if err := file.crossing(ctx, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (f *file) crossing(ctx context.Context, found map[int64]string) error {
	var rows []struct {
		Of  int64
		Pub string
	}
	if err := sqlx.SelectContext(ctx, f.db, &rows, sqlCrossing, f.first); err != nil {
		return err
	}
	for _, row := range rows {
		if _, known := found[row.Of]; !known {
			found[row.Of] = row.Pub
		}
	}
	return nil
}

func (f Filter) query(from int64) (text string, args []any) {
	text, args = sqlRows, []any{from}
	if f.Session != "" {
		text, args = text+sqlOfSession, append(args, inner(f.Session), f.Session)
	}
	if f.Limit <= 0 {
		return text + sqlOldest, args
	}
	return text + sqlNewest, append(args, f.Limit)
}

// inner is a text as it stands inside a JSON string.
func inner(s string) string {
	text := string(object(s))
	return text[1 : len(text)-1]
}
