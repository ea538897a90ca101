package page

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Session is one session of Pi with what happened in it during the period.
type Session struct {
	ID      string       `json:"id"`
	Project string       `json:"project"`
	First   audit.Micros `json:"first"`
	Last    audit.Micros `json:"last"`
	// Branch, User, Host and Mode are what the session's start says; "" when it
	// says nothing or is not in these files.
	Branch  string `json:"branch"`
	User    string `json:"user"`
	Host    string `json:"host"`
	Mode    string `json:"mode"`
	Calls   int    `json:"calls"`
	Prompts int    `json:"prompts"`
	Blocked int    `json:"blocked"`
}

// Lasted is the time from the first call to the last, in microseconds.
func (s Session) Lasted() int64 { return int64(s.Last - s.First) }

// Timeline is what happened in one session, in order.
type Timeline struct {
	Session string   `json:"session"`
	Moments []Moment `json:"moments"`
	// More is how many calls came after the last moment.
	More int `json:"more"`
}

// Moment is a call that a person was asked about, one that was blocked or went
// wrong, rules that were saved, or a stretch of calls that ran silently.
type Moment struct {
	// Seq is the entry's number; 0 for a stretch of silent calls.
	Seq  int64        `json:"seq"`
	Time audit.Micros `json:"time"`
	// Until is when a stretch ends, Calls how many there were.
	Until audit.Micros `json:"until"`
	Calls int          `json:"calls"`
	Tool  string       `json:"tool"`
	What  string       `json:"what"`
	Why   string       `json:"why"`
	// Decision, Basis and Answer are empty for saved rules.
	Decision policy.Action `json:"decision"`
	Basis    policy.Basis  `json:"basis"`
	Answer   gate.Answer   `json:"answer"`
	Outcome  string        `json:"outcome"`
	Waited   int64         `json:"waited_us"`
	Mismatch bool          `json:"mismatch"`
}

// course is a session as it is counted.
type course struct {
	Session
	moments []step
	more    int
}

// step is a moment without its text: a call that stands for itself, or a
// stretch.
type step struct {
	call  audit.Call
	until audit.Micros
	calls int
}

func (s *step) stretch() bool { return s.call.Seq == 0 }

// courses are the sessions of a report.
type courses map[string]*course

func (c courses) count(call *audit.Call) {
	s := c[call.Session]
	if s == nil {
		s = &course{Session: Session{ID: call.Session, Project: call.Project, First: call.Time}}
		c[call.Session] = s
	}
	s.First, s.Last = min(s.First, call.Time), max(s.Last, call.Time)
	s.Calls++
	if asked(call) {
		s.Prompts++
	}
	if call.Decision != policy.Run {
		s.Blocked++
	}
	s.add(call)
}

// sameStretch is how long nothing may happen within a stretch of silent calls.
const sameStretch = audit.Micros(5 * time.Minute / time.Microsecond)

func (s *course) add(call *audit.Call) {
	quiet := call.Decision == policy.Run && !asked(call) && !call.Mismatch
	if n := len(s.moments); quiet && n > 0 && s.more == 0 {
		if last := &s.moments[n-1]; last.stretch() && call.Time-last.until < sameStretch {
			last.until, last.calls = max(last.until, call.Time), last.calls+1
			return
		}
	}
	switch {
	case len(s.moments) >= maxMoments:
		s.more++
	case quiet:
		s.moments = append(s.moments, step{call: audit.Call{Time: call.Time}, until: call.Time, calls: 1})
	default:
		s.moments = append(s.moments, step{call: *call, until: call.Time, calls: 1})
	}
}

// newest lists the sessions, the one with the newest call first.
func (c courses) newest() (list []*course) {
	for _, s := range c {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *course) int { return cmp.Or(cmp.Compare(b.Last, a.Last), cmp.Compare(a.ID, b.ID)) })
	return list
}

// sessions fills the lists of sessions and timelines.
func (b *builder) sessions(ctx context.Context) error {
	list := b.courses.newest()
	if err := b.starts(ctx); err != nil {
		return err
	}
	saved, err := b.saved(ctx)
	if err != nil {
		return err
	}
	var rows []Session
	b.report.Timelines = []Timeline{}
	for i, s := range list {
		rows = append(rows, s.Session)
		if i >= maxTimelines {
			continue
		}
		line := Timeline{Session: s.ID, More: s.more, Moments: []Moment{}}
		for i := range s.moments {
			m, err := b.moment(ctx, &s.moments[i])
			if err != nil {
				return err
			}
			line.Moments = append(line.Moments, m)
		}
		line.Moments = append(line.Moments, saved[s.ID]...)
		slices.SortStableFunc(line.Moments, func(a, b Moment) int { return cmp.Compare(a.Time, b.Time) })
		b.report.Timelines = append(b.report.Timelines, line)
	}
	b.report.Sessions = listOf(rows, maxSessions)
	return nil
}

func (b *builder) moment(ctx context.Context, s *step) (Moment, error) {
	m := Moment{Seq: s.call.Seq, Time: s.call.Time, Until: s.until, Calls: s.calls}
	if s.stretch() {
		return m, nil
	}
	text, err := b.text(ctx, s.call.Judged)
	if err != nil {
		return m, err
	}
	m.Tool, m.What, m.Why = s.call.Tool, text.what, text.why
	m.Decision, m.Basis, m.Answer, m.Outcome = s.call.Decision, s.call.Basis, s.call.Answer, s.call.Outcome
	m.Waited, m.Mismatch = s.call.Waited, s.call.Mismatch
	return m, nil
}

// starts fills in what the starts of the sessions say.
func (b *builder) starts(ctx context.Context) error {
	for row, err := range b.journal.List(ctx, audit.Filter{Kind: gate.KindSessionStart, Projects: b.filter.Projects, Scan: b.filter.Scan}) {
		if err != nil {
			if row.Seq != 0 {
				continue // it is counted with the calls
			}
			return err
		}
		s := b.courses[row.Session]
		if s == nil {
			continue
		}
		var start gate.SessionStart
		if json.Unmarshal(row.Body, &start) == nil {
			s.Branch, s.User, s.Host, s.Mode = start.Branch, start.User, start.Host, start.Mode
		}
	}
	return nil
}

// saved finds the rules that people saved at the dialog, by session.
func (b *builder) saved(ctx context.Context) (map[string][]Moment, error) {
	found := map[string][]Moment{}
	f := audit.Filter{Kind: gate.KindRulesSaved, Projects: b.filter.Projects, Since: b.report.Period.Since, Until: b.filter.Until, Scan: b.filter.Scan}
	for row, err := range b.journal.List(ctx, f) {
		if err != nil {
			if row.Seq != 0 {
				continue
			}
			return nil, err
		}
		var s gate.RulesSaved
		if b.courses[row.Session] == nil || json.Unmarshal(row.Body, &s) != nil || s.Error != "" {
			continue
		}
		for _, rule := range s.Rules {
			if len(found[row.Session]) < maxMoments {
				found[row.Session] = append(found[row.Session], Moment{Seq: row.Seq, Time: row.Time, Until: row.Time, What: shorten(rule), Why: s.File})
			}
		}
	}
	return found, nil
}
