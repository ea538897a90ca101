// Package piview makes the texts that /allowlist shows inside Pi: the last
// decisions, and why the last call was asked about or blocked. Each is a few
// lines that any terminal can show, without a line end at the end.
package piview

import (
	"fmt"
	"strings"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/text"
)

// View is what the texts are made from.
type View struct {
	Reader *audit.Reader
	// Scan reads the journal itself, newest entries first, and not the index beside
	// it: for as long as that is being built.
	Scan bool
	// Past tells what became of a call before.
	Past gate.Historian
	// Same are the folders that count as one project with root, root first; nil is
	// root alone.
	Same func(root string) []string
	// Now is the moment, in the zone in which times are shown.
	Now time.Time
}

// sameAs are the folders that count as one project with root.
func sameAs(root string, same func(string) []string) []string {
	if same == nil {
		return []string{root}
	}
	return same(root)
}

// columns is how wide a line gets at most: that of a dialog's title.
const columns = 76

// answer gathers the lines of one.
type answer struct{ lines []string }

// say adds a line of hostile text.
func (t *answer) say(format string, args ...any) {
	t.lines = append(t.lines, text.Visible(fmt.Sprintf(format, args...)))
}

func (t *answer) String() string { return strings.Join(t.lines, "\n") }
