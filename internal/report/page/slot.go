package page

import (
	"maps"
	"slices"
	"time"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// The values of Period.Step.
const (
	StepDay   = "day"
	StepWeek  = "week"
	StepMonth = "month"
	StepYear  = "year"
)

// maxSlots is how many slots a chart shows side by side. Of more years than that
// only the last are shown.
const maxSlots = 45

// The order of the two counts of a slot.
var (
	verdicts = []policy.Effect{policy.Allow, policy.Pass, policy.Ask, policy.Deny}
	answers  = []gate.Answer{gate.AnswerOnce, gate.AnswerSession, gate.AnswerSave, gate.AnswerDeny, gate.AnswerDismissed, gate.AnswerAborted}
)

// date is a day of the calendar, which may have 23 or 25 hours.
type date struct {
	year  int
	month time.Month
	day   int
}

func dateOf(t time.Time) date {
	y, m, d := t.Date()
	return date{y, m, d}
}

// noon is a time that is in the day whatever the clocks do.
func (d date) noon() time.Time { return time.Date(d.year, d.month, d.day, 12, 0, 0, 0, time.UTC) }

func (d date) before(e date) bool { return d.noon().Before(e.noon()) }

func (d date) String() string { return d.noon().Format("2006-01-02") }

// start is the first day of the step that d is in.
func (d date) start(step string) date {
	switch step {
	case StepWeek:
		return dateOf(d.noon().AddDate(0, 0, -(int(d.noon().Weekday())+6)%7))
	case StepMonth:
		return date{d.year, d.month, 1}
	case StepYear:
		return date{d.year, time.January, 1}
	}
	return d
}

// next is the first day of the step after the one that begins with d.
func (d date) next(step string) date {
	years, months, days := 0, 0, 1
	switch step {
	case StepWeek:
		days = 7
	case StepMonth:
		months, days = 1, 0
	case StepYear:
		years, days = 1, 0
	}
	return dateOf(d.noon().AddDate(years, months, days))
}

// starts are the first days of the steps from one day to another.
func starts(from, to date, step string) (list []date) {
	for d := from.start(step); !to.before(d); d = d.next(step) {
		if list = append(list, d); len(list) > maxSlots {
			list = list[1:]
		}
	}
	return list
}

// slots cuts a period into the shortest steps of which not too many are needed.
func (c *counter) slots(p Period) (list []Slot, step string) {
	if p.Since == 0 || p.Until <= p.Since {
		return []Slot{}, StepDay
	}
	from, to := dateOf(p.Since.Time().In(c.zone)), dateOf((p.Until - 1).Time().In(c.zone))
	days := int(to.noon().Sub(from.noon())/(24*time.Hour)) + 1
	switch {
	case days <= maxSlots:
		step = StepDay
	case days <= (maxSlots-1)*7:
		step = StepWeek
	case days <= (maxSlots-1)*28:
		step = StepMonth
	default:
		step = StepYear
	}
	index := map[date]int{}
	for i, d := range starts(from, to, step) {
		index[d] = i
		list = append(list, Slot{Start: d.String(), Verdicts: zeroes(verdicts), Answers: zeroes(answers)})
	}
	for d, count := range c.days {
		if i, ok := index[d.start(step)]; ok {
			list[i].add(count)
		}
	}
	return list, step
}

func (s *Slot) add(c *dayCount) {
	s.Calls += c.calls
	s.Silent += c.silent
	for verdict, n := range c.verdicts {
		s.Verdicts[verdict] += n
	}
	for answer, n := range c.answers {
		s.Answers[answer] += n
	}
}

func zeroes[K comparable](keys []K) map[K]int {
	return maps.Collect(func(yield func(K, int) bool) {
		for k := range slices.Values(keys) {
			if !yield(k, 0) {
				return
			}
		}
	})
}
