package replay

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/text"
)

// Columns are the columns of a table of changes.
var Columns = []string{"seq", "time", "kind", "session", "project", "tool", "what", "shape", "change", "old_verdict", "old_decision", "new_verdict", "new_decision",
	"answer", "denied_allowed", "old_reasons", "new_reasons"}

// Cells are the values of a change under Columns.
func (c *Change) Cells() []any {
	return []any{c.Seq, c.Time.String(), string(c.Kind), c.Session, c.Project, c.Tool, c.What, c.Shape, c.Change, string(c.Old.Verdict), string(c.Old.Decision),
		string(c.New.Verdict), string(c.New.Decision), string(c.Answer), fmt.Sprint(c.DeniedAllowed), words(c.Old.Reasons), words(c.New.Reasons)}
}

func words(reasons []policy.Reason) string {
	var list []string
	for _, r := range reasons {
		text := r.Words()
		if r.Resource != "" {
			text += ": " + r.Resource
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// WriteJSON writes a result, or a change, as one line of JSON.
func WriteJSON(w io.Writer, value any) error {
	e := text.NewEncoder(w)
	return e.Encode(value)
}

// The most groups and examples that are shown to a person; JSON has more.
const (
	shownGroups = 30
	shownUnseen = 10
)

// Write writes a result for people: as tables for a screen, or with markdown in
// the Markdown of a pull request. All text of the journal is shown and nothing
// else.
func (r *Result) Write(w io.Writer, markdown bool, screen report.Screen) error {
	p := &printer{w: w, format: "table", screen: screen}
	if markdown {
		p.format = "md"
	}
	p.sides(r)
	if r.Imported == nil || r.Decided.Calls > 0 {
		p.part("call", &r.Decided)
	}
	if r.Imported != nil {
		p.part("imported call", r.Imported)
	}
	return p.err
}

// printer writes until something goes wrong.
type printer struct {
	w      io.Writer
	format string // of report.WriteSheet
	screen report.Screen
	err    error
}

func (p *printer) say(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func (p *printer) heading(text string) {
	if p.format == "md" {
		p.say("\n### %s%s\n", strings.ToUpper(text[:1]), text[1:])
		return
	}
	p.say("\n%s", text)
}

func (p *printer) table(columns []string, rows [][]any) {
	if p.err == nil {
		_, p.err = report.WriteSheet(p.w, p.format, columns, all(rows), p.screen)
	}
}

func all(rows [][]any) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

func (p *printer) sides(r *Result) {
	if p.format == "md" {
		p.say("## pigate replay\n")
	}
	p.table([]string{"side", "rules"}, [][]any{{"old", r.Old}, {"new", r.New}})
}

func (p *printer) part(noun string, part *Part) {
	p.heading(count(part.Calls, noun) + ": old verdicts down, new ones across")
	p.matrix(part)
	p.obstacles(part)
	if part.LinksUnknown > 0 {
		p.say("\njudged as if there were no symbolic links, because it is not known where they led: %s", calls(part.LinksUnknown))
	}
	if part.OtherPrograms > 0 {
		p.say("\ndecided then by other files about programs (pigate/programs), which the journal does not keep: %s", calls(part.OtherPrograms))
	}
	p.changes(part)
	p.unseen(part)
	p.prompts(part)
}

func (p *printer) matrix(part *Part) {
	var columns []policy.Effect
	heads := []string{"verdict"}
	for _, e := range matrixOrder {
		for _, c := range part.Matrix {
			if c.New == e {
				columns, heads = append(columns, e), append(heads, string(e))
				break
			}
		}
	}
	var rows [][]any
	for _, old := range matrixOrder {
		row, any := []any{string(old)}, false
		for _, new := range columns {
			if n := part.Of(old, new); n > 0 {
				row, any = append(row, n), true
			} else {
				row = append(row, "")
			}
		}
		if any {
			rows = append(rows, row)
		}
	}
	if len(rows) > 0 {
		p.table(heads, rows)
	}
}

func (p *printer) obstacles(part *Part) {
	if len(part.NotReplayable) == 0 {
		return
	}
	p.heading("not replayable")
	var rows [][]any
	for _, o := range part.NotReplayable {
		rows = append(rows, []any{o.Calls, string(o.Obstacle), o.Obstacle.Words()})
	}
	p.table([]string{"calls", "reason", "meaning"}, rows)
}

func (p *printer) changes(part *Part) {
	if part.Changes() == 0 {
		if !part.undecided() {
			p.heading("nothing changes")
		}
		return
	}
	p.heading(fmt.Sprintf("changes: %s looser, %d stricter, %d for other reasons; %d denied before would run",
		calls(part.Looser), part.Stricter, part.OtherReasons, part.DeniedAllowed))
	var rows [][]any
	more := 0
	for i, g := range part.Groups {
		if i >= shownGroups {
			more += g.Calls
			continue
		}
		rows = append(rows, []any{g.Calls, g.Before(), g.After(), g.Shape, g.Examples[0].Seq, g.Examples[0].What})
	}
	p.table([]string{"calls", "before", "after", "shape", "entry", "for example"}, rows)
	if more > 0 {
		p.say("\nand %s in %d more rows; --format json has them all", calls(more), len(part.Groups)-shownGroups)
	}
}

// Before and After say what the sides make of the calls of a group.
func (g *Group) Before() string { return said(g.Old, g.OldDecision) }

// After is Before for the new side.
func (g *Group) After() string {
	if g.Old == g.New && g.OldDecision == g.NewDecision {
		return said(g.New, g.NewDecision) + ", for other reasons"
	}
	return said(g.New, g.NewDecision)
}

// said adds to a verdict what came of it where the verdict does not say.
func said(verdict policy.Effect, decision policy.Action) string {
	switch {
	case verdict == SideUndecided:
		return "refused elsewhere"
	case verdict != policy.Ask:
		return string(verdict)
	case decision == policy.Run:
		return "ask, ran"
	case decision == policy.Block:
		return "ask, blocked"
	}
	return string(verdict)
}

// calls is a number of calls in words.
func calls(n int) string { return count(n, "call") }

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (p *printer) unseen(part *Part) {
	if part.Unseen.Calls == 0 {
		return
	}
	p.heading(fmt.Sprintf("would run without a question, and no person was ever asked about it: %s, %d different", calls(part.Unseen.Calls), part.Unseen.Different))
	var rows [][]any
	for i, e := range part.Unseen.Examples {
		if i < shownUnseen {
			rows = append(rows, []any{e.Seq, e.Tool, e.What})
		}
	}
	p.table([]string{"entry", "tool", "call"}, rows)
	if more := part.Unseen.Different - len(rows); more > 0 {
		p.say("\nand %d more", more)
	}
}

func (p *printer) prompts(part *Part) {
	if len(part.Prompts.Days) == 0 {
		return
	}
	days := count(len(part.Prompts.Days), "day")
	if part.undecided() {
		p.heading(fmt.Sprintf("prompts: %d, a day %.1f (%s with calls)", part.Prompts.New, part.Prompts.NewPerDay, days))
		return
	}
	p.heading(fmt.Sprintf("prompts: %d before, %d after; a day %.1f before, %.1f after (%s with calls)",
		part.Prompts.Old, part.Prompts.New, part.Prompts.OldPerDay, part.Prompts.NewPerDay, days))
}

// undecided reports that the old side knows of no decision.
func (p *Part) undecided() bool {
	return !slices.ContainsFunc(p.Matrix, func(c Cell) bool { return c.Old != SideUndecided && c.Old != SideNone })
}
