package audit_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// ask runs a query and returns its rows as text.
func ask(t testing.TB, r *audit.Reader, query string) (columns []string, rows []string) {
	t.Helper()
	err := r.Query(t.Context(), query, func(result audit.Result) error {
		columns = result.Columns
		for row, err := range result.Rows {
			if err != nil {
				return err
			}
			rows = append(rows, strings.Trim(fmt.Sprint(row), "[]"))
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return columns, rows
}

// TestViewsAgreeWithList compares what the views say with the rows of List.
func TestViewsAgreeWithList(t *testing.T) {
	j := audittest.NewJournal(t)
	outside := decision("s", "c2", "x")
	outside.Decision.Tool, outside.Decision.Input = "edit", []byte(`{"path":"/etc/x"}`)
	outside.Decision.Resources = []policy.Resource{{Kind: policy.EditPath, Text: "/etc/x", Path: "/etc/x"}}
	outside.Decision.Reasons = []policy.Reason{{Cause: policy.CauseOutside, Resource: "/etc/x"}}
	allowed := decision("s", "c3", "ls")
	allowed.Decision.Verdict, allowed.Decision.Answer, allowed.Decision.Waited, allowed.Decision.Basis = policy.Allow, "", 0, policy.BasisRule
	allowed.Decision.Reasons = []policy.Reason{{Cause: policy.CauseRule, Rule: "shell:ls *", File: "f", Line: 3}}
	odd := decision("s", "c4", "x")
	odd.Decision.Tool, odd.Decision.Input, odd.Decision.Resources, odd.Decision.Root = "my_tool", []byte(`{"command":7,"n":[1]}`), nil, ""
	bare := decision("s", "c5", "x")
	bare.Decision.Tool, bare.Decision.Input, bare.Decision.Resources = "none", []byte(`null`), nil
	for _, e := range []*gate.Entry{decision("s", "c1", "git push"), outside, allowed, odd, bare, outcome("s", "c1", 2), outcome("s", "c3", 0), outcome("s", "late", 0)} {
		record(t, j, e)
	}
	r := reader(t, j.Path())
	var want []string
	for row, err := range r.List(t.Context(), audit.Filter{Kind: gate.KindDecision}) {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprint(row.Seq, row.Time, row.Session, row.Project, row.Tool, row.What(), row.Verdict, row.Answer, row.Decision, row.Basis,
			row.Outcome, strings.Join(row.Rules(), ","), row.Duration))
	}
	_, got := ask(t, r, `SELECT seq || ' ' || time || ' ' || session || ' ' || project || ' ' || tool || ' ' || what || ' ' || verdict || ' ' || coalesce(answer, '') || ' ' ||
  decision || ' ' || basis || ' ' || coalesce(outcome, '') || ' ' || coalesce(rule, '') || ' ' || coalesce(duration_us, 0) FROM decisions ORDER BY seq`)
	if plain := func(list []string) string { return strings.ReplaceAll(strings.Join(list, "\n"), " ", "") }; plain(got) != plain(want) {
		t.Errorf("decisions\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for query, want := range map[string][]string{
		`SELECT what FROM decisions WHERE outside`:                                       {"/etc/x"},
		`SELECT what, answer, waited_us FROM prompts WHERE tool = 'bash'`:                {"git push once 1500"},
		`SELECT rule, effect, file, line, calls FROM rules`:                              {"shell:ls * allow f 3 1"},
		`SELECT session, calls, prompts, blocked FROM sessions`:                          {"s 5 4 0"},
		`SELECT outcome, exit_code, undecided FROM outcomes ORDER BY seq`:                {"error 2 0", "ok 0 0", "ok 0 0"},
		`SELECT count(*) FROM entries WHERE kind = 'decision'`:                           {"5"},
		`SELECT date(time), time FROM decisions LIMIT 1`:                                 {"2026-01-02 2026-01-02T03:04:05.000006Z"},
		"SELECT 1 -- ; not a second\n;":                                                  {"1"},
		`SELECT ';' AS a, "seq" FROM (SELECT 2 AS seq) /* ; */`:                          {"; 2"},
		`SELECT count(*) FROM pragma_table_info('decisions')`:                            {fmt.Sprint(len(audit.Views()[0].Columns))},
		`SELECT erased, masked, mismatch, trusted FROM decisions WHERE call = 'c1'`:      {"0 0 0 1"},
		`SELECT count(*) FROM decisions WHERE json_extract(input, '$.command') LIKE '%'`: {"3"},
	} {
		if _, got := ask(t, r, query); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

// TestQueryCoversSealedFiles asks over two files that follow each other.
func TestQueryCoversSealedFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "it's a journal?.db")
	j := open(t, path)
	record(t, j, decision("s", "c1", "make"))
	sealed, err := audit.Rotate(t.Context(), path, audittest.Options())
	if err != nil {
		t.Fatal(err)
	}
	record(t, j, outcome("s", "c1", 0))
	record(t, j, decision("s", "c2", "ls"))
	r, err := audit.OpenReader(t.Context(), sealed, path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() }) // it only read
	if _, got := ask(t, r, `SELECT what, outcome FROM decisions ORDER BY seq`); !slices.Equal(got, []string{"make ok", "ls <nil>"}) {
		t.Errorf("%q", got)
	}
}

// TestQueryOnlyReads tries what would write, or reach beyond the journal.
func TestQueryOnlyReads(t *testing.T) {
	j := audittest.NewJournal(t)
	record(t, j, decision("s", "c1", "ls"))
	r := reader(t, j.Path())
	folder := filepath.Dir(j.Path())
	other := filepath.Join(t.TempDir(), "other.db")
	before, err := os.ReadFile(j.Path())
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		`INSERT INTO entry DEFAULT VALUES`, `UPDATE journal0.entry SET pub = ''`, `DELETE FROM journal0.entry`, `REPLACE INTO journal0.entry (seq) VALUES (1)`,
		`DROP TABLE journal0.entry`, `DROP VIEW decisions`, `DROP TRIGGER journal0.entry_next`, `ALTER TABLE journal0.entry RENAME TO gone`,
		`CREATE TABLE x (a)`, `CREATE TEMP TABLE x (a)`, `CREATE TEMP VIEW x AS SELECT 1`, `CREATE VIEW journal0.x AS SELECT 1`, `CREATE TABLE main.x AS SELECT 1`,
		`CREATE VIRTUAL TABLE x USING fts5(a)`, `CREATE INDEX journal0.i ON entry (seq)`, `CREATE TEMP TRIGGER x BEFORE INSERT ON entry BEGIN SELECT 1; END`,
		`ATTACH '` + other + `' AS other`, `ATTACH ':memory:' AS other`, `DETACH journal0`, `VACUUM`, `VACUUM INTO '` + other + `'`, `VACUUM journal0 INTO '` + other + `'`,
		`REINDEX`, `ANALYZE`, `BEGIN`, `BEGIN IMMEDIATE`, `SAVEPOINT x`, `COMMIT`, `PRAGMA query_only = 0`, `PRAGMA query_only`, `PRAGMA writable_schema = 1`, `PRAGMA journal0.journal_mode = DELETE`,
		`PRAGMA journal0.user_version = 7`, `PRAGMA temp_store_directory = '/'`, `PRAGMA wal_checkpoint`, `PRAGMA optimize`, `PRAGMA journal0.application_id = 1`,
		`SELECT load_extension('x')`, `SELECT writefile('` + other + `', 'x')`, `SELECT readfile('/etc/passwd')`, `SELECT edit('x')`, `SELECT * FROM pragma_journal_mode`,
		`EXPLAIN DELETE FROM journal0.entry`, `WITH x AS (SELECT 1) DELETE FROM journal0.entry`, `SELECT 1; SELECT 2`, ``, `;`, `-- nothing`,
	} {
		err := r.Query(t.Context(), query, func(result audit.Result) error {
			for _, err := range result.Rows {
				if err != nil {
					return err
				}
			}
			return nil
		})
		var wrong *audit.QueryError
		if !errors.As(err, &wrong) {
			t.Errorf("%s: %v", query, err)
		}
	}
	if after, err := os.ReadFile(j.Path()); err != nil || string(after) != string(before) {
		t.Errorf("the journal has changed, or %v", err)
	}
	if _, err := os.Stat(other); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("another file was written: %v", err)
	}
	names, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || slices.ContainsFunc(names, func(n string) bool { return !strings.HasPrefix(filepath.Base(n), "journal.db") }) {
		t.Errorf("the folder holds %q, %v", names, err)
	}
}

// TestQueryErrorsHaveAPlace looks at the piece that is underlined.
func TestQueryErrorsHaveAPlace(t *testing.T) {
	j := audittest.NewJournal(t)
	record(t, j, decision("s", "c1", "ls"))
	r := reader(t, j.Path())
	for query, want := range map[string]string{
		"SELEKT 1":                                   "SELEKT",
		"SELECT seq FROM decisions WHER seq = 1":     "seq@31",
		"SELECT 'verdit', verdit FROM decisions":     "verdit@17",
		"SELECT d.nope FROM decisions AS d":          "nope",
		"SELECT * FROM decision_":                    "decision_",
		"SELECT nope(1)":                             "nope",
		"SELECT count( FROM decisions":               "FROM",
		"SELECT seq FROM decisions, prompts":         "seq",
		"SELECT 1; SELECT 2":                         ";",
		"SELECT 1 FROM decisions -- seq\nWHERE (a b": "b",
	} {
		err := r.Query(t.Context(), query, func(audit.Result) error { return nil })
		var wrong *audit.QueryError
		if !errors.As(err, &wrong) {
			t.Errorf("%s: %v", query, err)
			continue
		}
		piece := query[wrong.Start:wrong.End]
		if piece != want && fmt.Sprint(piece, "@", wrong.Start) != want {
			t.Errorf("%s: %q at %d, want %q: %v", query, piece, wrong.Start, want, err)
		}
	}
}

// TestQueryEndsWithItsContext ends an endless query after its first row.
func TestQueryEndsWithItsContext(t *testing.T) {
	j := audittest.NewJournal(t)
	record(t, j, decision("s", "c1", "ls"))
	r := reader(t, j.Path())
	for _, endless := range []string{
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000000) SELECT 1 UNION ALL SELECT count(*) FROM n`,
	} {
		ctx, cancel := context.WithCancel(t.Context())
		err := r.Query(ctx, endless, func(result audit.Result) error {
			next, stop := iter.Pull2(result.Rows)
			defer stop()
			if row, err, ok := next(); !ok || err != nil || row[0] != int64(1) {
				t.Errorf("the first row is %v, %v", row, err)
			}
			cancel()
			for {
				if _, err, ok := next(); !ok || err != nil {
					return err
				}
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		cancel()
	}
}
