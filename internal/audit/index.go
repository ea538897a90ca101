package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/jmoiron/sqlx"
)

// indexName makes the name of the index beside a journal: a database of its own,
// derived from the journal, that may be deleted at any time.
const indexName = ".index"

// indexID is the application id of an index: "pgix".
const indexID = 0x70676978

// indexSchema is a small column store. cell holds one column of one block. name
// numbers the texts that come again and again; home says which sessions began in
// a project, and by which keyed digest the public parts name it; same has the
// first entry of those that are the same; history what became of a call. No text
// of a call is in it.
const indexSchema = `
CREATE TABLE state (format TEXT NOT NULL, first INTEGER NOT NULL, seq INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
CREATE TABLE block (id INTEGER PRIMARY KEY, rows INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL) STRICT;
CREATE TABLE cell (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE name (kind INTEGER NOT NULL, id INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID;
CREATE TABLE home (project INTEGER NOT NULL, mark TEXT NOT NULL, session INTEGER NOT NULL, PRIMARY KEY (project, mark, session)) STRICT, WITHOUT ROWID;
CREATE TABLE same (digest BLOB PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE history (digest BLOB PRIMARY KEY, ran INTEGER NOT NULL, approved INTEGER NOT NULL, denied INTEGER NOT NULL, last_ran INTEGER NOT NULL, last_denied INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

// index is the file beside a journal that tells where in it what stands.
type index struct {
	path string
	file identity
	db   *sqlx.DB
	cell lazyStmt
}

// state says how much of which journal an index covers: from the first entry of
// the journal to entry Seq, which has this hash.
type state struct {
	Format     string
	First, Seq int64
	Hash       []byte
}

// errNoIndex reports an index that is missing, broken, or of something else.
var errNoIndex = errors.New("there is no index of this journal")

// openIndex opens the index of the journal at path. create makes a new one where
// there is none, with the rights of the journal's key.
func openIndex(ctx context.Context, journal string, create bool) (ix *index, err error) {
	if journal, err = resolved(journal); err != nil {
		return nil, err
	}
	ix = &index{path: journal + indexName}
	mode := "mode=rw"
	info, err := os.Lstat(ix.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && create:
		mode = "mode=rwc"
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNoIndex
	}
	dsn := place{path: ix.path}.dsn(mode, "modeof="+escape(journal+keySuffix), "_busy_timeout=100", "_synchronous=1", "_defensive=1", "_dqs=0", "_error_rc=1",
		"_pragma=trusted_schema(0)", fmt.Sprintf("_pragma=journal_size_limit(%d)", walLimit))
	if ix.db, err = dial(dsn, indexing, &hold{}); err != nil {
		return nil, err
	}
	if err = ix.settle(ctx, create); err == nil {
		ix.file, err = identify(ix.path)
	}
	if err != nil {
		return nil, errors.Join(err, ix.close())
	}
	return ix, nil
}

// settle makes the schema of a new file, and refuses one with another.
func (ix *index) settle(ctx context.Context, create bool) error {
	have, err := ix.schema(ctx)
	if err == nil && have == "" && create {
		if err = ix.make(ctx); err == nil {
			have, err = ix.schema(ctx)
		}
	}
	if err != nil {
		return err
	}
	if have != strings.TrimSpace(indexSchema) {
		return errNoIndex
	}
	return nil
}

func (ix *index) schema(ctx context.Context) (string, error) {
	var list []string
	err := ix.db.SelectContext(ctx, &list, `SELECT sql || ';' FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid`)
	return strings.Join(list, "\n"), err
}

func (ix *index) make(ctx context.Context) error {
	conn, err := ix.db.Connx(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // the errors that matter come before
	var mode string
	if err := conn.GetContext(ctx, &mode, "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	if err := begin(ctx, conn); err != nil {
		return err
	}
	var objects int
	err = conn.GetContext(ctx, &objects, `SELECT count(*) FROM sqlite_master`)
	if err == nil && objects == 0 {
		_, err = conn.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d;", indexID)+indexSchema)
	}
	return finish(ctx, conn, err)
}

// begin takes the write lock, however long others hold it.
func begin(ctx context.Context, conn *sqlx.Conn) error {
	for {
		_, err := conn.ExecContext(context.WithoutCancel(ctx), "BEGIN IMMEDIATE")
		if !isBusy(err) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// finish commits, or undoes everything after an error.
func finish(ctx context.Context, conn *sqlx.Conn, err error) error {
	ctx = context.WithoutCancel(ctx)
	if err == nil {
		if _, err = conn.ExecContext(ctx, "COMMIT"); err == nil {
			return nil
		}
	}
	_, _ = conn.ExecContext(ctx, "ROLLBACK") // the first error says more
	return err
}

// state reads what the index covers; an empty one covers nothing.
func (ix *index) state(ctx context.Context, q sqlx.QueryerContext) (s state, err error) {
	err = sqlx.GetContext(ctx, q, &s, `SELECT format, first, seq, hash FROM state`)
	if errors.Is(err, sql.ErrNoRows) {
		return state{Format: indexFormat}, nil
	}
	if err == nil && s.Format != indexFormat {
		err = errNoIndex
	}
	return s, err
}

// inPlace reports that the index is the file at its path still.
func (ix *index) inPlace() bool { return still(ix.path, &ix.file) == nil }

func (ix *index) close() error { return errors.Join(ix.cell.close(), ix.db.Close()) }

// resolved is the path of a journal with links resolved: its companions stand
// beside this one.
func resolved(journal string) (string, error) {
	abs, err := filepath.Abs(journal)
	if err != nil {
		return "", err
	}
	pl, err := follow(abs)
	return pl.path, err
}

// removeIndex deletes the index of a journal, if there is one.
func removeIndex(journal string) error {
	journal, err := resolved(journal)
	if err != nil {
		return err
	}
	for _, suffix := range []string{"", logSuffix, indexSuffix} {
		if err := os.Remove(journal + indexName + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the index: %w", err)
		}
	}
	return nil
}
