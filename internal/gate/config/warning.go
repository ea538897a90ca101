package config

import (
	"fmt"

	"github.com/pigate/pigate/internal/text"
)

// Warning is something about a configuration file that its owner should know.
type Warning struct {
	// File is the file as it is shown to people.
	File string
	// Line and Column count from 1, Column in characters; Line is 0 for a warning
	// about the whole file, and Column for one about a whole line.
	Line, Column int
	// Text says what is wrong and what follows from it. It may hold text from the
	// file; String makes it safe to show.
	Text string
}

// String returns the warning as one line, "file:line:column: text", that is
// safe to show on a terminal.
func (w Warning) String() string {
	where := w.File
	switch {
	case w.Line > 0 && w.Column == 0:
		where = fmt.Sprintf("%s:%d", w.File, w.Line)
	case w.Line > 0:
		where = fmt.Sprintf("%s:%d:%d", w.File, w.Line, w.Column)
	}
	return text.Visible(where + ": " + w.Text)
}

// maxWarnings is the most warnings that one reading of a file gives. What lies
// beyond is counted in a last one.
const maxWarnings = 20
