package audit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Reader reads a journal, of one file or of several that follow each other. It
// cannot write, and works while others append. It may be used by several
// goroutines.
type Reader struct {
	files    []*file
	indexing indexUse
}

// file is one file of a journal, open for reading.
type file struct {
	path   string
	db     *sqlx.DB
	first  int64 // the number of its first entry
	id     identity
	place  place
	memory *hold

	plain, joined lazyStmt
}

// OpenReader opens the journal in the files at the paths, in order, for reading
// only. It creates nothing; a missing file is an error that is fs.ErrNotExist.
// Errors are of type *Error.
func OpenReader(ctx context.Context, paths ...string) (*Reader, error) {
	r := &Reader{indexing: indexUse{behind: worthwhile, batch: batchEntries}}
	for _, path := range paths {
		f, err := openFile(ctx, path)
		if err != nil {
			_ = r.Close() // the first error says more
			return nil, &Error{Op: "read", Path: path, Err: err}
		}
		r.files = append(r.files, f)
	}
	return r, nil
}

func openFile(ctx context.Context, path string) (*file, error) {
	db, pl, memory, err := openShared(ctx, path)
	if err != nil {
		return nil, err
	}
	f := &file{path: path, db: db, place: pl, memory: memory}
	if f.id, err = identify(path); err == nil {
		err = db.GetContext(ctx, &f.first, sqlFirst)
	}
	if err != nil {
		_ = db.Close() // the first error says more
		return nil, err
	}
	return f, nil
}

func openReadOnly(ctx context.Context, path string) (*sqlx.DB, error) {
	db, _, _, err := openShared(ctx, path)
	return db, err
}

// openShared is openReadOnly, and says where the file is and what part in its
// shared memory the database has.
func openShared(ctx context.Context, path string) (_ *sqlx.DB, pl place, h *hold, err error) {
	if path == "" {
		return nil, pl, nil, errors.New("its path is empty")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, pl, nil, err
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, pl, nil, errMissing
	case err != nil:
		return nil, pl, nil, err
	case !info.Mode().IsRegular():
		return nil, pl, nil, errNoFile
	}
	if pl, err = follow(abs); err != nil {
		return nil, pl, nil, err
	}
	h = &hold{}
	parameters := []string{"mode=ro", "_busy_timeout=5000", "_query_only=1", "_defensive=1", "_dqs=0", "_error_rc=1"}
	var db *sqlx.DB
	if exists(pl.path+logSuffix) || networked(filepath.Dir(pl.path)) {
		db, err = dialReader(ctx, pl.dsn(parameters...), h)
	}
	if db == nil && err == nil || needsIndex(err) && pl.settled() {
		// A file without a log is read as it is. To begin one is for those who write;
		// where a log was removed, they can still save what was in it.
		db, err = dialReader(ctx, pl.dsn(append(parameters, "immutable=1")...), h)
	}
	if err == nil {
		if err = h.take(pl); err != nil {
			_ = db.Close() // the first error says more
		}
	}
	return db, pl, h, err
}

func dialReader(ctx context.Context, dsn string, h *hold) (*sqlx.DB, error) {
	db, err := dial(dsn, reading, h)
	if err != nil {
		return nil, err
	}
	err = requireJournal(ctx, db)
	if err == nil {
		var h header
		if h, err = readHeader(ctx, db); err == nil && h.version == 0 {
			err = errForeign // empty
		}
	}
	if err != nil {
		_ = db.Close() // the first error says more
		return nil, err
	}
	return db, nil
}

func needsIndex(err error) bool {
	var s *sqlite.Error
	if !errors.As(err, &s) {
		return false
	}
	code := s.Code() & 0xff
	return code == sqlite3.SQLITE_CANTOPEN || code == sqlite3.SQLITE_READONLY
}

// settled reports that the log holds nothing, so that the file is the journal.
func (p place) settled() bool {
	info, err := os.Stat(p.path + logSuffix)
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
}

// Close closes the reader.
func (r *Reader) Close() error {
	var errs []error
	if err := r.indexing.close(); err != nil {
		errs = append(errs, &Error{Op: "close the index of", Path: r.Path(), Err: err})
	}
	for _, f := range r.files {
		if err := errors.Join(f.plain.close(), f.joined.close(), f.db.Close()); err != nil {
			errs = append(errs, &Error{Op: "close", Path: f.path, Err: err})
		}
	}
	return errors.Join(errs...)
}

// Path is the last file, as it was given.
func (r *Reader) Path() string { return r.files[len(r.files)-1].path }

// fail wraps the error of a query.
func (r *Reader) fail(err error) error {
	return &Error{Op: "read", Path: r.Path(), Err: err}
}
