package audit

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// QueryError is what is wrong with the text of a query.
type QueryError struct {
	// Text is the query; Start and End are the span, in bytes, of the piece that is
	// wrong, both 0 when that is not known.
	Text       string
	Start, End int
	// Words say what is wrong.
	Words string
}

func (e *QueryError) Error() string { return "the query: " + e.Words }

// Hint says where the columns are described.
func (e *QueryError) Hint() string {
	return "pigate audit sql --help lists the views and their columns"
}

// oneStatement refuses a text that holds more than one statement, or none: of
// several SQLite would show only the last.
func oneStatement(text string) error {
	end, empty := -1, true
	for at, piece := range tokens(text) {
		switch {
		case piece == ";":
			end = at
		case end >= 0:
			return &QueryError{Text: text, Start: end, End: end + 1, Words: "it holds more than one statement"}
		default:
			empty = false
		}
	}
	if empty {
		return &QueryError{Text: text, Words: "it is empty"}
	}
	return nil
}

// token is a comment, a quoted text, a word, a blank, or any other character.
// What is not closed reaches to the end, as SQLite has it for comments.
var token = regexp.MustCompile(`(?s)^(?:--[^\n]*|/\*.*?(?:\*/|$)|'(?:[^']|'')*'?|"(?:[^"]|"")*"?|` + "`(?:[^`]|``)*`?" +
	`|\[[^\]]*\]?|\s+|[\pL_$][\pL\d_$]*|.)`)

// tokens are the pieces of a query but for blanks and comments, with the place
// where each begins.
func tokens(text string) func(yield func(at int, piece string) bool) {
	return func(yield func(int, string) bool) {
		for at := 0; at < len(text); {
			piece := token.FindString(text[at:])
			if piece == "" {
				piece = text[at : at+1] // a byte that is no character
			}
			blank := strings.TrimSpace(piece) == "" || strings.HasPrefix(piece, "--") || strings.HasPrefix(piece, "/*")
			if !blank && !yield(at, piece) {
				return
			}
			at += len(piece)
		}
	}
}

var (
	// ours are the words that the driver adds in front of and behind SQLite's own.
	ours = regexp.MustCompile(`^SQL logic error: | \(\d+\)$`)
	near = regexp.MustCompile(`(?s)^near "(.*)": `)
	// named are the errors that end in the name of what is wrong.
	named = regexp.MustCompile(`^(?:no such (?:column|table|function|view)|no such table-valued function|ambiguous column name|unrecognized token` +
		`|wrong number of arguments to function|misuse of (?:aggregate|window)(?: function)?): "?([^"()]+)`)
)

// explain finds the place of an error in the text. Errors that are not about the
// text come back as they are.
func (q *queryConn) explain(text string, err error) error {
	var s *sqlite.Error
	if !errors.As(err, &s) {
		return err
	}
	switch s.Code() & 0xff {
	case sqlite3.SQLITE_AUTH:
		return &QueryError{Text: text, Words: "it may only read: one SELECT over the views"}
	case sqlite3.SQLITE_ERROR, sqlite3.SQLITE_RANGE, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH:
	default:
		return err
	}
	e := &QueryError{Text: text, Words: ours.ReplaceAllString(ours.ReplaceAllString(s.Error(), ""), "")}
	if m := near.FindStringSubmatch(e.Words); m != nil {
		e.Start, e.End = q.near(text, m[1])
	} else if m := named.FindStringSubmatch(e.Words); m != nil {
		e.Start, e.End = find(text, m[1])
	}
	return e
}

// near is the place of the piece at which SQLite gave up: the first at whose end
// it does so when the text ends there. Before that the text is but incomplete.
func (q *queryConn) near(text, piece string) (start, end int) {
	for at, p := range tokens(text) {
		if p != piece {
			continue
		}
		_, err := q.conn.ExecContext(context.Background(), "EXPLAIN "+text[:at+len(p)])
		if err != nil && strings.Contains(err.Error(), fmt.Sprintf("near %q", piece)) {
			return at, at + len(p)
		}
	}
	return 0, 0
}

// find is the place of a name, which may be that of a column with its table's.
func find(text, name string) (start, end int) {
	parts := strings.Split(name, ".")
	last := parts[len(parts)-1]
	for at, p := range tokens(text) {
		if strings.EqualFold(strings.Trim(p, "\"`[]"), last) {
			return at, at + len(p)
		}
	}
	return 0, 0
}
