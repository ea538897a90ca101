package audit

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pigate/pigate/migrations"
)

func TestMigrationsAreNumbered(t *testing.T) {
	t.Parallel()
	list, err := readMigrations(migrations.FS)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d migrations, %v", len(list), err)
	}
	one, two := &fstest.MapFile{Data: []byte("SELECT 1")}, &fstest.MapFile{Data: []byte("SELECT 2")}
	for name, files := range map[string]fstest.MapFS{
		"gap":       {"0001_a.sql": one, "0003_b.sql": two},
		"twice":     {"0001_a.sql": one, "0001_b.sql": two},
		"no number": {"a.sql": one},
	} {
		if _, err := readMigrations(files); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	list, err = readMigrations(fstest.MapFS{"0002_b.sql": two, "0001_a.sql": one})
	if err != nil || list[0].text != "SELECT 1" || list[1].number != 2 {
		t.Errorf("%v %v", list, err)
	}
}

// Opening again finds nothing to do, and a step that fails leaves no trace.
func TestMigrateIsOneTransaction(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "journal.db")
	pl, err := locate(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &connection{place: pl}
	if c.db, err = dial(pl.dsn(), appending, &hold{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.close() })
	if c.conn, err = c.db.Connx(ctx); err != nil {
		t.Fatal(err)
	}
	broken := []migration{{1, "0001_a.sql", "CREATE TABLE a (b); CREATE TABLE c (d)"}, {2, "0002_b.sql", "CREATE TABLE e (f); nonsense"}}
	if err := c.apply(ctx, broken); err == nil || !strings.Contains(err.Error(), "0002_b.sql") {
		t.Fatalf("error %v", err)
	}
	if _, err := c.conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	h, err := readHeader(ctx, c.conn)
	if err != nil || h != (header{}) {
		t.Errorf("after a failure: %+v %v", h, err)
	}
	if err := c.apply(ctx, broken[:1]); err != nil {
		t.Fatal(err)
	}
	if err := c.apply(ctx, broken[:1]); err != nil { // CREATE TABLE would fail
		t.Fatal(err)
	}
}

// A list finds outcomes by the index that exists for them.
func TestListPlan(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	j, err := Open(t.Context(), path, Options{Masker: unmasked})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	r, err := OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	l, err := r.newListing(t.Context(), Filter{Session: "s", Tool: "bash", Since: 1, Reverse: true})
	if err != nil {
		t.Fatal(err)
	}
	text, args := l.query(1, math.MaxInt64)
	rows, err := r.files[0].db.QueryxContext(t.Context(), "EXPLAIN QUERY PLAN "+text, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rows.Close() })
	var plan strings.Builder
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		plan.WriteString(detail + "\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"SEARCH o USING INDEX entry_outcome"} {
		if !strings.Contains(plan.String(), want) {
			t.Errorf("no %q in:\n%s", want, &plan)
		}
	}
}
