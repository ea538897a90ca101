package audit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"
)

func TestErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cause error
		words string
		hint  string
	}{
		{errMoved, "deleted or replaced", "next call"},
		{fmt.Errorf("%w: %w", errLocked, context.DeadlineExceeded), "locked for too long", "sqlite3 shell"},
		{context.DeadlineExceeded, "no turn within the time allowed", "next call"},
		{context.Canceled, "context canceled", "given up"},
		{&fs.PathError{Op: "mkdir", Path: "/x", Err: fs.ErrPermission}, "mkdir /x", "owner and the mode"},
		{errors.New("odd"), "odd", "pigate doctor"},
	} {
		e := &Error{Op: "append to", Path: "/j.db", Err: c.cause}
		if got := e.Error(); !strings.HasPrefix(got, "append to journal /j.db: ") || !strings.Contains(got, c.words) {
			t.Errorf("%q lacks %q", got, c.words)
		}
		if !strings.Contains(e.Hint(), c.hint) {
			t.Errorf("%q: hint %q lacks %q", e, e.Hint(), c.hint)
		}
		if !errors.Is(e, c.cause) {
			t.Errorf("%q lost its cause", e)
		}
	}
	for code, want := range map[int]string{
		sqlite3.SQLITE_FULL:         "the disk is full",
		sqlite3.SQLITE_IOERR_WRITE:  "the disk failed",
		sqlite3.SQLITE_READONLY:     "it cannot be written",
		sqlite3.SQLITE_CANTOPEN:     "it cannot be opened",
		sqlite3.SQLITE_CORRUPT:      "the file is damaged",
		sqlite3.SQLITE_NOTADB:       "the file is not a SQLite database",
		sqlite3.SQLITE_CONSTRAINT:   "",
		sqlite3.SQLITE_IOERR_FSYNC:  "the disk failed",
		sqlite3.SQLITE_IOERR_DELETE: "the disk failed",
	} {
		if words, hint := explainCode(code); words != want || (words == "") != (hint == "") {
			t.Errorf("code %d: %q, %q", code, words, hint)
		}
	}
}
