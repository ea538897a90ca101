package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// RuleHealth names rules that should be looked at: those that decided nothing
// for a while, and those that another makes needless. The tags are fields of
// `pigate audit stats --json`.
type RuleHealth struct {
	Unused   []string `json:"unused"`
	Shadowed []string `json:"shadowed"`
}

// denials counts why calls did not run.
type denials map[string]int

// count adds a blocked call; one that several deny rules blocked counts for each.
func (d denials) count(c *audit.Call) {
	for _, why := range whyBlocked(c) {
		d[why]++
	}
}

func whyBlocked(c *audit.Call) []string {
	switch {
	case c.Verdict == policy.Deny && len(c.Rules) > 0:
		var list []string
		for _, rule := range c.Rules {
			list = append(list, "rule "+rule)
		}
		return list
	case c.Verdict == policy.Deny: // its text was erased
		return []string{"a deny rule"}
	}
	switch c.Answer {
	case gate.AnswerDeny:
		return []string{"the person said no"}
	case gate.AnswerDismissed:
		return []string{"the person left the question"}
	case gate.AnswerAborted:
		return []string{"the agent was stopped meanwhile"}
	case gate.AnswerNoUI:
		return []string{"nobody could be asked"}
	case gate.AnswerOnce, gate.AnswerSession, gate.AnswerSave, "":
	}
	if c.Basis == policy.BasisJournal {
		return []string{"it could not be recorded"}
	}
	return []string{"something failed"}
}

// list is the most frequent first.
func (d denials) list() []NamedCount {
	list := []NamedCount{}
	for name, n := range d {
		list = append(list, NamedCount{Name: name, Calls: n})
	}
	slices.SortFunc(list, func(a, b NamedCount) int { return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Name, b.Name)) })
	return list
}

// activeDays are the days of the calendar on which something was decided.
type activeDays struct {
	zone        *time.Location
	days        map[time.Time]bool // by their beginning
	from, until audit.Micros       // of the newest, as most calls are on the day of the one before
}

func (d *activeDays) add(at audit.Micros) {
	if d.from <= at && at < d.until {
		return
	}
	y, month, day := at.Time().In(d.zone).Date()
	begin := time.Date(y, month, day, 0, 0, 0, 0, d.zone)
	d.from, d.until = audit.Micros(begin.UnixMicro()), audit.Micros(time.Date(y, month, day+1, 0, 0, 0, 0, d.zone).UnixMicro())
	if d.days == nil {
		d.days = map[time.Time]bool{}
	}
	d.days[begin] = true
}

// most is how many denials and rules are shown to people.
const most = 10

// writeRest writes what the table of groups does not say.
func (s *Stats) writeRest(w io.Writer) error {
	var b strings.Builder
	b.WriteByte('\n')
	fmt.Fprintf(&b, "prompts a day: %s (%d %s with calls)\n", strconv.FormatFloat(s.PromptsPerDay, 'f', 1, 64), s.Days, map[bool]string{true: "day", false: "days"}[s.Days == 1])
	var lines []string
	for _, d := range s.Denials {
		lines = append(lines, fmt.Sprintf("%d  %s", d.Calls, d.Name))
	}
	section(&b, "why calls were blocked", lines)
	if s.Rules != nil {
		section(&b, "rules that were not used for 30 days", s.Rules.Unused)
		section(&b, "rules that others make needless", s.Rules.Shadowed)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func section(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	b.WriteString(title + ":\n")
	for i, text := range lines {
		if i == most {
			fmt.Fprintf(b, "  and %d more\n", len(lines)-most)
			return
		}
		b.WriteString("  " + cell(text, 100) + "\n")
	}
}
