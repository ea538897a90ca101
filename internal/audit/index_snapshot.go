package audit

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/jmoiron/sqlx"
)

// worthwhile is how many entries an index may be behind: reading them takes a
// moment, and a journal that has no more needs no index.
const worthwhile = 2000

// indexUse is what a reader has of the index.
type indexUse struct {
	mu     sync.Mutex
	ix     *index
	behind int64 // how many entries the index may be behind
	batch  int64 // how many are indexed in one transaction
	report func(done, total int64)
}

func (n *indexUse) close() error {
	if n.ix == nil {
		return nil
	}
	err := n.ix.close()
	n.ix = nil
	return err
}

// snapshot is an index as it was at one moment. Its blocks only grow, and what
// was in them stays, so that their columns can be read at any later time.
type snapshot struct {
	state
	index      *index
	blocks     []block
	dictionary [nameKinds][]string // by number; nil until it is read
}

// OnProgress makes the reader tell how far it is when it brings the index up to
// date: so many entries of so many.
func (r *Reader) OnProgress(report func(done, total int64)) { r.indexing.report = report }

func (r *Reader) progress(done, total int64) {
	if r.indexing.report != nil {
		r.indexing.report(done, total)
	}
}

// Refresh brings the index beside the journal up to date when it is so far
// behind that queries would be slow. Nothing has to call it: a query that needs
// the index does the same. Where there cannot be an index (the files are not all
// of a journal in its place, its folder is read-only or another machine's) it
// does nothing. It may be ended at any time, and what it has done is kept.
func (r *Reader) Refresh(ctx context.Context) error {
	_, err := r.refreshed(ctx)
	if err != nil {
		return r.fail(fmt.Errorf("bring the index up to date: %w", err))
	}
	return nil
}

// indexable reports that the reader's files are all of a journal that is in its
// place, with its key: a copy somewhere gets no index.
func (r *Reader) indexable() bool {
	path := r.Path()
	beside, err := resolved(path)
	if err != nil || liveName(path) != path || OnNetwork(beside) {
		return false
	}
	if _, err := os.Stat(beside + keySuffix); err != nil {
		return false
	}
	files, err := Files(path)
	if err != nil || len(files) != len(r.files) {
		return false
	}
	last := int64(0)
	for i, f := range r.files {
		if f.path != files[i] || still(f.path, &f.id) != nil || f.first <= last {
			return false
		}
		last = f.first
	}
	return true
}

// refreshed returns the index, brought up to date where that is worthwhile; nil
// when there is none. It waits for another goroutine that does so.
func (r *Reader) refreshed(ctx context.Context) (*snapshot, error) {
	if !r.indexable() {
		return nil, nil
	}
	last, err := r.last(ctx)
	if err != nil {
		return nil, err
	}
	r.indexing.mu.Lock()
	defer r.indexing.mu.Unlock()
	s := r.take(ctx)
	if s == nil && last-r.files[0].first < r.indexing.behind || s != nil && last-s.Seq < r.indexing.behind {
		return s, nil
	}
	if err := r.update(ctx, last); err != nil {
		return nil, err
	}
	return r.take(ctx), nil
}

// update builds what is missing. An index that is broken or of another journal is
// removed and made anew. The caller has the lock.
func (r *Reader) update(ctx context.Context, last int64) error {
	for attempt := 0; ; attempt++ {
		err := r.extend(ctx, last)
		useless := errors.Is(err, errNoIndex) || errors.Is(err, errStale) || isDamage(err)
		if !useless || attempt > 0 || ctx.Err() != nil {
			return err
		}
		if err := errors.Join(r.indexing.close(), removeIndex(r.Path())); err != nil {
			return err
		}
	}
}

func (r *Reader) extend(ctx context.Context, last int64) error {
	ix, err := r.open(ctx, true)
	if err != nil {
		return err
	}
	s, err := ix.state(ctx, ix.db)
	if err == nil && s.Seq > 0 {
		err = r.covers(ctx, &s)
	}
	if err != nil {
		return err
	}
	return ix.build(ctx, r, last)
}

// open opens the index that is there now. The caller has the lock.
func (r *Reader) open(ctx context.Context, create bool) (*index, error) {
	n := &r.indexing
	if n.ix != nil && n.ix.inPlace() {
		return n.ix, nil
	}
	if err := n.close(); err != nil {
		return nil, err
	}
	ix, err := openIndex(ctx, r.Path(), create)
	if err == nil {
		n.ix = ix
	}
	return ix, err
}

// covers returns errNoIndex unless the state is that of an index of the reader's
// journal.
func (r *Reader) covers(ctx context.Context, s *state) error {
	var hash []byte
	if s.First != r.files[0].first || r.get(ctx, &hash, `SELECT hash FROM entry WHERE seq = ?`, s.Seq) != nil || !bytes.Equal(hash, s.Hash) {
		return errNoIndex
	}
	return nil
}

// snapshot returns the index as it is, nil when there is none that can be used.
// It waits for nobody.
func (r *Reader) snapshot(ctx context.Context) *snapshot {
	if !r.indexable() || !r.indexing.mu.TryLock() {
		return nil
	}
	defer r.indexing.mu.Unlock()
	return r.take(ctx)
}

// take reads the index as it is. The caller has the lock.
func (r *Reader) take(ctx context.Context) *snapshot {
	ix, err := r.open(ctx, false)
	if err != nil {
		return nil
	}
	s := &snapshot{index: ix}
	if s.read(ctx) != nil || s.Seq == 0 || r.covers(ctx, &s.state) != nil {
		return nil
	}
	return s
}

// read reads what belongs together at one moment.
func (s *snapshot) read(ctx context.Context) (err error) {
	tx, err := s.index.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }() // it only read
	if s.state, err = s.index.state(ctx, tx); err != nil {
		return err
	}
	return tx.SelectContext(ctx, &s.blocks, sqlBlocks)
}

// names are the texts of all names of a kind.
func (s *snapshot) names(ctx context.Context, kind nameKind) (texts []string, err error) {
	if s.dictionary[kind] == nil {
		s.dictionary[kind], err = namesOf(ctx, s.index.db, kind)
	}
	return s.dictionary[kind], err
}

// load reads a column of a block, if that is to be done still.
func (s *snapshot) load(ctx context.Context, b *block, c column) error {
	if b.data[c] != nil {
		return nil
	}
	stmt, err := s.index.cell.get(ctx, s.index.db, sqlCell)
	if err != nil {
		return err
	}
	var data []byte
	if err := stmt.QueryRowContext(ctx, cellID(b.ID, c)).Scan(&data); err != nil {
		return fmt.Errorf("%w: %w", errNoIndex, err)
	}
	return b.put(c, data)
}

// history is what the index knows of a call.
func (s *snapshot) history(ctx context.Context, d digest) (h History, err error) {
	var list []struct {
		Ran, Approved, Denied int
		LastRan               Micros `db:"last_ran"`
		LastDenied            Micros `db:"last_denied"`
	}
	err = sqlx.SelectContext(ctx, s.index.db, &list, `SELECT ran, approved, denied, last_ran, last_denied FROM history WHERE digest = ?`, d[:])
	if len(list) > 0 {
		l := list[0]
		h = History{l.Ran, l.Approved, l.Denied, l.LastRan, l.LastDenied}
	}
	return h, err
}

// first is the number of the first entry with a digest, 0 when there is none.
func (s *snapshot) first(ctx context.Context, d digest) (seq int64, err error) {
	err = s.index.db.GetContext(ctx, &seq, sqlSame, d[:])
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return seq, err
}
