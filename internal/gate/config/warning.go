package config

import (
	"fmt"

	"github.com/pigate/pigate/internal/text"
)

// Warning is something about a configuration file that its owner should know.
type Warning struct {
	// File is the file as it is shown to people.
	File string
	// Line and Column count from 1, Column in characters; both are 0 for a warning
	// about the whole file.
	Line, Column int
	// Text says what is wrong and what follows from it. It may hold text from the
	// file; String makes it safe to show.
	Text string
}

// String returns the warning as one line, "file:line:column: text", that is
// safe to show on a terminal.
func (w Warning) String() string {
	where := w.File
	if w.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", w.File, w.Line, w.Column)
	}
	return text.Visible(where + ": " + w.Text)
}

// UnknownKey is a key that means nothing to pigate. It stays in its file.
type UnknownKey struct {
	File string
	Line int
	// Name is the key, with the key of the object around it: "journal.colour".
	Name string
}

// String returns the key with its place, safe to show on a terminal.
func (k UnknownKey) String() string {
	return text.Visible(fmt.Sprintf("%q (%s:%d)", k.Name, k.File, k.Line))
}

// maxWarnings is the most warnings that one reading of a file gives. What lies
// beyond is counted in a last one.
const maxWarnings = 20
