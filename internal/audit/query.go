package audit

import (
	"context"
	"database/sql"
	"fmt"
	"iter"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"
)

// maxQueried is how many files one query reads: SQLite joins no more than ten
// databases as it is built.
const maxQueried = 10

// Result is what a query yields.
type Result struct {
	// Columns are the names of the columns.
	Columns []string
	// Rows are the rows, to be read once. A value is nil, int64, float64, string or
	// []byte.
	Rows iter.Seq2[[]any, error]
}

// Query runs one statement of SQL over the views of Views, for reading alone:
// the files are opened read-only, the connection is, and it refuses to prepare
// anything but a question. f gets the result and reads it; what it returns,
// Query returns. When the context ends, its error is the next and last thing
// that Rows yields, even while SQLite is in the middle of a step. Errors in the
// text are of type *QueryError.
func (r *Reader) Query(ctx context.Context, text string, f func(Result) error) error {
	if err := oneStatement(text); err != nil {
		return err
	}
	q, err := r.openQuery(ctx)
	if err != nil {
		return r.fail(err)
	}
	ctx, stop := context.WithCancel(ctx)
	found := feed{rows: make(chan feedItem, 64), done: make(chan struct{})}
	defer func() {
		stop()
		end := func() {
			<-found.done
			_ = q.db.Close() // it only read
		}
		if found.ended {
			end()
			return
		}
		go end() // a long step that nobody wants any more is not waited for
	}()
	go found.run(ctx, q.conn, text)
	head, _ := found.next(ctx)
	if head.err != nil {
		<-found.done // the first step ends with the context
		found.ended = true
		return q.explain(text, head.err)
	}
	return f(Result{head.columns, found.all(ctx)})
}

// queryConn is a connection for one question.
type queryConn struct {
	db   *sqlx.DB
	conn *sqlx.Conn
}

// openQuery opens a database of nothing but views on the journal's files.
func (r *Reader) openQuery(ctx context.Context) (_ *queryConn, err error) {
	if len(r.files) > maxQueried {
		return nil, &fault{words: fmt.Sprintf("a query reads at most %d files, the journal has %d", maxQueried, len(r.files)),
			hint: "name the files to be read after the query"}
	}
	c, err := sqlite.NewConnector("file::memory:?_busy_timeout=5000&_defensive=1&_dqs=0&_error_rc=1")
	if err != nil {
		return nil, err
	}
	q := &queryConn{db: sqlx.NewDb(sql.OpenDB(c), "sqlite")}
	defer func() {
		if err != nil {
			_ = q.db.Close() // the first error says more
		}
	}()
	q.db.SetMaxOpenConns(1)
	if q.conn, err = q.db.Connx(ctx); err != nil {
		return nil, err
	}
	for i, file := range r.files {
		if err = q.attach(ctx, schemaName(i), file.path); err != nil {
			return nil, err
		}
	}
	for _, v := range viewTexts(len(r.files)) {
		if _, err = q.conn.ExecContext(ctx, v); err != nil {
			return nil, err
		}
	}
	if _, err = q.conn.ExecContext(ctx, "PRAGMA query_only = 1"); err != nil {
		return nil, err
	}
	return q, q.conn.Raw(func(driver any) error { return restrict(driver, asking) })
}

func schemaName(i int) string { return fmt.Sprintf("journal%d", i) }

// attach opens a file of the journal beside the others, as openReadOnly would.
func (q *queryConn) attach(ctx context.Context, name, path string) error {
	pl, err := locate(path)
	if err != nil {
		return err
	}
	attach := func(parameters ...string) error {
		_, err := q.conn.ExecContext(ctx, "ATTACH ? AS "+name, pl.dsn(parameters...))
		if err == nil {
			_, err = q.conn.ExecContext(ctx, "SELECT 1 FROM "+name+".sqlite_master")
		}
		return err
	}
	err = attach("mode=ro")
	if needsIndex(err) && pl.settled() {
		_, _ = q.conn.ExecContext(ctx, "DETACH "+name) // it may not have come to that
		err = attach("mode=ro", "immutable=1")
	}
	return err
}
