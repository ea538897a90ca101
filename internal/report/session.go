package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Session is a session of Pi, which may have been opened several times. The
// tags are the fields of `pigate audit sessions --json`.
type Session struct {
	ID string `json:"session"`
	// Project, Remote and Branch are those of the last opening; they are "" when
	// none is recorded, or its text was erased.
	Project string `json:"project"`
	Remote  string `json:"remote"`
	Branch  string `json:"branch"`
	// Parent is the session whose sub-agent this is, Agent what the sub-agent is
	// called; both "" for a session that a person began.
	Parent string `json:"parent_session,omitempty"`
	Agent  string `json:"agent,omitempty"`
	// Started is the first that is known of the session, Last the last.
	Started audit.Micros `json:"started"`
	Last    audit.Micros `json:"last"`
	// Opened is how many openings are recorded, Duration how long the session was
	// open, all in all, in microseconds: from an opening to the end, or to the last
	// that is known where no end is recorded.
	Opened   int   `json:"opened"`
	Duration int64 `json:"duration_us"`
	// Ended is why the session ended, as Pi has it: quit, reload, … "" is a session
	// that is open, or whose gate was cut off.
	Ended string `json:"ended"`
	// Calls are the decisions, Prompts those a person was asked about, Denied those
	// that a rule or the person denied, Blocked all that did not run.
	Calls   int `json:"calls"`
	Prompts int `json:"prompts"`
	Denied  int `json:"denied"`
	Blocked int `json:"blocked"`

	openings []opening
}

// opening is the time from one session_start to the next.
type opening struct {
	seq         int64
	begin, last audit.Micros
	ended       string
}

// NewSessions describes the sessions that the entries belong to, in the order
// in which they began. starts are entries of kind session_start, ends of kind
// session_end, calls the decisions, each oldest first. It holds all sessions,
// and no call.
func NewSessions(starts, ends iter.Seq2[audit.Row, error], calls iter.Seq2[audit.Call, error]) ([]Session, error) {
	known := map[string]*Session{}
	of := func(id string) *Session {
		if known[id] == nil {
			known[id] = &Session{ID: id}
		}
		return known[id]
	}
	for row, err := range starts {
		if err != nil {
			return nil, err
		}
		of(row.Session).start(&row)
	}
	for row, err := range ends {
		if err != nil {
			return nil, err
		}
		if err := of(row.Session).end(&row); err != nil {
			return nil, err
		}
	}
	for call, err := range calls {
		if err != nil {
			return nil, err
		}
		if call.Session != "" {
			of(call.Session).call(&call)
		}
	}
	list := make([]Session, 0, len(known))
	for _, s := range known {
		s.finish()
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b Session) int {
		return cmp.Or(cmp.Compare(a.Started, b.Started), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

// startEntry are the fields of a session_start.
type startEntry struct {
	Reason      string `json:"reason"`
	Remote      string `json:"remote"`
	Branch      string `json:"branch"`
	Host        string `json:"host"`
	User        string `json:"user"`
	Mode        string `json:"mode"`
	Trusted     bool   `json:"trusted"`
	HostApp     string `json:"host_app"`
	HostVersion string `json:"host_version"`
	Parent      string `json:"parent_session"`
	Agent       string `json:"agent"`
}

func (s *Session) start(row *audit.Row) {
	var e startEntry
	_ = json.Unmarshal(row.Body, &e) // an entry of another form has less to tell
	s.Project, s.Remote, s.Branch = row.Project, e.Remote, e.Branch
	s.Parent, s.Agent = e.Parent, e.Agent
	if row.Erased {
		s.Project = ""
	}
	s.openings = append(s.openings, opening{seq: row.Seq, begin: row.Time, last: row.Time})
	s.Opened++
}

// during is the opening that an entry belongs to. What comes before the first
// that is known belongs to one of its own.
func (s *Session) during(seq int64, at audit.Micros) *opening {
	i, _ := slices.BinarySearchFunc(s.openings, seq, func(o opening, seq int64) int { return cmp.Compare(o.seq, seq) })
	if i == 0 {
		s.openings = slices.Insert(s.openings, 0, opening{begin: at, last: at})
		i = 1
	}
	o := &s.openings[i-1]
	o.begin, o.last = min(o.begin, at), max(o.last, at)
	return o
}

func (s *Session) end(row *audit.Row) error {
	var e struct {
		Reason string `json:"reason"`
	}
	if err := json.Unmarshal(row.Body, &e); err != nil {
		return fmt.Errorf("entry %d: %w", row.Seq, err)
	}
	s.during(row.Seq, row.Time).ended = cmp.Or(e.Reason, "ended")
	return nil
}

func (s *Session) call(c *audit.Call) {
	s.during(c.Seq, c.Time)
	s.Calls++
	if asked(c.Answer) {
		s.Prompts++
	}
	if denied(c.Verdict, c.Answer) {
		s.Denied++
	}
	if c.Decision == policy.Block {
		s.Blocked++
	}
}

// asked reports whether an answer is that of a person who was asked.
func asked(a gate.Answer) bool { return a != "" && a != gate.AnswerNoUI }

// denied reports whether a rule or a person said no.
func denied(v policy.Effect, a gate.Answer) bool {
	return v == policy.Deny || a == gate.AnswerDeny || a == gate.AnswerDismissed
}

func (s *Session) finish() {
	if len(s.openings) == 0 {
		return
	}
	s.Started = s.openings[0].begin
	for _, o := range s.openings {
		s.Duration += int64(o.last - o.begin)
		s.Last = max(s.Last, o.last)
	}
	s.Ended = s.openings[len(s.openings)-1].ended
}

// Between reports whether a session has anything from since on and before
// until; 0 is no bound.
func (s *Session) Between(since, until audit.Micros) bool {
	return (since == 0 || s.Last >= since) && (until == 0 || s.Started < until)
}
