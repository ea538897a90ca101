package audit_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
)

const body = `'{"kind":"warning","time":1,"text":"forged"}'`

// forbidden are statements that would change or remove what is in a journal of
// two entries and one policy, or number an entry out of turn.
var forbidden = []string{
	`UPDATE entry SET body = ` + body,
	`UPDATE entry SET body = ` + body + ` WHERE seq = 2`,
	`UPDATE entry SET seq = 3 WHERE seq = 2`,
	`UPDATE OR REPLACE entry SET seq = 1 WHERE seq = 2`,
	`UPDATE OR IGNORE entry SET seq = 7 WHERE seq = 2`,
	`DELETE FROM entry`,
	`DELETE FROM entry WHERE seq = 2`,
	`INSERT INTO entry (seq, body) VALUES (1, ` + body + `)`,
	`INSERT OR REPLACE INTO entry (seq, body) VALUES (1, ` + body + `)`,
	`INSERT OR REPLACE INTO entry (rowid, body) VALUES (2, ` + body + `)`,
	`REPLACE INTO entry (seq, body) SELECT seq, ` + body + ` FROM entry`,
	`INSERT OR IGNORE INTO entry (seq, body) VALUES (2, ` + body + `)`,
	`INSERT OR FAIL INTO entry (seq, body) VALUES (2, ` + body + `)`,
	`INSERT OR ROLLBACK INTO entry (seq, body) VALUES (2, ` + body + `)`,
	`INSERT INTO entry (seq, body) VALUES (2, ` + body + `) ON CONFLICT (seq) DO UPDATE SET body = excluded.body`,
	`INSERT INTO entry (seq, body) VALUES (4, ` + body + `)`,
	`INSERT INTO entry (seq, body) VALUES (0, ` + body + `)`,
	`INSERT INTO entry (seq, body) VALUES (-1, ` + body + `)`,
	`INSERT INTO entry (seq, body) VALUES (9223372036854775807, ` + body + `)`,
	`INSERT INTO entry (body) VALUES (` + body + `)`,
	`INSERT INTO entry (seq, body) VALUES (3, 'not JSON')`,
	`INSERT INTO entry (seq, body) VALUES (3, '{"kind":"warning"}')`,
	`INSERT INTO entry (seq, body) VALUES (3, '{"time":1}')`,
	`UPDATE policy SET body = 'x'`,
	`DELETE FROM policy`,
	`INSERT INTO policy (digest, body) SELECT digest, 'x' FROM policy`,
	`INSERT OR REPLACE INTO policy (digest, body) SELECT digest, 'x' FROM policy`,
	`INSERT OR REPLACE INTO policy (rowid, digest, body) VALUES (1, 'y', 'x')`,
	`INSERT INTO policy (digest, body) SELECT digest, 'x' FROM policy WHERE true ON CONFLICT (digest) DO UPDATE SET body = 'x'`,
	`INSERT INTO policy (digest, body) VALUES ('short', 'x')`,
}

// filled is the path of a journal with two entries and a policy.
func filled(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := open(t, path)
	policy := gate.NewPolicy(gate.DefaultSettings(), nil)
	if err := j.Policy(t.Context(), policy.Digest(), policy.Canonical()); err != nil {
		t.Fatal(err)
	}
	record(t, j, decision("s", "c1", "first"))
	record(t, j, decision("s", "c2", "second"))
	return path
}

// contents is every stored byte.
func contents(t *testing.T, path string) string {
	t.Helper()
	return query(t, path, `SELECT (SELECT group_concat(seq || body, char(10)) FROM entry) || (SELECT group_concat(digest || body) FROM policy)`)
}

func TestOnlyGrowsOnAnyConnection(t *testing.T) {
	t.Parallel()
	path := filled(t)
	before := contents(t, path)
	for _, recursive := range []string{"PRAGMA recursive_triggers = OFF", "PRAGMA recursive_triggers = ON"} {
		conn := raw(t, path)
		mustExec(t, conn, recursive)
		mustExec(t, conn, "PRAGMA ignore_check_constraints = OFF")
		for _, statement := range forbidden {
			if _, err := conn.ExecContext(t.Context(), statement); err == nil {
				t.Errorf("accepted: %s", statement)
			}
		}
	}
	if diff := cmp.Diff(before, contents(t, path)); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyGrowsInTheShell(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sqlite3")
	if err != nil {
		if runtime.GOOS == "linux" {
			t.Fatal("the sqlite3 shell is missing; make go-test installs it")
		}
		t.Skip("this system has no sqlite3 shell")
	}
	path := filled(t)
	before := contents(t, path)
	run := func(statement string) (string, error) {
		cmd := exec.CommandContext(t.Context(), shell, "-batch", "-bail", path)
		cmd.Stdin = strings.NewReader(".timeout 5000\n" + statement + ";\n")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		return out.String(), err
	}
	for _, statement := range forbidden {
		if out, err := run(statement); err == nil {
			t.Errorf("accepted: %s\n%s", statement, out)
		}
	}
	if diff := cmp.Diff(before, contents(t, path)); diff != "" {
		t.Error(diff)
	}
	// The guards work there rather than merely failing: the next entry fits.
	if out, err := run(`INSERT INTO entry (seq, body) VALUES (3, ` + body + `)`); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	out, err := run(`SELECT seq, project, tool, verdict, answer, decision, basis FROM decision`)
	if want := "1|/p|bash|ask|once|run|user\n2|/p|bash|ask|once|run|user\n"; err != nil || out != want {
		t.Errorf("the view shows %v %s, want %s", err, out, want)
	}
	if seq := record(t, open(t, path), decision("s", "c4", "x")); seq != 4 {
		t.Errorf("the next entry is %d, want 4", seq)
	}
	if got := len(audittest.Rows(t, path)); got != 4 {
		t.Errorf("%d rows, want 4", got)
	}
}

// An entry that somebody appended by hand and that makes no sense is named and
// hides no other.
func TestUnreadableEntry(t *testing.T) {
	t.Parallel()
	path := filled(t)
	mustExec(t, raw(t, path), `INSERT INTO entry (seq, body) VALUES (3, '{"kind":"decision","time":1,"tool":7}')`)
	record(t, open(t, path), decision("s", "c4", "x"))
	got, failed := listAll(t, path)
	if diff := cmp.Diff([]int64{1, 2, 3, 4}, got); diff != "" {
		t.Error(diff)
	}
	if len(failed) != 1 || !strings.Contains(failed[0].Error(), "entry 3") || !strings.Contains(failed[0].Error(), path) {
		t.Errorf("errors: %v", failed)
	}
}
