package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// The options of the dialog, in the order they are offered.
const (
	OptionOnce    = "Allow once"
	OptionSession = "Allow for session"
	OptionSave    = "Allow & save rule (project)..."
	OptionDeny    = "Deny"
	// OptionDenyWhy lets the person tell the model why.
	OptionDenyWhy = "Deny, and say why..."
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

	withheld bool   // no rule is offered, as one would hold a secret
	covers   string // what OptionSession covers, in words
}

// withheld is the line of a title that says why no rule is offered.
const withheld = "(no rule to save is offered: its text would hold a secret)"

// NewPrompt makes the question about a call that asks. secret tells which rules
// hold a secret and are not to be saved.
func NewPrompt(p *policy.Policy, c *policy.Call, v policy.Verdict, links policy.LinkFacts, secret func(rule string) bool) Prompt {
	q := Prompt{Options: []string{OptionOnce, OptionSession}, Proposals: Proposals(p, c, v, links),
		covers: forSession + c.Covered(p.Settings.SessionApprovals)}
	switch {
	case slices.ContainsFunc(q.Proposals, secret):
		q.Proposals, q.withheld = nil, true
	case len(q.Proposals) > 0:
		q.Options = append(q.Options, OptionSave)
	}
	q.Options = append(q.Options, OptionDeny, OptionDenyWhy)
	return q.titled(c, v, "")
}

// forSession begins the words of a title about OptionSession.
const forSession = "for session: "

// titled gives the prompt its title, with the history of the call in words.
func (p Prompt) titled(c *policy.Call, v policy.Verdict, history string) Prompt {
	notes := packed(p.covers, text.Clip(history, titleColumns), text.Clip(why(c, v), titleColumns))
	if p.withheld {
		p.Title = title(c, notes, titleLines-1) + "\n" + withheld
	} else {
		p.Title = title(c, notes, titleLines)
	}
	return p
}

// fromScript marks a call that a script of the model makes.
const fromScript = " (from a script)"

// again is the prompt of a dialog that opens once more because its approval came
// too soon.
func (p Prompt) again() Prompt {
	first, rest, _ := strings.Cut(p.Title, "\n")
	const note = " (asked again: that key came too soon)"
	p.Title = text.Clip(first, titleColumns-len(note)) + note + "\n" + rest
	if strings.Contains(first, note) {
		p.Title = first + "\n" + rest
	}
	return p
}

// indent stands before each line of a call's own text below the notes, so that
// none of them can pass for a note.
const indent = "  "

// title puts the call on the first line, the notes about it from the second on,
// and the rest of a long call below, in at most so many lines.
func title(c *policy.Call, notes []string, most int) string {
	head := text.Clip(text.Visible(c.Request.Tool), titleColumns-len(fromScript))
	if c.Request.Parent != "" {
		head += fromScript
	}
	body := text.Wrap(text.VisibleLines(c.Subject()), titleColumns-len(indent))
	lines := []string{head}
	if len(body) == 1 && text.Columns(head)+2+text.Columns(body[0]) <= titleColumns {
		lines[0], body = head+": "+body[0], nil
	}
	lines = append(lines, notes...)
	for i := range body {
		body[i] = indent + body[i]
	}
	if room := most - len(lines); len(body) > room {
		skipped := len(body) - room + 1
		tail := body[len(body)-3:]
		body = append(append([]string{}, body[:room-4]...), fmt.Sprintf("… %d more lines …", skipped))
		body = append(body, tail...)
	}
	return strings.Join(append(lines, body...), "\n")
}

// packed puts notes, each of at most titleColumns, into as few lines as hold them
// in their order. What an approval for the session covers comes first and the
// history next, because why it asks can quote the call: no call can write itself
// one of those in front of it.
func packed(notes ...string) []string {
	const between = " · "
	var lines []string
	for _, note := range notes {
		last := len(lines) - 1
		switch {
		case note == "":
		case last >= 0 && text.Columns(lines[last]+between+note) <= titleColumns:
			lines[last] += between + note
		default:
			lines = append(lines, note)
		}
	}
	return lines
}

// why says in one line why the call asks: its first reason with the piece that
// triggered it when that is not the whole call, the pieces of further reasons
// of the same kind as far as they fit, and how many more there are.
func why(c *policy.Call, v policy.Verdict) string {
	if len(v.Reasons) == 0 {
		return "it asks"
	}
	r := v.Reasons[0]
	words := text.Visible(r.Words())
	if r.Via != "" {
		words += " (by " + text.Visible(r.Via) + ")"
	}
	var pieces []string
	for _, other := range v.Reasons {
		if other.Cause == r.Cause && other.Cause == policy.CauseNoRule || len(pieces) == 0 {
			pieces = append(pieces, piece(c, other))
		}
	}
	if pieces[0] == "" {
		pieces = nil
	}
	suffix := ""
	if more := len(v.Reasons) - max(1, len(pieces)); more > 0 {
		suffix = fmt.Sprintf(" (and %d more)", more)
	}
	room := titleColumns - text.Columns(suffix)
	if len(pieces) > 0 {
		each := max(minPiece, (room-text.Columns(words)-2)/len(pieces)-3)
		for i := range pieces {
			pieces[i] = text.Clip(pieces[i], each)
		}
		words += ": " + strings.Join(pieces, " · ")
	}
	return text.Clip(words, room) + suffix
}

// minPiece is the least, in columns, that is shown of a piece.
const minPiece = 14

// piece is what a reason is about, "" when that is the whole call.
func piece(c *policy.Call, r policy.Reason) string {
	if r.Cause == policy.CauseRedirection || r.Resource == c.Request.Tool || r.Resource == strings.TrimSpace(c.Target()) {
		return ""
	}
	return text.Visible(r.Resource)
}
