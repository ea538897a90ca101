package policy

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/touch"
)

// Changes are the files that one unit of a command changes, by its own words: as
// the words say them, each once, not safe to show.
type Changes struct {
	Deletes, Writes []string
}

// Changes tells for each unit of a command, in the order of its Analysis, which
// files it deletes and writes for certain. What only may be touched is left out.
// It is nil for a call without a command.
func (c *Call) Changes() []Changes {
	if c.Analysis == nil {
		return nil
	}
	list, line := make([]Changes, len(c.Analysis.Units)), c.line()
	for i := range list {
		if _, writes := line.Needs(i); !writes {
			continue
		}
		for _, t := range line.Unit(i) {
			into := &list[i].Writes
			if t.Action == touch.Delete {
				into = &list[i].Deletes
			}
			name := c.written(t.Word, &c.Analysis.Units[i])
			if t.Action.Writes() && !t.Maybe && name != "" && !slices.Contains(*into, name) {
				*into = append(*into, name)
			}
		}
	}
	for _, r := range c.Analysis.Redirections {
		if r.Unit < 0 || r.Unit >= len(list) || r.Harmless {
			continue
		}
		name := strings.ReplaceAll(r.Target, "\x00", "…")
		if into := &list[r.Unit].Writes; name != "" && !slices.Contains(*into, name) {
			*into = append(*into, name)
		}
	}
	return list
}

// written is a word as it stands in the line, where it is not literal and stands
// there: a name is told better by its variable than by a mark.
func (c *Call) written(w shell.Arg, u *shell.Unit) string {
	if !w.Literal && u.Via == "" && u.Start <= w.Start && w.Start < w.End && w.End <= u.End && w.End <= len(c.Command) {
		return c.Command[w.Start:w.End]
	}
	return strings.ReplaceAll(w.Text, "\x00", "…")
}
