package coverage

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/report"
)

// group are the findings of one session for one reason.
type group struct {
	reason      Reason
	session     string
	project     string
	first, last audit.Micros
	calls       int
	example     string
}

// groups puts the findings together, gaps first, each in the order of time.
func (r *Result) groups() []group {
	type key struct {
		reason  Reason
		session string
	}
	at := map[key]int{}
	var list []group
	for i := range r.Findings {
		f := &r.Findings[i]
		k := key{f.Reason, f.Session}
		n, known := at[k]
		if !known {
			n = len(list)
			at[k] = n
			row := audit.Row{Tool: f.Tool, Input: f.Input}
			list = append(list, group{reason: f.Reason, session: f.Session, project: f.Project, first: f.Time, example: row.What()})
		}
		g := &list[n]
		g.calls++
		g.first, g.last = min(g.first, f.Time), max(g.last, f.Time)
	}
	slices.SortStableFunc(list, func(a, b group) int {
		if a.reason.Gap() != b.reason.Gap() {
			if a.reason.Gap() {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.first, b.first)
	})
	return list
}

// Write writes the result for people: a row for each session and reason, and
// what it comes to.
func Write(w io.Writer, r *Result, screen report.Screen) error {
	groups := r.groups()
	if len(groups) > 0 {
		when := func(m audit.Micros) string { return m.Time().In(screen.Zone).Format("2006-01-02 15:04") }
		_, err := report.WriteSheet(w, "table", []string{"reason", "session", "project", "from", "to", "calls", "example"}, func(yield func([]any, error) bool) {
			for _, g := range groups {
				if !yield([]any{string(g.reason), g.session, g.project, when(g.first), when(g.last), g.calls, g.example}, nil) {
					return
				}
			}
		}, screen)
		if err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "calls that ran: %d, passed the gate: %d%s, gaps: %d\n", r.Ran, r.Covered, r.besides(), r.Gaps)
	return err
}

// besides tells of the calls that are neither covered nor gaps.
func (r *Result) besides() string {
	text := ""
	add := func(n int, what string) {
		if n > 0 {
			text += fmt.Sprintf(", %s: %d", what, n)
		}
	}
	n := map[Reason]int{}
	for _, f := range r.Findings {
		n[f.Reason]++
	}
	add(n[BeforeJournal], "before the gate was there")
	add(n[MovedAway], "older than the files at hand")
	add(r.ReadOnly, "read-only and not recorded")
	return text
}
