package audit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Error is a failure of the journal.
type Error struct {
	// Op is what was attempted, as in "append to".
	Op string
	// Path is the journal's file.
	Path string
	// Err is the cause.
	Err error
}

// Error names the file, says in words what is wrong and ends with the cause.
func (e *Error) Error() string {
	if words, _ := explain(e.Err); words != "" {
		return fmt.Sprintf("%s journal %s: %s: %v", e.Op, e.Path, words, e.Err)
	}
	return fmt.Sprintf("%s journal %s: %v", e.Op, e.Path, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Hint says what the person can do.
func (e *Error) Hint() string {
	if _, hint := explain(e.Err); hint != "" {
		return hint
	}
	return "pigate doctor looks for the cause"
}

// fault is a cause that says everything in its own words.
type fault struct {
	words string
	hint  string
	is    error // what errors.Is finds in it, nil for nothing
}

func (f *fault) Error() string { return f.words }

func (f *fault) Unwrap() error { return f.is }

var (
	errClosed = &fault{words: "it is closed", hint: "start a new session", is: fs.ErrClosed}
	errMoved  = &fault{words: "the file was deleted or replaced while it was in use",
		hint: "the next call continues with the file that is there then; find out who did it if it was not you"}
	errSealed  = &fault{words: "the file is sealed", hint: "the next call continues with the next file"}
	errMissing = &fault{words: "there is none", is: fs.ErrNotExist,
		hint: "the first tool call that pigate decides creates it; name another with --journal or PIGATE_JOURNAL"}
	errForeign = &fault{words: "the file is not a journal of pigate", hint: hintOther}
	errDamaged = &fault{words: "the file is damaged", hint: hintDamage}
	errNoFile  = &fault{words: "it is not a regular file", hint: hintOther}
	errRead    = &fault{words: "somebody keeps reading it", is: errLocked,
		hint: "end what reads the journal, such as an export or a query that waits in a pager, and try again"}
	errLocked = &fault{words: "other programs kept it locked for too long",
		hint: "close what else has it open, such as an sqlite3 shell; the next call tries again"}
)

const (
	hintSpace  = "free some space on its disk; the next call tries again"
	hintRights = "look at the owner and the mode of the file and its folder; the next call tries again"
	hintDamage = "move the file away and keep it; the next call starts a new one"
	hintOther  = "name another file with --journal or PIGATE_JOURNAL"
	hintDisk   = "look at the disk and at limits on file sizes; the next call tries again"
)

// explain puts a cause into words. Both are "" for a cause without any.
func explain(err error) (words, hint string) {
	var f *fault
	var s *sqlite.Error
	switch {
	case errors.As(err, &f):
		return "", f.hint
	case errors.Is(err, context.DeadlineExceeded):
		return "no turn within the time allowed", errLocked.hint
	case errors.Is(err, context.Canceled):
		return "", "the call was given up"
	case errors.As(err, &s):
		return explainCode(s.Code())
	case isFull(err):
		return "", hintSpace
	case errors.Is(err, fs.ErrPermission):
		return "", hintRights
	}
	return "", ""
}

// explainCode covers the result codes of SQLite that come from the world
// outside; see https://www.sqlite.org/rescode.html.
func explainCode(code int) (words, hint string) {
	switch code & 0xff {
	case sqlite3.SQLITE_FULL:
		return "the disk is full", hintSpace
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return "it cannot be written", hintRights
	case sqlite3.SQLITE_CANTOPEN:
		return "it cannot be opened", hintRights
	case sqlite3.SQLITE_CORRUPT:
		return "the file is damaged", hintDamage
	case sqlite3.SQLITE_NOTADB:
		return "the file is not a SQLite database", hintOther
	case sqlite3.SQLITE_IOERR:
		return "the disk failed", hintDisk
	}
	return "", ""
}

// isBusy reports that another connection holds a lock.
func isBusy(err error) bool {
	var s *sqlite.Error
	if !errors.As(err, &s) {
		return false
	}
	code := s.Code() & 0xff
	return code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED
}
