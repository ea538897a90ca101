// Package allowlist makes the texts that /allowlist shows inside Pi: the last
// decisions, and why the last call was asked about or blocked. Each is a few
// lines that any terminal can show, without a line end at the end.
package allowlist

import (
	"fmt"
	"strings"

	"github.com/pigate/pigate/internal/gate"
)

// columns is how wide a line gets at most: that of a dialog's title.
const columns = 76

// text gathers lines.
type text struct{ lines []string }

// say adds a line of hostile text.
func (t *text) say(format string, args ...any) {
	t.lines = append(t.lines, gate.Visible(fmt.Sprintf(format, args...)))
}

func (t *text) String() string { return strings.Join(t.lines, "\n") }
