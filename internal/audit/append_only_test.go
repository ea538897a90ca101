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
	"github.com/pigate/pigate/internal/gate/policy"
)

// forged are the values of an entry that fits behind entry 3, but for what the
// statements below make of its number.
const (
	columns = `(seq, version, prev, hash, commitment, pub, salt, body)`
	rest    = `1, (SELECT hash FROM entry ORDER BY seq DESC LIMIT 1), zeroblob(32), NULL, ` + pub + `, NULL, NULL`
	pub     = `'{"kind":"warning","time":1,"text":"forged"}'`
)

// forbidden are statements that would change or remove what is in a journal of
// a policy and two entries, or number an entry out of turn.
var forbidden = []string{
	`UPDATE entry SET pub = ` + pub,
	`UPDATE entry SET pub = ` + pub + ` WHERE seq = 3`,
	`UPDATE entry SET body = '{}'`,
	`UPDATE entry SET body = '{}', salt = zeroblob(16) WHERE seq = 3`,
	`UPDATE entry SET body = NULL WHERE seq = 3`,
	`UPDATE entry SET salt = NULL WHERE seq = 3`,
	`UPDATE entry SET commitment = NULL, salt = NULL, body = NULL WHERE seq = 3`,
	`UPDATE entry SET hash = zeroblob(32)`,
	`UPDATE entry SET prev = zeroblob(32) WHERE seq = 2`,
	`UPDATE entry SET version = 2`,
	`UPDATE entry SET seq = 4 WHERE seq = 3`,
	`UPDATE entry SET rowid = 4 WHERE seq = 3`,
	`UPDATE OR REPLACE entry SET seq = 1 WHERE seq = 2`,
	`UPDATE OR REPLACE entry SET rowid = 1, salt = NULL, body = NULL WHERE seq = 2`,
	`UPDATE OR IGNORE entry SET seq = 7 WHERE seq = 2`,
	`DELETE FROM entry`,
	`DELETE FROM entry WHERE seq = 3`,
	`INSERT INTO entry ` + columns + ` VALUES (1, ` + rest + `)`,
	`INSERT OR REPLACE INTO entry ` + columns + ` VALUES (1, ` + rest + `)`,
	`INSERT OR REPLACE INTO entry ` + columns + ` VALUES (3, ` + rest + `)`,
	`REPLACE INTO entry ` + columns + ` SELECT seq, ` + rest + ` FROM entry`,
	`INSERT OR IGNORE INTO entry ` + columns + ` VALUES (2, ` + rest + `)`,
	`INSERT OR FAIL INTO entry ` + columns + ` VALUES (2, ` + rest + `)`,
	`INSERT OR ROLLBACK INTO entry ` + columns + ` VALUES (2, ` + rest + `)`,
	`INSERT INTO entry ` + columns + ` VALUES (2, ` + rest + `) ON CONFLICT (seq) DO UPDATE SET pub = excluded.pub`,
	`INSERT INTO entry ` + columns + ` VALUES (5, ` + rest + `)`,
	`INSERT INTO entry ` + columns + ` VALUES (0, ` + rest + `)`,
	`INSERT INTO entry ` + columns + ` VALUES (-1, ` + rest + `)`,
	`INSERT INTO entry ` + columns + ` VALUES (9223372036854775807, ` + rest + `)`,
	`INSERT INTO entry (version, prev, hash, pub) VALUES (1, zeroblob(32), zeroblob(32), ` + pub + `)`,
	`INSERT INTO entry (seq, version, prev, hash, pub) VALUES (4, 1, zeroblob(32), zeroblob(32), ` + pub + `)`,
	`INSERT INTO entry (seq, version, prev, hash, pub) SELECT 4, 1, prev, hash, ` + pub + ` FROM entry WHERE seq = 3`,
	`INSERT INTO entry (seq, version, prev, hash, pub) SELECT 4, 1, hash, x'00', ` + pub + ` FROM entry WHERE seq = 3`,
	`INSERT INTO entry (seq, version, prev, hash, pub) SELECT 4, 1, hash, hash, 'not JSON' FROM entry WHERE seq = 3`,
	`INSERT INTO entry (seq, version, prev, hash, pub) SELECT 4, 1, hash, hash, '{"kind":"warning"}' FROM entry WHERE seq = 3`,
	`INSERT INTO entry (seq, version, prev, hash, pub) SELECT 4, 1, hash, hash, '{"time":1}' FROM entry WHERE seq = 3`,
}

// filled is the path of a journal with a policy and two entries.
func filled(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := open(t, path)
	pol := policy.New(policy.DefaultSettings(), nil)
	if err := j.Policy(t.Context(), pol.Digest(), pol.Canonical()); err != nil {
		t.Fatal(err)
	}
	record(t, j, decision("s", "c1", "first"))
	record(t, j, decision("s", "c2", "second"))
	return path // the journal stays open, so there is no checkpoint yet
}

// contents is every stored byte.
func contents(t *testing.T, path string) string {
	t.Helper()
	return query(t, path, `SELECT group_concat(seq || version || hex(prev) || hex(hash) || hex(commitment) || pub || hex(salt) || body, char(10)) FROM entry WHERE seq < 4`)
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
	// The triggers work there rather than merely failing: the next entry fits.
	if out, err := run(`INSERT INTO entry ` + columns + ` VALUES (4, ` + rest + `)`); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	out, err := run(`SELECT seq, project, tool, verdict, answer, decision, basis FROM decision`)
	if want := "2|/p|bash|ask|once|run|user\n3|/p|bash|ask|once|run|user\n"; err != nil || out != want {
		t.Errorf("the view shows %v %s, want %s", err, out, want)
	}
	if seq := record(t, open(t, path), decision("s", "c4", "x")); seq != 5 {
		t.Errorf("the next entry is %d, want 5", seq)
	}
	if got := len(audittest.Rows(t, path)); got != 5 {
		t.Errorf("%d rows, want 5", got)
	}
}

// An entry that somebody appended by hand and that makes no sense is named and
// hides no other.
func TestUnreadableEntry(t *testing.T) {
	t.Parallel()
	path := filled(t)
	mustExec(t, raw(t, path), `INSERT INTO entry (seq, version, prev, hash, pub) SELECT 4, 1, hash, hash, '{"kind":"decision","time":1,"tool":7}' FROM entry WHERE seq = 3`)
	record(t, open(t, path), decision("s", "c4", "x"))
	got, failed := listAll(t, path)
	if diff := cmp.Diff([]int64{1, 2, 3, 4, 5}, got); diff != "" {
		t.Error(diff)
	}
	if len(failed) != 1 || !strings.Contains(failed[0].Error(), "entry 4") || !strings.Contains(failed[0].Error(), path) {
		t.Errorf("errors: %v", failed)
	}
}
