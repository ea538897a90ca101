package audit_test

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit"
)

// A verifier written from docs/journal.md alone, which shares nothing with the
// one in the package: it reads the journal through the sqlite3 shell.
func secondOpinion(t *testing.T, path string) error {
	t.Helper()
	out := shell(t, path, `SELECT seq, version, hex(prev), hex(hash), coalesce(hex(commitment), ''), hex(pub), coalesce(hex(salt), ''), coalesce(hex(body), '') FROM entry ORDER BY seq`)
	prev := strings.Repeat("00", 32)
	for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
		f := strings.Split(line, "|")
		if f[0] != fmt.Sprint(i+1) || f[1] != "1" || !strings.EqualFold(f[2], prev) {
			return fmt.Errorf("line %d is not the next entry", i+1)
		}
		pub := unhex(t, f[5])
		h := sha256.New()
		_ = binary.Write(h, binary.BigEndian, []uint64{1, uint64(i + 1)})
		h.Write(unhex(t, f[2]))
		_ = binary.Write(h, binary.BigEndian, uint64(len(pub)))
		h.Write(pub)
		h.Write(unhex(t, f[4]))
		if !strings.EqualFold(hex.EncodeToString(h.Sum(nil)), f[3]) {
			return fmt.Errorf("entry %d has another hash", i+1)
		}
		private := sha256.Sum256(append(unhex(t, f[6]), unhex(t, f[7])...))
		if f[6] != "" && !strings.EqualFold(hex.EncodeToString(private[:]), f[4]) {
			return fmt.Errorf("the private part of entry %d is another", i+1)
		}
		prev = f[3]
	}
	return nil
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// shell runs statements in the sqlite3 shell and returns what it prints.
func shell(t *testing.T, path, statements string) string {
	t.Helper()
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		if runtime.GOOS == "linux" {
			t.Fatal("the sqlite3 shell is missing; make go-test installs it")
		}
		t.Skip("this system has no sqlite3 shell")
	}
	cmd := exec.CommandContext(t.Context(), program, "-batch", "-bail", path)
	cmd.Stdin = strings.NewReader(statements + ";\n")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v: %s", statements, err, out.String())
	}
	return out.String()
}

func TestSecondOpinion(t *testing.T) {
	t.Parallel()
	path := closed(t)
	if err := secondOpinion(t, path); err != nil {
		t.Error(err)
	}
	shell(t, path, `DROP TRIGGER entry_no_update; UPDATE entry SET pub = replace(pub, '"run"', '"fun"') WHERE seq = 7`)
	if err := secondOpinion(t, path); err == nil || !strings.Contains(err.Error(), "entry 7") {
		t.Errorf("it says %v of a changed entry", err)
	}
}

// dropTriggers drops every trigger, as somebody with the shell can.
const dropTriggers = `DROP TRIGGER entry_next; DROP TRIGGER entry_sealed; DROP TRIGGER entry_no_update; DROP TRIGGER entry_no_delete; `

// createTriggers puts them back, so that only the entries tell.
func createTriggers(t *testing.T, path string) string {
	t.Helper()
	return shell(t, path, `SELECT sql || ';' FROM sqlite_master WHERE type = 'trigger'`)
}

// Whatever is done to the entries with the sqlite3 shell is found, at the right
// entry, also when the triggers are put back afterwards.
func TestTampering(t *testing.T) {
	t.Parallel()
	const next = `INSERT INTO entry SELECT 42, 1, hash, zeroblob(32), NULL, '{"kind":"warning","time":1}', NULL, NULL FROM entry WHERE seq = 41`
	for name, c := range map[string]struct {
		statements string
		seq        int64
		kind       audit.Trouble
	}{
		"public text changed":     {`UPDATE entry SET pub = replace(pub, '"run"', '"fun"') WHERE seq = 9`, 9, audit.Changed},
		"private text changed":    {`UPDATE entry SET body = replace(body, 'command', 'commend') WHERE seq = 9`, 9, audit.Changed},
		"salt changed":            {`UPDATE entry SET salt = zeroblob(16) WHERE seq = 9`, 9, audit.Changed},
		"commitment changed":      {`UPDATE entry SET commitment = zeroblob(32) WHERE seq = 9`, 9, audit.Changed},
		"commitment removed":      {`UPDATE entry SET commitment = NULL, salt = NULL, body = NULL WHERE seq = 9`, 9, audit.Changed},
		"private text invented":   {`UPDATE entry SET salt = zeroblob(16), body = '{}' WHERE seq = 10`, 10, audit.Changed},
		"private text removed":    {`UPDATE entry SET salt = NULL, body = NULL WHERE seq = 9`, 9, audit.Undeclared},
		"only the salt removed":   {`UPDATE entry SET salt = NULL WHERE seq = 9`, 9, audit.Changed},
		"only the text removed":   {`UPDATE entry SET body = NULL WHERE seq = 9`, 9, audit.Changed},
		"hash changed":            {`UPDATE entry SET hash = zeroblob(32) WHERE seq = 9`, 9, audit.Changed},
		"previous hash changed":   {`UPDATE entry SET prev = zeroblob(32) WHERE seq = 9`, 9, audit.Changed},
		"version changed":         {`UPDATE entry SET version = 2 WHERE seq = 9`, 9, audit.Changed},
		"entry removed":           {`DELETE FROM entry WHERE seq = 9`, 9, audit.Missing},
		"first entry removed":     {`DELETE FROM entry WHERE seq = 1`, 1, audit.Missing},
		"several removed":         {`DELETE FROM entry WHERE seq BETWEEN 9 AND 12`, 9, audit.Missing},
		"removed and closed up":   {`DELETE FROM entry WHERE seq = 9; UPDATE entry SET seq = seq - 1 WHERE seq > 9`, 9, audit.Reordered},
		"swapped":                 {`UPDATE entry SET seq = -1 WHERE seq = 9; UPDATE entry SET seq = 9 WHERE seq = 12; UPDATE entry SET seq = 12 WHERE seq = -1`, 9, audit.Reordered},
		"replaced by another":     {`DELETE FROM entry WHERE seq = 9; INSERT INTO entry SELECT 9, version, prev, hash, commitment, pub, salt, body FROM entry WHERE seq = 11`, 9, audit.Reordered},
		"appended, hash invented": {next, 42, audit.Changed},
		"tail cut":                {`DELETE FROM entry WHERE seq > 30`, 31, audit.CutTail},
		"last entry cut":          {`DELETE FROM entry WHERE seq > 39`, 40, audit.CutTail},
		"all cut":                 {`DELETE FROM entry`, 1, audit.CutTail},
		"triggers dropped":        {`SELECT 1`, 0, audit.BadTriggers},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := closed(t)
			triggers := createTriggers(t, path)
			shell(t, path, "PRAGMA ignore_check_constraints = ON; "+dropTriggers+c.statements)
			if v := verified(t, path); v.Whole || v.Finding.Seq != c.seq || v.Finding.Kind != c.kind {
				t.Errorf("found %+v, want entry %d %s", v.Finding, c.seq, c.kind)
			}
			if c.kind == audit.BadTriggers {
				return
			}
			shell(t, path, triggers)
			if v := verified(t, path); v.Whole || v.Finding.Seq != c.seq || v.Finding.Kind != c.kind {
				t.Errorf("with triggers: found %+v, want entry %d %s", v.Finding, c.seq, c.kind)
			}
		})
	}
}

// Who writes a whole new history behind an entry meets the checkpoints.
func TestRewrittenHistory(t *testing.T) {
	t.Parallel()
	path := closed(t)
	other := closed(t) // the same calls, other salts and times
	for _, suffix := range []string{"", "-wal"} {
		text, err := os.ReadFile(other + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+suffix, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if v := verified(t, path); v.Whole || v.Finding.Kind != audit.Fork && v.Finding.Kind != audit.BadSignature {
		t.Errorf("another journal in its place: %+v", v.Finding)
	}
	// Also when the rewriter signs with a key of its own, as the key that is kept
	// elsewhere shows.
	key, err := os.ReadFile(path + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	v, err := audit.Verify(t.Context(), audit.VerifyOptions{Keys: string(key)}, other)
	if err != nil || v.Whole || v.Finding.Kind != audit.BadSignature {
		t.Errorf("a journal of another key: %+v %v", v.Finding, err)
	}
}

func TestAgainst(t *testing.T) {
	t.Parallel()
	path := closed(t)
	text, err := os.ReadFile(path + ".checkpoints")
	if err != nil {
		t.Fatal(err)
	}
	kept := string(text)
	for name, c := range map[string]struct {
		against string
		kind    audit.Trouble
	}{
		"as it is":          {kept, ""},
		"size changed":      {strings.Replace(kept, "\n40\n", "\n39\n", 1), audit.BadSignature},
		"signature changed": {strings.Replace(kept, "\u2014 pigate ", "\u2014 pigate A", 1), audit.BadSignature},
	} {
		v, err := audit.Verify(t.Context(), audit.VerifyOptions{Against: c.against}, path)
		if err != nil {
			t.Fatal(err)
		}
		if v.Whole != (c.kind == "") || !v.Whole && v.Finding.Kind != c.kind {
			t.Errorf("%s: %+v", name, v.Finding)
		}
	}
	// A checkpoint that was kept elsewhere tells of a cut tail when the file
	// beside the journal is cut too.
	shell(t, path, dropTriggers+`DELETE FROM entry WHERE seq > 20`)
	if err := os.Remove(path + ".checkpoints"); err != nil {
		t.Fatal(err)
	}
	v, err := audit.Verify(t.Context(), audit.VerifyOptions{Against: kept}, path)
	if err != nil || v.Whole || v.Finding.Kind != audit.CutTail || v.Finding.Seq != 21 {
		t.Errorf("%+v %v", v.Finding, err)
	}
}

// Every byte of a small journal is flipped in turn. Each flip is found, by
// verification or by SQLite, or changes nothing that can be read: it lies in
// unused space.
func TestEveryByteFlipped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	source := filepath.Join(dir, "source.db")
	j := open(t, source)
	record(t, j, decision("s", "a", "first"))
	record(t, j, outcome("s", "a", 0))
	record(t, j, decision("s", "b", "second"))
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	original, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "journal.db")
	for _, suffix := range []string{".pub", ".checkpoints"} {
		if err := os.Rename(source+suffix, path+suffix); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, original, 0o600); err != nil {
		t.Fatal(err)
	}
	if v := verified(t, path); !v.Whole {
		t.Fatal(v.Finding)
	}
	want := everyCell(t, path)
	text := bytes.Clone(original)
	silent := 0
	for i := range text {
		if unused(original, i) {
			continue
		}
		text[i] ^= 0x15
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		text[i] = original[i]
		v, err := audit.Verify(t.Context(), audit.VerifyOptions{Deep: true}, path)
		if err != nil || !v.Whole {
			continue
		}
		if got := everyCell(t, path); got != want {
			t.Errorf("byte %d: nothing was found, and the journal reads otherwise", i)
		}
		silent++
	}
	t.Logf("%d of %d flips change nothing that is read", silent, len(text))
}

// unused reports that a byte is one of many zeros in a row: pages are filled
// from both ends, and what is between is never read.
func unused(text []byte, i int) bool {
	const run = 64
	around := text[max(0, i-run):min(len(text), i+run)]
	return len(bytes.Trim(around, "\x00")) == 0
}

// everyCell is all that can be read.
func everyCell(t *testing.T, path string) (all string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	row := db.QueryRowContext(t.Context(), `SELECT group_concat(seq || typeof(seq) || version || hex(prev) || hex(hash) ||
		coalesce(hex(commitment), '-') || hex(pub) || coalesce(hex(salt), '-') || coalesce(hex(body), '-')) FROM entry`)
	if err := row.Scan(&all); err != nil {
		t.Errorf("the journal was found whole and cannot be read: %v", err)
	}
	return all
}
