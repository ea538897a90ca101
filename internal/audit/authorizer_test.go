package audit

import (
	"path/filepath"
	"strings"
	"testing"
)

// Our own connections refuse what they have no business with, the triggers of the
// file apart.
func TestOurConnectionsRefuse(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	j, err := Open(t.Context(), path, Options{Masker: unmasked})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	other := filepath.Join(t.TempDir(), "other.db")
	always := []string{
		`DROP TABLE entry`, `DROP TRIGGER entry_next`, `DROP INDEX entry_outcome`, `DROP VIEW event`, `ALTER TABLE entry ADD COLUMN more`,
		`ALTER TABLE entry RENAME TO gone`, `ATTACH '` + other + `' AS other`, `DELETE FROM entry`, `UPDATE entry SET pub = ''`,
		`UPDATE entry SET seq = 7`, `PRAGMA writable_schema = 1`, `CREATE TEMP TRIGGER t BEFORE INSERT ON entry BEGIN SELECT RAISE(IGNORE); END`,
		`CREATE TEMP TABLE entry (a)`,
	}
	for d, more := range map[duty][]string{
		appending: {`UPDATE entry SET salt = NULL, body = NULL`, `VACUUM`},
		erasing:   {`VACUUM INTO '` + other + `'`},
		reading:   {`UPDATE entry SET salt = NULL, body = NULL`, `INSERT INTO entry DEFAULT VALUES`, `VACUUM`},
	} {
		db, err := dial(j.conn.place.dsn("mode=rw"), d, &hold{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		for _, statement := range append(always, more...) {
			if _, err := db.ExecContext(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "authoriz") {
				t.Errorf("duty %d: %s: %v", d, statement, err)
			}
		}
	}
}
