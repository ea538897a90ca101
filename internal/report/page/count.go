package page

import (
	"context"
	"slices"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report"
)

// counter counts calls as they come.
type counter struct {
	zone               *time.Location
	total              Figures
	waited             []int64
	days               map[date]*dayCount
	hours              [24]Hour
	sessions, projects map[string]bool
	first, last        audit.Micros
}

// dayCount is what a slot counts, of one day.
type dayCount struct {
	calls, silent int
	verdicts      map[policy.Effect]int
	answers       map[gate.Answer]int
}

func newCounter(zone *time.Location) *counter {
	return &counter{zone: zone, days: map[date]*dayCount{}, sessions: map[string]bool{}, projects: map[string]bool{}}
}

func (c *counter) count(call *audit.Call) {
	at := call.Time.Time().In(c.zone)
	day := c.day(dateOf(at))
	if c.total.Calls == 0 {
		c.first, c.last = call.Time, call.Time
	}
	c.first, c.last = min(c.first, call.Time), max(c.last, call.Time)
	c.sessions[call.Session], c.projects[call.Project] = true, true
	c.total.Calls++
	day.calls++
	day.verdicts[call.Verdict]++
	hour := &c.hours[at.Hour()]
	hour.Calls++
	if asked(call) {
		c.total.Prompts++
		hour.Prompts++
		day.answers[call.Answer]++
		if call.Waited > 0 {
			c.waited = append(c.waited, call.Waited)
		}
	}
	if call.Mismatch {
		c.total.Mismatched++
	}
	switch {
	case call.Decision != policy.Run:
		c.blocked(call)
	case asked(call):
		c.total.Approved++
	default:
		c.total.Silent++
		day.silent++
	}
}

func (c *counter) blocked(call *audit.Call) {
	c.total.Blocked++
	switch {
	case call.Basis == policy.BasisNoUI || call.Answer == gate.AnswerNoUI:
		c.total.Unattended++
	case call.Verdict == policy.Deny:
		c.total.Denied++
	}
}

func (c *counter) day(d date) *dayCount {
	day := c.days[d]
	if day == nil {
		day = &dayCount{verdicts: map[policy.Effect]int{}, answers: map[gate.Answer]int{}}
		c.days[d] = day
	}
	return day
}

// figures are the counts of all.
func (c *counter) figures() Figures {
	f := c.total
	if f.Calls > 0 {
		f.SilentShare = float64(f.Silent) / float64(f.Calls)
	}
	f.ActiveDays, f.Sessions, f.Projects = len(c.days), len(c.sessions), len(c.projects)
	slices.Sort(c.waited)
	f.WaitedMedian, f.WaitedP90 = report.Percentile(c.waited, 0.5), report.Percentile(c.waited, 0.9)
	return f
}

// waitBounds are where the classes of Report.Waits end. An answer within the
// first was given faster than a command can be read.
var waitBounds = []time.Duration{2 * time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 0}

func (c *counter) waits() (list []Wait) {
	for _, bound := range waitBounds {
		list = append(list, Wait{Under: bound.Microseconds()})
	}
	for _, w := range c.waited {
		i := slices.IndexFunc(waitBounds, func(b time.Duration) bool { return b == 0 || w < b.Microseconds() })
		list[i].Prompts++
	}
	return list
}

// figures fills in what is counted without any text.
func (b *builder) figures(context.Context) error {
	r := b.report
	r.Total, r.Waits, r.Hours = b.now.figures(), b.now.waits(), b.now.hours[:]
	for i := range r.Hours {
		r.Hours[i].Hour = i
	}
	if b.filter.Since != 0 {
		before := b.before.figures()
		r.Before = &before
	}
	if b.now.total.Calls > 0 {
		if r.Period.Since == 0 {
			r.Period.Since = b.now.first
		}
		if r.Period.Until == 0 {
			r.Period.Until = b.now.last + 1
		}
	}
	r.Slots, r.Period.Step = b.now.slots(r.Period)
	return nil
}
