package audit

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// source is where entries come from to be verified.
type source interface {
	// each hands every entry from a number on to f, in the order they stand, until
	// f returns false. A link is valid until f returns, its bytes for longer.
	each(ctx context.Context, from int64, f func(*link) bool) error
	// finish looks at what is not an entry; deep says how closely.
	finish(ctx context.Context, deep bool) (*Finding, error)
	// count is about how many entries there are, 0 when that is not known.
	count(ctx context.Context) int64
	// traits says what the source leaves out.
	traits() traits
	close() error
}

type traits struct {
	partial bool // not all entries
	public  bool // no private parts
}

// openSource opens a journal or an export of one.
func openSource(ctx context.Context, path string) (source, error) {
	db, err := openReadOnly(ctx, path)
	if isForeign(err) {
		// Only what SQLite refuses is opened by us: closing a file that it has open
		// in this process would drop its locks.
		if e, exportErr := openExport(path); exportErr == nil {
			return e, nil
		}
	}
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return &database{db}, nil
}

// isForeign reports that a file is no database.
func isForeign(err error) bool {
	var s *sqlite.Error
	return errors.As(err, &s) && s.Code() == sqlite3.SQLITE_NOTADB
}

// database is a journal's file.
type database struct{ db *sqlx.DB }

const sqlLinks = `SELECT seq, version, prev, hash, commitment, pub, salt, body FROM entry WHERE seq >= ? ORDER BY seq`

// each goes past database/sql, which takes as long for a row as reading and
// hashing it.
func (d *database) each(ctx context.Context, from int64, f func(*link) bool) error {
	conn, err := d.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // it only read
	return conn.Raw(func(driverConn any) error {
		q, ok := driverConn.(driver.QueryerContext)
		if !ok {
			return errors.New("the driver cannot be asked directly")
		}
		rows, err := q.QueryContext(ctx, sqlLinks, []driver.NamedValue{{Ordinal: 1, Value: from}})
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }() // it only read
		return eachRow(rows, f)
	})
}

func eachRow(rows driver.Rows, f func(*link) bool) error {
	values := make([]driver.Value, 8)
	var l link
	for {
		err := rows.Next(values)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		l.seq, l.version = integer(values[0]), integer(values[1])
		l.prev, l.hash, l.commitment = bytesOf(values[2]), bytesOf(values[3]), bytesOf(values[4])
		l.pub, l.salt, l.body = bytesOf(values[5]), bytesOf(values[6]), bytesOf(values[7])
		if !f(&l) {
			return nil
		}
	}
}

// integer is -1 for what is none: the file may hold anything.
func integer(v driver.Value) int64 {
	if n, ok := v.(int64); ok {
		return n
	}
	return -1
}

// bytesOf is nil for NULL alone.
func bytesOf(v driver.Value) []byte {
	switch v := v.(type) {
	case nil:
		return nil
	case []byte:
		if v == nil {
			return []byte{}
		}
		return v
	case string:
		return []byte(v)
	}
	return []byte(fmt.Sprint(v))
}

func (d *database) count(ctx context.Context) (n int64) {
	if d.db.GetContext(ctx, &n, `SELECT coalesce(max(seq) - min(seq) + 1, 0) FROM entry`) != nil {
		return 0
	}
	return n
}

func (d *database) traits() traits { return traits{} }

func (d *database) close() error { return d.db.Close() }

// finish compares the triggers with those of a fresh journal, and when that is
// wanted lets SQLite look at its own structure.
func (d *database) finish(ctx context.Context, deep bool) (*Finding, error) {
	if deep {
		var check string
		if err := d.db.GetContext(ctx, &check, "PRAGMA integrity_check(1)"); err != nil {
			return nil, err
		}
		if check != "ok" {
			return found(0, Damaged, "SQLite finds: %s", check), nil
		}
	}
	fresh, err := freshSchema()
	if err != nil {
		return nil, err
	}
	now, err := schemaOf(ctx, d.db)
	if err != nil {
		return nil, err
	}
	for name, text := range fresh {
		switch {
		case now[name] == "":
			return found(0, BadTriggers, "%s is gone from the file: it can be changed", name), nil
		case now[name] != text:
			return found(0, BadTriggers, "%s of the file is not that of pigate", name), nil
		}
	}
	for name := range now {
		if fresh[name] != "" {
			continue
		}
		return found(0, BadTriggers, "%s does not belong to a journal", name), nil
	}
	return nil, nil
}

// schemaOf is the text of everything in a schema.
func schemaOf(ctx context.Context, db sqlx.QueryerContext) (map[string]string, error) {
	var list []struct{ Name, Text string }
	err := sqlx.SelectContext(ctx, db, &list, `SELECT type || ' ' || name AS name, coalesce(sql, '') AS text FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'`)
	schema := map[string]string{}
	for _, l := range list {
		schema[l.Name] = l.Text
	}
	return schema, err
}

// freshSchema is the schema that the migrations make.
var freshSchema = sync.OnceValues(func() (map[string]string, error) {
	ctx := context.Background()
	db, err := dial(":memory:", appending, &hold{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }() // nothing is in it
	c := &connection{db: db}
	if c.conn, err = db.Connx(ctx); err != nil {
		return nil, err
	}
	defer func() { _ = c.conn.Close() }()
	if err := c.migrate(ctx); err != nil {
		return nil, err
	}
	return schemaOf(ctx, c.conn)
})

// isDamage reports that SQLite cannot make sense of a file.
func isDamage(err error) bool {
	var s *sqlite.Error
	if !errors.As(err, &s) {
		return errors.Is(err, errDamaged)
	}
	switch s.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_FORMAT:
		return true
	}
	return false
}
