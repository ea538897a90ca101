package report

import (
	"cmp"
	"io"
	"iter"
	"strconv"
)

// WriteSessions writes one line a session for people.
func WriteSessions(w io.Writer, sessions iter.Seq[Session], screen Screen) error {
	const project = 3
	g := grid{screen: screen, flexible: project}
	for s := range sessions {
		if len(g.widths) == 0 && len(g.rows) == 0 {
			g.add(titles("STARTED", "SESSION", "PROJECT", "BRANCH", "CALLS", "PROMPTS", "DENIED", "DURATION", "ENDED"))
		}
		g.add(s.cells(screen))
		if g.full() {
			if err := g.flush(w); err != nil {
				return err
			}
		}
	}
	return g.flush(w)
}

func titles(names ...string) []gridCell {
	cells := make([]gridCell, len(names))
	for i, name := range names {
		cells[i] = gridCell{name, heading}
	}
	return cells
}

func (s *Session) cells(screen Screen) []gridCell {
	denied := gridCell{text: strconv.Itoa(s.Denied)}
	if s.Denied > 0 {
		denied.as = alarm
	}
	return []gridCell{
		{text: s.Started.Time().In(screen.Zone).Format("2006-01-02 15:04")}, {text: cell(s.ID, 40)}, {text: cell(cmp.Or(s.Project, "-"), 40)},
		{text: cell(cmp.Or(s.Branch, "-"), 24)}, {text: strconv.Itoa(s.Calls)}, {text: strconv.Itoa(s.Prompts)}, denied,
		{text: Took(s.Duration)}, {text: cell(cmp.Or(s.Ended, "-"), 16)},
	}
}
