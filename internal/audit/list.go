package audit

import (
	"context"
	"encoding/json"
	"iter"
	"math"
	"slices"

	"github.com/jmoiron/sqlx"
)

// An outcome names its decision. The plus lets SQLite compare with the index as
// it is. One whose decision is in an older file is left out here when the reader
// has that file, and shown as a row of its own otherwise.
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
	sqlKind      = ` AND e.pub GLOB '{"kind":"' || ? || '"*'`
	sqlCalls     = ` AND (e.pub GLOB '{"kind":"decision"*' OR e.pub GLOB '{"kind":"import"*')`
	sqlHolds     = ` AND instr(e.pub, ?) > 0`
	sqlTime      = ` AND CASE WHEN json_valid(e.pub) THEN json_extract(e.pub, '$.time') >= ? AND json_extract(e.pub, '$.time') < ? ELSE 1 END`
	sqlBetween   = ` AND e.seq BETWEEN ? AND ?`
	sqlOldest    = ` ORDER BY e.seq`
	sqlNewest    = ` ORDER BY e.seq DESC`

	sqlStarts = `SELECT seq, pub, body, commitment IS NOT NULL AND salt IS NULL AS erased FROM entry WHERE seq > ? AND pub GLOB '{"kind":"session_start"*'`
	sqlFirst  = `SELECT coalesce(min(seq), 1) FROM entry`
	// sqlCrossing finds the outcomes of decisions in older files.
	sqlCrossing = `
SELECT json_extract(pub, '$.of') AS of, pub FROM entry
WHERE pub GLOB '{"kind":"outcome"*' AND json_extract(pub, '$.of') < ? ORDER BY seq`
)

// List yields the chosen entries, each decision joined with its outcome; an
// outcome whose call was never decided is a row of its own. An entry that
// cannot be understood comes with its Seq and an error whatever the filter asks
// of its content, and the ones after it follow; any other error, one of
// Filter.Check among them, is the last thing yielded. The rows are those that
// were there when the iteration came to their file. No more than one is held at
// a time, or a thousand with a limit.
func (r *Reader) List(ctx context.Context, f Filter) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		if err := f.Check(); err != nil {
			yield(Row{}, err)
			return
		}
		l, err := r.newListing(ctx, f)
		if err != nil {
			yield(Row{}, r.fail(err))
			return
		}
		if f.Limit == 0 {
			l.run(ctx, yield)
			return
		}
		if f.Reverse {
			l.run(ctx, atMost(f.Limit, yield))
			return
		}
		l.last(ctx, yield)
	}
}

// listing is one run through the files of a journal.
type listing struct {
	matcher
	reader   *Reader
	crossing map[int64]string
	from, to int64     // the numbers of the entries that are looked at
	index    *snapshot // nil for reading every entry
	texts    *texts    // what the index leads to
}

func (r *Reader) newListing(ctx context.Context, f Filter) (*listing, error) {
	l := &listing{matcher: newMatcher(f), reader: r, to: math.MaxInt64}
	l.texts = newTexts(&l.matcher)
	var err error
	if l.index, err = r.indexFor(ctx, f); err != nil {
		return nil, err
	}
	if l.crossing, err = r.crossing(ctx); err != nil {
		return nil, err
	}
	if len(f.Projects) > 0 {
		if l.home, err = r.homes(ctx, f, l.index); err != nil && l.index != nil && ctx.Err() == nil {
			l.index = nil // it is broken: a journal can be read without it
			l.home, err = r.homes(ctx, f, nil)
		}
		if err != nil {
			return nil, err
		}
	}
	if f.Unreviewed {
		if l.reviewed, err = r.reviewed(ctx, f.Scan); err != nil {
			return nil, err
		}
	}
	if f.Session == LastSession {
		l.Session, err = l.lastSession(ctx)
	}
	l.from = f.After + 1
	return l, err
}

// lastSession finds the session that LastSession means. When there is none, it
// is the word itself, which no session has for its id.
func (l *listing) lastSession(ctx context.Context) (id string, err error) {
	all := *l
	all.Filter = Filter{Projects: l.Projects, Reverse: true}
	id = LastSession
	all.run(ctx, func(row Row, rowErr error) bool {
		if rowErr != nil && row.Seq == 0 {
			err = rowErr
		}
		if row.Session != "" {
			id = row.Session
		}
		return row.Session == ""
	})
	return id, err
}

// maxHeld is how many rows are held to be turned round.
const maxHeld = 1000

// last yields the newest rows, oldest first. When they are many, a first run
// counts back to where they begin, so that they need not be held.
func (l *listing) last(ctx context.Context, yield func(Row, error) bool) {
	back := *l
	back.Reverse = true
	if l.Limit <= maxHeld {
		back.turned(ctx, yield)
		return
	}
	l.to = 0
	var failed error
	back.run(ctx, atMost(l.Limit, func(row Row, err error) bool {
		if row.Seq == 0 {
			failed = err
			return false
		}
		l.from, l.to = row.Seq, max(l.to, row.Seq)
		return true
	}))
	if failed != nil {
		yield(Row{}, failed)
		return
	}
	l.run(ctx, yield)
}

// turned yields the first rows of a run backwards, the last of them first.
func (l *listing) turned(ctx context.Context, yield func(Row, error) bool) {
	type result struct {
		row Row
		err error
	}
	var held []result
	l.run(ctx, atMost(l.Limit, func(row Row, err error) bool {
		if err != nil && row.Seq == 0 {
			held = []result{{row, err}} // the end of it
			return false
		}
		held = append(held, result{row, err})
		return true
	}))
	for _, h := range slices.Backward(held) {
		if !yield(h.row, h.err) {
			return
		}
	}
}

// atMost stops after n rows.
func atMost(n int, yield func(Row, error) bool) func(Row, error) bool {
	return func(row Row, err error) bool {
		n--
		return yield(row, err) && n > 0
	}
}

// run yields the rows of all files. What the index covers is read through it.
func (l *listing) run(ctx context.Context, yield func(Row, error) bool) {
	switch {
	case l.index == nil:
		l.scan(ctx, l.from, l.to, yield)
	case l.Reverse:
		_ = l.scan(ctx, max(l.from, l.index.Seq+1), l.to, yield) && l.indexed(ctx, yield)
	default:
		_ = l.indexed(ctx, yield) && l.scan(ctx, max(l.from, l.index.Seq+1), l.to, yield)
	}
}

// scan looks at all entries from one number to another. It returns false when
// nothing more is wanted.
func (l *listing) scan(ctx context.Context, from, to int64, yield func(Row, error) bool) bool {
	for i := range l.reader.files {
		if l.Reverse {
			i = len(l.reader.files) - 1 - i
		}
		if !l.file(ctx, i, from, to, yield) {
			return false
		}
	}
	return true
}

// file yields the rows of one file. It returns false when that was the end.
func (l *listing) file(ctx context.Context, i int, from, to int64, yield func(Row, error) bool) bool {
	file := l.reader.files[i]
	query, args := l.query(from, to)
	rows, err := file.db.QueryxContext(ctx, query, args...)
	if err != nil {
		yield(Row{}, l.reader.fail(err))
		return false
	}
	defer func() { _ = rows.Close() }() // what matters of it is in rows.Err
	for rows.Next() {
		var s storedEntry
		if err := rows.StructScan(&s); err != nil {
			yield(Row{}, l.reader.fail(err))
			return false
		}
		if pub, ok := l.crossing[s.Seq]; ok && !s.Outcome.Valid {
			s.Outcome.String = pub
		}
		row, err := s.row()
		if err != nil {
			err = l.reader.fail(err)
		} else if !l.row(&row) {
			continue
		}
		if !yield(row, err) {
			return false
		}
	}
	if err := rows.Err(); err != nil {
		yield(Row{}, l.reader.fail(err))
		return false
	}
	return true
}

// homes finds the sessions that began in the projects of a filter, and the
// digests that stand for those projects in public parts.
func (r *Reader) homes(ctx context.Context, f Filter, s *snapshot) (homes, error) {
	h := homes{map[string]bool{}, map[string]bool{}}
	covered := int64(0)
	if s != nil {
		covered = s.Seq
		if err := s.homes(ctx, f, h); err != nil {
			return h, err
		}
	}
	for _, file := range r.files {
		if err := file.homes(ctx, f, covered, h); err != nil {
			return h, err
		}
	}
	return h, nil
}

func (f *file) homes(ctx context.Context, filter Filter, after int64, h homes) error {
	rows, err := f.db.QueryxContext(ctx, sqlStarts, after)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // what matters of it is in rows.Err
	for rows.Next() {
		var s storedEntry
		if err := rows.StructScan(&s); err != nil {
			return err
		}
		var public callEntry
		row, err := s.row()
		if err != nil || json.Unmarshal([]byte(s.Pub), &public) != nil || row.Erased {
			continue // it is yielded with its error, or tells no folder
		}
		if filter.Within(row.Project) {
			h.sessions[row.Session], h.digests[public.Project] = true, true
		}
	}
	return rows.Err()
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

// query asks for what may be chosen: the filters on public fields, so that most
// of what is not chosen need not be decoded. row has the last word.
func (l *listing) query(from, to int64) (text string, args []any) {
	text, args = sqlRows, []any{l.reader.files[0].first}
	and := func(condition string, values ...any) { text, args = text+condition, append(args, values...) }
	if from > 1 || to != math.MaxInt64 {
		and(sqlBetween, from, to)
	}
	if l.Kind != "" {
		and(sqlKind, string(l.Kind))
	}
	if l.Calls {
		and(sqlCalls)
	}
	if l.Session != "" {
		and(sqlOfSession, inner(l.Session), l.Session)
	}
	for _, value := range []string{l.Tool, string(l.Verdict), string(l.Decision), string(l.Basis), string(l.Answer)} {
		if value != "" {
			and(sqlHolds, inner(value))
		}
	}
	if l.Since != 0 || l.Until != 0 {
		until := int64(l.Until)
		if until == 0 {
			until = math.MaxInt64
		}
		and(sqlTime, int64(l.Since), until)
	}
	if l.Reverse {
		return text + sqlNewest, args
	}
	return text + sqlOldest, args
}

// inner is a text as it stands inside a JSON string.
func inner(s string) string {
	text := string(object(s))
	return text[1 : len(text)-1]
}
