package audit

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"
)

// connection is one open connection that appends, with what it takes to see
// that its file is still the one at the path. It belongs to one goroutine at a
// time.
type connection struct {
	place place
	db    *sqlx.DB
	conn  *sqlx.Conn
	// memory is what it shares with the other connections to its file.
	memory hold

	// Statements of this one connection: through sql.Tx a commit costs half as
	// much again.
	begin  *sqlx.Stmt
	insert *sqlx.Stmt
	last   *sqlx.Stmt
	commit *sqlx.Stmt

	key     *key
	keeper  *keeper
	logging bool // in WAL mode
	sealed  bool // was so when it was opened

	// seq and hash are the last entry that this connection knows of. Others may
	// have appended since; crowded counts down after it was seen that they do.
	seq     int64
	hash    [hashSize]byte
	crowded int

	slips    []foundGap      // left by processes that have ended
	policies map[string]bool // digests known to be in the file
	room     []byte          // for hashing
}

const (
	sqlInsert = `INSERT INTO entry (seq, version, prev, hash, commitment, pub, salt, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
	sqlLast   = `SELECT seq, hash FROM entry ORDER BY seq DESC LIMIT 1`
)

// busyTimeout is how long SQLite itself waits for a lock, in milliseconds. It
// is short because that wait heeds no context, and because its steps grow until
// newcomers always come first: start looks at the context and begins anew.
const busyTimeout = 8

// walLimit is the size, in bytes, to which the write-ahead log shrinks after a
// burst.
const walLimit = 16 << 20

// connect opens the file at path for appending and brings its schema up to
// date. One process at a time does this, under the lock file, so that many may
// start at once where there is no file yet.
func connect(ctx context.Context, path string, options Options) (*connection, error) {
	pl, err := locate(path)
	if err != nil {
		return nil, err
	}
	unlock, err := pl.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := pl.prepare(); err != nil {
		return nil, err
	}
	if err := pl.alone(ctx); err != nil {
		return nil, err
	}
	for {
		c, err := open(ctx, pl, options)
		if err == nil && c.sealed {
			if err := c.moveAside(ctx); err != nil {
				_ = c.close() // the first error says more
				return nil, err
			}
			continue
		}
		if err == nil {
			c.slips = findSlips(path, options.Spare)
		}
		if !isBusy(err) {
			return c, err
		}
		// A process that ends or died keeps the file to itself for a moment.
		select {
		case <-time.After(busyTimeout * time.Millisecond):
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", errLocked, err)
		}
	}
}

func open(ctx context.Context, pl place, options Options) (_ *connection, err error) {
	// Statements do not heed the context: ending one early costs the connection.
	ctx = context.WithoutCancel(ctx)
	c := &connection{place: pl, policies: map[string]bool{}, room: make([]byte, 0, 4096), logging: !networked(filepath.Dir(pl.path))}
	defer func() {
		if err != nil {
			_ = c.close() // the first error says more
		}
	}()
	if c.db, err = dial(pl.writerDSN(options), appending, &c.memory); err != nil {
		return nil, err
	}
	c.db.SetMaxOpenConns(1)
	if c.conn, err = c.db.Connx(ctx); err != nil {
		return nil, err
	}
	if err = requireJournal(ctx, c.conn); err != nil {
		return nil, err
	}
	if err = c.configure(ctx, options); err != nil {
		return nil, err
	}
	if _, err = readHeader(ctx, c.conn); err != nil { // the first time in its mode, with all that takes
		return nil, err
	}
	if err = c.memory.take(pl); err != nil {
		return nil, err
	}
	if err = c.migrate(ctx); err != nil {
		return nil, err
	}
	if err = c.prepare(ctx); err != nil {
		return nil, err
	}
	if c.key, err = pl.loadKey(); err != nil {
		return nil, err
	}
	if err = c.continueSealed(ctx); err != nil {
		return nil, err
	}
	if c.sealed, err = isSealed(ctx, c.conn); err != nil {
		return nil, err
	}
	if err = c.place.remember(c.logging); err != nil {
		return nil, err
	}
	c.keeper = newKeeper(c.place, c.key, options, c.logging)
	return c, nil
}

// connector opens connections that may do their duty and nothing else.
type connector struct {
	driver.Connector
	duty  duty
	*hold // closed together with the database
}

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	err = restrict(conn, c.duty)
	if err == nil && c.duty == indexing {
		err = keepLog(conn)
	}
	if err != nil {
		_ = conn.Close() // the first error says more
		return nil, err
	}
	return conn, nil
}

// keepLog makes the log and its index stay when the last connection closes.
// SQLite would delete them by name, and after the file was replaced those are
// another's.
func keepLog(driverConn any) error {
	control, ok := driverConn.(sqlite.FileControl)
	if !ok {
		return errors.New("the driver cannot keep the write-ahead log")
	}
	_, err := control.FileControlPersistWAL("main", 1)
	return err
}

// dial opens a database; h is closed together with it.
func dial(dsn string, d duty, h *hold) (*sqlx.DB, error) {
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	return sqlx.NewDb(sql.OpenDB(connector{c, d, h}), "sqlite"), nil
}

// configure chooses the mode and makes sure that every setting holds: SQLite
// ignores what it does not know.
func (c *connection) configure(ctx context.Context, options Options) error {
	want := "wal"
	if !c.logging {
		want = "delete" // the write-ahead log needs memory that all share
	}
	var mode string
	if err := c.conn.GetContext(ctx, &mode, "PRAGMA journal_mode = "+want); err != nil {
		return err
	}
	if mode != want {
		return fmt.Errorf("the file system offers no write-ahead log (journal mode is %q)", mode)
	}
	for _, p := range []struct {
		name string
		want int
	}{
		{"synchronous", options.Durability.synchronous()},
		{"fullfsync", 1},
		{"busy_timeout", busyTimeout},
		{"journal_size_limit", walLimit},
		{"wal_autocheckpoint", 0}, // the keeper does it, off the path of a call
	} {
		var got int
		if err := c.conn.GetContext(ctx, &got, "PRAGMA "+p.name); err != nil {
			return err
		}
		if got != p.want {
			return fmt.Errorf("%s is %d and cannot be set to %d", p.name, got, p.want)
		}
	}
	return c.conn.Raw(keepLog)
}

func (c *connection) prepare(ctx context.Context) error {
	for _, s := range []struct {
		stmt **sqlx.Stmt
		text string
	}{
		{&c.begin, "BEGIN IMMEDIATE"}, {&c.insert, sqlInsert}, {&c.last, sqlLast}, {&c.commit, "COMMIT"},
	} {
		var err error
		if *s.stmt, err = c.conn.PreparexContext(ctx, s.text); err != nil {
			return err
		}
	}
	return nil
}

// inPlace returns errMoved unless the connection's file is the one at the path,
// with all that belongs to it.
func (c *connection) inPlace() error {
	if err := c.place.unchanged(); err != nil {
		return err
	}
	if !c.memory.current(c.place) {
		return errMoved
	}
	return nil
}

// transaction runs f with the write lock held and commits. After an error
// other than errLocked the connection is of no use any more.
func (c *connection) transaction(ctx context.Context, f func(context.Context) error) error {
	err := c.patiently(ctx, func(ctx context.Context) error {
		_, err := c.begin.ExecContext(ctx)
		return err
	})
	if err == nil {
		err = c.inPlace() // the wait for the others may have been long
	}
	if err == nil {
		err = f(context.WithoutCancel(ctx))
	}
	if err != nil {
		return err
	}
	return c.patiently(ctx, func(ctx context.Context) error {
		_, err := c.commit.ExecContext(ctx)
		return err
	})
}

// patiently runs a statement again and again while somebody else holds a lock,
// until the context ends. The statement itself does not heed the context:
// ending one early costs the connection.
func (c *connection) patiently(ctx context.Context, statement func(context.Context) error) error {
	free := context.WithoutCancel(ctx)
	for {
		err := statement(free)
		if !isBusy(err) {
			return err
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%w: %w", errLocked, ctx.Err())
		}
	}
}

// close ends the connection and undoes an open transaction. The statements go
// first: nothing else closes those of a single connection, and while one is
// open SQLite keeps the file.
func (c *connection) close() error {
	var errs []error
	if c.keeper != nil {
		errs = append(errs, c.keeper.stop())
	}
	for _, s := range []*sqlx.Stmt{c.begin, c.insert, c.last, c.commit} {
		if s != nil {
			errs = append(errs, s.Close())
		}
	}
	if c.conn != nil {
		errs = append(errs, c.conn.Close())
	}
	if c.db != nil {
		errs = append(errs, c.db.Close())
	}
	return errors.Join(errs...)
}

func (d Durability) synchronous() int {
	if d == Process {
		return 1 // NORMAL
	}
	return 2 // FULL
}
