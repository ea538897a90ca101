package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/text"
)

// cut is text.Cut for templates, which have the text last.
func cut(n int, s string) string { return text.Cut(s, n) }

// tail shortens a place that is already visible to so many characters, of which
// the last say most.
func tail(n int, s string) string {
	if runes := []rune(s); len(runes) > n {
		return "…" + string(runes[len(runes)-n+1:])
	}
	return s
}

// number is a count with its thousands apart.
func number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// percent rounds down, so that 100 % means all.
func percent(share float64) string { return fmt.Sprintf("%.0f %%", math.Floor(share*100)) }

func took(us int64) string {
	switch d := time.Duration(us) * time.Microsecond; {
	case us == 0:
		return "–"
	case d >= time.Hour:
		return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
	if us < time.Second.Microseconds() {
		return "under 1 s"
	}
	return strings.TrimSuffix(report.Took(us), "s") + " s"
}

// answerWords are what the person did, for the legend and the tables.
var answerWords = map[gate.Answer]string{
	gate.AnswerOnce: "allowed once", gate.AnswerSession: "allowed for the session", gate.AnswerSave: "allowed and saved a rule",
	gate.AnswerDeny: "denied", gate.AnswerDismissed: "left the dialog", gate.AnswerAborted: "aborted", gate.AnswerNoUI: "nobody could be asked",
}

// by says who or what made a decision.
func by(basis policy.Basis, answer gate.Answer) string {
	switch {
	case answer != "" && answer != gate.AnswerNoUI:
		return "person: " + answerWords[answer]
	case basis == policy.BasisNoUI:
		return "nobody could be asked"
	case basis == policy.BasisRule:
		return "rule"
	case basis == policy.BasisGrant:
		return "allowed for the session before"
	case basis == policy.BasisJournal:
		return "the journal could not be written"
	}
	return string(basis)
}

// flagWords explain the flags.
var flagWords = map[string]string{
	FlagMismatch: "other input ran", FlagSelfProtection: "the gate's own files", FlagOutside: "outside the project", FlagGuarded: "guarded flag",
	FlagOpaque: "hides what it runs", FlagMasked: "held a secret", FlagRedirection: "redirection", FlagFirst: "first time",
}

// scope says what the report covers in one line.
func (r *Report) scope() string {
	projects := "all projects"
	if len(r.Projects) > 0 {
		projects = r.Projects[0] // the others are other spellings of it
	}
	return strings.Join(append([]string{projects}, r.Filters...), " · ")
}

// noFindings says why there is no finding.
func (r *Report) noFindings() string {
	if r.RulesOf == "" {
		return "The rules in force were not looked at: these journals may come from elsewhere."
	}
	return "No rule in force needs tidying up."
}

// span says when the period is.
func (r *Report) span(zone *time.Location) string {
	if r.Period.Since == 0 && r.Period.Until == 0 {
		return "no time"
	}
	return clock(r.Period.Since, zone) + " to " + clock(r.Period.Until, zone)
}

func clock(m audit.Micros, zone *time.Location) string {
	if m == 0 {
		return "–"
	}
	return m.Time().In(zone).Format("2006-01-02 15:04")
}

// change is a headline figure against that of the period before.
type change struct {
	Name, Now string
	// Before is "" when there is nothing to compare with.
	Before, Mark string
}

// headlines are the figures that are read first.
func (r *Report) headlines() []change {
	var before Figures
	compare := r.Before != nil
	if compare {
		before = *r.Before
	}
	t := &r.Total
	count := func(name string, now, was int) change {
		c := change{Name: name, Now: number(now)}
		if compare {
			c.Before, c.Mark = number(was), mark(float64(now), float64(was))
		}
		return c
	}
	list := []change{count("calls", t.Calls, before.Calls), count("prompts", t.Prompts, before.Prompts)}
	perDay := func(f Figures) string {
		if f.ActiveDays == 0 {
			return "–"
		}
		return fmt.Sprintf("%.1f", float64(f.Prompts)/float64(f.ActiveDays))
	}
	day, silent, wait := change{Name: "prompts a day", Now: perDay(*t)}, change{Name: "ran silently", Now: percent(t.SilentShare)}, change{Name: "half answered within", Now: took(t.WaitedMedian)}
	if t.Calls == 0 {
		silent.Now = "–"
	}
	if compare && before.Calls > 0 {
		day.Before, day.Mark = perDay(before), mark(float64(t.Prompts)/float64(max(t.ActiveDays, 1)), float64(before.Prompts)/float64(max(before.ActiveDays, 1)))
		silent.Before, silent.Mark = percent(before.SilentShare), mark(math.Floor(t.SilentShare*100), math.Floor(before.SilentShare*100))
		wait.Before, wait.Mark = took(before.WaitedMedian), mark(float64(t.WaitedMedian), float64(before.WaitedMedian))
	}
	return append(list, day, silent, count("blocked", t.Blocked, before.Blocked), wait)
}

// mark is the direction of a change.
func mark(now, before float64) string {
	switch {
	case now > before:
		return "up"
	case now < before:
		return "down"
	}
	return "same"
}
