package gate

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The options of the dialog, in the order they are offered.
const (
	OptionOnce    = "Allow once"
	OptionSession = "Allow for session"
	OptionSave    = "Allow & save rule (project)..."
	OptionDeny    = "Deny"
)

// Bounds of a dialog's title. Pi does not scroll a title that is longer than
// the screen, so the options would not be seen; and a line that wraps counts
// as two.
const (
	titleLines   = 12
	titleColumns = 76
)

// Prompt is a question to the person.
type Prompt struct {
	// Title says what would run and why it asks: at most 12 lines of at most 76
	// columns, with nothing in it that a terminal would act on.
	Title string
	// Options are what can be answered.
	Options []string
	// Proposals are the rules that OptionSave would start from; empty when it is
	// not offered.
	Proposals []string
}

// NewPrompt makes the question about a call that asks.
func NewPrompt(p *Policy, c *Call, v Verdict, links LinkFacts) Prompt {
	q := Prompt{Title: title(c, v), Options: []string{OptionOnce, OptionSession}}
	if q.Proposals = Proposals(p, c, v, links); len(q.Proposals) > 0 {
		q.Options = append(q.Options, OptionSave)
	}
	q.Options = append(q.Options, OptionDeny)
	return q
}

// title puts the call on the first line, why it asks on the second, and the
// rest of a long call below.
func title(c *Call, v Verdict) string {
	head := c.Request.Tool
	if c.Request.Parent != "" {
		head += " (from a script)"
	}
	body := fold(VisibleLines(c.subject()), titleColumns)
	first := head
	if len(body) > 0 {
		if len(body) == 1 && columns(head)+2+columns(body[0]) <= titleColumns {
			first, body = head+": "+body[0], nil
		}
	}
	lines := []string{first, clip(why(c, v), titleColumns)}
	if room := titleLines - len(lines); len(body) > room {
		skipped := len(body) - room + 1
		tail := body[len(body)-3:]
		body = append(append([]string{}, body[:room-4]...), fmt.Sprintf("… %d more lines …", skipped))
		body = append(body, tail...)
	}
	return strings.Join(append(lines, body...), "\n")
}

// subject is the call in full, for the person.
func (c *Call) subject() string {
	switch {
	case c.Bad != "" || c.scope == "":
		return compact(c.Request.Input)
	case c.scope == "mcp":
		return c.Resources[0].Text + "\n" + compact(c.Request.Input)
	case c.scope == "edit":
		return c.Resources[0].Text + c.size()
	}
	return c.Target()
}

// size says how much an edit would write.
func (c *Call) size() string {
	var input struct {
		Content *string           `json:"content"`
		Edits   []json.RawMessage `json:"edits"`
	}
	if json.Unmarshal(c.Request.Input, &input) != nil {
		return ""
	}
	switch {
	case input.Content != nil:
		return fmt.Sprintf(" (%d bytes)", len(*input.Content))
	case len(input.Edits) == 1:
		return " (1 replacement)"
	case len(input.Edits) > 1:
		return fmt.Sprintf(" (%d replacements)", len(input.Edits))
	}
	return ""
}

// why says in one line why the call asks: its first reason, the piece that
// triggered it when that is not the whole call, and how many reasons more.
func why(c *Call, v Verdict) string {
	if len(v.Reasons) == 0 {
		return "it asks"
	}
	r := v.Reasons[0]
	text := Visible(r.Words())
	if r.Via != "" {
		text += " (by " + Visible(r.Via) + ")"
	}
	if piece := Visible(r.Resource); piece != "" && r.Resource != strings.TrimSpace(c.Target()) && r.Resource != c.Request.Tool &&
		r.Cause != CauseRedirection {
		text += ": " + piece
	}
	if more := len(v.Reasons) - 1; more > 0 {
		suffix := fmt.Sprintf(" (and %d more)", more)
		return clip(text, titleColumns-columns(suffix)) + suffix
	}
	return text
}

// fold breaks text into lines of at most width columns.
func fold(text string, width int) []string {
	var lines []string
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		start, used := 0, 0
		for i, r := range line {
			w := runeColumns(r)
			if used+w > width {
				lines = append(lines, line[start:i])
				start, used = i, 0
			}
			used += w
		}
		lines = append(lines, line[start:])
	}
	if len(lines) == 1 && lines[0] == "" {
		return nil
	}
	return lines
}

// clip cuts a line to at most width columns.
func clip(line string, width int) string {
	if columns(line) <= width {
		return line
	}
	used := 0
	for i, r := range line {
		if used += runeColumns(r); used > width-1 {
			return line[:i] + "…"
		}
	}
	return line
}

func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

// runeColumns is how many columns a terminal may use for a character: two for
// everything from the Hangul jamo on but dashes, quotes and dots, which errs
// towards shorter lines.
func runeColumns(r rune) int {
	if r >= 0x1100 && (r < 0x2010 || r > 0x2027) {
		return 2
	}
	return 1
}
