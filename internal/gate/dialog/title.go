package dialog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/text"
)

// Size is how large a title may be.
type Size struct{ Lines, Columns int }

// DefaultSize is the size of a title for a host that does not tell its own.
var DefaultSize = Size{12, 76}

// What the size of a terminal leaves for a title. Pi draws frame rows around it,
// the options and its footer; a title is never smaller than leastLines of
// leastColumns, nor larger than the two most.
const (
	frameRows    = 11
	frameColumns = 2
	leastLines   = 6
	leastColumns = 40
	mostLines    = 60
	mostColumns  = 120
)

// SizeFor is the size of a title in a terminal of so many rows and columns, above
// so many options. Zero or less, as of a host that tells neither, gives
// DefaultSize.
func SizeFor(rows, columns, options int) Size {
	size := DefaultSize
	if rows > 0 {
		size.Lines = min(max(rows-frameRows-options, leastLines), mostLines)
	}
	if columns > 0 {
		size.Columns = min(max(columns-frameColumns, leastColumns), mostColumns)
	}
	return size
}

// Notes are what a title says beside the call itself, in words of the gate's own
// that hold no text of the call.
type Notes struct {
	// Turn says which of several questions this is, "2 of 3"; "" for the only one.
	Turn string
	// Agent says whose call it is, "sub-agent reviewer"; "" for the session's own.
	// It may be hostile.
	Agent string
	// Covers says what an approval for the session covers. It is never "".
	Covers string
	// History says what became of the same call before; "" for nothing.
	History string
	// Unsaved says why no rule is offered for saving; "" where one is.
	Unsaved string
}

// Title is the text above the options of a question.
type Title struct {
	// Text says what would run and why it asks. Nothing in it does anything to a
	// terminal, and it is no larger than its size.
	Text string
	// Complete reports that all of the call is shown.
	Complete bool
}

// The marks of a title. indent stands before each line of the call's own text
// below the notes, so that none of them can pass for a note; hanging before what
// is left of such a line when it is broken.
const (
	indent  = "  "
	hanging = "      "
	between = " · "
)

// fromScript marks a call that a script of the model makes.
const fromScript = " (from a script)"

// NewTitle composes the title of a question. The first line names the tool, with
// the call where that is short. The notes follow: what an approval covers, the
// history, the gravest there is to fear and how many other parts need approval.
// Then come the pieces that need approval, the gravest first, and the call as far
// as there is room; what is left out is counted.
func NewTitle(c *policy.Call, v policy.Verdict, size Size, notes Notes) Title {
	q := newQuestion(c, v)
	head := q.head(size, notes)
	full := q.body()
	complete := c.Scope != rule.Shell || c.Bad != "" || c.Rest() == ""
	edits := c.Scope == rule.Edit && c.Bad == ""
	if room := size.Columns - text.Columns(head) - 2; (len(full) == 1 || edits) && text.Columns(full[0]) <= room {
		head, full = head+": "+full[0], full[1:]
	}
	lines := append([]string{head}, q.notes(size, notes, len(full)+len(q.pieces))...)
	room := size.Lines - len(lines)
	named := len(q.pieces) > 0 && !q.whole()
	if len(full) == 0 && !named {
		return Title{strings.Join(lines, "\n"), complete}
	}
	body := indented(full, size.Columns)
	switch {
	case !named && len(body) <= room:
		return Title{strings.Join(append(lines, body...), "\n"), complete}
	case len(q.pieces) == 0:
		return Title{strings.Join(append(lines, middle(body, room)...), "\n"), false}
	}
	if pieces, left := q.listed(size.Columns, room); named && left == 0 && len(pieces)+len(body) < room {
		lines = append(lines, pieces...)
		if len(full) > 0 { // it does not stand in the first line
			lines = append(append(lines, "within:"), body...)
		}
		return Title{strings.Join(lines, "\n"), complete}
	}
	// A line is kept for what has no room.
	pieces, left := q.listed(size.Columns, room-1)
	return Title{strings.Join(append(append(lines, pieces...), text.Clip(remaining(left, len(full)), size.Columns)), "\n"), false}
}

// remaining says what of a call is not shown: pieces that need approval, and how
// long the whole is.
func remaining(pieces, lines int) string {
	long := "not all of the call is shown"
	if lines > 1 {
		long = fmt.Sprintf("the whole call has %d lines", lines)
	}
	switch pieces {
	case 0:
		return "… " + long
	case 1:
		return "… 1 more piece needs approval; " + long
	}
	return fmt.Sprintf("… %d more pieces need approval; %s", pieces, long)
}

// head is the first line: the tool, and which question this is.
func (q *question) head(size Size, notes Notes) string {
	suffix := ""
	if q.call.Request.Parent != "" {
		suffix = fromScript
	}
	if notes.Turn != "" {
		suffix += " (" + notes.Turn + ")"
	}
	before := ""
	if notes.Agent != "" {
		before = text.Clip(text.Visible(notes.Agent), size.Columns/3) + between
	}
	return before + text.Clip(text.Visible(q.call.Request.Tool), size.Columns-text.Columns(before+suffix)) + suffix
}

// leastRoom is how many lines of a title are left to the call.
const leastRoom = 3

// notes are the lines about the call. Those that matter least give way to the call
// where there is little room; needed is how many lines it would take.
func (q *question) notes(size Size, notes Notes, needed int) []string {
	why, most := q.why(size.Columns), size.Lines-1-min(needed, leastRoom)
	lines := packed(size.Columns, notes.Covers, notes.History, why, notes.Unsaved)
	if len(lines) > most {
		lines = packed(size.Columns, notes.Covers, notes.History, why)
	}
	if len(lines) > most {
		lines = packed(size.Columns, notes.Covers, why)
	}
	return lines
}

// body is the call in full, in lines of which nothing is hidden: a command as it
// is, the changes of an edit, the arguments of other tools.
func (q *question) body() []string {
	c := q.call
	switch {
	case c.Scope == rule.Edit && c.Bad == "":
		return append([]string{text.Visible(c.Subject())}, changed(c.Request.Input)...)
	case c.Scope == rule.MCP:
		return rows(cut(policy.Compact(c.Request.Input)))
	}
	return rows(c.Subject())
}

// maxShown is how much of a text, in bytes, is prepared for a title.
const maxShown = 16 << 10

// cut takes the middle out of a long text, and says how much.
func cut(s string) string {
	if len(s) <= maxShown {
		return s
	}
	half := maxShown / 2
	return fmt.Sprintf("%s\n… %d more bytes …\n%s", strings.ToValidUTF8(s[:half], ""), len(s)-2*half, strings.ToValidUTF8(s[len(s)-half:], ""))
}

// why says why the call asks, the gravest first.
func (q *question) why(columns int) string {
	if len(q.verdict.Reasons) == 0 {
		return "it asks"
	}
	var parts []string
	if q.gravest.words != "" {
		parts = append(parts, text.Clip(q.gravest.words, columns))
	}
	switch others := len(q.pieces) - 1; {
	case others == 1:
		parts = append(parts, "1 other part needs approval")
	case others > 1:
		parts = append(parts, fmt.Sprintf("%d other parts need approval", others))
	case slices.ContainsFunc(q.verdict.Reasons, func(r policy.Reason) bool { return r.Cause == policy.CauseNoRule }):
		parts = append(parts, "no rule allows it")
	}
	if q.always {
		parts = append(parts, "redirections always ask (setting `redirections: precise`)")
	}
	if len(parts) == 0 {
		parts = append(parts, text.Clip(text.Visible(q.verdict.Reasons[0].Words()), columns))
	}
	return strings.Join(packed(columns, parts...), "\n")
}

// listed are the pieces that need approval in at most so many lines, the gravest
// first, and how many have no room. One that is too long for its share is cut in
// its middle, and says so.
func (q *question) listed(columns, room int) (lines []string, left int) {
	share := max(3, room/2)
	for i, p := range q.pieces {
		list := indented(rows(cut(q.call.Command[p.start:p.end])), columns)
		most := room - len(lines)
		if i < len(q.pieces)-1 {
			most = min(most, share)
		}
		if most < 1 || most < 3 && len(list) > most {
			return lines, len(q.pieces) - i
		}
		lines = append(lines, middle(list, most)...)
	}
	return lines, 0
}

// rows are the lines of a text, with nothing hidden in them.
func rows(s string) []string {
	return strings.Split(strings.Trim(text.VisibleLines(s), "\n"), "\n")
}

// indented puts the mark of the call's own text before each line, and breaks those
// that become too long by it.
func indented(lines []string, columns int) (out []string) {
	for _, line := range lines {
		rows := text.Wrap(line, columns-len(hanging))
		if len(rows) < 2 || text.Columns(line) <= columns-len(indent) {
			rows = []string{line}
		}
		for k, row := range rows {
			mark := indent
			if k > 0 {
				mark = hanging
			}
			out = append(out, mark+row)
		}
	}
	return out
}

// middle takes lines out of the middle of a list that has more than so many, and
// says how many.
func middle(lines []string, most int) []string {
	if len(lines) <= most {
		return lines
	}
	tail := min(3, (most-1)/2)
	head := max(0, most-1-tail)
	out := append(slices.Clone(lines[:head]), fmt.Sprintf("… %d more lines …", len(lines)-head-tail))
	return append(out, lines[len(lines)-tail:]...)
}

// packed puts notes into as few lines as hold them in their order. What an
// approval for the session covers comes first and the history next, because why
// it asks can quote the call: no call can write itself one of those in front of
// it.
func packed(columns int, notes ...string) []string {
	var lines []string
	for _, note := range notes {
		for part := range strings.SplitSeq(note, "\n") {
			part = text.Clip(part, columns)
			last := len(lines) - 1
			switch {
			case part == "":
			case last >= 0 && text.Columns(lines[last]+between+part) <= columns:
				lines[last] += between + part
			default:
				lines = append(lines, part)
			}
		}
	}
	return lines
}
