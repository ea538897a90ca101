package audit_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate/policy"
)

// told checks that an error names the file and says what to do.
func told(t *testing.T, err error, path, words string) {
	t.Helper()
	var e *audit.Error
	if !errors.As(err, &e) {
		t.Errorf("%v is no *audit.Error", err)
		return
	}
	if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), words) || len(e.Hint()) < 10 {
		t.Errorf("message %q, hint %q; want %q and %q in the message", err, e.Hint(), path, words)
	}
}

// take does something to the files of a journal that is in use.
var takes = map[string]func(t *testing.T, path string){
	"file deleted":       func(t *testing.T, path string) { remove(t, path) },
	"all deleted":        func(t *testing.T, path string) { remove(t, path, path+"-wal", path+"-shm") },
	"folder moved":       func(t *testing.T, path string) { rename(t, filepath.Dir(path), filepath.Dir(path)+".old") },
	"file moved":         func(t *testing.T, path string) { rename(t, path, path+".old") },
	"replaced by copy":   func(t *testing.T, path string) { rename(t, copyOf(t, path), path) },
	"replaced by rubble": func(t *testing.T, path string) { rename(t, empty(t, path), path) },
}

func remove(t *testing.T, paths ...string) {
	t.Helper()
	for _, p := range paths {
		if err := os.Remove(p); err != nil {
			t.Fatal(err)
		}
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// copyOf makes a journal of one entry, with the same key, beside path.
func copyOf(t *testing.T, path string) string {
	t.Helper()
	other := path + ".new"
	key, err := os.ReadFile(path + ".key")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other+".key", key, 0o600); err != nil {
		t.Fatal(err)
	}
	j := open(t, other)
	record(t, j, decision("s", "c", "of the copy"))
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return other
}

func empty(t *testing.T, path string) string {
	t.Helper()
	other := path + ".new"
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return other
}

// A file that is taken away fails one write of each who has it open. From then
// on all write to the file at the path, and that one is whole.
func TestFileTakenAway(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows lets nobody take away an open file")
	}
	for name, take := range takes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "j", "journal.db")
			writers := []*audit.Journal{open(t, path), open(t, path)}
			for i := range 10 {
				record(t, writers[i%2], decision("s", "c", "before"))
			}
			take(t, path)
			for _, j := range writers {
				_, err := j.Record(t.Context(), decision("s", "c", "lost"))
				told(t, err, path, "deleted or replaced")
				record(t, j, decision("s", "c", "after"))
			}
			for i := range 10 {
				record(t, writers[i%2], decision("s", "c", "later"))
			}
			rows := audittest.Rows(t, path)
			sound(t, path, rows)
			if rows = decisions(rows); name == "replaced by copy" {
				rows = rows[1:]
			}
			if len(rows) != 12 || slices.ContainsFunc(rows, func(r audit.Row) bool { return strings.Contains(string(r.Input), "lost") }) {
				t.Errorf("%d entries: %s", len(rows), summary(rows))
			}
		})
	}
}

// A policy goes into the file that the decisions go into.
func TestPolicyFollowsTheFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows lets nobody take away an open file")
	}
	path := filepath.Join(t.TempDir(), "journal.db")
	j := open(t, path)
	pol := policy.New(policy.DefaultSettings(), nil)
	store := func() error { return j.Policy(t.Context(), pol.Digest(), pol.Canonical()) }
	if err := store(); err != nil {
		t.Fatal(err)
	}
	remove(t, path)
	if err := store(); err != nil {
		t.Fatal(err) // it is known to be stored; the decision will meet the loss
	}
	if _, err := j.Record(t.Context(), decision("s", "c", "x")); err == nil {
		t.Fatal("recorded into a deleted file")
	}
	if err := store(); err != nil {
		t.Fatal(err)
	}
	if got := query(t, path, "SELECT count(*) FROM entry WHERE pub GLOB '{\"kind\":\"policy\"*'"); got != "1" {
		t.Errorf("%s policies in the new file", got)
	}
}

// The log alone holds the newest entries. When it is deleted under an open
// journal they reach the file.
func TestLogDeleted(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows lets nobody take away an open file")
	}
	path := filepath.Join(t.TempDir(), "journal.db")
	writers := []*audit.Journal{open(t, path), open(t, path)}
	for i := range 10 {
		record(t, writers[i%2], decision("s", "c", "before"))
	}
	remove(t, path+"-wal")
	for i, j := range writers {
		_, err := j.Record(t.Context(), decision("s", "c", "lost"))
		told(t, err, path, "deleted or replaced")
		// Each says first that one is missing.
		if seq := record(t, j, decision("s", "c", "after")); seq != int64(12+2*i) {
			t.Errorf("the next entry is %d, want %d", seq, 12+2*i)
		}
	}
	sound(t, path, audittest.Rows(t, path))
}

// Who comes after the file was deleted starts a new one, though somebody still
// has the old one open.
func TestNewcomerAfterDeletion(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows lets nobody take away an open file")
	}
	path := filepath.Join(t.TempDir(), "journal.db")
	old := start(t, "hold", path)
	if !old.lines.Scan() {
		t.Fatalf("no answer: %s", old.said.String())
	}
	remove(t, path)
	newcomer := open(t, path)
	for i := range 3 {
		if seq := record(t, newcomer, decision("s", "newcomer", "x")); seq != int64(i+1) {
			t.Errorf("entry %d has number %d", i+1, seq)
		}
	}
	if err := old.stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if err := old.Wait(); err != nil {
		t.Errorf("%v: %s", err, old.said.String())
	}
	rows := audittest.Rows(t, path)
	sound(t, path, rows)
	if diff := cmp.Diff(map[string]int{"newcomer": 3, "after": 1}, calls(t, rows)); diff != "" {
		t.Error(diff)
	}
}

func TestNotOurFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	foreign := raw(t, path("foreign.db"))
	mustExec(t, foreign, "CREATE TABLE t (a)")
	numbered := raw(t, path("numbered.db"))
	mustExec(t, numbered, "PRAGMA user_version = 1")
	if err := os.WriteFile(path("text.db"), []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path("folder.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	newer := open(t, path("newer.db"))
	record(t, newer, decision("s", "c", "x"))
	mustExec(t, raw(t, path("newer.db")), "PRAGMA user_version = 99")

	for name, words := range map[string]string{
		"foreign.db":  "not a journal of pigate",
		"numbered.db": "not a journal of pigate",
		"text.db":     "not a SQLite database",
		"folder.db":   "not a regular file",
		"newer.db":    "version 99",
	} {
		_, err := audit.Open(t.Context(), path(name), audittest.Options())
		told(t, err, path(name), words)
		_, err = audit.OpenReader(t.Context(), path(name))
		told(t, err, path(name), words)
	}
	if got := query(t, path("foreign.db"), "PRAGMA journal_mode"); got != "delete" {
		t.Errorf("the foreign database is now in mode %s", got)
	}
	if _, err := audit.Open(t.Context(), "", audittest.Options()); err == nil {
		t.Error("an empty path was opened")
	}
}

func TestNoJournalToRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "folder", "journal.db")
	_, err := audit.OpenReader(t.Context(), path)
	told(t, err, path, "there is none")
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v is not ErrNotExist", err)
	}
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Error("reading created the folder")
	}
}

// A damaged file is an error, and a journal again once it is moved away.
func TestDamagedFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := audit.NewJournal(path, audittest.Options())
	for range 200 {
		record(t, j, decision("s", "c", "x"))
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte(strings.Repeat("rubble", 20_000)), 4096); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	j = audit.NewJournal(path, audittest.Options())
	_, err = j.Record(t.Context(), decision("s", "c", "x"))
	told(t, err, path, "damaged")
	rename(t, path, path+".old")
	record(t, j, decision("s", "c", "x"))
	if diff := cmp.Diff(1, len(decisions(audittest.Rows(t, path)))); diff != "" {
		t.Error(diff)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}
