package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sort"
	"sync"

	"github.com/jmoiron/sqlx"

	"github.com/pigate/pigate/internal/gate"
)

// lazyStmt is a statement that is prepared when it is needed first.
type lazyStmt struct {
	mu   sync.Mutex
	stmt *sqlx.Stmt
}

func (p *lazyStmt) get(ctx context.Context, db *sqlx.DB, text string) (*sqlx.Stmt, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var err error
	if p.stmt == nil {
		p.stmt, err = db.PreparexContext(ctx, text)
	}
	return p.stmt, err
}

func (p *lazyStmt) close() error {
	if p.stmt == nil {
		return nil
	}
	return p.stmt.Close()
}

const (
	// sqlPlain finds an entry alone, sqlRows + sqlJoined with its outcome.
	sqlPlain  = `SELECT seq, pub, body, commitment IS NOT NULL AND salt IS NULL AS erased FROM entry WHERE seq = ?`
	sqlJoined = ` AND e.seq = ?`
	// sqlOutcomeOf finds the outcome of a decision in an older file.
	sqlOutcomeOf = `SELECT pub FROM entry WHERE pub GLOB '{"kind":"outcome"*' AND json_extract(pub, '$.of') = ? ORDER BY seq LIMIT 1`
)

// holding is the place of the file that has an entry, if any has.
func (r *Reader) holding(seq int64) int {
	return sort.Search(len(r.files), func(i int) bool { return r.files[i].first > seq }) - 1
}

// text reads an entry as it stands, without its outcome; errors.Is sql.ErrNoRows
// when it is not there.
func (r *Reader) text(ctx context.Context, seq int64) (s storedEntry, err error) {
	i := r.holding(seq)
	if i < 0 {
		return s, sql.ErrNoRows
	}
	f := r.files[i]
	stmt, err := f.plain.get(ctx, f.db, sqlPlain)
	if err != nil {
		return s, err
	}
	err = stmt.QueryRowxContext(ctx, seq).StructScan(&s)
	return s, err
}

// fetch reads an entry as List joins it. found is false when the journal does not
// have it, or List hides it in the row of its decision.
func (r *Reader) fetch(ctx context.Context, seq int64) (s storedEntry, found bool, err error) {
	i := r.holding(seq)
	if i < 0 {
		return s, false, nil
	}
	f := r.files[i]
	stmt, err := f.joined.get(ctx, f.db, sqlRows+sqlJoined)
	if err != nil {
		return s, false, err
	}
	err = stmt.QueryRowxContext(ctx, r.files[0].first, seq).StructScan(&s)
	if errors.Is(err, sql.ErrNoRows) {
		return s, false, nil
	}
	if err != nil || s.Outcome.Valid || i == len(r.files)-1 || !isKind([]byte(s.Pub), gate.KindDecision) {
		return s, err == nil, err
	}
	for _, later := range r.files[i+1:] {
		err := later.db.GetContext(ctx, &s.Outcome, sqlOutcomeOf, seq)
		if !errors.Is(err, sql.ErrNoRows) {
			return s, err == nil, err
		}
	}
	return s, true, nil
}

// Row returns one entry as List would yield it. That there is none is an error.
func (r *Reader) Row(ctx context.Context, seq int64) (Row, error) {
	s, found, err := r.fetch(ctx, seq)
	switch {
	case err != nil:
		return Row{Seq: seq}, r.fail(err)
	case !found:
		return Row{Seq: seq}, fmt.Errorf("there is no entry %d in the journal", seq)
	}
	row, err := s.row()
	if err != nil {
		return row, r.fail(err)
	}
	return row, nil
}
