package audit

import (
	"context"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"github.com/jmoiron/sqlx"

	"github.com/pigate/pigate/migrations"
)

// applicationID is what the first migration writes into the file's header.
const applicationID = 0x70676174

// migration is one step of the schema; its number is the version it leads to.
type migration struct {
	number int
	name   string
	text   string
}

// steps are the embedded migrations, in order and without a gap.
var steps = sync.OnceValues(func() ([]migration, error) { return readMigrations(migrations.FS) })

func readMigrations(files fs.FS) ([]migration, error) {
	names, err := fs.Glob(files, "*.sql") // sorted
	if err != nil {
		return nil, err
	}
	list := make([]migration, len(names))
	for i, name := range names {
		digits, _, _ := strings.Cut(name, "_")
		if number, err := strconv.Atoi(digits); err != nil || number != i+1 {
			return nil, fmt.Errorf("migration %s: its number is not %d", name, i+1)
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		list[i] = migration{i + 1, name, string(text)}
	}
	return list, nil
}

// header is what a file says about its schema.
type header struct{ application, version int }

func readHeader(ctx context.Context, q sqlx.QueryerContext) (h header, err error) {
	if err := sqlx.GetContext(ctx, q, &h.application, "PRAGMA application_id"); err != nil {
		return h, err
	}
	err = sqlx.GetContext(ctx, q, &h.version, "PRAGMA user_version")
	return h, err
}

// requireJournal refuses a database of something else and one whose schema this
// program does not know. A file without any content passes.
func requireJournal(ctx context.Context, q sqlx.QueryerContext) error {
	h, err := readHeader(ctx, q)
	if err != nil {
		return err
	}
	if h == (header{}) {
		var objects int
		if err := sqlx.GetContext(ctx, q, &objects, "SELECT count(*) FROM sqlite_master"); err != nil {
			return err
		}
		if objects > 0 {
			return errForeign
		}
		return nil
	}
	if h.application != applicationID {
		return errForeign
	}
	list, err := steps()
	if err != nil {
		return err
	}
	if h.version < 0 {
		return fmt.Errorf("%w: its schema is version %d", errDamaged, h.version)
	}
	if h.version > len(list) {
		return &fault{
			words: fmt.Sprintf("its schema is version %d and this pigate knows versions up to %d", h.version, len(list)),
			hint:  "a newer pigate wrote it; update this one, and then pigate install",
		}
	}
	return nil
}

// migrate brings the schema up to date.
func (c *connection) migrate(ctx context.Context) error {
	list, err := steps()
	if err != nil {
		return err
	}
	return c.apply(ctx, list)
}

// apply runs the steps that are missing, in one transaction. The caller has the
// lock file; the version is read again inside in case somebody works without
// it. After an error the transaction is open still.
//
// This is a dozen lines instead of goose because opening is on the way of the
// first call: one PRAGMA tells that nothing is to be done, where goose keeps a
// table and commits each step on its own, and it takes no lock on SQLite.
func (c *connection) apply(ctx context.Context, list []migration) error {
	h, err := readHeader(ctx, c.conn)
	if err != nil || h.version >= len(list) {
		return err
	}
	if _, err := c.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if h, err = readHeader(ctx, c.conn); err != nil {
		return err
	}
	for _, m := range list[min(h.version, len(list)):] {
		if _, err := c.conn.ExecContext(ctx, m.text); err != nil {
			return fmt.Errorf("migration %s: %w", m.name, err)
		}
		if _, err := c.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", m.number)); err != nil {
			return fmt.Errorf("migration %s: %w", m.name, err)
		}
	}
	_, err = c.conn.ExecContext(ctx, "COMMIT")
	return err
}
