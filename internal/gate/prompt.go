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

// why says in one line why the call asks: its first reason with the piece that
// triggered it when that is not the whole call, the pieces of further reasons
// of the same kind as far as they fit, and how many more there are.
func why(c *Call, v Verdict) string {
	if len(v.Reasons) == 0 {
		return "it asks"
	}
	r := v.Reasons[0]
	text := Visible(r.Words())
	if r.Via != "" {
		text += " (by " + Visible(r.Via) + ")"
	}
	var pieces []string
	for _, other := range v.Reasons {
		if other.Cause == r.Cause && other.Cause == CauseNoRule || len(pieces) == 0 {
			pieces = append(pieces, c.piece(other))
		}
	}
	if pieces[0] == "" {
		pieces = nil
	}
	suffix := ""
	if more := len(v.Reasons) - max(1, len(pieces)); more > 0 {
		suffix = fmt.Sprintf(" (and %d more)", more)
	}
	room := titleColumns - columns(suffix)
	if len(pieces) > 0 {
		each := max(minPiece, (room-columns(text)-2)/len(pieces)-3)
		for i := range pieces {
			pieces[i] = clip(pieces[i], each)
		}
		text += ": " + strings.Join(pieces, " · ")
	}
	return clip(text, room) + suffix
}

// minPiece is the least, in columns, that is shown of a piece.
const minPiece = 14

// piece is what a reason is about, "" when that is the whole call.
func (c *Call) piece(r Reason) string {
	if r.Cause == CauseRedirection || r.Resource == c.Request.Tool || r.Resource == strings.TrimSpace(c.Target()) {
		return ""
	}
	return Visible(r.Resource)
}

// fold breaks text into lines of at most width columns, at a blank where there
// is one in the last third of the line.
func fold(text string, width int) []string {
	var lines []string
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		for {
			at := len(prefix(line, width))
			if at == len(line) {
				break
			}
			if blank := strings.LastIndexByte(line[:at], ' '); blank > 0 && columns(line[:blank]) > width*2/3 {
				at = blank + 1
			}
			lines = append(lines, line[:at])
			line = line[at:]
		}
		lines = append(lines, line)
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
	return prefix(line, width-1) + "…"
}

// prefix is the longest beginning of a line of at most width columns, and at
// least one character.
func prefix(line string, width int) string {
	used := 0
	for i, r := range line {
		if used += runeColumns(r); used > width && i > 0 {
			return line[:i]
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
